// SPDX-License-Identifier: Apache-2.0
#include "transport/shm/arena.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdint>
#include <cstring>
#include <map>
#include <random>
#include <vector>

#include "base/host_memory.h"

namespace tandem::shm {
namespace {

constexpr size_t kBytes = size_t{64} << 20;

std::unique_ptr<Arena> MakeArena() {
  Result<std::unique_ptr<Arena>> arena = Arena::Create(kBytes);
  EXPECT_TRUE(arena.ok()) << arena.status().text();
  return std::move(*arena);
}

size_t ResidentBytes(const Arena& arena) {
  struct stat info {};
  EXPECT_EQ(fstat(arena.fd().get(), &info), 0);
  return static_cast<size_t>(info.st_blocks) * 512;
}

TEST(ArenaTest, AlignmentGrowsWithTheBlock) {
  const auto arena = MakeArena();
  ASSERT_TRUE(arena->Allocate(1, 1, 0).ok());
  struct Case {
    size_t bytes, alignment, expected;
  };
  for (const Case& c : {Case{1, 1, 64}, Case{4095, 1, 64}, Case{4096, 1, 4096},
                        Case{size_t{2} << 20, 1, size_t{2} << 20}, Case{8, 4096, 4096}}) {
    const Result<void*> data = arena->Allocate(c.bytes, c.alignment, 0);
    ASSERT_TRUE(data.ok());
    EXPECT_EQ(reinterpret_cast<uintptr_t>(*data) % c.expected, 0U) << c.bytes;
  }
}

TEST(ArenaTest, FindsTheBlockOfAnInteriorAddressAndNothingElse) {
  const auto arena = MakeArena();
  const Result<void*> data = arena->Allocate(100, 1, 7);
  ASSERT_TRUE(data.ok());
  auto* bytes = static_cast<std::byte*>(*data);
  const auto block = arena->Find(bytes + 99);
  ASSERT_TRUE(block.has_value());
  EXPECT_EQ(block->data, bytes);
  EXPECT_EQ(block->bytes, 100U);
  EXPECT_EQ(block->owner, 7U);
  EXPECT_FALSE(arena->Find(bytes + 100).has_value());
  EXPECT_FALSE(arena->Find(&block).has_value());
  EXPECT_TRUE(arena->Contains(bytes, kBytes - arena->OffsetOf(bytes)));
  EXPECT_FALSE(arena->Contains(bytes, kBytes - arena->OffsetOf(bytes) + 1));
  EXPECT_FALSE(arena->Contains(&block, 1));
  EXPECT_FALSE(arena->Contains(bytes, SIZE_MAX));
}

TEST(ArenaTest, OnlyTheStartOfALiveBlockCanBeFreed) {
  const auto arena = MakeArena();
  const Result<void*> data = arena->Allocate(4096, 1, 0);
  ASSERT_TRUE(data.ok());
  int stranger = 0;
  EXPECT_EQ(arena->Free(static_cast<std::byte*>(*data) + 64).status().code(), Code::kInvalidValue);
  EXPECT_EQ(arena->Free(&stranger).status().code(), Code::kInvalidValue);
  EXPECT_TRUE(arena->Free(*data).ok());
  EXPECT_EQ(arena->Free(*data).status().code(), Code::kInvalidValue);
}

TEST(ArenaTest, RunsOutAndIsWholeAgainAfterwards) {
  const auto arena = MakeArena();
  std::vector<void*> blocks;
  for (Result<void*> data = arena->Allocate(1 << 20, 1, 0); data.ok();
       data = arena->Allocate(1 << 20, 1, 0)) {
    blocks.push_back(*data);
  }
  EXPECT_EQ(blocks.size(), kBytes >> 20);
  EXPECT_EQ(arena->Allocate(64, 1, 0).status().code(), Code::kOutOfMemory);
  for (size_t i = 0; i < blocks.size(); i += 2) EXPECT_TRUE(arena->Free(blocks[i]).ok());
  EXPECT_FALSE(arena->Allocate(2 << 20, 1, 0).ok()) << "every other block is taken";
  for (size_t i = 1; i < blocks.size(); i += 2) EXPECT_TRUE(arena->Free(blocks[i]).ok());
  // The start of the mapping may not be aligned to 2 MiB, so the whole is asked for in one piece less that
  // much.
  EXPECT_TRUE(arena->Allocate(kBytes - (2 << 20), 1, 0).ok()) << "the gaps became one";
}

TEST(ArenaTest, ImpossibleSizesAreRefused) {
  const auto arena = MakeArena();
  for (const size_t bytes : {size_t{0}, kBytes + 1, SIZE_MAX, SIZE_MAX - 4095}) {
    EXPECT_EQ(arena->Allocate(bytes, 1, 0).status().code(), Code::kOutOfMemory) << bytes;
  }
}

TEST(ArenaTest, FreeingALargeBlockGivesItsPagesBack) {
  const auto arena = MakeArena();
  const Result<void*> data = arena->Allocate(size_t{16} << 20, 1, 0);
  ASSERT_TRUE(data.ok());
  EXPECT_EQ(ResidentBytes(*arena), 0U) << "pages appear on touch";
  std::memset(*data, 1, size_t{16} << 20);
  EXPECT_GE(ResidentBytes(*arena), size_t{16} << 20);
  ASSERT_TRUE(arena->Free(*data).ok());
  EXPECT_EQ(ResidentBytes(*arena), 0U);
}

// Random allocations and frees: live blocks never overlap, and keep their content.
TEST(ArenaTest, BlocksNeverOverlap) {
  const auto arena = MakeArena();
  std::mt19937 random(1);
  std::map<std::byte*, std::pair<size_t, std::byte>> live;
  for (int step = 0; step < 4000; ++step) {
    if (live.size() > 200 || (!live.empty() && random() % 3 == 0)) {
      const auto victim = std::next(live.begin(), static_cast<std::ptrdiff_t>(random() % live.size()));
      EXPECT_EQ(victim->first[0], victim->second.second);
      EXPECT_EQ(victim->first[victim->second.first - 1], victim->second.second);
      ASSERT_TRUE(arena->Free(victim->first).ok());
      live.erase(victim);
      continue;
    }
    const size_t bytes = 1 + random() % (random() % 16 == 0 ? 1'500'000 : 9'000);
    const Result<void*> data = arena->Allocate(bytes, 1, 0);
    if (!data) continue;
    auto* start = static_cast<std::byte*>(*data);
    const auto after = live.lower_bound(start);
    if (after != live.end()) {
      ASSERT_LE(start + bytes, after->first);
    }
    if (after != live.begin()) {
      const auto before = std::prev(after);
      ASSERT_LE(before->first + before->second.first, start);
    }
    const auto mark = static_cast<std::byte>(step);
    start[0] = start[bytes - 1] = mark;
    live.emplace(start, std::pair(bytes, mark));
  }
}

TEST(HostMemoryTest, AvailableIsNotMoreThanThereIs) {
  EXPECT_GT(HostMemoryAvailable(), 0U);
  EXPECT_LE(HostMemoryAvailable(), HostMemoryTotal());
}

}  // namespace
}  // namespace tandem::shm
