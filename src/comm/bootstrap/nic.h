// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "base/config.h"
#include "base/result.h"

namespace tandem::bootstrap {

// One address of one network interface.
struct Nic {
  std::string name;
  std::string address;  // in figures; a link-local IPv6 address ends in %name
  bool v6 = false;
  bool link_local = false;
};

struct NicWishes {
  std::optional<std::string> address;  // HCCL_IF_IP
  std::optional<NicFilter> filter;     // HCCL_SOCKET_IFNAME
  AddressFamily family = AddressFamily::kUnset;
};

// The interfaces of this host that are up.
Result<std::vector<Nic>> ListNics();

// HCCL's order: the wished address, else the first interface that matches the names; within those, ordinary
// names before docker* before lo*, each by name ascending; the wished family (IPv4 unless set) before the
// other. EI0001 with kNotFound, listing what exists, when nothing fits.
Result<Nic> ChooseNic(std::vector<Nic> nics, const NicWishes& wishes);

// ChooseNic with what the environment says.
Result<Nic> ChooseHostNic();
// Whether the user chose the interface, so that connections must leave from there.
Result<bool> IsNicWished();

// Whether a socket of this host can have this address.
bool IsAddressOfThisHost(const std::string& address);

}  // namespace tandem::bootstrap
