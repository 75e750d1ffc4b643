// SPDX-License-Identifier: Apache-2.0
// The ring between two processes: order, sizes, places of the bytes, back-pressure, disagreement.
#include "transport/shm/shm_channel.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <random>
#include <vector>

#include "unit/transport/shm_ends.h"

namespace tandem::test {
namespace {

TEST(ShmChannelTest, NeitherSideFinishesBeforeTheOtherIsPosted) {
  for (const uint64_t bytes : {1U, 32U, 33U, 8192U, 8193U}) {
    ShmEnds ends;
    ends.ConnectBoth();
    ArenaBytes from(bytes);
    ArenaBytes to(bytes);
    std::memset(from.data(), 0x5A, bytes);
    const auto send = ends.Send(0, from.data(), bytes);
    const auto receive = ends.Receive(0, to.data(), bytes);
    send->Post();
    RunBoth(*send, *receive);
    EXPECT_FALSE(send->finished());
    receive->Post();
    RunBoth(*send, *receive);
    ExpectGood(*send);
    ExpectGood(*receive);
    EXPECT_EQ(std::memcmp(from.data(), to.data(), bytes), 0) << bytes;
  }
}

// Device memory or not on each side, for each way the bytes can take.
class ShmPlaceTest : public ::testing::TestWithParam<std::tuple<Reach, bool, bool, uint64_t>> {};

TEST_P(ShmPlaceTest, BytesArriveFromEveryPlaceToEveryPlace) {
  const auto [reach, from_device, to_device, bytes] = GetParam();
  ShmEnds ends(reach);
  ends.ConnectBoth();
  const std::vector<std::byte> pattern = Pattern(bytes, 11);
  ArenaBytes device_from(bytes);
  ArenaBytes device_to(bytes);
  std::vector<std::byte> host_from = pattern;
  std::vector<std::byte> host_to(bytes);
  std::copy(pattern.begin(), pattern.end(), device_from.data());
  for (uint64_t sequence = 0; sequence < 3; ++sequence) {
    std::byte* const to = to_device ? device_to.data() : host_to.data();
    std::fill_n(to, bytes, std::byte{0});
    const auto send = ends.Send(sequence, from_device ? device_from.data() : host_from.data(), bytes);
    const auto receive = ends.Receive(sequence, to, bytes);
    if (sequence % 2 == 0) receive->Post();
    send->Post();
    if (sequence % 2 == 1) receive->Post();
    RunBoth(*send, *receive);
    ExpectGood(*send);
    ExpectGood(*receive);
    EXPECT_TRUE(std::equal(pattern.begin(), pattern.end(), to));
  }
}

INSTANTIATE_TEST_SUITE_P(Places, ShmPlaceTest,
                         ::testing::Combine(::testing::Values(Reach::kArena, Reach::kKernel, Reach::kNothing),
                                            ::testing::Bool(), ::testing::Bool(),
                                            ::testing::Values(1, 32, 33, 8192, 8193, 100003, 1000001)));

// Many more than there are slots, posted in another order on each side.
TEST(ShmChannelTest, TransfersBeyondTheSlotsWaitTheirTurnInAnyOrder) {
  constexpr uint64_t kTransfers = 500;
  constexpr uint64_t kBytes = 40;
  ShmEnds ends;
  ends.ConnectBoth();
  ArenaBytes from(kTransfers * kBytes);
  ArenaBytes to(kTransfers * kBytes);
  const std::vector<std::byte> pattern = Pattern(kTransfers * kBytes, 3);
  std::copy(pattern.begin(), pattern.end(), from.data());
  std::vector<uint64_t> order(kTransfers);
  for (uint64_t i = 0; i < kTransfers; ++i) order[i] = i;
  std::mt19937 random(17);
  std::vector<std::unique_ptr<Side>> sends(kTransfers);
  std::vector<std::unique_ptr<Side>> receives(kTransfers);
  std::shuffle(order.begin(), order.end(), random);
  for (const uint64_t i : order) (sends[i] = ends.Send(i, from.data() + i * kBytes, kBytes))->Post();
  std::shuffle(order.begin(), order.end(), random);
  for (const uint64_t i : order) (receives[i] = ends.Receive(i, to.data() + i * kBytes, kBytes))->Post();
  for (bool any = true; any;) {
    any = false;
    for (uint64_t i = 0; i < kTransfers; ++i) any = sends[i]->Run() || receives[i]->Run() || any;
  }
  for (uint64_t i = 0; i < kTransfers; ++i) {
    ExpectGood(*sends[i]);
    ExpectGood(*receives[i]);
  }
  EXPECT_TRUE(std::equal(pattern.begin(), pattern.end(), to.data()));
}

TEST(ShmChannelTest, HalvesPostedBeforeTheConnectionAreNotLost) {
  ShmEnds ends;
  std::vector<std::byte> from = Pattern(70, 1);
  std::vector<std::byte> to(70);
  std::vector<std::unique_ptr<Side>> sides;
  for (uint64_t i = 0; i < 70; ++i) sides.push_back(ends.Send(i, &from[i], 1)), sides.back()->Post();
  for (uint64_t i = 0; i < 70; ++i) sides.push_back(ends.Receive(i, &to[i], 1)), sides.back()->Post();
  ends.ConnectSender();
  for (const auto& side : sides) side->Run();
  EXPECT_FALSE(sides.front()->finished());
  ends.ConnectReceiver();
  for (bool any = true; any;) {
    any = false;
    for (const auto& side : sides) any = side->Run() || any;
  }
  for (const auto& side : sides) ExpectGood(*side);
  EXPECT_EQ(from, to);
}

TEST(ShmChannelTest, SidesThatDisagreeAreToldOfEachOtherAndNothingMoves) {
  for (const uint64_t bytes : {8U, 5000U, 100000U}) {
    ShmEnds ends;
    ends.ConnectBoth();
    ArenaBytes from(bytes);
    std::memset(from.data(), 1, bytes);
    std::vector<std::byte> to(bytes);
    const auto send = ends.Send(0, from.data(), bytes, 3);
    const auto receive = ends.Receive(0, to.data(), bytes, 4);
    send->Post();
    receive->Post();
    RunBoth(*send, *receive);
    ASSERT_EQ(send->times_finished(), 1);
    ASSERT_EQ(receive->times_finished(), 1);
    ASSERT_TRUE(send->mismatched() && receive->mismatched());
    EXPECT_EQ(send->other().type, 4U);
    EXPECT_EQ(receive->other().type, 3U);
    EXPECT_EQ(receive->other().count, bytes);
    EXPECT_EQ(to, std::vector<std::byte>(bytes));
  }
}

TEST(ShmChannelTest, AnArmedChannelIsRungForEachKindOfNews) {
  constexpr uint64_t kBytes = 100000;
  ShmEnds ends;
  ends.ConnectBoth();
  shm::Doorbell& bell = shm::Doorbell::Process();
  while (bell.Drain()) {
  }
  ArenaBytes from(kBytes);
  ArenaBytes to(kBytes);
  const auto send = ends.Send(0, from.data(), kBytes);
  const auto receive = ends.Receive(0, to.data(), kBytes);
  send->Post();
  EXPECT_FALSE(bell.HasNews());
  ASSERT_TRUE(ends.sender().Arm());
  receive->Post();
  EXPECT_TRUE(bell.HasNews());
  EXPECT_FALSE(send->matched());
  bell.Drain();
  EXPECT_TRUE(send->matched());
  while (receive->Move() == Channel::Moved::kSome) {
  }
  ExpectGood(*receive);
  EXPECT_FALSE(send->finished());
  EXPECT_TRUE(bell.Drain());
  ExpectGood(*send);
  ends.sender().Disarm();
}

TEST(ShmChannelTest, ArmingSaysSoWhenThereIsNewsAlready) {
  ShmEnds ends;
  ends.ConnectBoth();
  std::vector<std::byte> bytes(8);
  const auto send = ends.Send(0, bytes.data(), 8);
  const auto receive = ends.Receive(0, bytes.data(), 8);
  send->Post();
  receive->Post();
  EXPECT_FALSE(ends.sender().Arm());
  ExpectGood(*send);
  EXPECT_TRUE(ends.sender().Arm());
  ends.sender().Disarm();
  ends.sender().Disarm();
}

TEST(ShmChannelTest, FailureEndsWhatWaitsAndWhatComesButNotWhatWasMoved) {
  ShmEnds ends;
  ends.ConnectBoth();
  std::vector<std::byte> bytes(8);
  std::vector<std::unique_ptr<Side>> sends;
  for (uint64_t i = 0; i < 100; ++i) sends.push_back(ends.Send(i, bytes.data(), 8)), sends.back()->Post();
  const auto receive = ends.Receive(1, bytes.data(), 8);
  receive->Post();
  ExpectGood(*receive);
  ends.sender().Fail(Status::Error(Code::kPeerLost, "gone"));
  sends.push_back(ends.Send(100, bytes.data(), 8));
  sends.back()->Post();
  for (uint64_t i = 0; i < sends.size(); ++i) {
    ASSERT_EQ(sends[i]->times_finished(), 1) << i;
    EXPECT_EQ(sends[i]->status().code(), i == 1 ? Code::kOk : Code::kPeerLost) << i;
  }
}

// The other side may have posted its half while this one still waited for the slot; it will not ring again.
TEST(ShmBacklogTest, HalfThatGetsItsSlotLateSeesWhoIsThereAlready) {
  constexpr uint64_t kLate = shm::kSlots;
  constexpr uint64_t kTold = shm::kSlots / 4;  // so many are finished before the other side hears of it
  ShmEnds ends;
  ends.ConnectBoth();
  uint32_t from = 7;
  uint32_t to = 0;
  std::vector<std::unique_ptr<Side>> sides;
  for (uint64_t sequence = 0; sequence < kTold; ++sequence) {
    sides.push_back(ends.Receive(sequence, &to, sizeof(to)));
    sides.back()->Post();
    sides.push_back(ends.Send(sequence, &from, sizeof(from)));
    sides.back()->Post();
    // The receiver keeps the last one to itself, so it has not told yet that any slot is free.
    if (sequence + 1 < kTold) ends.receiver().Poll();
  }
  const auto receive = ends.Receive(kLate, &to, sizeof(to));
  receive->Post();
  const auto send = ends.Send(kLate, &from, sizeof(from));
  send->Post();
  ASSERT_EQ(send->times_finished(), 0);
  ends.receiver().Poll();
  ASSERT_EQ(ends.ring().receiver.consumed.load(), kTold);
  ends.sender().OnNews();
  ExpectGood(*send);
  ends.receiver().Poll();
  ExpectGood(*receive);
  for (const auto& side : sides) ExpectGood(*side);
}

}  // namespace
}  // namespace tandem::test
