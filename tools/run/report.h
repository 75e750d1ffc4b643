// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace tandem::tools {

// How a process ended, as the kernel tells it.
struct Ending {
  bool by_signal = false;
  bool core_dumped = false;
  int number = 0;  // exit code or signal

  bool Failed() const { return by_signal || number != 0; }
  // What a shell would show: the code, or 128 plus the signal.
  int ExitCode() const;
};

// "SIGKILL", or "unknown signal".
std::string SignalName(int number);
// "rank 3 (pid 4711) was killed by signal 9 (SIGKILL)"
std::string Describe(int rank, pid_t pid, const Ending& ending);
// "0, 2-5, 7"; REQUIRES: ascending.
std::string RankList(const std::vector<int>& ranks);

}  // namespace tandem::tools
