// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "base/fd.h"
#include "run/file_limit.h"
#include "run/signals.h"

namespace tandem::tools {

// What a new rank is given.
struct SpawnRequest {
  const std::vector<std::string>& command;
  const std::vector<std::string>& environment;
  int stdin_fd;            // becomes its standard input
  int core = -1;           // the only core it may use; -1: all
  const Signals& signals;  // what to restore before exec
  const FileLimit& file_limit;
};

// A rank that runs, or why it does not.
struct Spawned {
  pid_t pid = -1;  // also the id of the process group that it leads
  UniqueFd out;    // reading ends, non-blocking
  UniqueFd err;
  int exit_code = 0;    // what the launcher should exit with; 0 when the rank runs
  std::string problem;  // "" when the rank runs
};

// Starts one rank in a process group of its own; it dies when the launcher dies. Returns after exec has
// succeeded or failed.
Spawned Spawn(const SpawnRequest& request);

}  // namespace tandem::tools
