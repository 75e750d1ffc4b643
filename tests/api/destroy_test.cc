// SPDX-License-Identifier: Apache-2.0
// HcclCommDestroy while operations are under way.
#include <csignal>
#include <fstream>
#include <string>
#include <thread>

#include "support/job.h"

namespace tandem::test {
namespace {

class Destroy : public JobTest {};
TANDEM_BOTH_MODES(Destroy);

TEST_P(Destroy, InUseIsRefusedAndTheCommunicatorGoesOn) {
  Run(2, [](Rank& rank) {
    const HcclComm comm = rank.Join();
    const auto type = HCCL_DATA_TYPE_INT8;
    for (uint32_t round = 0; round < 2; ++round) {
      if (rank.index() == 1) {
        const Buffer out = rank.Outgoing(0, round, 4096);
        if (round == 1) rank.Meet();
        rank.Ok(HcclSend(out.data(), 4096, type, 0, comm, rank.stream()));
        rank.Synchronize();
        continue;
      }
      const Buffer in = rank.Incoming(4096);
      rank.Ok(HcclRecv(in.data(), 4096, type, 1, comm, rank.stream()));
      if (round == 1) {
        // The two know each other; the other side has not come.
        std::thread([&] {
          rank.Refused(HcclCommDestroy(comm), HCCL_E_AGAIN, {"in use", "rank 1", "HCCL_E_AGAIN (20)"});
        }).join();
        uint32_t size = 0;
        rank.Ok(HcclGetRankSize(comm, &size));
        rank.Meet();
      }
      rank.Synchronize();
      rank.ExpectArrived(in, 1, round);
    }
    rank.Ok(HcclCommDestroy(comm));
    rank.Refused(HcclCommDestroy(comm), HCCL_E_PARA, {"destroyed"});
  });
}

TEST_P(Destroy, OneOfTwoThreadsWins) {
  Run(2, [](Rank& rank) {
    const HcclComm comm = rank.Join();
    HcclResult first = HCCL_E_RESERVED;
    HcclResult second = HCCL_E_RESERVED;
    std::thread other([&] { second = HcclCommDestroy(comm); });
    first = HcclCommDestroy(comm);
    other.join();
    rank.Require((first == HCCL_SUCCESS) != (second == HCCL_SUCCESS), "not exactly one was first");
    rank.Require((first == HCCL_E_PARA) != (second == HCCL_E_PARA), "the other was not told");
    static_cast<void>(TakeErrorText());
  });
}

char StateOf(pid_t pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
  std::string line;
  std::getline(file, line);
  const size_t end = line.rfind(')');
  return end == std::string::npos || end + 2 >= line.size() ? '?' : line[end + 2];
}

// The peer's process is stopped, so that the two can never be connected.
TEST(DestroyProcesses, WhatIsStuckInLinkSetUpEndsAtOnce) {
  JobOptions options;
  const JobEnd end = RunJob(options, [](Rank& rank) {
    const HcclComm comm = rank.Join();
    if (rank.index() == 1) {
      rank.Meet();
      rank.Meet();
      rank.Ok(HcclCommDestroy(comm));
      return;
    }
    rank.Meet();
    const pid_t peer = rank.board().pids[1].load();
    rank.Require(kill(peer, SIGSTOP) == 0, "the peer cannot be stopped");
    while (StateOf(peer) != 'T') std::this_thread::yield();
    const Buffer in = rank.Incoming(64);
    rank.Ok(HcclRecv(in.data(), 64, HCCL_DATA_TYPE_INT8, 1, comm, rank.stream()));
    HcclResult result = HCCL_E_RESERVED;
    std::thread destroyer([&] { result = HcclCommDestroy(comm); });
    // Without the destroy this would last until the time limit of the operation, which is half an hour.
    rank.Says(rank.TrySynchronize(), ACL_ERROR_RT_SUSPECT_REMOTE_ERROR, {"HcclRecv", "left communicator"});
    destroyer.join();
    rank.Ok(result);
    rank.Require(kill(peer, SIGCONT) == 0, "the peer cannot be continued");
    rank.Meet();
  });
  EXPECT_TRUE(end.Good()) << end.Text();
}

}  // namespace
}  // namespace tandem::test
