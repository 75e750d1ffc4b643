// SPDX-License-Identifier: Apache-2.0
// R05, what the data must be: a peer that finished and left, and one that left too early.
#include <unistd.h>

#include <csignal>
#include <cstdlib>

#include "support/job.h"
#include "support/surroundings.h"

namespace tandem::test {
namespace {

class R05 : public JobTest {};
TANDEM_BOTH_MODES(R05);

// r1 serves its two operations, destroys its communicator and ends; the others still have one towards it.
TEST_P(R05, OperationsTowardsARankThatLeftFail) {
  Run(3, [](Rank& rank) {
    if (rank.index() == 1) {
      const Buffer in = rank.Incoming(20);
      const Buffer out = rank.Outgoing(2, 0, 20);
      rank.Receive(in, 0, HCCL_DATA_TYPE_FP32);
      rank.Send(out, 2, HCCL_DATA_TYPE_FP32);
      rank.Synchronize();
      rank.ExpectArrived(in, 0, 0);
      return;
    }
    const Buffer out = rank.Outgoing(1, 0, 20);
    const Buffer in = rank.Incoming(20);
    if (rank.index() == 0) {
      rank.Send(out, 1, HCCL_DATA_TYPE_FP32);
      rank.Receive(in, 1, HCCL_DATA_TYPE_FP32);
    } else {
      rank.Receive(in, 1, HCCL_DATA_TYPE_FP32);
      rank.Send(out, 1, HCCL_DATA_TYPE_FP32);
    }
    rank.Says(rank.TrySynchronize(), ACL_ERROR_RT_SUSPECT_REMOTE_ERROR, {"rank 1"});
    if (rank.index() == 0) {
      rank.ExpectUntouched(in);
    } else {
      rank.ExpectArrived(in, 1, 0);
    }
    // So does what is asked for after it is known.
    rank.Send(out, 1);
    rank.Says(rank.TrySynchronize(), ACL_ERROR_RT_SUSPECT_REMOTE_ERROR, {"rank 1"});
  });
}

struct Ended {
  uint64_t bytes = 0;
  Memory sender = Memory::kDevice;
  Memory receiver = Memory::kDevice;
  bool sender_leaves = false;
};

// What was complete for the one that left is complete for the one that looks later.
void FinishAndLeave(Rank& rank, const Ended& how) {
  const bool sender = rank.index() == 0;
  const Buffer buffer =
      sender ? rank.Outgoing(1, 0, how.bytes, how.sender) : rank.Incoming(how.bytes, how.receiver);
  if (sender) {
    rank.Send(buffer, 1);
  } else {
    rank.Receive(buffer, 0);
  }
  const bool leaves = sender == how.sender_leaves;
  if (!leaves) AwaitEnd(rank.board().pids[1 - rank.index()].load());
  rank.Synchronize();
  if (!sender) rank.ExpectArrived(buffer, 0, 0);
}

TEST(R05Processes, WhatTheLeaverFinishedIsFinishedForTheOther) {
  for (const uint64_t bytes : {uint64_t{4}, uint64_t{4096}, uint64_t{1} << 20, uint64_t{16} << 20}) {
    for (const Memory sender : {Memory::kDevice, Memory::kPlain}) {
      for (const Memory receiver : {Memory::kDevice, Memory::kPlain}) {
        for (const bool sender_leaves : {false, true}) {
          const Ended how{bytes, sender, receiver, sender_leaves};
          const JobEnd end = RunJob({}, [&how](Rank& rank) { FinishAndLeave(rank, how); });
          EXPECT_TRUE(end.Good()) << bytes << " bytes, sender leaves: " << sender_leaves << "\n"
                                  << end.Text();
        }
      }
    }
  }
}

enum class Exit : uint8_t { kExit, kExitAtOnce, kKilled };

[[noreturn]] void Leave(Exit how) {
  if (how == Exit::kExit) std::exit(0);
  if (how == Exit::kKilled) raise(SIGKILL);
  _exit(0);
}

// r0 queues a send and ends without waiting for it. Right data or an error; nothing else.
void LeaveTooEarly(Rank& rank, uint64_t bytes, Memory memory, bool wait, Exit how) {
  if (rank.index() == 0) {
    const Buffer out = rank.Outgoing(1, 0, bytes, memory);
    rank.Send(out, 1);
    Leave(how);
  }
  const Buffer in = rank.Incoming(bytes, memory);
  if (wait) AwaitEnd(rank.board().pids[0].load());
  rank.Receive(in, 0);
  const Outcome outcome = rank.TrySynchronize();
  if (outcome.code == ACL_SUCCESS) {
    rank.ExpectArrived(in, 0, 0);
  } else {
    rank.Says(outcome, ACL_ERROR_RT_SUSPECT_REMOTE_ERROR, {"rank 0"});
    rank.Require(in.CheckGuards().empty(), "guard bytes were overwritten");
  }
}

TEST(R05Processes, SenderThatDoesNotWaitGivesRightDataOrAnError) {
  for (const Exit how : {Exit::kExit, Exit::kExitAtOnce, Exit::kKilled}) {
    for (const uint64_t bytes : {uint64_t{64}, uint64_t{4096}, uint64_t{1} << 20, uint64_t{64} << 20}) {
      for (const Memory memory : {Memory::kDevice, Memory::kPlain}) {
        for (const bool wait : {true, false}) {
          JobOptions options;
          options.deadline = std::chrono::seconds(20);
          const JobEnd end =
              RunJob(options, [&](Rank& rank) { LeaveTooEarly(rank, bytes, memory, wait, how); });
          EXPECT_FALSE(end.timed_out);
          EXPECT_EQ(end.processes[1].exit_code, 0)
              << bytes << " bytes, way of leaving " << static_cast<int>(how) << "\n"
              << end.Text();
        }
      }
    }
  }
}

}  // namespace
}  // namespace tandem::test
