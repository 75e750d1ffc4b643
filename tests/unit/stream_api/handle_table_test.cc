// SPDX-License-Identifier: Apache-2.0
#include "base/handle_table.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <set>
#include <thread>
#include <vector>

namespace tandem {
namespace {

TEST(HandleTableTest, FindsOnlyLiveHandlesOfTheKind) {
  auto table = std::make_unique<HandleTable>();
  int object = 0;
  const Result<void*> handle = table->Add(HandleKind::kStream, &object);
  ASSERT_TRUE(handle.ok());
  EXPECT_EQ(table->Find(HandleKind::kStream, *handle), &object);
  EXPECT_EQ(table->Find(HandleKind::kEvent, *handle), nullptr);
  EXPECT_EQ(HandleTable::ClaimedKind(*handle), HandleKind::kStream);
  EXPECT_EQ(table->Remove(HandleKind::kEvent, *handle), nullptr);
  EXPECT_EQ(table->Remove(HandleKind::kStream, *handle), &object);
  EXPECT_EQ(table->Find(HandleKind::kStream, *handle), nullptr);
  EXPECT_EQ(table->Remove(HandleKind::kStream, *handle), nullptr);
}

TEST(HandleTableTest, AnyBitsAreRecognisedAsForeign) {
  auto table = std::make_unique<HandleTable>();
  int object = 0;
  const Result<void*> handle = table->Add(HandleKind::kContext, &object);
  ASSERT_TRUE(handle.ok());
  const auto value = reinterpret_cast<uintptr_t>(*handle);
  for (int bit = 0; bit < 64; ++bit) {
    const auto* other = reinterpret_cast<void*>(value ^ (uintptr_t{1} << bit));
    EXPECT_EQ(table->Find(HandleKind::kContext, other), nullptr) << bit;
  }
  EXPECT_EQ(table->Find(HandleKind::kContext, nullptr), nullptr);
  EXPECT_EQ(table->Find(HandleKind::kContext, &object), nullptr);
  EXPECT_FALSE(HandleTable::ClaimedKind(&object).has_value());
  EXPECT_FALSE(HandleTable::ClaimedKind(nullptr).has_value());
}

TEST(HandleTableTest, HandlesAreNotRepeatedWhenSlotsAreReused) {
  auto table = std::make_unique<HandleTable>();
  int object = 0;
  std::set<void*> seen;
  for (int i = 0; i < 20'000; ++i) {
    const Result<void*> handle = table->Add(HandleKind::kEvent, &object);
    ASSERT_TRUE(handle.ok());
    EXPECT_TRUE(seen.insert(*handle).second);
    ASSERT_EQ(table->Remove(HandleKind::kEvent, *handle), &object);
  }
}

TEST(HandleTableTest, FindWhileOthersAddAndRemove) {
  auto table = std::make_unique<HandleTable>();
  int object = 0;
  std::atomic<void*> shown{nullptr};
  std::atomic<bool> stop{false};
  std::thread finder([&] {
    while (!stop) {
      void* found = table->Find(HandleKind::kStream, shown.load());
      EXPECT_TRUE(found == nullptr || found == &object);
    }
  });
  for (int i = 0; i < 20'000; ++i) {
    const Result<void*> handle = table->Add(HandleKind::kStream, &object);
    ASSERT_TRUE(handle.ok());
    shown = *handle;
    ASSERT_EQ(table->Remove(HandleKind::kStream, *handle), &object);
  }
  stop = true;
  finder.join();
}

}  // namespace
}  // namespace tandem
