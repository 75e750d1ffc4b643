// SPDX-License-Identifier: Apache-2.0
// A rank's process ends while others need it, and what is left when all are killed.
#include <sched.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <regex>
#include <thread>

#include "support/job.h"
#include "support/surroundings.h"

namespace tandem::test {
namespace {

constexpr uint64_t kBytes = uint64_t{kSanitized ? 8 : 64} << 20;

enum Flag : uint32_t { kRounds, kWaiting };

enum class Death : uint8_t { kKilled, kAborted, kExitCode3 };

// The victim's own end; being killed comes from the test.
[[noreturn]] void Die(Death how) {
  if (how == Death::kAborted) {
    signal(SIGABRT, SIG_DFL);
    std::abort();
  }
  _exit(3);
}

// Exchanges in a ring until an operation fails, and returns how.
Outcome ExchangeUntilFailure(Rank& rank, Memory memory) {
  const Buffer out = rank.Outgoing(rank.next(), 0, kBytes, memory);
  const Buffer in = rank.Incoming(kBytes, memory);
  for (;;) {
    rank.Batch({SendItem(out, rank.next()), ReceiveItem(in, rank.previous())});
    Outcome outcome = rank.TrySynchronize();
    if (outcome.code != ACL_SUCCESS) {
      rank.Require(in.CheckGuards().empty(), "guard bytes were overwritten");
      return outcome;
    }
    rank.ExpectArrived(in, rank.previous(), 0);
    rank.board().Count(kRounds);
  }
}

void ExpectSurvivors(const JobEnd& end, size_t victim) {
  EXPECT_FALSE(end.timed_out) << end.Text();
  for (size_t i = 0; i < end.processes.size(); ++i) {
    if (i == victim) continue;
    EXPECT_EQ(end.processes[i].exit_code, 0) << "rank " << i << "\n" << end.Text();
  }
}

JobOptions FourRanks() {
  JobOptions options;
  options.ranks = 4;
  options.deadline = std::chrono::seconds(kSanitized ? 240 : 60);
  return options;
}

TEST(PeerLoss, KilledInTheMiddleOfTransfers) {
  for (const Memory memory : {Memory::kDevice, Memory::kPlain}) {
    // Rank 0 holds the root of the communicator, so its end is the end of what tells the others.
    for (const uint32_t victim : {1U, 0U, 3U}) {
      Job job(FourRanks(), [victim, memory](Rank& rank) {
        const Outcome outcome = ExchangeUntilFailure(rank, memory);
        const bool neighbour = rank.next() == victim || rank.previous() == victim;
        rank.Says(outcome, ACL_ERROR_RT_SUSPECT_REMOTE_ERROR, {"rank "});
        // The one that is no neighbour learns it from those that gave up and left.
        if (neighbour)
          rank.Says(outcome, ACL_ERROR_RT_SUSPECT_REMOTE_ERROR, {"rank " + std::to_string(victim)});
      });
      job.board().AwaitCount(kRounds, 8);
      job.Kill(victim, SIGKILL);
      ExpectSurvivors(job.Wait(), victim);
    }
  }
}

// r0 waits in a receive from r1 and r2 in a send to it; r3 does not need it.
void WaitForTheVictim(Rank& rank, Death how) {
  const Buffer buffer = rank.Incoming(4096);
  switch (rank.index()) {
    case 0:
      rank.Receive(buffer, 1);
      break;
    case 2:
      rank.Send(buffer, 1);
      break;
    case 1:
      rank.board().AwaitCount(kWaiting, 2);
      if (how != Death::kKilled) Die(how);
      for (;;) pause();
    default:
      break;
  }
  if (rank.index() != 3) {
    rank.board().Count(kWaiting);
    rank.Says(rank.TrySynchronize(), ACL_ERROR_RT_SUSPECT_REMOTE_ERROR, {"rank 1"});
    rank.ExpectUntouched(buffer);
    return;
  }
  AwaitEnd(rank.board().pids[1].load());
  rank.Send(buffer, 1);
  rank.Says(rank.TrySynchronize(), ACL_ERROR_RT_SUSPECT_REMOTE_ERROR, {"rank 1"});
}

TEST(PeerLoss, EndsWhileOthersWait) {
  for (const Death how : {Death::kKilled, Death::kAborted, Death::kExitCode3}) {
    Job job(FourRanks(), [how](Rank& rank) { WaitForTheVictim(rank, how); });
    job.board().AwaitCount(kWaiting, 2);
    if (how == Death::kKilled) job.Kill(1, SIGKILL);
    ExpectSurvivors(job.Wait(), 1);
  }
}

TEST(PeerLoss, KilledWhileIdleIsNoticedAtTheNextUseOnly) {
  Job job(FourRanks(), [](Rank& rank) {
    const Buffer out = rank.Outgoing(rank.next(), 0, 4096);
    const Buffer in = rank.Incoming(4096);
    rank.Batch({SendItem(out, rank.next()), ReceiveItem(in, rank.previous())});
    rank.Synchronize();
    rank.board().Count(kRounds);
    if (rank.index() == 1) {
      for (;;) pause();
    }
    AwaitEnd(rank.board().pids[1].load());
    // Those that do not need it go on.
    const uint32_t other = rank.index() == 0 ? 3 : 0;
    if (rank.index() != 2) {
      const Buffer more = rank.Outgoing(other, 1, 4096);
      const Buffer received = rank.Incoming(4096);
      rank.Batch({SendItem(more, other), ReceiveItem(received, other)});
      rank.Synchronize();
      rank.ExpectArrived(received, other, 1);
      if (rank.index() == 3) return;
    }
    rank.Receive(in, 1);
    rank.Says(rank.TrySynchronize(), ACL_ERROR_RT_SUSPECT_REMOTE_ERROR, {"rank 1"});
  });
  job.board().AwaitCount(kRounds, 4);
  job.Kill(1, SIGKILL);
  ExpectSurvivors(job.Wait(), 1);
}

// A peer that only stands still is not dead: whoever waits goes on waiting, and gets its data.
TEST(PeerLoss, StoppedIsNotDead) {
  JobOptions options;
  Job job(options, [](Rank& rank) {
    if (rank.index() == 0) {
      const Buffer out = rank.Outgoing(1, 0, kBytes);
      rank.Meet();
      rank.Send(out, 1);
      rank.Synchronize();
      return;
    }
    const Buffer in = rank.Incoming(kBytes);
    rank.Receive(in, 0);
    rank.Meet();
    rank.board().Raise(kWaiting);
    rank.Synchronize();
    rank.ExpectArrived(in, 0, 0);
  });
  job.board().Await(kWaiting);
  job.Kill(0, SIGSTOP);
  int status = 0;
  ASSERT_EQ(waitpid(job.pid(0), &status, WUNTRACED), job.pid(0));
  ASSERT_TRUE(WIFSTOPPED(status));
  // Long enough for anything that watches over its peers to notice; nothing may depend on it.
  std::this_thread::sleep_for(std::chrono::milliseconds(1500));
  job.Kill(0, SIGCONT);
  const JobEnd end = job.Wait();
  EXPECT_TRUE(end.Good()) << end.Text();
}

// Own /dev/shm and /tmp for this program where that is allowed, so that what others do there is not seen;
// else only names that may be ours count.
class LeftOver : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    private_ = MayDo([] { return MountPrivateTmpfs("/dev/shm", "size=64m"); }) &&
               MountPrivateTmpfs("/dev/shm", "size=64m") && MountPrivateTmpfs("/tmp", "size=64m");
  }
  // Not the folders of `tandem run` and of other tests, which may run at the same time: their names end in
  // six random characters, or begin with tandem_.
  static bool MayBeTheLibrarys(const std::string& name) {
    static const std::regex others("tandem-[a-z-]+-[A-Za-z0-9]{6}|tandem_.*");
    return name.find("tandem") != std::string::npos && !std::regex_match(name, others);
  }
  static std::vector<std::string> Files() {
    std::vector<std::string> files;
    for (const char* directory : {"/dev/shm", "/tmp"}) {
      for (const std::string& name : Entries(directory)) {
        if (private_ || MayBeTheLibrarys(name)) files.push_back(std::string(directory) + "/" + name);
      }
    }
    return files;
  }
  static bool private_;
};
bool LeftOver::private_ = false;

