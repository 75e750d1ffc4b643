// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "info/facts.h"

namespace tandem::tools {

// Every setting, from the table with which the library itself parses them.
std::vector<SettingFacts> GatherSettings();

}  // namespace tandem::tools
