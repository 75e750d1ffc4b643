// SPDX-License-Identifier: Apache-2.0
// Many threads at few streams: meant for the thread sanitizer and for repeats.
#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <thread>
#include <vector>

#include "unit/stream/fake_task.h"

namespace tandem::test {
namespace {

TEST(StreamRaceTest, SubmittersWaitersAndWorkersAgreeOnOneOwner) {
  constexpr uint32_t kEach = 20000;
  Stream& stream = NewStream();
  std::vector<uint32_t> list;  // written by the owner of the stream only
  std::vector<std::thread> threads;
  for (uint32_t thread = 0; thread < 3; ++thread) {
    threads.emplace_back([&, thread] {
      for (uint32_t i = 0; i < kEach; ++i) {
        stream.Submit(std::make_unique<CountingTask>(list, thread << 24 | i, static_cast<int>(i % 3)));
        if (i % 7 == 0) {
          EXPECT_TRUE(stream.Wait(stream.submitted(), kNever).ok());
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  ASSERT_TRUE(stream.Wait(stream.submitted(), kNever).ok());
  ASSERT_EQ(list.size(), 3 * kEach);
  std::vector<uint32_t> next(3);
  for (const uint32_t entry : list) EXPECT_EQ(entry & 0xFFFFFF, next[entry >> 24]++);
}

TEST(StreamRaceTest, StreamsThatOpenEachOtherNeverStandStill) {
  constexpr int kRounds = 5000;
  constexpr int kStreams = 4;
  // The task of round n on stream s is opened by the end of round n on stream s - 1: a chain through all
  // streams.
  std::vector<Stream*> streams;
  std::vector<std::vector<std::shared_ptr<Gate>>> gates(kStreams);
  for (int s = 0; s < kStreams; ++s) {
    streams.push_back(&NewStream());
    for (int n = 0; n < kRounds; ++n) {
      gates[s].push_back(std::make_shared<Gate>());
      streams[s]->Submit(std::make_unique<GateTask>(gates[s][n]));
    }
  }
  std::vector<std::thread> threads;
  for (int s = 0; s < kStreams; ++s) {
    threads.emplace_back([&, s] {
      for (int n = 0; n < kRounds; ++n) {
        if (s == 0) Open(*gates[0][n], *streams[0]);
        EXPECT_TRUE(streams[s]->Wait(static_cast<uint64_t>(n) + 1, kNever).ok());
        if (s + 1 < kStreams) Open(*gates[s + 1][n], *streams[s + 1]);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const auto& of_stream : gates) {
    for (const auto& gate : of_stream) EXPECT_TRUE(gate->destroyed && !gate->overlapped);
  }
}

TEST(StreamRaceTest, AbortRacesWithSubmitWaitAndNews) {
  Stream& stream = NewStream();
  std::atomic<bool> stop{false};
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 2; ++thread) {
    threads.emplace_back([&] {
      while (!stop.load()) {
        const auto gate = std::make_shared<Gate>();
        stream.Submit(std::make_unique<GateTask>(gate));
        const uint64_t ticket = stream.submitted();
        Open(*gate, stream);
        const Status status = stream.Wait(ticket, kNever);
        EXPECT_TRUE(status.ok() || status.code() == Code::kStreamAborted) << status.text();
        EXPECT_FALSE(gate->overlapped);
      }
    });
  }
  for (int i = 0; i < 1000; ++i) {
    EXPECT_TRUE(stream.Abort(Status::Error(Code::kStreamAborted, "stopped by the test"), kNever).ok());
  }
  stop.store(true);
  for (std::thread& thread : threads) thread.join();
  EXPECT_TRUE(stream.Wait(stream.submitted(), kNever).ok());
}

// Gates that nobody opens: only the abort ends the waits.
TEST(StreamRaceTest, AbortFreesThreadsThatWaitForWhatNeverComes) {
  Stream& stream = NewStream();
  for (int round = 0; round < 200; ++round) {
    const auto gate = std::make_shared<Gate>();
    stream.Submit(std::make_unique<GateTask>(gate));
    const uint64_t ticket = stream.submitted();
    std::vector<std::thread> waiters;
    std::atomic<int> began{0};
    for (int i = 0; i < 3; ++i) {
      waiters.emplace_back([&] {
        began.fetch_add(1);
        const Status status = stream.Wait(ticket, kNever);
        EXPECT_TRUE(status.ok() || status.code() == Code::kStreamAborted);
      });
    }
    while (began.load() < 3) std::this_thread::yield();
    EXPECT_TRUE(stream.Abort(Status::Error(Code::kStreamAborted, "stopped by the test"), kNever).ok());
    for (std::thread& waiter : waiters) waiter.join();
    EXPECT_TRUE(gate->destroyed);
  }
}

}  // namespace
}  // namespace tandem::test
