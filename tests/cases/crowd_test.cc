// SPDX-License-Identifier: Apache-2.0
// R24: more ranks than cores and descriptors.
#include <sched.h>
#include <sys/resource.h>

#include <chrono>
#include <thread>

#include "support/job.h"
#include "support/surroundings.h"

namespace tandem::test {
namespace {

using std::chrono::duration;
using std::chrono::steady_clock;

class R24 : public JobTest {};
TANDEM_BOTH_MODES(R24);

TEST_P(R24, EightRanksOnTwoCores) {
  JobOptions options;
  options.ranks = 8;
  options.deadline = std::chrono::seconds(100);
  options.prepare = [] {
    cpu_set_t two;
    CPU_ZERO(&two);
    CPU_SET(0, &two);
    CPU_SET(1, &two);
    static_cast<void>(sched_setaffinity(0, sizeof(two), &two));
  };
  Run(options, [](Rank& rank) {
    constexpr uint32_t kRounds = Times(10000);
    Buffer out(Memory::kDevice, 4096);
    const Buffer in = rank.Incoming(4096);
    for (uint32_t round = 0; round < kRounds; ++round) {
      out.Fill({rank.index(), rank.next(), round});
      rank.Batch({SendItem(out, rank.next()), ReceiveItem(in, rank.previous())});
      rank.Synchronize();
      rank.ExpectArrived(in, rank.previous(), round);
    }
  });
}

// Seven ranks wait for the eighth, which comes when all have waited for a while. The bound is on processor
// time, not on how long anything takes: a loaded host only makes the wait longer.
TEST_P(R24, WaitingRanksUseHardlyAnyProcessorTime) {
  JobOptions options;
  options.ranks = 8;
  Run(options, [](Rank& rank) {
    const uint32_t late = rank.size() - 1;
    rank.Meet();
    const double cpu_before = CpuSeconds();
    const auto before = steady_clock::now();
    if (rank.index() == late) {
      std::this_thread::sleep_for(std::chrono::seconds(3));
      std::vector<Buffer> out;
      for (uint32_t peer = 0; peer < late; ++peer) out.push_back(rank.Outgoing(peer, 0, 4096));
      for (uint32_t peer = 0; peer < late; ++peer) rank.Send(out[peer], peer);
      rank.Synchronize();
      return;
    }
    const Buffer in = rank.Incoming(4096);
    rank.Receive(in, late);
    rank.Synchronize();
    const double waited = duration<double>(steady_clock::now() - before).count();
    const double cpu = CpuSeconds() - cpu_before;
    rank.ExpectArrived(in, late, 0);
    // As threads, the process's time is that of all seven.
    const double allowed = (rank.own_process() ? 0.05 : 7 * 0.05) * waited;
    rank.Require(waited > 2.5, "nobody waited");
    rank.Require(cpu < allowed, "waiting for " + std::to_string(waited) + " s took " + std::to_string(cpu) +
                                    " s of processor time, more than " + std::to_string(allowed) + " s");
  });
}

void LimitDescriptors() {
  const rlimit limit{1024, 1024};
  if (setrlimit(RLIMIT_NOFILE, &limit) != 0) std::abort();
}

// Everybody exchanges one element with everybody.
void AllToAll(Rank& rank) {
  constexpr uint64_t kStride = 64;
  const uint64_t bytes = kStride * rank.size();
  void* sent = nullptr;
  void* received = nullptr;
  rank.Ok(aclrtMalloc(&sent, bytes, ACL_MEM_MALLOC_HUGE_FIRST));
  rank.Ok(aclrtMalloc(&received, bytes, ACL_MEM_MALLOC_HUGE_FIRST));
  const auto at = [](void* base, uint32_t peer) {
    return reinterpret_cast<uint32_t*>(static_cast<std::byte*>(base) + kStride * peer);
  };
  std::vector<HcclSendRecvItem> items;
  for (uint32_t step = 1; step < rank.size(); ++step) {
    const uint32_t peer = (rank.index() + step) % rank.size();
    *at(sent, peer) = rank.index() * 1000 + peer;
    *at(received, peer) = 0xFFFFFFFFU;
    items.push_back({HCCL_SEND, at(sent, peer), 1, HCCL_DATA_TYPE_UINT32, peer});
    items.push_back({HCCL_RECV, at(received, peer), 1, HCCL_DATA_TYPE_UINT32, peer});
  }
  rank.Batch(std::move(items));
  rank.Synchronize();
  for (uint32_t peer = 0; peer < rank.size(); ++peer) {
    if (peer == rank.index()) continue;
    rank.Require(*at(received, peer) == peer * 1000 + rank.index(),
                 "wrong element from " + std::to_string(peer));
  }
  rank.Ok(aclrtFree(sent));
  rank.Ok(aclrtFree(received));
}

void Crowd(Mode mode, uint32_t ranks) {
  JobOptions options;
  options.ranks = ranks;
  options.mode = mode;
  options.deadline = std::chrono::seconds(110);
  options.prepare = LimitDescriptors;
  const JobEnd end = RunJob(options, AllToAll);
  EXPECT_TRUE(end.Good()) << end.Text().substr(0, 4000);
}

TEST(R24Crowd, ThreadRanksWithFewDescriptors) {
  Crowd(Mode::kThreads, Times(128));
  Crowd(Mode::kThreads, Times(256));
}

TEST(R24Crowd, ProcessRanksWithFewDescriptors) {
  Crowd(Mode::kProcesses, Times(64));
  Crowd(Mode::kProcesses, Times(128));
  if (LongRun()) Crowd(Mode::kProcesses, 256);
}

// Create, exchange, destroy, again and again, inside a job that goes on.
void Cycles(Rank& rank, uint32_t cycles) {
  const auto cycle = [&rank](uint32_t number) {
    const HcclComm comm = rank.Join();
    const Buffer out = rank.Outgoing(rank.next(), number, 4096);
    const Buffer in = rank.Incoming(4096);
    HcclSendRecvItem items[] = {SendItem(out, rank.next()), ReceiveItem(in, rank.previous())};
    rank.Ok(HcclBatchSendRecv(items, 2, comm, rank.stream()));
    rank.Synchronize();
    rank.ExpectArrived(in, rank.previous(), number);
    rank.Ok(HcclCommDestroy(comm));
  };
  const auto measure = [&rank] {
    rank.Meet();
    Usage usage;
    if (rank.own_process() || rank.index() == 0) usage = CurrentUsage();
    rank.Meet();
    return usage;
  };
  constexpr uint32_t kWarm = 20;
  for (uint32_t i = 0; i < kWarm; ++i) cycle(i);
  const Usage before = measure();
  for (uint32_t i = kWarm; i < cycles; ++i) cycle(i);
  const Usage after = measure();
  // What a destroyed communicator still closes in the background, and the allocator's own mappings, are no
  // growth with the number of cycles.
  constexpr size_t kSlack = 12;
  const std::string both = before.Text() + "; after " + std::to_string(cycles) + " cycles " + after.Text();
  rank.Require(after.descriptors <= before.descriptors + kSlack, both);
  rank.Require(after.threads <= before.threads, both);
  if (kSanitized) return;
  rank.Require(after.mappings <= before.mappings + kSlack, both);
  rank.Require(after.resident_bytes <= before.resident_bytes + (uint64_t{16} << 20), both);
}

TEST_P(R24, CommunicatorsLeaveNothingBehind) {
  JobOptions options;
  options.ranks = 4;
  options.mode = GetParam();
  options.deadline = std::chrono::seconds(200);
  const JobEnd end = RunJob(options, [](Rank& rank) { Cycles(rank, Times(1000)); });
  EXPECT_TRUE(end.Good()) << end.Text();
}

}  // namespace
}  // namespace tandem::test
