// SPDX-License-Identifier: Apache-2.0
// R01 (c, d), R03, R08 (good patterns): schedules that every size must pass.
#include <chrono>
#include <thread>

#include "cases/units.h"
#include "support/job.h"

namespace tandem::test {
namespace {

class R01 : public JobTest {};
class R03 : public JobTest {};
class R08 : public JobTest {};
TANDEM_BOTH_MODES(R01);
TANDEM_BOTH_MODES(R03);
TANDEM_BOTH_MODES(R08);

// As Run, and no process may have said anything: nothing in a good schedule deserves a note.
void RunQuietly(Mode mode, JobOptions options, const Body& body) {
  options.mode = mode;
  const JobEnd end = RunJob(std::move(options), body);
  EXPECT_TRUE(end.Good()) << end.Text();
  for (const ProcessEnd& process : end.processes) EXPECT_EQ(process.text, "");
}

TEST_P(R01, RingWithAlternatingOrderCompletesWithoutNote) {
  JobOptions options;
  options.ranks = 4;
  RunQuietly(GetParam(), options, [](Rank& rank) {
    const Buffer out = rank.Outgoing(rank.next(), 0, kMiB);
    const Buffer in = rank.Incoming(kMiB);
    if (rank.index() % 2 == 0) rank.Send(out, rank.next(), HCCL_DATA_TYPE_FP32);
    rank.Receive(in, rank.previous(), HCCL_DATA_TYPE_FP32);
    if (rank.index() % 2 == 1) rank.Send(out, rank.next(), HCCL_DATA_TYPE_FP32);
    rank.Synchronize();
    rank.ExpectArrived(in, rank.previous(), 0);
  });
}

TEST_P(R01, RingOfBatchesCompletesWithoutNote) {
  JobOptions options;
  options.ranks = 4;
  RunQuietly(GetParam(), options, [](Rank& rank) {
    const Buffer out = rank.Outgoing(rank.next(), 0, kMiB);
    const Buffer in = rank.Incoming(kMiB);
    rank.Batch({SendItem(out, rank.next(), HCCL_DATA_TYPE_FP32),
                ReceiveItem(in, rank.previous(), HCCL_DATA_TYPE_FP32)});
    rank.Synchronize();
    rank.ExpectArrived(in, rank.previous(), 0);
  });
}

// Stage 0 must be done before stage 1 computes: stage 1 computes only after stage 0 has said so.
void SkipConnection(Rank& rank, bool reversed) {
  enum : uint32_t { kStageZeroDone, kReceiveFromZeroSeen };
  switch (rank.index()) {
    case 0: {
      const Buffer one = rank.Outgoing(1, 0, kMiB);
      const Buffer two = rank.Outgoing(2, 0, kMiB);
      rank.Batch({SendItem(one, 1), SendItem(two, 2)});
      rank.Synchronize();
      rank.board().Raise(kStageZeroDone);
      break;
    }
    case 1: {
      const Buffer in = rank.Incoming(kMiB);
      rank.Batch({ReceiveItem(in, 0)});
      rank.Synchronize();
      rank.ExpectArrived(in, 0, 0);
      rank.board().Await(kStageZeroDone);
      rank.board().Await(kReceiveFromZeroSeen);
      const Buffer out = rank.Outgoing(2, 0, kMiB);
      rank.Batch({SendItem(out, 2)});
      rank.Synchronize();
      break;
    }
    case 2: {
      const Buffer zero = rank.Incoming(kMiB);
      const Buffer one = rank.Incoming(kMiB);
      if (reversed) {
        rank.Batch({ReceiveItem(one, 1), ReceiveItem(zero, 0)});
      } else {
        rank.Batch({ReceiveItem(zero, 0), ReceiveItem(one, 1)});
      }
      // Stage 0 is done only when all its bytes are here, whatever else this batch waits for.
      rank.board().Await(kStageZeroDone);
      rank.ExpectArrived(zero, 0, 0);
      rank.ExpectUntouched(one);
      rank.board().Raise(kReceiveFromZeroSeen);
      rank.Synchronize();
      rank.ExpectArrived(one, 1, 0);
      if (rank.size() == 3) break;
      const Buffer out = rank.Outgoing(3, 0, kMiB);
      rank.Batch({SendItem(out, 3)});
      rank.Synchronize();
      break;
    }
    default: {
      const Buffer in = rank.Incoming(kMiB);
      rank.Batch({ReceiveItem(in, 2)});
      rank.Synchronize();
      rank.ExpectArrived(in, 2, 0);
    }
  }
}

TEST_P(R03, SkipConnectionCompletesAndStageZeroDoesNotWait) {
  for (const uint32_t ranks : {3U, 4U}) {
    for (const bool reversed : {false, true}) {
      Run(ranks, [reversed](Rank& rank) { SkipConnection(rank, reversed); });
    }
  }
}

// The good pattern of R01 (a) at each size; on the same communicator, so that sizes also follow each other.
TEST_P(R08, BatchPassesAtEverySize) {
  JobOptions options;
  options.deadline = std::chrono::seconds(90);
  Run(options, [](Rank& rank) {
    uint32_t number = 0;
    for (const uint64_t bytes :
         {uint64_t{4}, uint64_t{1} << 10, uint64_t{64} << 10, kMiB, 20 * kMiB, 64 * kMiB, 256 * kMiB}) {
      const Buffer out = rank.Outgoing(rank.next(), number, bytes);
      const Buffer in = rank.Incoming(bytes);
      rank.Batch({SendItem(out, rank.next(), HCCL_DATA_TYPE_BFP16),
                  ReceiveItem(in, rank.next(), HCCL_DATA_TYPE_BFP16)});
      rank.Synchronize();
      rank.ExpectArrived(in, rank.next(), number);
      ++number;
    }
  });
}

TEST_P(R08, OneSideFirstPassesAtEverySize) {
  JobOptions options;
  options.deadline = std::chrono::seconds(90);
  Run(options, [](Rank& rank) {
    uint32_t number = 0;
    for (const uint64_t bytes :
         {uint64_t{4}, uint64_t{1} << 10, uint64_t{64} << 10, kMiB, 20 * kMiB, 64 * kMiB, 256 * kMiB}) {
      const Buffer out = rank.Outgoing(rank.next(), number, bytes);
      const Buffer in = rank.Incoming(bytes);
      if (rank.index() == 0) rank.Send(out, 1);
      rank.Receive(in, rank.next());
      if (rank.index() == 1) rank.Send(out, 0);
      rank.Synchronize();
      rank.ExpectArrived(in, rank.next(), number);
      ++number;
    }
  });
}

// No size is quietly buffered: a send is not over while its receive is missing.
TEST_P(R08, SendIsNeverOverBeforeItsReceiveAtAnySize) {
  Run(2, [](Rank& rank) {
    uint32_t number = 0;
    for (const uint64_t bytes :
         {uint64_t{1}, uint64_t{4}, uint64_t{1} << 10, uint64_t{64} << 10, kMiB, 64 * kMiB}) {
      const uint32_t checked = number;
      if (rank.index() == 0) {
        const Buffer out = rank.Outgoing(1, number, bytes);
        rank.Send(out, 1);
        rank.Require(aclrtSynchronizeStreamWithTimeout(rank.stream(), 50) == ACL_ERROR_RT_STREAM_SYNC_TIMEOUT,
                     "a send of " + std::to_string(bytes) + " bytes ended without its receive");
        static_cast<void>(TakeErrorText());
        rank.board().Raise(checked);
        rank.Synchronize();
      } else {
        const Buffer in = rank.Incoming(bytes);
        rank.board().Await(checked);
        rank.Receive(in, 0);
        rank.Synchronize();
        rank.ExpectArrived(in, 0, number);
      }
      ++number;
    }
  });
}

}  // namespace
}  // namespace tandem::test
