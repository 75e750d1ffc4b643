// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/config.h"
#include "base/fd.h"
#include "base/result.h"

namespace tandem::bootstrap {

struct ListeningSocket {
  UniqueFd fd;
  uint16_t port = 0;
};

// The ports to try, in order; 0 means any free one.
std::vector<uint16_t> PortsToTry(const std::optional<PortRanges>& ranges, uint16_t base_port, int32_t device);

// Listens on the first of the ports that is free. When none is: EI0019, kUnavailable, naming address, port,
// and the process that has it where the system lets us see.
Result<ListeningSocket> Listen(const std::string& address, const std::vector<uint16_t>& ports);

// "pid 123 (nginx)" for whoever uses the port on this host, or "".
std::string PortOwner(uint16_t port);

}  // namespace tandem::bootstrap
