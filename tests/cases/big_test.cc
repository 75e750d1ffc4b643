// SPDX-License-Identifier: Apache-2.0
// R12: more than 2 and 4 GiB, on each way that bytes can go, and the limits of counts.
#include <sys/mman.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "support/job.h"
#include "support/surroundings.h"

namespace tandem::test {
namespace {

constexpr uint64_t kLargest = (uint64_t{1} << 32) + 2;
// Two such buffers are touched whole; some must be left for everybody else.
constexpr uint64_t kNeeded = 2 * kLargest + (uint64_t{3} << 30);

// Marks lie closer to each other than any piece that a transport moves at once, and each says where it is and
// of which round; so a piece that is missing, old or in the wrong place is found without reading everything.
class Marked {
 public:
  Marked(Rank& rank, Memory memory) : memory_(memory) {
    if (memory == Memory::kDevice) {
      void* data = nullptr;
      rank.Ok(aclrtMalloc(&data, kLargest + kGuard, ACL_MEM_MALLOC_HUGE_FIRST));
      data_ = static_cast<std::byte*>(data);
    } else {
      void* data =
          mmap(nullptr, kLargest + kGuard, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
      rank.Require(data != MAP_FAILED, "mmap failed");
      // A million page faults less.
      static_cast<void>(madvise(data, kLargest + kGuard, MADV_HUGEPAGE));
      data_ = static_cast<std::byte*>(data);
    }
  }
  ~Marked() {
    if (memory_ == Memory::kDevice) {
      static_cast<void>(aclrtFree(data_));
    } else {
      munmap(data_, kLargest + kGuard);
    }
  }
  Marked(const Marked&) = delete;
  Marked& operator=(const Marked&) = delete;

  std::byte* data() const { return data_; }

  void Write(uint64_t bytes, uint64_t round) {
    for (uint64_t at = 0; at + kMark <= bytes; at += kDistance) WriteMark(at, round);
    for (const uint64_t at : Edges(bytes)) WriteMark(at, round);
    std::memset(data_ + bytes, kEnd, kGuard);
  }

  std::string Check(uint64_t bytes, uint64_t round) const {
    for (uint64_t at = 0; at + kMark <= bytes; at += kDistance) {
      // An edge may have been written over part of it.
      if (!NearEdge(at, bytes) && !HasMark(at, round))
        return "the bytes at " + std::to_string(at) + " are wrong";
    }
    for (const uint64_t at : Edges(bytes)) {
      if (!HasMark(at, round)) return "the bytes at " + std::to_string(at) + " are wrong";
    }
    for (uint64_t i = 0; i < kGuard; ++i) {
      if (data_[bytes + i] != std::byte{kEnd})
        return "byte " + std::to_string(i) + " after the end was written";
    }
    return {};
  }

 private:
  static constexpr uint64_t kGuard = 4096;
  static constexpr uint64_t kMark = 16;
  static constexpr uint64_t kDistance = uint64_t{32} * 1024;
  static constexpr int kEnd = 0x5E;

  // The last bytes, and what lies across the limits that people trip over.
  static std::vector<uint64_t> Edges(uint64_t bytes) {
    std::vector<uint64_t> edges;
    for (const uint64_t limit : {uint64_t{2147479552}, uint64_t{1} << 31, uint64_t{1} << 32}) {
      if (limit + 8 + kMark < bytes) edges.push_back(limit - 8);
    }
    edges.push_back(bytes - kMark);
    return edges;
  }
  static bool NearEdge(uint64_t at, uint64_t bytes) {
    for (const uint64_t edge : Edges(bytes)) {
      if (at + kMark > edge && at < edge + kMark) return true;
    }
    return false;
  }
  static std::array<uint64_t, 2> MarkOf(uint64_t at, uint64_t round) {
    return {at * 0x9E3779B97F4A7C15U + round, ~at - round};
  }
  void WriteMark(uint64_t at, uint64_t round) {
    const auto mark = MarkOf(at, round);
    std::memcpy(data_ + at, mark.data(), kMark);
  }
  bool HasMark(uint64_t at, uint64_t round) const {
    const auto mark = MarkOf(at, round);
    return std::memcmp(data_ + at, mark.data(), kMark) == 0;
  }

  Memory memory_;
  std::byte* data_ = nullptr;
};

struct Big {
  uint64_t count = 0;
  HcclDataType type = HCCL_DATA_TYPE_INT8;
  bool batch = false;
};

void BigTransfers(Rank& rank, Memory memory) {
  const bool sender = rank.index() == 0;
  Marked buffer(rank, memory);
  uint64_t round = 1;
  for (const Big& big : {Big{2147479552}, Big{2147479553, HCCL_DATA_TYPE_INT8, true}, Big{2147483647},
                         Big{2147483748}, Big{4294967297}, Big{2147483649, HCCL_DATA_TYPE_FP16, true}}) {
    const uint64_t bytes = big.count * BytesOf(big.type);
    buffer.Write(bytes, sender ? round : 0);
    if (big.batch) {
      rank.Batch({{sender ? HCCL_SEND : HCCL_RECV, buffer.data(), big.count, big.type, 1 - rank.index()}});
    } else if (sender) {
      rank.Ok(HcclSend(buffer.data(), big.count, big.type, 1, rank.comm(), rank.stream()));
    } else {
      rank.Ok(HcclRecv(buffer.data(), big.count, big.type, 0, rank.comm(), rank.stream()));
    }
    rank.Synchronize();
    const std::string wrong = buffer.Check(bytes, round);
    rank.Require(wrong.empty(), std::to_string(bytes) + " bytes: " + wrong);
    ++round;
  }
}

class R12 : public ::testing::Test {
 protected:
  void SetUp() override {
    if (kSanitized) GTEST_SKIP() << "a sanitizer needs several times the memory of what it watches";
    if (AvailableMemory() < kNeeded) {
      GTEST_SKIP() << "needs " << (kNeeded >> 30) << " GiB of memory, this host has "
                   << (AvailableMemory() >> 30) << " GiB available";
    }
  }
  static void Run(JobOptions options, Memory memory) {
    options.deadline = std::chrono::seconds(200);
    const JobEnd end = RunJob(std::move(options), [memory](Rank& rank) { BigTransfers(rank, memory); });
    EXPECT_TRUE(end.Good()) << end.Text();
  }
};

TEST_F(R12, InsideOneProcess) {
  JobOptions options;
  options.mode = Mode::kThreads;
  Run(options, Memory::kDevice);
}

TEST_F(R12, DeviceMemoryOfProcesses) { Run({}, Memory::kDevice); }

TEST_F(R12, OtherMemoryOfProcesses) { Run({}, Memory::kPlain); }

TEST_F(R12, OtherMemoryWhereTheKernelRefuses) {
  JobOptions options;
  options.prepare = [] {
    if (!ForbidReadingOtherProcesses(EPERM)) std::abort();
  };
  Run(options, Memory::kPlain);
}

class R12Limits : public JobTest {};
TANDEM_BOTH_MODES(R12Limits);

TEST_P(R12Limits, CountsOverTheLimitAreRefusedAtOnce) {
  Run(2, [](Rank& rank) {
    const Buffer buffer = rank.Incoming(16);
    const std::pair<uint64_t, HcclDataType> wrong[] = {{uint64_t{0x7FFFFFFFF} + 1, HCCL_DATA_TYPE_INT8},
                                                       {uint64_t{1} << 61, HCCL_DATA_TYPE_FP64},
                                                       {uint64_t{1} << 62, HCCL_DATA_TYPE_INT32},
                                                       {UINT64_MAX, HCCL_DATA_TYPE_INT8}};
    for (const auto& [count, type] : wrong) {
      const std::vector<std::string> said = {std::to_string(count), "34359738367", "HCCL_E_PARA (1)"};
      rank.Refused(HcclSend(buffer.data(), count, type, rank.next(), rank.comm(), rank.stream()), HCCL_E_PARA,
                   said);
      rank.Refused(HcclRecv(buffer.data(), count, type, rank.next(), rank.comm(), rank.stream()), HCCL_E_PARA,
                   said);
      HcclSendRecvItem item{HCCL_RECV, buffer.data(), count, type, rank.next()};
      rank.Refused(HcclBatchSendRecv(&item, 1, rank.comm(), rank.stream()), HCCL_E_PARA, said);
    }
    rank.Synchronize();
    rank.ExpectUntouched(buffer);
  });
}

}  // namespace
}  // namespace tandem::test
