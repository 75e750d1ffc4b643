// SPDX-License-Identifier: Apache-2.0
// R13: a refused call says what was wrong with it, and has no other effect.
#include <sched.h>

#include <array>
#include <future>
#include <string>

#include "support/job.h"
#include "support/surroundings.h"

namespace tandem::test {
namespace {

class R13 : public JobTest {};
TANDEM_BOTH_MODES(R13);

// C programs can pass any number where the call takes an enumeration.
template <typename Enum>
Enum AnyValue(int value) {
  return static_cast<Enum>(value);
}

// After whatever was refused, an ordinary exchange passes.
void Exchange(Rank& rank) {
  const Buffer out = rank.Outgoing(rank.next(), 7, 4096);
  const Buffer in = rank.Incoming(4096);
  rank.Batch({SendItem(out, rank.next()), ReceiveItem(in, rank.previous())});
  rank.Synchronize();
  rank.ExpectArrived(in, rank.previous(), 7);
}

TEST_P(R13, WrongRank) {
  Run(2, [](Rank& rank) {
    const Buffer buffer = rank.Incoming(16);
    const uint32_t self = rank.index();
    void* data = buffer.data();
    rank.Refused(HcclSend(data, 4, HCCL_DATA_TYPE_FP32, self, rank.comm(), rank.stream()), HCCL_E_NOT_SUPPORT,
                 {"HcclSend", "destRank", std::to_string(self), "HCCL_E_NOT_SUPPORT (5)"});
    rank.Refused(HcclRecv(data, 4, HCCL_DATA_TYPE_FP32, self, rank.comm(), rank.stream()), HCCL_E_NOT_SUPPORT,
                 {"HcclRecv", "srcRank", std::to_string(self), "HCCL_E_NOT_SUPPORT (5)"});
    rank.Refused(HcclSend(data, 4, HCCL_DATA_TYPE_FP32, 2, rank.comm(), rank.stream()), HCCL_E_PARA,
                 {"HcclSend", "destRank is 2", "less than", "HCCL_E_PARA (1)"});
    rank.Refused(HcclRecv(data, 4, HCCL_DATA_TYPE_FP32, 0xFFFFFFFFU, rank.comm(), rank.stream()), HCCL_E_PARA,
                 {"HcclRecv", "srcRank is 4294967295", "less than", "HCCL_E_PARA (1)"});
    rank.Synchronize();
    rank.ExpectUntouched(buffer);
    Exchange(rank);
  });
}

TEST_P(R13, WrongType) {
  Run(2, [](Rank& rank) {
    const Buffer buffer = rank.Incoming(64);
    for (const int number : {12, 13, 255, 18, -1}) {
      const auto type = AnyValue<HcclDataType>(number);
      const std::vector<std::string> said = {"EI0003", "dataType", "is " + std::to_string(number), "fp32",
                                             "HCCL_E_NOT_SUPPORT (5)"};
      rank.Refused(HcclSend(buffer.data(), 4, type, rank.next(), rank.comm(), rank.stream()),
                   HCCL_E_NOT_SUPPORT, said);
      rank.Refused(HcclRecv(buffer.data(), 4, type, rank.next(), rank.comm(), rank.stream()),
                   HCCL_E_NOT_SUPPORT, said);
      HcclSendRecvItem item{HCCL_SEND, buffer.data(), 4, type, rank.next()};
      rank.Refused(HcclBatchSendRecv(&item, 1, rank.comm(), rank.stream()), HCCL_E_NOT_SUPPORT, said);
    }
    Exchange(rank);
  });
}

TEST_P(R13, NullArguments) {
  Run(2, [](Rank& rank) {
    const Buffer buffer = rank.Incoming(64);
    const uint32_t peer = rank.next();
    const auto type = HCCL_DATA_TYPE_FP32;
    rank.Refused(HcclSend(buffer.data(), 4, type, peer, nullptr, rank.stream()), HCCL_E_PTR,
                 {"EI0003", "HcclSend", "comm", "HCCL_E_PTR (2)"});
    rank.Refused(HcclSend(nullptr, 4, type, peer, rank.comm(), rank.stream()), HCCL_E_PTR,
                 {"EI0003", "HcclSend", "sendBuf", "HCCL_E_PTR (2)"});
    rank.Refused(HcclRecv(nullptr, 4, type, peer, rank.comm(), rank.stream()), HCCL_E_PTR,
                 {"EI0003", "HcclRecv", "recvBuf", "HCCL_E_PTR (2)"});
    rank.Refused(HcclRecv(buffer.data(), 4, type, peer, rank.comm(), nullptr), HCCL_E_PTR,
                 {"EI0003", "HcclRecv", "stream", "HCCL_E_PTR (2)"});
    rank.Refused(HcclBatchSendRecv(nullptr, 1, rank.comm(), rank.stream()), HCCL_E_PTR,
                 {"EI0003", "HcclBatchSendRecv", "sendRecvInfo", "HCCL_E_PTR (2)"});
    HcclSendRecvItem item{HCCL_SEND, nullptr, 4, type, peer};
    rank.Refused(HcclBatchSendRecv(&item, 1, rank.comm(), rank.stream()), HCCL_E_PTR,
                 {"EI0003", "HcclBatchSendRecv", "sendRecvInfo[0]", "buf", "HCCL_E_PTR (2)"});
    Exchange(rank);
  });
}

TEST_P(R13, BadItemsRefuseTheWholeBatch) {
  Run(2, [](Rank& rank) {
    const Buffer in = rank.Incoming(16);
    const Buffer out = rank.Outgoing(rank.next(), 0, 16);
    const auto type = HCCL_DATA_TYPE_FP32;
    const auto refuse = [&](HcclSendRecvItem bad, HcclResult code, const std::vector<std::string>& said) {
      std::array items = {SendItem(out, rank.next(), type), ReceiveItem(in, rank.next(), type), bad};
      rank.Refused(HcclBatchSendRecv(items.data(), items.size(), rank.comm(), rank.stream()), code, said);
    };
    refuse({AnyValue<HcclSendRecvType>(7), out.data(), 4, type, rank.next()}, HCCL_E_PARA,
           {"sendRecvInfo[2]", "sendRecvType is 7", "HCCL_E_PARA (1)"});
    refuse({HCCL_SEND, out.data(), 4, type, 9}, HCCL_E_PARA,
           {"sendRecvInfo[2]", "remoteRank is 9", "HCCL_E_PARA (1)"});
    refuse({HCCL_SEND, out.data(), 4, type, rank.next()}, HCCL_E_PARA,
           {"sendRecvInfo[0]", "sendRecvInfo[2]", "TANDEM_BATCH_DUPLICATES", "HCCL_E_PARA (1)"});
    refuse({HCCL_SEND, out.data(), 4, type, rank.index()}, HCCL_E_PARA, {"itself", "HCCL_E_PARA (1)"});
    rank.Synchronize();
    rank.ExpectUntouched(in);
    Exchange(rank);
  });
}

TEST_P(R13, MatchedSelfItemsAreACopy) {
  Run(2, [](Rank& rank) {
    for (const uint64_t bytes : {uint64_t{16}, uint64_t{8192}, uint64_t{8} << 20}) {
      const Buffer out = rank.Outgoing(rank.index(), 0, bytes);
      const Buffer in = rank.Incoming(bytes);
      rank.Batch({SendItem(out, rank.index()), ReceiveItem(in, rank.index())});
      rank.Synchronize();
      rank.ExpectArrived(in, rank.index(), 0);
      std::array items = {SendItem(out, rank.index()), ReceiveItem(in, rank.index())};
      items[1].count -= 1;
      rank.Refused(HcclBatchSendRecv(items.data(), 2, rank.comm(), rank.stream()), HCCL_E_PARA,
                   {"sendRecvInfo[0]", "sendRecvInfo[1]", "equal"});
    }
  });
}

TEST_P(R13, CommunicatorThatIsGone) {
  Run(2, [](Rank& rank) {
    const HcclComm second = rank.Join();
    rank.Ok(HcclCommDestroy(second));
    const Buffer buffer = rank.Incoming(16);
    rank.Refused(HcclSend(buffer.data(), 4, HCCL_DATA_TYPE_FP32, rank.next(), second, rank.stream()),
                 HCCL_E_PARA, {"HcclSend", "comm", "HCCL_E_PARA (1)"});
    Exchange(rank);
  });
}

TEST(R13Processes, RootThatIsGone) {
  JobOptions options;
  options.open = false;
  options.environment["TANDEM_CONNECT_TIMEOUT"] = "5";
  const JobEnd end = RunJob(options, [](Rank& rank) {
    rank.Ok(aclrtSetDevice(static_cast<int32_t>(rank.index())));
    if (rank.index() == 0) {
      HcclRootInfo root{};
      rank.Ok(HcclGetRootInfo(&root));
      rank.board().PublishRoot(0, root);
      return;
    }
    const HcclRootInfo root = rank.board().AwaitRoot(0);
    AwaitEnd(rank.board().pids[0].load());
    HcclComm comm = nullptr;
    const HcclResult code = HcclCommInitRootInfo(2, &root, 1, &comm);
    const std::string text = TakeErrorText();
    rank.Require(code == HCCL_E_TCP_CONNECT || code == HCCL_E_TIMEOUT, std::to_string(code) + ": " + text);
    rank.Require(text.find("HcclCommInitRootInfo") != std::string::npos, text);
    rank.Require(comm == nullptr, "a handle was given out");
  });
  EXPECT_TRUE(end.Good()) << end.Text();
}

// A process counts as one of another host when it is in another network name space. Its calls are made by a
// thread that was there before it moved, and so still reaches the root.
TEST(R13Processes, RankOfAnotherHostIsRefusedOnBothSides) {
  if (!MayDo([] { return unshare(CLONE_NEWNET) == 0; }))
    GTEST_SKIP() << "an own network name space needs root";
  JobOptions options;
  options.open = false;
  const JobEnd end = RunJob(options, [](Rank& rank) {
    std::promise<void> moved;
    std::future<void> joined = std::async(std::launch::async, [&rank, ready = moved.get_future()] {
      ready.wait();
      rank.Ok(aclrtSetDevice(static_cast<int32_t>(rank.index())));
      HcclRootInfo root{};
      if (rank.index() == 0) {
        rank.Ok(HcclGetRootInfo(&root));
        rank.board().PublishRoot(0, root);
      } else {
        root = rank.board().AwaitRoot(0);
      }
      HcclComm comm = nullptr;
      const std::string other = std::to_string(1 - rank.index());
      rank.Refused(
          HcclCommInitRootInfo(2, &root, rank.index(), &comm), HCCL_E_NOT_SUPPORT,
          {"rank " + other + " runs on host", "another network name space", "ranks of one host only"});
      rank.Require(comm == nullptr, "a handle was given out");
    });
    if (rank.index() == 1) rank.Require(unshare(CLONE_NEWNET) == 0, "cannot move");
    moved.set_value();
    joined.get();
    rank.Meet();
  });
  EXPECT_TRUE(end.Good()) << end.Text();
}

}  // namespace
}  // namespace tandem::test
