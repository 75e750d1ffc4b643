// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace tandem {

// Memory that this process may use, in bytes: what the machine has, or less when a cgroup (container) allows
// less.
uint64_t HostMemoryTotal();

// How much of it is still to be had without pushing anything out, at this moment.
uint64_t HostMemoryAvailable();

}  // namespace tandem
