// SPDX-License-Identifier: Apache-2.0
// R09, R10: the two sides of a transfer disagree.
#include "support/job.h"

namespace tandem::test {
namespace {

class R09 : public JobTest {};
class R10 : public JobTest {};
TANDEM_BOTH_MODES(R09);
TANDEM_BOTH_MODES(R10);

struct Shape {
  uint64_t count = 0;
  HcclDataType type = HCCL_DATA_TYPE_FP32;
};

struct Disagreement {
  Shape sent;
  Shape received;
  bool batch = false;
  uint32_t good_before = 0;
  Memory memory = Memory::kDevice;
};

std::string NameOf(const Disagreement& d) {
  return std::to_string(d.sent.count) + "x" + std::to_string(d.sent.type) + " against " +
         std::to_string(d.received.count) + "x" + std::to_string(d.received.type) +
         (d.batch ? " batch" : " plain") + " after " + std::to_string(d.good_before);
}

void Move(Rank& rank, const Buffer& buffer, HcclDataType type, bool batch) {
  const bool sender = rank.index() == 0;
  if (batch) {
    rank.Batch({sender ? SendItem(buffer, 1, type) : ReceiveItem(buffer, 0, type)});
  } else if (sender) {
    rank.Send(buffer, 1, type);
  } else {
    rank.Receive(buffer, 0, type);
  }
}

// One communicator for each disagreement, so that "first" is first and "tenth" tenth.
void Disagree(Rank& rank, const Disagreement& d, const std::vector<std::string>& said) {
  const bool sender = rank.index() == 0;
  uint32_t number = 0;
  const auto good = [&] {
    const Buffer buffer = sender ? rank.Outgoing(1, number, 4096) : rank.Incoming(4096);
    Move(rank, buffer, HCCL_DATA_TYPE_FP32, d.batch);
    rank.Synchronize();
    if (!sender) rank.ExpectArrived(buffer, 0, number);
    ++number;
  };
  while (number < d.good_before) good();

  const Shape mine = sender ? d.sent : d.received;
  const uint64_t bytes = mine.count * BytesOf(mine.type);
  const Buffer buffer = sender ? rank.Outgoing(1, number, bytes, d.memory) : rank.Incoming(bytes, d.memory);
  Move(rank, buffer, mine.type, d.batch);
  const Outcome outcome = rank.TrySynchronize();
  rank.Says(outcome, ACL_ERROR_RT_AICPU_EXCEPTION, said);
  if (!sender) rank.ExpectUntouched(buffer);
  // The text carries its own number, so that nobody must guess which of many was wrong.
  rank.Says(outcome, ACL_ERROR_RT_AICPU_EXCEPTION, {"EI0005", "from 0 to 1"});
  ++number;
  HcclResult kept = HCCL_SUCCESS;
  rank.Ok(HcclGetCommAsyncError(rank.comm(), &kept));
  rank.Require(kept != HCCL_SUCCESS, "HcclGetCommAsyncError forgot the mismatch");
  // What follows meets its own partner, not the one before or after.
  for (int i = 0; i < 3; ++i) good();
}

class WithAll {
 public:
  WithAll(Mode mode, std::vector<std::string> said) : mode_(mode), said_(std::move(said)) {}
  void Run(const Disagreement& d) const {
    JobOptions options;
    options.mode = mode_;
    options.deadline = std::chrono::seconds(30);
    const JobEnd end = RunJob(options, [this, &d](Rank& rank) { Disagree(rank, d, said_); });
    EXPECT_TRUE(end.Good()) << NameOf(d) << "\n" << end.Text();
  }

 private:
  Mode mode_;
  std::vector<std::string> said_;
};

TEST_P(R09, BothRanksGetTheErrorAndNothingIsWritten) {
  const std::pair<uint64_t, uint64_t> counts[] = {
      {3, 4}, {3, 5}, {5, 3}, {1048576, 1048577}, {1048577, 1048576}};
  for (const auto& [sent, received] : counts) {
    const WithAll with(GetParam(), {"sender count " + std::to_string(sent),
                                    "receiver count " + std::to_string(received), "fp32"});
    for (const bool batch : {false, true}) {
      for (const uint32_t before : {0U, 9U}) with.Run({{sent}, {received}, batch, before});
    }
  }
}

TEST_P(R09, PlainMemoryIsNoException) {
  for (const uint64_t sent : {uint64_t{3}, uint64_t{1048576}}) {
    WithAll(GetParam(), {"sender count " + std::to_string(sent)})
        .Run({{sent}, {sent + 1}, false, 0, Memory::kPlain});
  }
}

// Only the wrong item of a batch fails to move; the others are delivered.
TEST_P(R09, OtherItemsOfTheBatchArrive) {
  Run(3, [](Rank& rank) {
    if (rank.index() == 0) {
      const Buffer one = rank.Outgoing(1, 0, 40);
      const Buffer two = rank.Outgoing(2, 0, 1 << 20);
      rank.Batch({SendItem(one, 1), SendItem(two, 2)});
      rank.Says(rank.TrySynchronize(), ACL_ERROR_RT_AICPU_EXCEPTION,
                {"EI0005", "sender count 40", "receiver count 44"});
    } else if (rank.index() == 1) {
      const Buffer in = rank.Incoming(44);
      rank.Batch({ReceiveItem(in, 0)});
      rank.Says(rank.TrySynchronize(), ACL_ERROR_RT_AICPU_EXCEPTION,
                {"EI0005", "sender count 40", "receiver count 44"});
      rank.ExpectUntouched(in);
    } else {
      const Buffer in = rank.Incoming(1 << 20);
      rank.Batch({ReceiveItem(in, 0)});
      rank.Synchronize();
      rank.ExpectArrived(in, 0, 0);
    }
  });
}

TEST_P(R10, TypesThatDifferAreAnErrorOnBothRanks) {
  const WithAll with(GetParam(), {"fp32", "bfp16"});
  for (const uint64_t count : {uint64_t{1}, uint64_t{4096}, uint64_t{1048576}}) {
    for (const bool batch : {false, true}) {
      for (const uint32_t before : {0U, 3U}) {
        with.Run({{count}, {count, HCCL_DATA_TYPE_BFP16}, batch, before});
      }
    }
  }
}

TEST_P(R10, EqualNumberOfBytesIsNoExcuse) {
  const WithAll with(GetParam(), {"fp32", "bfp16", "same number of bytes, different type"});
  for (const uint64_t count : {uint64_t{1}, uint64_t{4096}, uint64_t{1048576}}) {
    for (const bool batch : {false, true}) {
      with.Run({{count}, {count * 2, HCCL_DATA_TYPE_BFP16}, batch, 1});
    }
  }
}

// Equal count and size, still another type.
TEST_P(R10, EqualSizeOfElementsIsNoExcuse) {
  WithAll(GetParam(), {"fp32", "int32"}).Run({{1024}, {1024, HCCL_DATA_TYPE_INT32}});
}

}  // namespace
}  // namespace tandem::test
