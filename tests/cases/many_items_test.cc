// SPDX-License-Identifier: Apache-2.0
// R07: very many items in one batch. R11: zero against non-zero.
#include <array>
#include <map>

#include "support/job.h"
#include "support/surroundings.h"

namespace tandem::test {
namespace {

class R07 : public JobTest {};
class R11 : public JobTest {};
TANDEM_BOTH_MODES(R07);
TANDEM_BOTH_MODES(R11);

struct Piece {
  MessageId message;
  HcclDataType type;
  Buffer buffer;
};

Piece MakePiece(uint32_t from, uint32_t to, uint32_t number) {
  constexpr std::array<uint64_t, 3> kCounts = {1, 1024, 8192};
  constexpr std::array kTypes = {HCCL_DATA_TYPE_FP32, HCCL_DATA_TYPE_BFP16, HCCL_DATA_TYPE_INT64,
                                 HCCL_DATA_TYPE_UINT8};
  const HcclDataType type = kTypes[number % kTypes.size()];
  return {
      {from, to, number}, type, Buffer(Memory::kDevice, kCounts[number % kCounts.size()] * BytesOf(type))};
}

// All pairs, `per_peer` messages each way. Peers are visited in another order on each rank.
class ManyItems {
 public:
  ManyItems(Rank& rank, uint32_t per_peer) : rank_(rank) {
    for (uint32_t number = 0; number < per_peer; ++number) {
      for (uint32_t step = 1; step < rank.size(); ++step) {
        const uint32_t peer =
            (rank.index() + (rank.index() % 2 == 0 ? step : rank.size() - step)) % rank.size();
        sends_.push_back(MakePiece(rank.index(), peer, number));
        receives_.push_back(MakePiece(peer, rank.index(), number));
      }
    }
  }

  void Round(uint32_t round) {
    std::vector<HcclSendRecvItem> items;
    for (Piece& piece : sends_) {
      piece.message.number += round;
      piece.buffer.Fill(piece.message);
      piece.message.number -= round;
      items.push_back(SendItem(piece.buffer, piece.message.to, piece.type));
    }
    for (const Piece& piece : receives_)
      items.push_back(ReceiveItem(piece.buffer, piece.message.from, piece.type));
    rank_.Batch(std::move(items));
    rank_.Synchronize();
    for (const Piece& piece : receives_)
      rank_.ExpectArrived(piece.buffer, piece.message.from, piece.message.number + round);
  }

