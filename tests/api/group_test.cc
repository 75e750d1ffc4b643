// SPDX-License-Identifier: Apache-2.0
// HcclGroupStart and HcclGroupEnd.
#include <array>
#include <string>
#include <thread>
#include <vector>

#include "support/job.h"

namespace tandem::test {
namespace {

class Group : public JobTest {};
TANDEM_BOTH_MODES(Group);

// As the documentation's example: to and from every rank, itself too, all sends first.
TEST_P(Group, EveryoneSendsToEveryone) {
  Run(3, [](Rank& rank) {
    std::vector<Buffer> out;
    std::vector<Buffer> in;
    for (uint32_t peer = 0; peer < rank.size(); ++peer) {
      out.push_back(rank.Outgoing(peer, 1, 4096));
      in.push_back(rank.Incoming(4096));
    }
    rank.Ok(HcclGroupStart());
    for (uint32_t peer = 0; peer < rank.size(); ++peer) rank.Send(out[peer], peer);
    for (uint32_t peer = 0; peer < rank.size(); ++peer) rank.Receive(in[peer], peer);
    rank.Ok(HcclGroupEnd());
    rank.Synchronize();
    for (uint32_t peer = 0; peer < rank.size(); ++peer) rank.ExpectArrived(in[peer], peer, 1);
  });
}

TEST_P(Group, OnlyTheOutermostEndStarts) {
  Run(2, [](Rank& rank) {
    const Buffer out = rank.Outgoing(rank.next(), 2, 64);
    const Buffer in = rank.Incoming(64);
    bool inside = true;
    rank.Ok(HcclGroupStatusGet(&inside));
    rank.Require(!inside, "inside of no group");
    rank.Ok(HcclGroupStart());
    rank.Send(out, rank.next());
    rank.Ok(HcclGroupStart());
    rank.Receive(in, rank.next());
    rank.Ok(HcclGroupEnd());
    rank.Ok(HcclGroupStatusGet(&inside));
    rank.Require(inside, "the outer group has ended");
    // Another thread is in no group.
    std::thread([&rank] {
      bool other = true;
      rank.Ok(HcclGroupStatusGet(&other));
      rank.Require(!other, "the group is not this thread's own");
    }).join();
    rank.Synchronize();
    rank.ExpectUntouched(in);
    rank.Ok(HcclGroupEnd());
    rank.Synchronize();
    rank.ExpectArrived(in, rank.next(), 2);
  });
}

// A group is a batch, also for a peer that makes a batch of it.
TEST_P(Group, MeetsABatch) {
  Run(2, [](Rank& rank) {
    const Buffer out = rank.Outgoing(rank.next(), 3, 64);
    const Buffer in = rank.Incoming(64);
    if (rank.index() == 0) {
      rank.Ok(HcclGroupStart());
      rank.Send(out, 1);
      rank.Receive(in, 1);
      rank.Ok(HcclGroupEnd());
    } else {
      rank.Batch({SendItem(out, 0), ReceiveItem(in, 0)});
    }
    rank.Synchronize();
    rank.ExpectArrived(in, rank.next(), 3);
  });
}

TEST_P(Group, RefusedCallsAndMistakes) {
  Run(2, [](Rank& rank) {
    const Buffer buffer = rank.Incoming(64);
    void* data = buffer.data();
    const auto type = HCCL_DATA_TYPE_INT8;
    rank.Refused(HcclGroupEnd(), HCCL_E_NOT_SUPPORT, {"HcclGroupEnd", "HcclGroupStart"});
    rank.Refused(HcclGroupStatusGet(nullptr), HCCL_E_PTR, {"isGroupEnabled is null"});
    rank.Ok(HcclGroupStart());
    HcclSendRecvItem item{HCCL_SEND, data, 4, type, rank.next()};
    rank.Refused(HcclBatchSendRecv(&item, 1, rank.comm(), rank.stream()), HCCL_E_NOT_SUPPORT,
                 {"HcclBatchSendRecv", "HcclGroupStart"});
    rank.Refused(HcclBarrier(rank.comm(), rank.stream()), HCCL_E_NOT_SUPPORT, {"HcclBarrier"});
    // These checks do not wait for the end of the group.
    rank.Refused(HcclSend(nullptr, 4, type, rank.next(), rank.comm(), rank.stream()), HCCL_E_PTR,
                 {"sendBuf is null"});
    rank.Refused(HcclSend(data, 4, type, rank.next(), rank.comm(), nullptr), HCCL_E_PTR, {"stream is null"});
    rank.Refused(HcclSend(data, uint64_t{1} << 36, type, rank.next(), rank.comm(), rank.stream()),
                 HCCL_E_PARA, {"count"});
    rank.Ok(HcclSend(data, 0, type, 99, nullptr, nullptr));
    rank.Ok(HcclGroupEnd());
    // These do, and then nothing of the group is queued.
    const std::array<HcclDataType, 2> types = {HCCL_DATA_TYPE_INT8, HCCL_DATA_TYPE_RESERVED};
    rank.Ok(HcclGroupStart());
    rank.Ok(HcclRecv(data, 4, types[0], rank.next(), rank.comm(), rank.stream()));
    rank.Ok(HcclSend(data, 4, types[1], rank.next(), rank.comm(), rank.stream()));
    rank.Refused(HcclGroupEnd(), HCCL_E_NOT_SUPPORT,
                 {"EI0003", "call 1 of the group", "HcclSend", "dataType"});
    rank.Ok(HcclGroupStart());
    rank.Ok(HcclRecv(data, 4, type, 9, rank.comm(), rank.stream()));
    rank.Refused(HcclGroupEnd(), HCCL_E_PARA, {"call 0 of the group", "srcRank is 9"});
    rank.Ok(HcclGroupStart());
    rank.Ok(HcclRecv(data, 4, type, rank.index(), rank.comm(), rank.stream()));
    rank.Refused(HcclGroupEnd(), HCCL_E_PARA, {"itself"});
    rank.Ok(HcclGroupStart());
    rank.Ok(HcclRecv(data, 4, type, rank.next(), rank.comm(), rank.stream()));
    rank.Refused(HcclCommDestroy(rank.comm()), HCCL_E_NOT_SUPPORT, {"send or receive"});
    rank.Ok(HcclSend(buffer.data() + 32, 4, type, rank.next(), rank.comm(), rank.stream()));
    rank.Ok(HcclGroupEnd());
    rank.Synchronize();
  });
}

// One thread makes communicators of several devices, then ends them.
TEST(GroupManagement, OneThreadMakesAllRanks) {
  constexpr uint32_t kRanks = 3;
  JobOptions options;
  options.ranks = 1;
  options.open = false;
  const JobEnd end = RunJob(options, [](Rank& rank) {
    rank.Ok(aclrtSetDevice(0));
    HcclRootInfo root{};
    rank.Ok(HcclGetRootInfo(&root));
    std::array<HcclComm, kRanks> comms{};
    rank.Ok(HcclGroupStart());
    for (uint32_t i = 0; i < kRanks; ++i) {
      rank.Ok(aclrtSetDevice(static_cast<int32_t>(i)));
      rank.Ok(HcclCommInitRootInfo(kRanks, &root, i, &comms[i]));
      rank.Require(comms[i] == nullptr, "made before the group has ended");
    }
    rank.Refused(HcclCommInitRootInfo(kRanks, &root, kRanks, &comms[0]), HCCL_E_PARA, {"rank is 3"});
    rank.Ok(HcclGroupEnd());
    std::array<aclrtStream, kRanks> streams{};
    std::array<uint32_t, kRanks> sent{};
    std::array<uint32_t, kRanks> received{};
    rank.Ok(HcclGroupStart());
    for (uint32_t i = 0; i < kRanks; ++i) {
      uint32_t number = 0;
      rank.Ok(HcclGetRankId(comms[i], &number));
      rank.Require(number == i, "another rank");
      rank.Ok(aclrtSetDevice(static_cast<int32_t>(i)));
      rank.Ok(aclrtCreateStream(&streams[i]));
      sent[i] = 100 + i;
      rank.Ok(HcclSend(&sent[i], 1, HCCL_DATA_TYPE_UINT32, (i + 1) % kRanks, comms[i], streams[i]));
      rank.Ok(HcclRecv(&received[i], 1, HCCL_DATA_TYPE_UINT32, (i + 2) % kRanks, comms[i], streams[i]));
    }
    rank.Ok(HcclGroupEnd());
    for (uint32_t i = 0; i < kRanks; ++i) {
      rank.Ok(aclrtSetDevice(static_cast<int32_t>(i)));
      rank.Ok(aclrtSynchronizeStream(streams[i]));
      rank.Require(received[i] == 100 + (i + 2) % kRanks, "wrong element");
      rank.Ok(aclrtDestroyStream(streams[i]));
    }
    rank.Ok(HcclGroupStart());
    for (const HcclComm comm : comms) rank.Ok(HcclCommDestroy(comm));
    rank.Ok(HcclGroupEnd());
    uint32_t number = 0;
    rank.Refused(HcclGetRankId(comms[0], &number), HCCL_E_PARA, {"destroyed"});
  });
  EXPECT_TRUE(end.Good()) << end.Text();
}

}  // namespace
}  // namespace tandem::test
