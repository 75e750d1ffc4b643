// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hccl/hccl_types.h>
#include <sys/types.h>

#include <array>
#include <atomic>
#include <cstdint>

namespace tandem::test {

// What the ranks of a job and the test that started them share: pages made before the first fork. It takes
// the place of the application's own means (MPI, a file), so it knows nothing of the library.
struct Board {
  static constexpr uint32_t kMostRanks = 1024;
  static constexpr uint32_t kFlags = 64;

  // Root info number n is in roots[n % 2]: nobody asks for the next but one before all have the next.
  std::array<HcclRootInfo, 2> roots;
  std::atomic<uint32_t> roots_published;

  std::atomic<uint32_t> arrived;
  std::atomic<uint32_t> barrier_round;
  std::array<std::atomic<uint32_t>, kFlags> flags;
  std::array<std::atomic<uint64_t>, kMostRanks> values;  // one for each rank, for whatever the test needs
  std::array<std::atomic<pid_t>, kMostRanks> pids;

  // Zeroed pages that forked children share. Never unmapped: children may outlive the test's interest in
  // them.
  static Board* Create();

  void PublishRoot(uint32_t number, const HcclRootInfo& root);
  HcclRootInfo AwaitRoot(uint32_t number);
  // Returns when `ranks` callers have come.
  void Meet(uint32_t ranks);
  void Raise(uint32_t flag) { RaiseTo(flags[flag], 1); }
  void Await(uint32_t flag) { AwaitAtLeast(flags[flag], 1); }
  // Counts one up; for flags on which somebody waits for several.
  void Count(uint32_t flag);
  void AwaitCount(uint32_t flag, uint32_t count) { AwaitAtLeast(flags[flag], count); }

 private:
  static void RaiseTo(std::atomic<uint32_t>& word, uint32_t value);
  static void AwaitAtLeast(std::atomic<uint32_t>& word, uint32_t value);
};

}  // namespace tandem::test
