// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <thread>

#include "unit/peer_hub/recorder.h"

namespace tandem::shm {
namespace {

TEST(ProcessIdTest, HexIsReadBackAndAnythingElseIsRefused) {
  TestHub hub;
  const ProcessId id = hub.address().id;
  Result<ProcessId> again = ProcessId::FromHex(id.ToHex());
  ASSERT_TRUE(again);
  EXPECT_EQ(*again, id);
  EXPECT_EQ(ProcessId::FromHex("12").status().code(), Code::kInvalidArgument);
  EXPECT_EQ(ProcessId::FromHex(std::string(31, '0') + "G").status().code(), Code::kInvalidArgument);
  EXPECT_EQ(ProcessId::FromHex(std::string(31, '0') + "A").status().code(), Code::kInvalidArgument);
}

TEST(PeerHubTest, AddressesOfTwoHubsShareNothing) {
  TestHub a;
  TestHub b;
  EXPECT_NE(a.address().id, b.address().id);
  EXPECT_NE(a.address().socket, b.address().socket);
  EXPECT_NE(a.address().token, b.address().token);
  EXPECT_EQ(a.address().pid, getpid());
}

TEST(PeerHubTest, AMessageArrivesWithSenderTypeAndBody) {
  TestHub a;
  TestHub b;
  a.Send(b, MakeMessage(7, "hello"));
  ASSERT_TRUE(b.recorder.WaitForMessages(1));
  EXPECT_EQ(b.recorder.received(0).from, a.address().id);
  EXPECT_EQ(b.recorder.received(0).message.type, 7u);
  EXPECT_EQ(TextOf(b.recorder.received(0).message), "hello");
}

TEST(PeerHubTest, AnEmptyMessageArrives) {
  TestHub a;
  TestHub b;
  a.Send(b, MakeMessage(1));
  a.Send(b, MakeMessage(2));
  ASSERT_TRUE(b.recorder.WaitForMessages(2));
  EXPECT_EQ(b.recorder.received(0).message.type, 1u);
  EXPECT_EQ(b.recorder.received(1).message.type, 2u);
  EXPECT_TRUE(b.recorder.received(1).message.body.empty());
}

TEST(PeerHubTest, AHubCanSendToItself) {
  TestHub a;
  PeerMessage message = MakeMessage(3, "self");
  message.descriptors.push_back(MemfdWith("mine"));
  a.Send(a, std::move(message));
  ASSERT_TRUE(a.recorder.WaitForMessages(1));
  EXPECT_EQ(a.recorder.received(0).from, a.address().id);
  EXPECT_EQ(ContentOf(a.recorder.received(0).message.descriptors.at(0)), "mine");
}

TEST(PeerHubTest, DescriptorsPassBothWays) {
  TestHub a;
  TestHub b;
  b.recorder.on_message = [&](const ProcessId&, const PeerMessage&) {
    PeerMessage back = MakeMessage(2, "back");
    back.descriptors.push_back(MemfdWith("from b"));
    b.Send(a, std::move(back));
  };
  PeerMessage message = MakeMessage(1, "there");
  message.descriptors.push_back(MemfdWith("from a"));
  a.Send(b, std::move(message));
  ASSERT_TRUE(a.recorder.WaitForMessages(1));
  ASSERT_TRUE(b.recorder.WaitForMessages(1));
  EXPECT_EQ(ContentOf(b.recorder.received(0).message.descriptors.at(0)), "from a");
  EXPECT_EQ(ContentOf(a.recorder.received(0).message.descriptors.at(0)), "from b");
}

TEST(PeerHubTest, EightDescriptorsAndTheLargestBodyArriveWhole) {
  TestHub a;
  TestHub b;
  for (uint32_t round = 0; round < 20; ++round) {
    PeerMessage message =
        MakeMessage(round, std::string(PeerMessage::kMaxBody, static_cast<char>('a' + round)));
    for (size_t i = 0; i < PeerMessage::kMaxDescriptors; ++i) {
      message.descriptors.push_back(MemfdWith(std::to_string(round) + "/" + std::to_string(i)));
    }
    a.Send(b, std::move(message));
    a.Send(b, MakeMessage(1000 + round));
  }
  ASSERT_TRUE(b.recorder.WaitForMessages(40));
  for (uint32_t round = 0; round < 20; ++round) {
    const PeerMessage& message = b.recorder.received(size_t{2} * round).message;
    ASSERT_EQ(message.type, round);
    EXPECT_EQ(TextOf(message), std::string(PeerMessage::kMaxBody, static_cast<char>('a' + round)));
    ASSERT_EQ(message.descriptors.size(), PeerMessage::kMaxDescriptors);
    for (size_t i = 0; i < PeerMessage::kMaxDescriptors; ++i) {
      EXPECT_EQ(ContentOf(message.descriptors[i]), std::to_string(round) + "/" + std::to_string(i));
    }
    EXPECT_TRUE(b.recorder.received(2 * round + 1).message.descriptors.empty());
  }
}

TEST(PeerHubTest, ReceivedDescriptorsCloseOnExec) {
  TestHub a;
  TestHub b;
  PeerMessage message = MakeMessage(1);
  message.descriptors.push_back(MemfdWith("x"));
  a.Send(b, std::move(message));
  ASSERT_TRUE(b.recorder.WaitForMessages(1));
  EXPECT_EQ(fcntl(b.recorder.received(0).message.descriptors.at(0).get(), F_GETFD) & FD_CLOEXEC, FD_CLOEXEC);
}

TEST(PeerHubTest, TenThousandMessagesEachWayStayInOrder) {
  constexpr uint32_t kCount = 10000;
  TestHub a;
  TestHub b;
  auto send_all = [](TestHub& from, const TestHub& to) {
    for (uint32_t i = 0; i < kCount; ++i) from.Send(to, MakeMessage(i, std::string(i % 300, 'x')));
  };
  std::thread other([&] { send_all(b, a); });
  send_all(a, b);
  other.join();
  for (TestHub* hub : {&a, &b}) {
    ASSERT_TRUE(hub->recorder.WaitForMessages(kCount));
    for (uint32_t i = 0; i < kCount; ++i) {
      ASSERT_EQ(hub->recorder.received(i).message.type, i);
      ASSERT_EQ(hub->recorder.received(i).message.body.size(), i % 300);
    }
    EXPECT_EQ(hub->recorder.lost_count(), 0u);
  }
}

TEST(PeerHubTest, MessagesOfSeveralThreadsEachStayInOrder) {
  constexpr uint32_t kThreads = 4;
  constexpr uint32_t kCount = 500;
  TestHub a;
  TestHub b;
  std::vector<std::thread> threads;
  for (uint32_t thread = 0; thread < kThreads; ++thread) {
    threads.emplace_back([&a, &b, thread] {
      for (uint32_t i = 0; i < kCount; ++i) a.Send(b, MakeMessage(thread * 100000 + i));
    });
  }
  for (std::thread& thread : threads) thread.join();
  ASSERT_TRUE(b.recorder.WaitForMessages(size_t{kThreads} * kCount));
  std::vector<uint32_t> next(kThreads);
  for (size_t i = 0; i < size_t{kThreads} * kCount; ++i) {
    const uint32_t type = b.recorder.received(i).message.type;
    ASSERT_EQ(type % 100000, next.at(type / 100000)++);
  }
}

TEST(PeerHubTest, AThousandSimultaneousFirstMessagesAllArriveOnce) {
  for (int round = 0; round < 1000; ++round) {
    TestHub a;
    TestHub b;
    std::thread other([&] {
      b.Send(a, MakeMessage(1));
      b.Send(a, MakeMessage(2));
    });
    a.Send(b, MakeMessage(1));
    a.Send(b, MakeMessage(2));
    other.join();
    for (TestHub* hub : {&a, &b}) {
      ASSERT_TRUE(hub->recorder.WaitForMessages(2)) << "round " << round;
      EXPECT_EQ(hub->recorder.received(0).message.type, 1u);
      EXPECT_EQ(hub->recorder.received(1).message.type, 2u);
      EXPECT_EQ(hub->recorder.received_count(), 2u);
      EXPECT_EQ(hub->recorder.lost_count(), 0u);
    }
  }
}

TEST(PeerHubTest, ABodyOrDescriptorListThatIsTooLongIsToldAndNotSent) {
  TestHub a;
  TestHub b;
  a.Send(b, MakeMessage(1, std::string(PeerMessage::kMaxBody + 1, 'x')));
  ASSERT_TRUE(a.recorder.WaitForLosses(1));
  EXPECT_EQ(a.recorder.lost(0).why.code(), Code::kInternal);
  PeerMessage message = MakeMessage(2);
  for (size_t i = 0; i <= PeerMessage::kMaxDescriptors; ++i) message.descriptors.push_back(MemfdWith("x"));
  a.Send(b, std::move(message));
  ASSERT_TRUE(a.recorder.WaitForLosses(2));
  a.Send(b, MakeMessage(3));
  ASSERT_TRUE(b.recorder.WaitForMessages(1));
  EXPECT_EQ(b.recorder.received(0).message.type, 3u);
}

}  // namespace
}  // namespace tandem::shm
