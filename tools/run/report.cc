// SPDX-License-Identifier: Apache-2.0
#include "run/report.h"

#include <string.h>

#include "verb.h"

namespace tandem::tools {

int Ending::ExitCode() const { return by_signal ? kExitSignalBase + number : number; }

std::string SignalName(int number) {
  const char* name = sigabbrev_np(number);
  return name != nullptr ? std::string("SIG") + name : std::string("unknown signal");
}

std::string Describe(int rank, pid_t pid, const Ending& ending) {
  std::string text = "rank " + std::to_string(rank) + " (pid " + std::to_string(pid) + ") ";
  if (!ending.by_signal) return text + "exited with code " + std::to_string(ending.number);
  text += "was killed by signal " + std::to_string(ending.number) + " (" + SignalName(ending.number) + ")";
  return ending.core_dumped ? text + ", core dumped" : text;
}

std::string RankList(const std::vector<int>& ranks) {
  std::string text;
  for (size_t i = 0; i < ranks.size();) {
    size_t last = i;
    while (last + 1 < ranks.size() && ranks[last + 1] == ranks[last] + 1) ++last;
    if (!text.empty()) text += ", ";
    text += std::to_string(ranks[i]);
    if (last > i) text += (last == i + 1 ? ", " : "-") + std::to_string(ranks[last]);
    i = last + 1;
  }
  return text;
}

}  // namespace tandem::tools
