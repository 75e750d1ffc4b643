// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

namespace tandem::tools {

// Limits that a container or service manager puts on this process: the tightest of its group and all groups
// above. Empty when there is none.
struct CgroupLimits {
  std::optional<double> cores;
  std::optional<uint64_t> memory_bytes;
};

CgroupLimits ReadCgroupLimits();

}  // namespace tandem::tools
