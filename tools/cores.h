// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

namespace tandem::tools {

// The cores that this process may run on, ascending; empty when the kernel does not say.
std::vector<int> AllowedCores();

// Restricts the calling thread to one core. False with errno set when that is refused.
bool BindToCore(int core);

}  // namespace tandem::tools
