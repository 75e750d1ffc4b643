// SPDX-License-Identifier: Apache-2.0
#include "stream/stream.h"

#include <gtest/gtest.h>

#include <memory>
#include <thread>
#include <vector>

#include "unit/stream/fake_task.h"

namespace tandem::test {
namespace {

using std::chrono::milliseconds;

Status Stop() { return Status::Error(Code::kStreamAborted, "stopped by the test"); }

TEST(StreamTest, TasksRunOneAfterTheOtherInTheirOrder) {
  Stream& stream = NewStream();
  std::vector<uint32_t> list;
  for (uint32_t i = 0; i < 1000; ++i) stream.Submit(std::make_unique<CountingTask>(list, i, i % 5));
  ASSERT_TRUE(stream.Wait(stream.submitted(), kNever).ok());
  ASSERT_EQ(list.size(), 1000U);
  for (uint32_t i = 0; i < 1000; ++i) EXPECT_EQ(list[i], i);
}

TEST(StreamTest, ATaskThatNobodyWaitsForIsRunByAWorker) {
  Stream& stream = NewStream();
  std::vector<uint32_t> list;
  stream.Submit(std::make_unique<CountingTask>(list, 0, 1000));
  while (!stream.IsDone(1)) std::this_thread::yield();
  EXPECT_EQ(list.size(), 1U);
}

TEST(StreamTest, QueueingBehindABlockedTaskReturnsAndRunsNothing) {
  Stream& stream = NewStream();
  const auto gate = std::make_shared<Gate>();
  std::vector<uint32_t> list;
  stream.Submit(std::make_unique<GateTask>(gate));
  stream.Submit(std::make_unique<CountingTask>(list, 7, 0));
  EXPECT_EQ(stream.Wait(2, Clock::now() + milliseconds(5)).code(), Code::kStreamSyncTimeout);
  EXPECT_FALSE(stream.IsDone(1));
  Open(*gate, stream);
  ASSERT_TRUE(stream.Wait(2, kNever).ok());
  EXPECT_EQ(list, std::vector<uint32_t>{7});
  EXPECT_TRUE(gate->destroyed);
}

TEST(StreamTest, NewsReachesAThreadThatSleepsInWait) {
  Stream& stream = NewStream();
  for (uint64_t round = 1; round <= 200; ++round) {
    const auto gate = std::make_shared<Gate>();
    stream.Submit(std::make_unique<GateTask>(gate));
    std::thread opener([&] { Open(*gate, stream); });
    EXPECT_TRUE(stream.Wait(round, kNever).ok());
    opener.join();
    EXPECT_FALSE(gate->overlapped);
  }
}

TEST(StreamTest, TheTimeLimitOfATaskIsKeptWithAndWithoutAWaitingThread) {
  for (const bool wait : {true, false}) {
    Stream& stream = NewStream();
    stream.Submit(std::make_unique<GateTask>(std::make_shared<Gate>(), Clock::now() + milliseconds(3)));
    if (wait) {
      EXPECT_TRUE(stream.Wait(1, kNever).ok());
    } else {
      while (!stream.IsDone(1)) std::this_thread::yield();
    }
    EXPECT_EQ(stream.TakeError().code(), Code::kTaskTimeout);
  }
}

TEST(StreamTest, AFailedTaskDoesNotStopTheNextAndItsErrorIsTakenOnce) {
  Stream& stream = NewStream();
  struct Seen {
    int count = 0;
  } seen;
  stream.SetFailureHook([](Stream&, const Status&, void* owner) { ++static_cast<Seen*>(owner)->count; },
                        &seen);
  std::vector<uint32_t> list;
  stream.Submit(std::make_unique<CountingTask>(list, 0, 0, true));
  stream.Submit(std::make_unique<CountingTask>(list, 1, 0));
  ASSERT_TRUE(stream.Wait(2, kNever).ok());
  EXPECT_EQ(list.size(), 2U);
  EXPECT_TRUE(stream.HasError());
  EXPECT_EQ(stream.TakeError().code(), Code::kTaskFailed);
  EXPECT_TRUE(stream.TakeError().ok());
  EXPECT_EQ(seen.count, 1);
}

TEST(StreamTest, SeveralThreadsMayWaitForDifferentTasks) {
  Stream& stream = NewStream();
  std::vector<std::shared_ptr<Gate>> gates;
  std::vector<std::thread> waiters;
  for (uint64_t i = 0; i < 4; ++i) {
    gates.push_back(std::make_shared<Gate>());
    stream.Submit(std::make_unique<GateTask>(gates[i]));
  }
  for (uint64_t i = 0; i < 4; ++i) {
    for (int copy = 0; copy < 2; ++copy) {
      waiters.emplace_back([&stream, i] {
        EXPECT_TRUE(stream.Wait(i + 1, kNever).ok());
        EXPECT_TRUE(stream.IsDone(i + 1));
      });
    }
  }
  for (const auto& gate : gates) Open(*gate, stream);
  for (std::thread& waiter : waiters) waiter.join();
  for (const auto& gate : gates) EXPECT_FALSE(gate->overlapped);
}

TEST(StreamTest, AbortCancelsTheRunningTaskDropsTheRestAndLeavesTheStreamUsable) {
  Stream& stream = NewStream();
  const auto gate = std::make_shared<Gate>();
  std::vector<uint32_t> list;
  stream.Submit(std::make_unique<GateTask>(gate));
  stream.Submit(std::make_unique<CountingTask>(list, 1, 3));
  std::thread waiter([&] { EXPECT_EQ(stream.Wait(2, kNever).code(), Code::kStreamAborted); });
  while (gate->runner.load() != waiter.get_id()) std::this_thread::yield();
  ASSERT_TRUE(stream.Abort(Stop(), kNever).ok());
  waiter.join();
  EXPECT_EQ(gate->cancels, 1);
  EXPECT_TRUE(gate->destroyed);
  EXPECT_TRUE(stream.TakeError().ok());
  list.clear();
  stream.Submit(std::make_unique<CountingTask>(list, 2, 3));
  EXPECT_TRUE(stream.Wait(stream.submitted(), kNever).ok());
  EXPECT_EQ(list, std::vector<uint32_t>{2});
}

}  // namespace
}  // namespace tandem::test
