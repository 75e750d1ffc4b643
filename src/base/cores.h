// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace tandem {

// The cores that this process may run on, ascending; empty when the kernel does not say.
std::vector<int> AllowedCores();

// Restricts the calling thread to one core. False with errno set when that is refused.
bool BindToCore(int core);

// A set of cores as text, "0-3,8"; what is no such text reads as no cores.
std::string CoresToText(const std::vector<int>& cores);
std::set<int> CoresFromText(std::string_view text);

// How many cores' worth of time a container's limit leaves to this process; 0 when there is no limit.
double CoreTimeLimit();

}  // namespace tandem
