// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"
#include "comm/bootstrap/bootstrap.h"
#include "comm/bootstrap/keys.h"

namespace tandem::bootstrap {

// What the bytes of a root info say.
struct RootInfo {
  std::string address;  // of the root's host, in figures, with %interface for a link-local one
  uint16_t port = 0;
  std::string identifier;  // default name of the communicator: address_port_device_microseconds
  RootId id{};
  Secret secret{};
  int32_t pid = 0;        // of the root's process; for messages
  std::string host_name;  // for messages

  std::string Endpoint() const;  // "10.0.0.1:60000", "[::1]:60000"
};

// REQUIRES: address, identifier and host_name shorter than 64, 128 and 64 bytes
RootInfoBytes Encode(const RootInfo& info);
// Says which it is when the bytes are empty, cut off, damaged, or made by another version.
Result<RootInfo> Decode(const RootInfoBytes& bytes);

}  // namespace tandem::bootstrap
