// SPDX-License-Identifier: Apache-2.0
// Taking back what has not met its other side: whoever gives up first, nobody waits for ever.
#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "unit/transport/shm_ends.h"

namespace tandem::test {
namespace {

Status TooLate() { return Status::Error(Code::kTimeout, "too late"); }

void ExpectEnded(const Side& side, Code code) {
  ASSERT_EQ(side.times_finished(), 1);
  EXPECT_FALSE(side.mismatched());
  EXPECT_EQ(side.status().code(), code) << side.status().text();
}

TEST(ShmWithdrawTest, TheOtherSideIsToldWheneverItComes) {
  for (const bool posted_before : {true, false}) {
    ShmEnds ends;
    ends.ConnectBoth();
    std::vector<std::byte> from(100);
    std::vector<std::byte> to = Pattern(100, 1);
    const std::vector<std::byte> before = to;
    const auto send = ends.Send(0, from.data(), 100);
    const auto receive = ends.Receive(0, to.data(), 100);
    const auto next_send = ends.Send(1, from.data(), 100);
    const auto next_receive = ends.Receive(1, to.data(), 100);
    send->Post();
    EXPECT_TRUE(send->Withdraw(TooLate()));
    ExpectEnded(*send, Code::kTimeout);
    receive->Post();
    if (posted_before) RunBoth(*send, *receive);
    ExpectEnded(*receive, GaveUpStatus().code());
    EXPECT_EQ(to, before);
    next_receive->Post();
    next_send->Post();
    RunBoth(*next_send, *next_receive);
    ExpectGood(*next_send);
    ExpectGood(*next_receive);
  }
}

TEST(ShmWithdrawTest, BothSidesMayGiveUp) {
  ShmEnds ends;
  std::vector<std::byte> bytes(100);
  const auto send = ends.Send(0, bytes.data(), 100);
  const auto receive = ends.Receive(0, bytes.data(), 100);
  send->Post();
  EXPECT_TRUE(send->Withdraw(TooLate()));
  receive->Post();
  EXPECT_TRUE(receive->Withdraw(TooLate()));
  ends.ConnectBoth();
  ExpectEnded(*send, Code::kTimeout);
  ExpectEnded(*receive, Code::kTimeout);
  const auto next_send = ends.Send(1, bytes.data(), 100);
  const auto next_receive = ends.Receive(1, bytes.data(), 100);
  next_receive->Post();
  next_send->Post();
  RunBoth(*next_send, *next_receive);
  ExpectGood(*next_send);
}

TEST(ShmWithdrawTest, WhatHasMetItsOtherSideIsMovedAllTheSame) {
  ShmEnds ends;
  ends.ConnectBoth();
  ArenaBytes from(100000);
  ArenaBytes to(100000);
  std::memset(from.data(), 9, 100000);
  const auto send = ends.Send(0, from.data(), 100000);
  const auto receive = ends.Receive(0, to.data(), 100000);
  send->Post();
  receive->Post();
  EXPECT_FALSE(send->Withdraw(TooLate()));
  EXPECT_FALSE(receive->Withdraw(TooLate()));
  RunBoth(*send, *receive);
  ExpectGood(*send);
  ExpectGood(*receive);
  EXPECT_EQ(to.data()[99999], std::byte{9});
}

TEST(ShmWithdrawTest, AHalfGivenUpBeforeTheConnectionIsToldAfterIt) {
  ShmEnds ends;
  std::vector<std::byte> bytes(100);
  const auto send = ends.Send(0, bytes.data(), 100);
  const auto receive = ends.Receive(0, bytes.data(), 100);
  send->Post();
  EXPECT_TRUE(send->Withdraw(TooLate()));
  receive->Post();
  ends.ConnectReceiver();
  receive->Run();
  EXPECT_FALSE(receive->finished());
  ends.ConnectSender();
  receive->Run();
  ExpectEnded(*receive, GaveUpStatus().code());
}

// Nobody on the sender's side looks at the channel any more; only the bell of the process is attended.
TEST(ShmWithdrawTest, HalvesGivenUpWhileTheyWaitedForASlotAreToldToo) {
  constexpr uint64_t kTransfers = 300;
  ShmEnds ends;
  ends.ConnectBoth();
  std::vector<std::byte> bytes(100);
  std::vector<std::unique_ptr<Side>> sends;
  std::vector<std::unique_ptr<Side>> receives;
  for (uint64_t i = 0; i < kTransfers; ++i)
    sends.push_back(ends.Send(i, bytes.data(), 100)), sends[i]->Post();
  for (const auto& send : sends) EXPECT_TRUE(send->Withdraw(TooLate()));
  for (const auto& send : sends) ExpectEnded(*send, Code::kTimeout);
  for (uint64_t i = 0; i < kTransfers; ++i)
    receives.push_back(ends.Receive(i, bytes.data(), 100)), receives[i]->Post();
  for (bool any = true; any;) {
    any = shm::Doorbell::Process().Drain();
    for (const auto& receive : receives) any = receive->Run() || any;
  }
  for (const auto& receive : receives) ExpectEnded(*receive, GaveUpStatus().code());
}

}  // namespace
}  // namespace tandem::test
