// SPDX-License-Identifier: Apache-2.0
// Frames that break the rules, and too few descriptors.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include "unit/peer_hub/raw_peer.h"
#include "unit/peer_hub/recorder.h"

namespace tandem::shm {
namespace {

const ProcessId kRawId{{0xee, 1}};

// A proven connection from a process that then sends what it should not.
struct BadPeer {
  TestHub hub;
  RawPeer raw;
  BadPeer() { EXPECT_TRUE(raw.Introduce(hub.address(), kRawId, hub.address().token)); }
  void ExpectLost(Code code) {
    ASSERT_TRUE(hub.recorder.WaitForLosses(1));
    EXPECT_EQ(hub.recorder.lost(0).peer, kRawId);
    EXPECT_EQ(hub.recorder.lost(0).why.code(), code) << hub.recorder.lost(0).why.text();
    EXPECT_TRUE(raw.ReceivesEnd());
    EXPECT_EQ(hub.recorder.received_count(), 0u);
  }
};

TEST(PeerFrameTest, ABodyThatIsTooLongEndsTheConnection) {
  BadPeer bad;
  ASSERT_TRUE(bad.raw.Send(PeerFrameHeader{.type = 1, .body_bytes = PeerMessage::kMaxBody + 1}));
  bad.ExpectLost(Code::kNetwork);
}

TEST(PeerFrameTest, AnnouncedDescriptorsThatAreMissingEndTheConnection) {
  BadPeer bad;
  ASSERT_TRUE(bad.raw.Send(PeerFrameHeader{.type = 1, .descriptor_count = 1}));
  bad.ExpectLost(Code::kNetwork);
}

TEST(PeerFrameTest, DescriptorsThatWereNotAnnouncedEndTheConnection) {
  BadPeer bad;
  const UniqueFd fd = MemfdWith("x");
  ASSERT_TRUE(bad.raw.SendWithDescriptors(PeerFrameHeader{.type = 1}, fd.get(), 2));
  bad.ExpectLost(Code::kNetwork);
}

TEST(PeerFrameTest, TooManyDescriptorsEndTheConnection) {
  BadPeer bad;
  const UniqueFd fd = MemfdWith("x");
  ASSERT_TRUE(bad.raw.SendWithDescriptors(PeerFrameHeader{.type = 1, .descriptor_count = 9}, fd.get(), 9));
  bad.ExpectLost(Code::kNetwork);
}

TEST(PeerFrameTest, DescriptorsInABodyEndTheConnection) {
  BadPeer bad;
  const UniqueFd fd = MemfdWith("x");
  ASSERT_TRUE(bad.raw.Send(PeerFrameHeader{.type = 1, .body_bytes = 100}));
  ASSERT_TRUE(bad.raw.SendWithDescriptors(uint32_t{5}, fd.get(), 1));
  bad.ExpectLost(Code::kNetwork);
}

TEST(PeerFrameTest, DescriptorsInAHandshakeEndTheConnection) {
  TestHub hub;
  RawPeer raw;
  const UniqueFd fd = MemfdWith("x");
  ASSERT_TRUE(raw.Connect(hub.address().socket));
  ASSERT_TRUE(raw.SendWithDescriptors(MakePeerHello(kRawId), fd.get(), 1));
  EXPECT_TRUE(raw.ReceivesEnd());
}

TEST(PeerFrameTest, AFrameCutShortByTheEndIsNotDelivered) {
  BadPeer bad;
  ASSERT_TRUE(bad.raw.Send(PeerFrameHeader{.type = 1, .body_bytes = 100}));
  ASSERT_TRUE(bad.raw.SendText("only this"));
  bad.raw.Close();
  ASSERT_TRUE(bad.hub.recorder.WaitForLosses(1));
  EXPECT_EQ(bad.hub.recorder.lost(0).why.code(), Code::kPeerLost);
  EXPECT_EQ(bad.hub.recorder.received_count(), 0u);
}

TEST(PeerFrameTest, ASecondConnectionOfAPeerReplacesTheFirstAndTheLossIsTold) {
  BadPeer old;
  ASSERT_TRUE(old.raw.Send(PeerFrameHeader{.type = 1}));
  RawPeer fresh;
  ASSERT_TRUE(fresh.Introduce(old.hub.address(), kRawId, old.hub.address().token));
  ASSERT_TRUE(fresh.Send(PeerFrameHeader{.type = 2}));
  ASSERT_TRUE(old.hub.recorder.WaitForMessages(2));
  EXPECT_EQ(old.hub.recorder.received(0).message.type, 1u);
  EXPECT_EQ(old.hub.recorder.received(1).message.type, 2u);
  EXPECT_EQ(old.hub.recorder.lost_count(), 1u);
  EXPECT_TRUE(old.raw.ReceivesEnd());
}

// Lets this process open nothing more; what is open stays usable.
class NoMoreDescriptors {
 public:
  NoMoreDescriptors() {
    getrlimit(RLIMIT_NOFILE, &before_);
    rlimit none = before_;
    none.rlim_cur = 3;
    setrlimit(RLIMIT_NOFILE, &none);
  }
  ~NoMoreDescriptors() { setrlimit(RLIMIT_NOFILE, &before_); }

