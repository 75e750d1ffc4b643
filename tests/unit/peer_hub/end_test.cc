// SPDX-License-Identifier: Apache-2.0
// The end of a hub, seen from itself and from its peers.
#include <gtest/gtest.h>

#include <future>
#include <thread>

#include "base/io_loop.h"
#include "transport/shm/peer_socket.h"
#include "unit/peer_hub/recorder.h"

namespace tandem::shm {
namespace {

std::string ClosedText() { return "process " + std::to_string(getpid()) + " closed its connection"; }

TEST(PeerEndTest, BothDirectionsClosingIsToldOnce) {
  TestHub a;
  {
    TestHub b;
    a.Send(b, MakeMessage(1));
    b.Send(a, MakeMessage(2));
    ASSERT_TRUE(b.recorder.WaitForMessages(1));
    ASSERT_TRUE(a.recorder.WaitForMessages(1));
  }
  ASSERT_TRUE(a.recorder.WaitForLosses(1));
  EXPECT_EQ(a.recorder.lost(0).why.code(), Code::kPeerLost);
  EXPECT_EQ(a.recorder.lost(0).why.text(), ClosedText());
  // A second report would have been told before the answer to this message.
  a.Send(a, MakeMessage(3));
  ASSERT_TRUE(a.recorder.WaitForMessages(2));
  EXPECT_EQ(a.recorder.lost_count(), 1u);
}

TEST(PeerEndTest, AReceiverLearnsThatItsSenderIsGone) {
  TestHub b;
  {
    TestHub a;
    a.Send(b, MakeMessage(1));
    ASSERT_TRUE(b.recorder.WaitForMessages(1));
  }
  ASSERT_TRUE(b.recorder.WaitForLosses(1));
}

TEST(PeerEndTest, AllThatWasSentArrivesBeforeTheNewsOfTheEnd) {
  for (int round = 0; round < 50; ++round) {
    TestHub a;
    std::atomic<size_t> before_loss{0};
    std::atomic<size_t> count{0};
    a.recorder.on_message = [&](const ProcessId&, const PeerMessage&) { ++count; };
    a.recorder.on_lost = [&](const ProcessId&) { before_loss = count.load(); };
    {
      TestHub b;
      a.Send(b, MakeMessage(1));
      ASSERT_TRUE(b.recorder.WaitForMessages(1));
      for (int i = 0; i < 20; ++i) b.Send(a, MakeMessage(2, "x"));
      // The first has arrived, so the connection stands and the others were written at once.
      ASSERT_TRUE(a.recorder.WaitForMessages(1));
    }
    ASSERT_TRUE(a.recorder.WaitForLosses(1));
    EXPECT_EQ(before_loss.load(), 20u);
  }
}

TEST(PeerEndTest, AMessageToADeadAddressIsToldEachTime) {
  PeerAddress dead;
  {
    TestHub b;
    dead = b.address();
  }
  TestHub a;
  a.hub->Send(dead, MakeMessage(1));
  ASSERT_TRUE(a.recorder.WaitForLosses(1));
  EXPECT_EQ(a.recorder.lost(0).peer, dead.id);
  EXPECT_EQ(a.recorder.lost(0).why.code(), Code::kPeerLost);
  a.hub->Send(dead, MakeMessage(1));
  ASSERT_TRUE(a.recorder.WaitForLosses(2));
}

TEST(PeerEndTest, AnAddressThatCannotBeIsToldToo) {
  TestHub a;
  PeerAddress wrong = a.address();
  wrong.socket.clear();
  a.hub->Send(wrong, MakeMessage(1));
  ASSERT_TRUE(a.recorder.WaitForLosses(1));
  EXPECT_EQ(a.recorder.lost(0).why.code(), Code::kInvalidArgument);
  wrong.socket = std::string(200, 'x');
  a.hub->Send(wrong, MakeMessage(1));
  ASSERT_TRUE(a.recorder.WaitForLosses(2));
}

TEST(PeerEndTest, SendingFromEveryHandlerIsAllowed) {
  TestHub a;
  PeerAddress gone;
  {
    TestHub b;
    gone = b.address();
    a.recorder.on_lost = [&](const ProcessId& peer) {
      if (peer == gone.id && a.recorder.lost_count() < 3) a.hub->Send(gone, MakeMessage(1));
    };
    a.Send(b, MakeMessage(1));
    ASSERT_TRUE(b.recorder.WaitForMessages(1));
  }
  ASSERT_TRUE(a.recorder.WaitForLosses(4));
}

TEST(PeerEndTest, AHubMayEndInItsOwnHandler) {
  TestHub a;
  TestHub b;
  b.recorder.on_message = [&](const ProcessId&, const PeerMessage&) { b.hub.reset(); };
  const PeerAddress address = b.address();
  for (int i = 0; i < 5; ++i) a.hub->Send(address, MakeMessage(1, "x"));
  ASSERT_TRUE(a.recorder.WaitForLosses(1));
  ASSERT_TRUE(b.recorder.WaitForMessages(1));
  EXPECT_EQ(b.recorder.received_count(), 1u);
}

TEST(PeerEndTest, HubsEndWhileOthersSendToThem) {
  TestHub a;
  std::atomic<bool> stop{false};
  for (int round = 0; round < 100; ++round) {
    auto b = std::make_unique<TestHub>();
    const PeerAddress address = b->address();
    stop = false;
    std::thread sender([&] {
      while (!stop) {
        a.hub->Send(address, MakeMessage(1, "x"));
        std::this_thread::yield();
      }
    });
    ASSERT_TRUE(b->recorder.WaitForMessages(1));
    b.reset();
    stop = true;
    sender.join();
  }
}

TEST(PeerEndTest, NoHandlerRunsAfterAHubIsDestroyed) {
  TestHub a;
  for (int round = 0; round < 200; ++round) {
    auto b = std::make_unique<TestHub>();
    for (int i = 0; i < 20; ++i) a.Send(*b, MakeMessage(1));
    b.reset();  // its recorder goes with it; the sanitizers see a call that comes too late
  }
}

TEST(PeerEndTest, AProcessThatIsAliveHasNotEnded) {
  EXPECT_FALSE(HasProcessEnded(getpid()));
  EXPECT_FALSE(HasProcessEnded(0));
}

}  // namespace
}  // namespace tandem::shm