 private:
  Rank& rank_;
  std::vector<Piece> sends_;
  std::vector<Piece> receives_;
};

JobOptions Duplicates(uint32_t ranks, std::chrono::seconds deadline) {
  JobOptions options;
  options.ranks = ranks;
  options.deadline = deadline;
  options.environment["TANDEM_BATCH_DUPLICATES"] = "list";
  return options;
}

// 1002 items a batch. The full 1000 rounds run with TANDEM_TEST_LONG; 200 already go round every ring many
// times.
TEST_P(R07, ThousandItemsRoundAfterRoundNeedNoMoreResources) {
  const uint32_t rounds = LongRun() ? 1000 : Times(200);
  JobOptions options = Duplicates(4, std::chrono::seconds(LongRun() ? 600 : 100));
  options.mode = GetParam();
  const JobEnd end = RunJob(options, [rounds](Rank& rank) {
    ManyItems many(rank, 167);
    // One measures for a process, while the others stand still.
    const auto measure = [&rank] {
      rank.Meet();
      Usage usage;
      if (rank.own_process() || rank.index() == 0) usage = CurrentUsage();
      rank.Meet();
      return usage;
    };
    Usage before;
    for (uint32_t round = 0; round < rounds; ++round) {
      if (round == 10) before = measure();
      many.Round(round);
    }
    const Usage after = measure();
    const std::string both = before.Text() + "; after " + std::to_string(rounds) + " rounds " + after.Text();
    rank.Require(after.descriptors <= before.descriptors && after.threads <= before.threads, both);
    if (kSanitized) return;
    rank.Require(after.resident_bytes <= before.resident_bytes + (uint64_t{24} << 20), both);
  });
  EXPECT_TRUE(end.Good()) << end.Text();
  for (const ProcessEnd& process : end.processes) EXPECT_EQ(process.text, "");
}

TEST_P(R07, NoThresholdAround256) {
  for (const uint32_t items : {255U, 256U, 257U}) {
    Run(Duplicates(2, std::chrono::seconds(60)), [items](Rank& rank) {
      ManyItems many(rank, items);
      for (uint32_t round = 0; round < 3; ++round) many.Round(round);
    });
  }
}

TEST_P(R07, TwentyThousandItems) {
  Run(Duplicates(4, std::chrono::seconds(100)), [](Rank& rank) {
    ManyItems many(rank, 3334);
    many.Round(0);
  });
}

TEST_P(R11, ZeroAgainstZeroNeedsNoContact) {
  Run(2, [](Rank& rank) {
    const Buffer buffer = rank.Incoming(4);
    if (rank.index() == 0) {
      rank.Ok(HcclSend(buffer.data(), 0, HCCL_DATA_TYPE_FP32, 1, rank.comm(), rank.stream()));
    } else {
      rank.Ok(HcclRecv(buffer.data(), 0, HCCL_DATA_TYPE_FP32, 0, rank.comm(), rank.stream()));
    }
    rank.Synchronize();
    // Nor does it look at its other arguments.
    rank.Ok(HcclSend(nullptr, 0, HCCL_DATA_TYPE_FP32, 77, nullptr, nullptr));
    rank.ExpectUntouched(buffer);
  });
}

// The side with data has no partner, and must learn that; it must never pass.
void OneSideIsZero(Rank& rank, bool sender_has_data) {
  const bool has_data = (rank.index() == 0) == sender_has_data;
  const Buffer buffer = rank.Incoming(4096);
  const uint64_t count = has_data ? 1024 : 0;
  if (rank.index() == 0) {
    rank.Ok(HcclSend(buffer.data(), count, HCCL_DATA_TYPE_FP32, 1, rank.comm(), rank.stream()));
  } else {
    rank.Ok(HcclRecv(buffer.data(), count, HCCL_DATA_TYPE_FP32, 0, rank.comm(), rank.stream()));
  }
  if (has_data) {
    rank.Says(rank.TrySynchronize(), ACL_ERROR_RT_TASK_TIMEOUT, {"EI0002", "1024 x fp32"});
  } else {
    rank.Synchronize();
  }
  rank.ExpectUntouched(buffer);
  rank.Meet();
}

TEST_P(R11, DataAgainstZeroNeverPasses) {
  for (const bool sender_has_data : {false, true}) {
    JobOptions options;
    options.environment["TANDEM_EXEC_TIMEOUT"] = "0.3";
    Run(options, [sender_has_data](Rank& rank) { OneSideIsZero(rank, sender_has_data); });
  }
}

TEST_P(R11, EmptyItemsAndEmptyBatchesTakeNoPart) {
  Run(2, [](Rank& rank) {
    rank.Ok(HcclBatchSendRecv(std::array<HcclSendRecvItem, 1>{}.data(), 0, rank.comm(), rank.stream()));
    if (rank.index() == 0) {
      const Buffer in = rank.Incoming(16);
      rank.Batch({{HCCL_SEND, nullptr, 0, HCCL_DATA_TYPE_FP32, 1}, ReceiveItem(in, 1, HCCL_DATA_TYPE_FP32)});
      rank.Synchronize();
      rank.ExpectArrived(in, 1, 0);
    } else {
      const Buffer out = rank.Outgoing(0, 0, 16);
      rank.Batch({SendItem(out, 0, HCCL_DATA_TYPE_FP32)});
      rank.Synchronize();
    }
  });
}

TEST_P(R11, ZeroBetweenTwoRealOnesKeepsTheOrder) {
  Run(2, [](Rank& rank) {
    if (rank.index() == 0) {
      const Buffer first = rank.Outgoing(1, 0, 16);
      const Buffer second = rank.Outgoing(1, 1, 16);
      rank.Send(first, 1, HCCL_DATA_TYPE_FP32);
      rank.Ok(HcclSend(first.data(), 0, HCCL_DATA_TYPE_FP32, 1, rank.comm(), rank.stream()));
      rank.Send(second, 1, HCCL_DATA_TYPE_FP32);
      rank.Synchronize();
    } else {
      const Buffer first = rank.Incoming(16);
      const Buffer second = rank.Incoming(16);
      rank.Receive(first, 0, HCCL_DATA_TYPE_FP32);
      rank.Receive(second, 0, HCCL_DATA_TYPE_FP32);
      rank.Synchronize();
      rank.ExpectArrived(first, 0, 0);
      rank.ExpectArrived(second, 0, 1);
    }
  });
}

}  // namespace
}  // namespace tandem::test
