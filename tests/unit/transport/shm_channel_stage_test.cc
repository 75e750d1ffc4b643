// SPDX-License-Identifier: Apache-2.0
// Bytes that neither side can reach go through the stage buffers: one transfer at a time.
#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "unit/transport/shm_ends.h"

namespace tandem::test {
namespace {

constexpr uint64_t kBytes = 5 * shm::kStageBytes + 7;

TEST(ShmStageTest, SeveralTransfersTakeTheStageBuffersInTurn) {
  ShmEnds ends(Reach::kNothing);
  ends.ConnectBoth();
  constexpr uint32_t kTransfers = 5;
  std::vector<std::vector<std::byte>> from;
  std::vector<std::vector<std::byte>> to(kTransfers, std::vector<std::byte>(kBytes));
  std::vector<std::unique_ptr<Side>> sides;
  for (uint32_t i = 0; i < kTransfers; ++i) {
    from.push_back(Pattern(kBytes, i));
    sides.push_back(ends.Send(i, from[i].data(), kBytes));
    sides.push_back(ends.Receive(i, to[i].data(), kBytes));
  }
  for (const auto& side : sides) side->Post();
  for (bool any = true; any;) {
    any = false;
    for (const auto& side : sides) any = side->Run() || any;
  }
  for (const auto& side : sides) ExpectGood(*side);
  EXPECT_EQ(from, to);
}

// A sender that was told of an emptied buffer may come to look only when the next transfer has the buffers
// already.
TEST(ShmStageTest, ALateLookAtAStagedSendDoesNotDisturbTheNext) {
  ShmEnds ends(Reach::kNothing);
  ends.ConnectBoth();
  std::vector<std::byte> from_first = Pattern(kBytes, 1);
  std::vector<std::byte> from_second = Pattern(kBytes, 2);
  std::vector<std::byte> to_first(kBytes);
  std::vector<std::byte> to_second(kBytes);
  const auto send_first = ends.Send(0, from_first.data(), kBytes);
  const auto send_second = ends.Send(1, from_second.data(), kBytes);
  const auto receive_first = ends.Receive(0, to_first.data(), kBytes);
  const auto receive_second = ends.Receive(1, to_second.data(), kBytes);
  for (Side* side : {send_first.get(), send_second.get(), receive_first.get(), receive_second.get()})
    side->Post();
  // No Poll of the sender from here on, so that it does not see that the first is done.
  while (!receive_first->finished()) {
    static_cast<void>(receive_first->Move());
    static_cast<void>(send_first->Move());
  }
  while (!receive_second->finished()) {
    static_cast<void>(receive_second->Move());
    static_cast<void>(send_second->Move());
    static_cast<void>(send_first->Move());
  }
  RunBoth(*send_first, *send_second);
  for (Side* side : {send_first.get(), send_second.get(), receive_first.get(), receive_second.get()})
    ExpectGood(*side);
  EXPECT_EQ(from_first, to_first);
  EXPECT_EQ(from_second, to_second);
}

TEST(ShmStageTest, AReceiverThatWaitedForTheStageBuffersIsToldWhenTheyAreFree) {
  ShmEnds ends(Reach::kNothing);
  ends.ConnectBoth();
  std::vector<std::byte> from_first = Pattern(kBytes, 1);
  std::vector<std::byte> from_second = Pattern(kBytes, 2);
  std::vector<std::byte> to_first(kBytes);
  std::vector<std::byte> to_second(kBytes);
  const auto send_first = ends.Send(0, from_first.data(), kBytes);
  const auto send_second = ends.Send(1, from_second.data(), kBytes);
  const auto receive_first = ends.Receive(0, to_first.data(), kBytes);
  const auto receive_second = ends.Receive(1, to_second.data(), kBytes);
  for (Side* side : {send_first.get(), send_second.get(), receive_first.get(), receive_second.get()})
    side->Post();
  receive_first->Run();
  receive_second->Run();  // finds the buffers taken
  RunBoth(*send_first, *receive_first);
  ExpectGood(*receive_first);
  RunBoth(*send_second, *receive_second);
  ExpectGood(*receive_second);
  EXPECT_EQ(from_second, to_second);
}

}  // namespace
}  // namespace tandem::test
