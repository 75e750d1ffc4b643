// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "run/options.h"

namespace tandem::tools {

// The environment of one rank as `KEY=VALUE` strings: that of this process, then what says which rank it is,
// then the user's --env.
std::vector<std::string> RankEnvironment(const RunOptions& options, int rank, uint16_t master_port,
                                         const std::string& run_directory);

// A remark when TANDEM_DEVICES, set by the user, is below the number of ranks; "" when all is well.
std::string TooFewDevices(const RunOptions& options);

}  // namespace tandem::tools
