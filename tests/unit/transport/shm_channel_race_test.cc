// SPDX-License-Identifier: Apache-2.0
// Two threads as the two ranks, more threads that attend the bell: meant for the thread sanitizer and for
// repeats.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <thread>
#include <vector>

#include "unit/transport/shm_ends.h"

namespace tandem::test {
namespace {

// Threads that hand news to the channels, as the library's workers do.
class Attendants {
 public:
  Attendants() {
    for (std::thread& thread : threads_) {
      thread = std::thread([this] {
        while (!stop_.load()) {
          if (!shm::Doorbell::Process().Drain()) std::this_thread::yield();
        }
      });
    }
  }
  ~Attendants() {
    stop_.store(true);
    for (std::thread& thread : threads_) thread.join();
  }

 private:
  std::atomic<bool> stop_{false};
  std::array<std::thread, 2> threads_;
};

// Posts the halves up to `window` at a time and runs them until all are finished.
void Drive(Channel& channel, std::vector<std::unique_ptr<Side>>& sides, size_t window) {
  static_cast<void>(channel.Arm());
  size_t posted = 0;
  for (size_t done = 0; done < sides.size();) {
    while (posted < sides.size() && posted < done + window) sides[posted++]->Post();
    bool any = false;
    for (size_t i = done; i < posted; ++i) any = (!sides[i]->finished() && sides[i]->Run()) || any;
    while (done < posted && sides[done]->finished()) ++done;
    if (!any) std::this_thread::yield();
  }
  channel.Disarm();
}

class ShmRaceTest : public ::testing::TestWithParam<std::tuple<Reach, bool, uint64_t>> {};

TEST_P(ShmRaceTest, EveryByteArrivesWhileBothSidesAndTheBellRace) {
  const auto [reach, device, bytes] = GetParam();
  const uint64_t transfers = bytes > 1000 ? 60 : 600;
  ShmEnds ends(reach);
  const Attendants attendants;
  ArenaBytes device_from(device ? bytes * transfers : 1);
  ArenaBytes device_to(device ? bytes * transfers : 1);
  const std::vector<std::byte> pattern = Pattern(bytes * transfers, 5);
  std::vector<std::byte> host_from(pattern);
  std::vector<std::byte> host_to(bytes * transfers);
  std::byte* const from = device ? device_from.data() : host_from.data();
  std::byte* const to = device ? device_to.data() : host_to.data();
  std::copy(pattern.begin(), pattern.end(), from);
  std::vector<std::unique_ptr<Side>> sends;
  std::vector<std::unique_ptr<Side>> receives;
  for (uint64_t i = 0; i < transfers; ++i) {
    sends.push_back(ends.Send(i, from + i * bytes, bytes));
    receives.push_back(ends.Receive(i, to + i * bytes, bytes));
  }
  std::thread sender([&] {
    ends.ConnectSender();
    Drive(ends.sender(), sends, 100);
  });
  ends.ConnectReceiver();
  Drive(ends.receiver(), receives, 70);
  sender.join();
  for (uint64_t i = 0; i < transfers; ++i) {
    ExpectGood(*sends[i]);
    ExpectGood(*receives[i]);
  }
  EXPECT_TRUE(std::equal(pattern.begin(), pattern.end(), to));
}

INSTANTIATE_TEST_SUITE_P(Places, ShmRaceTest,
                         ::testing::Combine(::testing::Values(Reach::kArena, Reach::kKernel, Reach::kNothing),
                                            ::testing::Bool(), ::testing::Values(16, 600, 300001)));

// Two tasks of one rank share the stage buffers of a channel, on two threads.
TEST(ShmStageRaceTest, TwoThreadsOfOneRankShareTheStageBuffers) {
  constexpr uint64_t kBytes = 3 * shm::kStageBytes + 5;
  constexpr uint64_t kTransfers = 40;
  ShmEnds ends(Reach::kNothing);
  ends.ConnectBoth();
  const Attendants attendants;
  std::vector<std::byte> from = Pattern(kBytes * kTransfers, 5);
  std::vector<std::byte> to(from.size());
  std::vector<std::thread> threads;
  for (uint64_t lane = 0; lane < 2; ++lane) {
    for (const bool send : {true, false}) {
      threads.emplace_back([&, lane, send] {
        std::vector<std::unique_ptr<Side>> sides;
        for (uint64_t i = lane; i < kTransfers; i += 2) {
          sides.push_back(send ? ends.Send(i, &from[i * kBytes], kBytes)
                               : ends.Receive(i, &to[i * kBytes], kBytes));
        }
        Drive(send ? ends.sender() : ends.receiver(), sides, 3);
        for (const auto& side : sides) ExpectGood(*side);
      });
    }
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_TRUE(from == to);
}

// A side that gives up races with the other side that comes: both see the same end. Only a transfer whose
// bytes are in the slot itself may have arrived although its sender gave up, since nobody moves a piece of
// it.
TEST(ShmWithdrawRaceTest, GivingUpAndMeetingAgreeOnBothSides) {
  const Attendants attendants;
  constexpr uint64_t kTransfers = 2000;
  for (const uint64_t bytes : {8U, 600U, 20000U}) {
    ShmEnds ends;
    ends.ConnectBoth();
    ArenaBytes from(bytes);
    ArenaBytes to(bytes);
    std::vector<std::unique_ptr<Side>> sends;
    std::vector<std::unique_ptr<Side>> receives;
    for (uint64_t i = 0; i < kTransfers; ++i) {
      sends.push_back(ends.Send(i, from.data(), bytes));
      receives.push_back(ends.Receive(i, to.data(), bytes));
    }
    std::atomic<uint64_t> turn{0};
    std::thread sender([&] {
      for (uint64_t i = 0; i < kTransfers; ++i) {
        turn.store(i + 1);
        sends[i]->Post();
        static_cast<void>(sends[i]->Withdraw(Status::Error(Code::kTimeout, "too late")));
        while (!sends[i]->finished()) sends[i]->Run();
      }
    });
    for (uint64_t i = 0; i < kTransfers; ++i) {
      while (turn.load() < i + 1) std::this_thread::yield();
      receives[i]->Post();
      while (!receives[i]->finished()) receives[i]->Run();
    }
    sender.join();
    for (uint64_t i = 0; i < kTransfers; ++i) {
      ASSERT_EQ(sends[i]->times_finished(), 1);
      ASSERT_EQ(receives[i]->times_finished(), 1);
      if (bytes > shm::kInlineBytes) {
        ASSERT_EQ(sends[i]->status().ok(), receives[i]->status().ok()) << i;
      }
    }
  }
}

}  // namespace
}  // namespace tandem::test
