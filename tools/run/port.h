// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "base/result.h"

namespace tandem::tools {

// A TCP port on which nobody listens now. Nothing reserves it until rank 0 binds it, so it is taken at random
// from below the range out of which the kernel serves outgoing connections.
Result<uint16_t> FreePort();

}  // namespace tandem::tools