TEST_F(LeftOver, NothingAfterAllRanksWereKilledInTheMiddle) {
  // Whatever a killed rank had started would become a child of this process.
  ASSERT_EQ(prctl(PR_SET_CHILD_SUBREAPER, 1), 0);
  const std::vector<std::string> before = Files();
  const uint32_t rounds = LongRun() ? 30 : 6;
  for (uint32_t round = 0; round < rounds; ++round) {
    const Memory memory = round % 2 == 0 ? Memory::kDevice : Memory::kPlain;
    Job job(FourRanks(), [memory](Rank& rank) { static_cast<void>(ExchangeUntilFailure(rank, memory)); });
    job.board().AwaitCount(kRounds, 4 + round);
    for (size_t i = 0; i < 4; ++i) job.Kill(i, SIGSTOP);
    for (size_t i = 0; i < 4; ++i) job.Kill(i, SIGKILL);
    const JobEnd end = job.Wait();
    for (const ProcessEnd& process : end.processes) EXPECT_EQ(process.signal, SIGKILL) << end.Text();
    EXPECT_EQ(Files(), before);
    EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1);
    EXPECT_EQ(errno, ECHILD) << "a process of the job is left";
  }
  // And the next run is an ordinary one.
  const JobEnd end = RunJob(FourRanks(), [](Rank& rank) {
    const Buffer out = rank.Outgoing(rank.next(), 0, kBytes);
    const Buffer in = rank.Incoming(kBytes);
    rank.Batch({SendItem(out, rank.next()), ReceiveItem(in, rank.previous())});
    rank.Synchronize();
    rank.ExpectArrived(in, rank.previous(), 0);
  });
  EXPECT_TRUE(end.Good()) << end.Text();
  EXPECT_EQ(Files(), before);
}

}  // namespace
}  // namespace tandem::test
