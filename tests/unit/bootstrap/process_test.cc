// SPDX-License-Identifier: Apache-2.0
// Real processes that join, leave and die.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <csignal>
#include <set>

#include "unit/bootstrap/ranks.h"
#include "unit/bootstrap/worker.h"

namespace tandem::bootstrap::test {
namespace {

using namespace std::chrono_literals;

bool Begins(const std::string& line, const std::string& with) { return line.rfind(with, 0) == 0; }
bool Contains(const std::string& line, const std::string& part) {
  return line.find(part) != std::string::npos;
}
std::string CodeText(Code code) { return std::to_string(static_cast<int>(code)); }

TEST(Processes, MixOfThreadsAndProcessesJoins) {
  Worker root;
  Worker other;
  const auto info = root.StartRoot();
  other.Join(info, 2, 3, 5, kLong);
  root.Join(info, 0, 2, 5, kLong);
  std::string name;
  for (Worker* worker : {&root, &root, &other, &other, &other}) {
    const std::string line = worker->Line();
    ASSERT_TRUE(Begins(line, "joined ")) << line;
    const std::string this_name = line.substr(line.rfind(' ') + 1);
    if (name.empty()) name = this_name;
    EXPECT_EQ(this_name, name);
  }
}

TEST(Processes, KilledProcessIsToldToAllOthersWithItsPid) {
  Worker root;
  Worker witness;
  Worker victim;
  const pid_t pid = victim.pid();
  const auto info = root.StartRoot();
  victim.Join(info, 2, 2, 4, kLong);
  witness.Join(info, 1, 1, 4, kLong);
  root.Join(info, 0, 1, 4, kLong);
  for (Worker* worker : {&root, &witness, &victim, &victim}) ASSERT_TRUE(Begins(worker->Line(), "joined "));
  victim.Kill(SIGKILL);
  for (Worker* worker : {&root, &witness}) {
    const std::string by = worker == &root ? "0" : "1";
    // Each rank has a connection of its own, and they end in any order.
    std::set<std::string> lost;
    for (int i = 0; i < 2; ++i) {
      const std::string line = worker->Line();
      lost.insert(line.substr(0, line.find(" its ")));
      EXPECT_TRUE(Contains(line, " its process (pid " + std::to_string(pid))) << line;
      EXPECT_TRUE(Contains(line, ") ended")) << line;
    }
    EXPECT_EQ(lost, (std::set<std::string>{"lost " + by + " 2 0", "lost " + by + " 3 0"}));
  }
}

TEST(Processes, ChildProgramsDoNotHideTheDeathOfTheirParent) {
  Worker root;
  Worker victim;
  const auto info = root.StartRoot();
  victim.Join(info, 1, 1, 2, kLong);
  root.Join(info, 0, 1, 2, kLong);
  ASSERT_TRUE(Begins(root.Line(), "joined "));
  ASSERT_TRUE(Begins(victim.Line(), "joined "));
  victim.ForkChild();
  const std::string child = victim.Line();
  const pid_t child_pid = std::stoi(child.substr(child.rfind(' ') + 1));
  ASSERT_GT(child_pid, 0);
  victim.Kill(SIGKILL);
  EXPECT_TRUE(Begins(root.Line(), "lost 0 1 0 its process"));
  kill(child_pid, SIGKILL);
}

TEST(Processes, DeathOfTheRootsProcessIsSeenByAll) {
  Worker root;
  Worker one;
  Worker two;
  const auto info = root.StartRoot();
  one.Join(info, 1, 1, 3, kLong);
  two.Join(info, 2, 1, 3, kLong);
  root.Join(info, 0, 1, 3, kLong);
  for (Worker* worker : {&root, &one, &two}) ASSERT_TRUE(Begins(worker->Line(), "joined "));
  root.Kill(SIGKILL);
  EXPECT_TRUE(Begins(one.Line(), "lost 1 0 0 its process"));
  EXPECT_TRUE(Begins(two.Line(), "lost 2 0 0 its process"));
}

TEST(Processes, LeavingBeforeTheEndIsNotADeath) {
  Worker root;
  auto leaver = std::make_unique<Worker>();
  const auto info = root.StartRoot();
  leaver->Join(info, 1, 1, 2, kLong);
  root.Join(info, 0, 1, 2, kLong);
  ASSERT_TRUE(Begins(root.Line(), "joined "));
  ASSERT_TRUE(Begins(leaver->Line(), "joined "));
  leaver.reset();  // leaves and exits at once
  EXPECT_EQ(root.Line(), "lost 0 1 1 left the communicator");
}

TEST(Processes, RootThatDiedBeforeTheJoinIsReportedAsGone) {
  Worker root;
  const pid_t pid = root.pid();
  const auto info = root.StartRoot();
  root.Kill(SIGKILL);
  const auto joined = Join(info, 2, Record(1), Patient());
  ASSERT_FALSE(joined);
  EXPECT_EQ(joined.status().code(), Code::kConnect);
  EXPECT_EQ(joined.status().id(), "EI0015");
  const std::string text(joined.status().text());
  EXPECT_TRUE(Begins(text, "root rank's process at 127.0.0.1:")) << text;
  EXPECT_TRUE(Contains(text, " is gone (connection refused)")) << text;
  EXPECT_TRUE(Contains(text, "pid " + std::to_string(pid))) << text;
}

TEST(Processes, RootThatDiesWhileRanksWaitIsReportedAsGone) {
  Worker root;
  Worker early;
  const auto info = root.StartRoot();
  early.Join(info, 1, 1, 3, kLong);
  // However far the rank has got by now, it must hear the same.
  root.Kill(SIGKILL);
  const std::string line = early.Line();
  EXPECT_TRUE(Begins(line, "failed 1 " + CodeText(Code::kConnect) + " EI0015 root rank's process at "))
      << line;
}

TEST(Processes, StoppedRootEndsTheWaitAtTheRanksOwnDeadline) {
  Worker root;
  const auto info = root.StartRoot();
  kill(root.pid(), SIGSTOP);
  ASSERT_EQ(waitpid(root.pid(), nullptr, WUNTRACED), root.pid());  // it has stopped
  const auto joined = Join(info, 2, Record(1), Clock::now() + 300ms);
  kill(root.pid(), SIGCONT);
  ASSERT_FALSE(joined);
  EXPECT_EQ(joined.status().code(), Code::kTimeout);
  EXPECT_TRUE(Contains(std::string(joined.status().text()), "does not answer")) << joined.status().text();
}

TEST(Processes, RankThatDiesBeforeAllHaveComeEndsTheWaitOfTheOthers) {
  const Environment environment;
  const auto info = StartRoot(0);
  ASSERT_TRUE(info);
  Worker victim;
  const pid_t pid = victim.pid();
  victim.Join(*info, 1, 1, 3, kLong);
  victim.Kill(SIGKILL);
  // Rank 2 never comes, so nobody can be done before.
  const auto joined = JoinAll(*info, {{Record(0), 3, false}}, Clock::now() + 2s);
  ASSERT_FALSE(joined[0]);
  EXPECT_EQ(joined[0].status().code(), Code::kInternal);
  EXPECT_EQ(joined[0].status().id(), "EI0015");
  const std::string text(joined[0].status().text());
  // The victim may have died before its rank reached the root; then the root has only a rank that is missing.
  EXPECT_TRUE(Contains(text, "pid " + std::to_string(pid)) || Contains(text, "missing 1,2")) << text;
}

}  // namespace
}  // namespace tandem::bootstrap::test
