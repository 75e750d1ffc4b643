// SPDX-License-Identifier: Apache-2.0
#include "stream/run_state.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

namespace tandem::test {
namespace {

using Notice = RunState::Notice;

TEST(RunStateTest, FirstNewsOfAnIdleStreamIsScheduledOnce) {
  RunState state;
  EXPECT_EQ(state.SetReady(), Notice::kSchedule);
  EXPECT_EQ(state.SetReady(), Notice::kNothing);
  EXPECT_TRUE(state.Dequeue());
  EXPECT_FALSE(state.TryAcquire());
}

TEST(RunStateTest, AStaleEntryOfTheQueueGivesNoSecondOwner) {
  RunState state;
  ASSERT_EQ(state.SetReady(), Notice::kSchedule);
  ASSERT_TRUE(state.TryAcquire());
  EXPECT_FALSE(state.Dequeue());
}

TEST(RunStateTest, AnOwnerWithNewsCannotRelease) {
  RunState state;
  bool guests = false;
  ASSERT_TRUE(state.TryAcquire());
  EXPECT_EQ(state.SetReady(), Notice::kNothing);
  EXPECT_FALSE(state.TryRelease(guests));
  EXPECT_TRUE(state.TryRelease(guests));
  EXPECT_TRUE(state.TryAcquire());
}

TEST(RunStateTest, AParkedOwnerIsWokenByNewsButNotByALongerQueue) {
  for (const bool at_bell : {false, true}) {
    RunState state;
    ASSERT_TRUE(state.TryAcquire());
    EXPECT_FALSE(RunState::HasReady(state.BeginPark(at_bell)));
    EXPECT_EQ(state.SetAppended(), Notice::kNothing);
    EXPECT_EQ(state.SetReady(), at_bell ? Notice::kWakeAtBell : Notice::kWakeParked);
    EXPECT_EQ(state.SetReady(), Notice::kNothing);
    state.EndPark();
    EXPECT_TRUE(state.TakeReady());
  }
}

TEST(RunStateTest, NewsFromBeforeThePauseForbidsToSleep) {
  RunState state;
  ASSERT_TRUE(state.TryAcquire());
  EXPECT_EQ(state.SetReady(), Notice::kNothing);
  EXPECT_TRUE(RunState::HasReady(state.BeginPark(false)));
}

TEST(RunStateTest, GuestsAreReportedToWhoeverGivesUp) {
  RunState state;
  bool guests = true;
  EXPECT_FALSE(state.AddGuest());
  ASSERT_TRUE(state.TryAcquire());
  EXPECT_TRUE(state.AddGuest());
  EXPECT_TRUE(state.HasGuests());
  EXPECT_TRUE(state.ReleaseQueued(guests));
  EXPECT_TRUE(guests);
  EXPECT_TRUE(state.Dequeue());
  EXPECT_TRUE(state.TryRelease(guests));
  EXPECT_FALSE(guests);
}

// Everything announced before SetReady is looked at by somebody, and never by two at once.
TEST(RunStateTest, NoNewsIsLostAmongManyThreads) {
  constexpr uint64_t kEach = 200000;
  RunState state;
  std::atomic<uint64_t> announced{0};
  std::atomic<uint64_t> scheduled{0};
  std::atomic<bool> done{false};
  uint64_t seen = 0;  // the owner's
  const auto own = [&] {
    bool guests = false;
    do seen = announced.load(std::memory_order_relaxed);
    while (!state.TryRelease(guests));
  };
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i) {
    threads.emplace_back([&] {
      for (uint64_t n = 0; n < kEach; ++n) {
        announced.fetch_add(1, std::memory_order_relaxed);
        if (state.SetReady() == Notice::kSchedule) scheduled.fetch_add(1);
      }
    });
  }
  std::thread worker([&] {
    for (;;) {
      const bool last = done.load();
      uint64_t entries = scheduled.load();
      if (entries == 0 && last) return;
      if (entries == 0 || !scheduled.compare_exchange_strong(entries, entries - 1)) {
        std::this_thread::yield();
      } else if (state.Dequeue()) {
        own();
      }
    }
  });
  threads.emplace_back([&] {
    for (uint64_t n = 0; n < kEach; ++n) {
      if (state.TryAcquire()) own();
    }
  });
  for (std::thread& thread : threads) thread.join();
  done.store(true);
  worker.join();
  ASSERT_TRUE(state.TryAcquire());
  EXPECT_EQ(seen, 3 * kEach);
}

}  // namespace
}  // namespace tandem::test
