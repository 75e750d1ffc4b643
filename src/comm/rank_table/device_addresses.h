// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace tandem::rank_table {

// Where an Ascend host lists the addresses of its devices' network ports.
std::string DeviceAddressFile();

// The address that `file` gives the device: the line "address_DEVICE=ADDRESS". Nothing without file or line;
// such a host says nothing that a rank table could contradict.
std::optional<std::string> ListedAddress(const std::string& file, int32_t device);

// Whether both texts mean the same address.
bool IsSameAddress(const std::string& a, const std::string& b);

}  // namespace tandem::rank_table
