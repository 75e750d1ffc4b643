// SPDX-License-Identifier: Apache-2.0
// What a batch does when an item has no counterpart, and a communicator while a batch is under way.
#include <acl/acl.h>
#include <gtest/gtest.h>
#include <hccl/hccl.h>

#include "support/job.h"

namespace tandem::test {
namespace {

class BatchTest : public JobTest {};
TANDEM_BOTH_MODES(BatchTest);

// Rank 1 takes one message of two. The one that it takes arrives all the same.
TEST_P(BatchTest, ItemWithoutCounterpartFailsAtTheTimeLimit) {
  JobOptions options;
  options.ranks = 3;
  options.environment["TANDEM_EXEC_TIMEOUT"] = "0.5";
  Run(options, [](Rank& rank) {
    if (rank.index() == 0) {
      const Buffer taken = rank.Outgoing(1, 0, 4096);
      const Buffer left = rank.Outgoing(2, 1, 4096);
      rank.Batch({SendItem(taken, 1), SendItem(left, 2)});
      rank.Says(rank.TrySynchronize(), ACL_ERROR_RT_TASK_TIMEOUT, {"EI0002", "rank 2"});
    } else if (rank.index() == 1) {
      const Buffer in = rank.Incoming(4096);
      rank.Batch({ReceiveItem(in, 0)});
      rank.Synchronize();
      rank.ExpectArrived(in, 0, 0);
    }
    rank.Meet();
  });
}

TEST_P(BatchTest, CommunicatorInUseCannotBeDestroyed) {
  enum : uint32_t { kRefused };
  Run(2, [](Rank& rank) {
    // A first exchange, so that the ranks can reach each other.
    const Buffer first = rank.index() == 0 ? rank.Outgoing(1, 0, 64) : rank.Incoming(64);
    rank.Batch({rank.index() == 0 ? SendItem(first, 1) : ReceiveItem(first, 0)});
    rank.Synchronize();
    if (rank.index() == 0) {
      const Buffer out = rank.Outgoing(1, 1, 4096);
      rank.Batch({SendItem(out, 1)});
      rank.Refused(HcclCommDestroy(rank.comm()), HCCL_E_AGAIN, {"HcclCommDestroy"});
      rank.board().Raise(kRefused);
      rank.Synchronize();
    } else {
      const Buffer in = rank.Incoming(4096);
      rank.board().Await(kRefused);
      rank.Batch({ReceiveItem(in, 0)});
      rank.Synchronize();
      rank.ExpectArrived(in, 0, 1);
    }
  });
}

}  // namespace
}  // namespace tandem::test
