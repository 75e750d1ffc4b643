// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "run/options.h"

namespace tandem::tools {

// Runs the ranks to their end and leaves nothing behind. Returns the exit code of the launcher.
int RunJob(const RunOptions& options);

}  // namespace tandem::tools
