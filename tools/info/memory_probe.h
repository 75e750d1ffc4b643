// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace tandem::tools {

// Why the kernel would not let one rank read the memory of another (Yama, seccomp, a container's rules); ""
// when it would. Tried out with two processes that are related as ranks are: as siblings.
std::string WhyPeersCannotRead();

}  // namespace tandem::tools
