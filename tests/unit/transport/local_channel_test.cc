// SPDX-License-Identifier: Apache-2.0
#include "transport/local_channel.h"

#include <gtest/gtest.h>

#include <memory>
#include <thread>
#include <vector>

#include "unit/transport/recorder.h"

namespace tandem::test {
namespace {

class LocalChannelTest : public ::testing::Test {
 protected:
  std::unique_ptr<Side> Send(uint64_t sequence, std::vector<std::byte>& data, uint32_t type = 0) {
    return std::make_unique<Side>(channel_, Direction::kSend, sequence, data.data(), data.size(), type);
  }
  std::unique_ptr<Side> Receive(uint64_t sequence, std::vector<std::byte>& data, uint32_t type = 0) {
    return std::make_unique<Side>(channel_, Direction::kReceive, sequence, data.data(), data.size(), type);
  }
  LocalChannel channel_;
};

TEST_F(LocalChannelTest, NeitherSideFinishesBeforeTheOtherIsPosted) {
  std::vector<std::byte> from = Pattern(32, 1);
  std::vector<std::byte> to(32);
  const auto send = Send(0, from);
  const auto receive = Receive(0, to);
  send->Post();
  EXPECT_FALSE(send->finished());
  receive->Post();
  EXPECT_TRUE(send->finished());
  EXPECT_TRUE(receive->finished());
  EXPECT_EQ(from, to);
}

TEST_F(LocalChannelTest, SequenceNumbersDecideWhoMeetsWhom) {
  std::vector<std::vector<std::byte>> from;
  std::vector<std::vector<std::byte>> to(3, std::vector<std::byte>(100));
  std::vector<std::unique_ptr<Side>> sides;
  for (uint32_t i = 0; i < 3; ++i) from.push_back(Pattern(100, i));
  for (const uint32_t i : {2U, 0U, 1U}) sides.push_back(Send(i, from[i])), sides.back()->Post();
  for (const uint32_t i : {1U, 2U, 0U}) sides.push_back(Receive(i, to[i])), sides.back()->Post();
  for (const auto& side : sides) EXPECT_TRUE(side->finished() && side->status().ok());
  EXPECT_EQ(from, to);
}

TEST_F(LocalChannelTest, EitherSideCanMoveAllPieces) {
  for (const bool sender_moves : {true, false}) {
    std::vector<std::byte> from = Pattern(1000001, 5);
    std::vector<std::byte> to(from.size());
    const auto send = Send(0, from);
    const auto receive = Receive(0, to);
    receive->Post();
    send->Post();
    ASSERT_TRUE(send->matched() && receive->matched());
    EXPECT_FALSE(send->finished());
    Side& mover = sender_moves ? *send : *receive;
    while (mover.Move() == Channel::Moved::kSome) {
    }
    EXPECT_EQ(send->times_finished(), 1);
    EXPECT_EQ(receive->times_finished(), 1);
    EXPECT_EQ((sender_moves ? *receive : *send).Move(), Channel::Moved::kNothing);
    EXPECT_EQ(from, to);
  }
}

TEST_F(LocalChannelTest, TwoThreadsMoveThePiecesOfOneTransferTogether) {
  std::vector<std::byte> from = Pattern(3000007, 9);
  for (uint64_t sequence = 0; sequence < 20; ++sequence) {
    std::vector<std::byte> to(from.size());
    const auto run = [](Side& side) {
      side.Post();
      while (!side.finished()) {
        if (!side.Run()) std::this_thread::yield();
      }
    };
    const auto send = Send(sequence, from);
    const auto receive = Receive(sequence, to);
    std::thread other([&] { run(*send); });
    run(*receive);
    other.join();
    ASSERT_EQ(from, to);
  }
}

TEST_F(LocalChannelTest, SidesThatDisagreeAreToldOfEachOtherAndNothingMoves) {
  std::vector<std::byte> from = Pattern(64, 1);
  std::vector<std::byte> to(60, std::byte{1});
  const auto send = Send(0, from, 3);
  const auto receive = Receive(0, to, 4);
  send->Post();
  receive->Post();
  ASSERT_TRUE(send->mismatched() && receive->mismatched());
  EXPECT_EQ(send->other().count, 60U);
  EXPECT_EQ(send->other().type, 4U);
  EXPECT_EQ(receive->other().count, 64U);
  EXPECT_EQ(receive->other().type, 3U);
  EXPECT_EQ(to, std::vector<std::byte>(60, std::byte{1}));
}

TEST_F(LocalChannelTest, AWithdrawnHalfEndsItsOtherSideToo) {
  std::vector<std::byte> bytes(10);
  const auto send = Send(0, bytes);
  send->Post();
  EXPECT_TRUE(send->Withdraw(Status::Error(Code::kTimeout, "too late")));
  ASSERT_EQ(send->times_finished(), 1);
  EXPECT_EQ(send->status().code(), Code::kTimeout);
  std::vector<std::byte> to(10);
  const auto receive = Receive(0, to);
  receive->Post();
  ASSERT_EQ(receive->times_finished(), 1);
  EXPECT_EQ(receive->status().code(), GaveUpStatus().code());
  // The next number is not affected.
  const auto next_send = Send(1, bytes);
  const auto next_receive = Receive(1, to);
  next_receive->Post();
  next_send->Post();
  EXPECT_TRUE(next_receive->finished() && next_receive->status().ok());
}

TEST_F(LocalChannelTest, AMatchedHalfCannotBeWithdrawn) {
  std::vector<std::byte> from = Pattern(100000, 1);
  std::vector<std::byte> to(from.size());
  const auto send = Send(0, from);
  const auto receive = Receive(0, to);
  send->Post();
  receive->Post();
  EXPECT_FALSE(send->Withdraw(Status::Error(Code::kTimeout, "too late")));
  RunBoth(*send, *receive);
  EXPECT_TRUE(send->status().ok());
  EXPECT_EQ(from, to);
}

TEST_F(LocalChannelTest, FailureEndsWhatWaitsAndWhatComes) {
  std::vector<std::byte> bytes(10);
  const auto before = Send(0, bytes);
  before->Post();
  channel_.Fail(Status::Error(Code::kPeerLost, "gone"));
  const auto after = Receive(0, bytes);
  after->Post();
  for (const Side* side : {before.get(), after.get()}) {
    ASSERT_EQ(side->times_finished(), 1);
    EXPECT_EQ(side->status().code(), Code::kPeerLost);
  }
}

}  // namespace
}  // namespace tandem::test
