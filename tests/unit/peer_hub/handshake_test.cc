// SPDX-License-Identifier: Apache-2.0
// Strangers, liars and other versions, on both sides of a connection.
#include <gtest/gtest.h>

#include "transport/shm/peer_socket.h"
#include "unit/peer_hub/raw_peer.h"
#include "unit/peer_hub/recorder.h"

namespace tandem::shm {
namespace {

using std::chrono::milliseconds;

// The hub is well when a message still gets through.
void ExpectStillServing(TestHub& hub) {
  const size_t before = hub.recorder.received_count();
  TestHub friendly;
  friendly.Send(hub, MakeMessage(77));
  ASSERT_TRUE(hub.recorder.WaitForMessages(before + 1));
  EXPECT_EQ(hub.recorder.received(before).from, friendly.address().id);
}

TEST(PeerHandshakeTest, ProofsDependOnTokenRoleAndNonces) {
  const PeerHello a = MakePeerHello({});
  const PeerHello b = MakePeerHello({});
  PeerToken token{};
  const PeerProof proof = MakePeerProof(token, PeerRole::kConnector, a, b);
  EXPECT_TRUE(SamePeerProof(proof, MakePeerProof(token, PeerRole::kConnector, a, b)));
  EXPECT_FALSE(SamePeerProof(proof, MakePeerProof(token, PeerRole::kAcceptor, a, b)));
  EXPECT_FALSE(SamePeerProof(proof, MakePeerProof(token, PeerRole::kConnector, b, a)));
  EXPECT_FALSE(SamePeerProof(proof, MakePeerProof(token, PeerRole::kConnector, a, MakePeerHello({}))));
  token[31] = 1;
  EXPECT_FALSE(SamePeerProof(proof, MakePeerProof(token, PeerRole::kConnector, a, b)));
}

TEST(PeerHandshakeTest, OnlyTheSameUserOrRootIsAccepted) {
  EXPECT_TRUE(CheckPeerUser(1000, {.pid = 5, .uid = 1000}).ok());
  EXPECT_TRUE(CheckPeerUser(0, {.pid = 5, .uid = 1000}).ok());
  EXPECT_TRUE(CheckPeerUser(1000, {.pid = 5, .uid = 0}).ok());
  const Status refused = CheckPeerUser(1000, {.pid = 5, .uid = 1001});
  EXPECT_EQ(refused.code(), Code::kNotPermitted);
  EXPECT_NE(refused.text().find("process 5 runs for user id 1001, this process for user id 1000"),
            std::string::npos);
}

TEST(PeerHandshakeTest, ASenderWithTheWrongTokenIsToldSo) {
  TestHub a;
  TestHub b;
  PeerAddress wrong = b.address();
  wrong.token[0] ^= 1;
  a.hub->Send(wrong, MakeMessage(1));
  ASSERT_TRUE(a.recorder.WaitForLosses(1));
  EXPECT_EQ(a.recorder.lost(0).peer, b.address().id);
  EXPECT_EQ(a.recorder.lost(0).why.code(), Code::kNotPermitted);
  ExpectStillServing(b);
  EXPECT_EQ(b.recorder.received_count(), 1u);
}

TEST(PeerHandshakeTest, AConnectorWithTheWrongTokenIsDropped) {
  TestHub hub;
  PeerToken wrong = hub.address().token;
  wrong[5] ^= 0x80;
  RawPeer raw;
  ASSERT_TRUE(raw.Introduce(hub.address(), ProcessId{{1}}, wrong));
  raw.Send(PeerFrameHeader{.type = 9});
  EXPECT_TRUE(raw.ReceivesEnd());
  ExpectStillServing(hub);
  EXPECT_EQ(hub.recorder.received_count(), 1u);
}

TEST(PeerHandshakeTest, AConnectorThatSendsTheAcceptorsProofBackIsDropped) {
  TestHub hub;
  RawPeer raw;
  PeerReply reply;
  ASSERT_TRUE(raw.Connect(hub.address().socket));
  ASSERT_TRUE(raw.Send(MakePeerHello(ProcessId{{1}})));
  ASSERT_TRUE(raw.Receive(reply));
  ASSERT_TRUE(raw.Send(reply.proof));
  EXPECT_TRUE(raw.ReceivesEnd());
}

TEST(PeerHandshakeTest, GarbageIsDropped) {
  TestHub hub;
  RawPeer raw;
  ASSERT_TRUE(raw.Connect(hub.address().socket));
  ASSERT_TRUE(raw.SendText(std::string(5000, 'x')));
  EXPECT_TRUE(raw.ReceivesEnd());
  ExpectStillServing(hub);
}

TEST(PeerHandshakeTest, AConnectorOfAnotherVersionIsAnsweredWithOursAndDropped) {
  TestHub hub;
  RawPeer raw;
  PeerHello hello = MakePeerHello(ProcessId{{1}});
  hello.version = kPeerVersion + 1;
  PeerReply reply;
  ASSERT_TRUE(raw.Connect(hub.address().socket));
  ASSERT_TRUE(raw.Send(hello));
  ASSERT_TRUE(raw.Receive(reply));
  EXPECT_EQ(reply.hello.version, kPeerVersion);
  EXPECT_TRUE(SamePeerProof(reply.proof, PeerProof{}));
  EXPECT_TRUE(raw.ReceivesEnd());
}

TEST(PeerHandshakeTest, AStalledStrangerIsDropped) {
  TestHub hub({.handshake_timeout = milliseconds(50)});
  RawPeer silent;
  ASSERT_TRUE(silent.Connect(hub.address().socket));
  RawPeer half;
  ASSERT_TRUE(half.Connect(hub.address().socket));
  ASSERT_TRUE(half.Send(kPeerMagic));
  EXPECT_TRUE(silent.ReceivesEnd());
  EXPECT_TRUE(half.ReceivesEnd());
}

TEST(PeerHandshakeTest, AFloodOfStrangersDelaysAFriendButDoesNotKeepItOut) {
  TestHub hub({.handshake_timeout = milliseconds(20), .max_strangers = 4});
  std::vector<RawPeer> flood(64);
  for (RawPeer& raw : flood) ASSERT_TRUE(raw.Connect(hub.address().socket));
  ExpectStillServing(hub);
  for (RawPeer& raw : flood) EXPECT_TRUE(raw.ReceivesEnd());
}

TEST(PeerHandshakeTest, AnAcceptorThatNeverAnswersIsGivenUp) {
  RawAcceptor acceptor;
  TestHub hub({.connect_timeout = milliseconds(50)});
  hub.hub->Send(acceptor.address, MakeMessage(1));
  ASSERT_TRUE(hub.recorder.WaitForLosses(1));
  EXPECT_EQ(hub.recorder.lost(0).why.code(), Code::kConnect);
  EXPECT_NE(hub.recorder.lost(0).why.text().find("did not answer for 50 ms"), std::string::npos);
}

TEST(PeerHandshakeTest, AFullAcceptQueueIsTriedAgain) {
  RawAcceptor acceptor(0);
  RawPeer first;
  ASSERT_TRUE(first.Connect(acceptor.address.socket));
  TestHub hub;
  hub.hub->Send(acceptor.address, MakeMessage(1));
  // A message to itself comes back only after the attempt above has found the queue full.
  hub.Send(hub, MakeMessage(2));
  ASSERT_TRUE(hub.recorder.WaitForMessages(1));
  acceptor.listener.Accept();
  RawPeer second = acceptor.listener.Accept();
  PeerHello hello;
  ASSERT_TRUE(second.Receive(hello));
  EXPECT_EQ(hello.id, hub.address().id);
}

// What a hub says about an acceptor that answers with `reply`.
Status LossAfterReply(const RawAcceptor& acceptor, RawPeer& listener, const PeerReply& reply) {
  TestHub hub;
  hub.hub->Send(acceptor.address, MakeMessage(1));
  RawPeer raw = listener.Accept();
  PeerHello hello;
  EXPECT_TRUE(raw.Receive(hello));
  EXPECT_TRUE(raw.Send(reply));
  EXPECT_TRUE(hub.recorder.WaitForLosses(1));
  return hub.recorder.lost(0).why;
}

TEST(PeerHandshakeTest, AnAcceptorIsRefusedForEachWrongPartOfItsReply) {
  RawAcceptor acceptor;
  PeerReply reply{MakePeerHello(acceptor.address.id), {}};
  EXPECT_EQ(LossAfterReply(acceptor, acceptor.listener, reply).code(), Code::kNotPermitted);
  reply.hello.id.bytes[0] ^= 1;
  EXPECT_EQ(LossAfterReply(acceptor, acceptor.listener, reply).code(), Code::kPeerLost);
  reply.hello.version = 9;
  const Status version = LossAfterReply(acceptor, acceptor.listener, reply);
  EXPECT_EQ(version.code(), Code::kConnect);
  EXPECT_NE(version.text().find("speaks version 9, this process 1"), std::string::npos);
  reply.hello.magic = 0;
  EXPECT_EQ(LossAfterReply(acceptor, acceptor.listener, reply).code(), Code::kNetwork);
}

}  // namespace
}  // namespace tandem::shm
