// SPDX-License-Identifier: Apache-2.0
#include "run/rank_table.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <string>

namespace tandem::tools {
namespace {

std::optional<Ending> EndingOf(pid_t pid) {
  siginfo_t info{};
  if (waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid != pid) {
    return std::nullopt;
  }
  return Ending{.by_signal = info.si_code != CLD_EXITED,
                .core_dumped = info.si_code == CLD_DUMPED,
                .number = info.si_status};
}

}  // namespace

RankTable::RankTable() { prctl(PR_SET_CHILD_SUBREAPER, 1); }

std::vector<const RankProcess*> RankTable::Collect() {
  std::vector<const RankProcess*> ended;
  for (RankProcess& process : ranks_) {
    if (process.ending) continue;
    process.ending = EndingOf(process.pid);
    if (process.ending) ended.push_back(&process);
  }
  Orphans();
  return ended;
}

std::vector<int> RankTable::Running() const {
  std::vector<int> running;
  for (const RankProcess& process : ranks_) {
    if (!process.ending) running.push_back(process.rank);
  }
  return running;
}

void RankTable::SignalGroups(int signal_number) const {
  for (const RankProcess& process : ranks_) {
    kill(-process.pid, signal_number);
    // A stopped process would not see the signal before somebody continues it.
    if (signal_number == SIGTERM || signal_number == SIGINT || signal_number == SIGHUP)
      kill(-process.pid, SIGCONT);
  }
}

std::vector<pid_t> RankTable::Leftovers() const { return Orphans(); }

void RankTable::SignalLeftovers(int signal_number) const {
  SignalGroups(signal_number);
  for (pid_t pid : Orphans()) kill(pid, signal_number);
}

void RankTable::ReapAll() {
  for (const RankProcess& process : ranks_) waitpid(process.pid, nullptr, 0);
  ranks_.clear();
}

bool RankTable::IsRank(pid_t pid) const {
  return std::any_of(ranks_.begin(), ranks_.end(),
                     [pid](const RankProcess& process) { return process.pid == pid; });
}

std::vector<pid_t> RankTable::Orphans() const {
  std::vector<pid_t> living;
  std::ifstream children("/proc/self/task/" + std::to_string(gettid()) + "/children");
  for (pid_t pid = 0; children >> pid;) {
    if (!IsRank(pid) && waitpid(pid, nullptr, WNOHANG) == 0) living.push_back(pid);
  }
  return living;
}

}  // namespace tandem::tools
