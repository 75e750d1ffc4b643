// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <optional>
#include <vector>

#include "run/report.h"

namespace tandem::tools {

struct RankProcess {
  int rank;
  pid_t pid;  // and the id of its process group
  std::optional<Ending> ending;
};

// The processes of a run. A rank that has ended stays a zombie until ReapAll: that keeps its id, and that of
// its process group, from being given to somebody else while we may still send signals to them. What ranks
// leave behind becomes a child of the launcher (it is a "subreaper"), so none of it is lost sight of.
class RankTable {
 public:
  RankTable();

  void Add(int rank, pid_t pid) { ranks_.push_back({rank, pid, std::nullopt}); }
  // Looks which ranks have ended since the last call, and drops orphans that have ended.
  std::vector<const RankProcess*> Collect();
  bool AllEnded() const { return Running().empty(); }
  std::vector<int> Running() const;

  // To every process group, those of ended ranks included: grandchildren live there.
  void SignalGroups(int signal_number) const;
  // Living processes that ranks left behind, wherever they moved; REQUIRES: AllEnded().
  std::vector<pid_t> Leftovers() const;
  // To each of them and to all process groups.
  void SignalLeftovers(int signal_number) const;
  void ReapAll();

 private:
  bool IsRank(pid_t pid) const;
  // Children of this process that are no ranks; ended ones are dropped here.
  std::vector<pid_t> Orphans() const;

  std::vector<RankProcess> ranks_;  // ascending by rank
};

}  // namespace tandem::tools