 private:
  rlimit before_{};
};

TEST(PeerLimitTest, ConnectingWithoutDescriptorsNamesTheLimit) {
  TestHub a;
  TestHub b;
  {
    NoMoreDescriptors none;
    a.Send(b, MakeMessage(1));
    ASSERT_TRUE(a.recorder.WaitForLosses(1));
  }
  EXPECT_EQ(a.recorder.lost(0).why.code(), Code::kResourceExhausted);
  EXPECT_NE(a.recorder.lost(0).why.text().find("ulimit -n"), std::string::npos);
  a.Send(b, MakeMessage(2));
  ASSERT_TRUE(b.recorder.WaitForMessages(1));
  EXPECT_EQ(b.recorder.received(0).message.type, 2u);
}

TEST(PeerLimitTest, ReceivingDescriptorsWithoutRoomNamesTheLimitAndBothSidesAreTold) {
  TestHub a;
  TestHub b;
  a.Send(b, MakeMessage(1));
  ASSERT_TRUE(b.recorder.WaitForMessages(1));
  PeerMessage message = MakeMessage(2);
  message.descriptors.push_back(MemfdWith("x"));
  {
    NoMoreDescriptors none;
    a.Send(b, std::move(message));
    ASSERT_TRUE(b.recorder.WaitForLosses(1));
    ASSERT_TRUE(a.recorder.WaitForLosses(1));
  }
  EXPECT_EQ(b.recorder.lost(0).why.code(), Code::kResourceExhausted);
  EXPECT_NE(b.recorder.lost(0).why.text().find("ulimit -n"), std::string::npos);
  EXPECT_EQ(a.recorder.lost(0).why.code(), Code::kPeerLost);
  EXPECT_EQ(b.recorder.received_count(), 1u);
  a.Send(b, MakeMessage(3));
  ASSERT_TRUE(b.recorder.WaitForMessages(2));
}

TEST(PeerLimitTest, AConnectionThatCouldNotBeAcceptedIsAcceptedLater) {
  TestHub hub;
  RawPeer raw;
  {
    NoMoreDescriptors none;
    ASSERT_TRUE(raw.Connect(hub.address().socket));
    ASSERT_TRUE(raw.Send(MakePeerHello(kRawId)));
    // Nobody can be reached either, and this is told after the loop had its chance to accept.
    PeerAddress nobody = hub.address();
    nobody.id = kRawId;
    hub.hub->Send(nobody, MakeMessage(1));
    ASSERT_TRUE(hub.recorder.WaitForLosses(1));
  }
  PeerReply reply;
  EXPECT_TRUE(raw.Receive(reply));
}

}  // namespace
}  // namespace tandem::shm
