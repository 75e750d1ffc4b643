// SPDX-License-Identifier: Apache-2.0
// What somebody without the secret can do to a root: nothing.
#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/socket.h>

#include <algorithm>
#include <thread>

#include "base/fd.h"
#include "comm/bootstrap/listener.h"
#include "comm/bootstrap/messages.h"
#include "comm/bootstrap/root_info.h"
#include "unit/bootstrap/ranks.h"

namespace tandem::bootstrap::test {
namespace {

bool AllButZero(uint32_t rank) { return rank != 0; }

// A blocking connection that speaks bytes.
class Stranger {
 public:
  explicit Stranger(const RootInfo& info) : fd_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(info.port);
    inet_pton(AF_INET, info.address.c_str(), &address.sin_addr);
    EXPECT_EQ(connect(fd_.get(), reinterpret_cast<sockaddr*>(&address), sizeof(address)), 0);
  }
  void Send(const std::string& bytes) {
    EXPECT_EQ(send(fd_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL), static_cast<ssize_t>(bytes.size()));
  }
  // One frame's body, or "" when the root closes.
  std::string Receive() {
    std::array<unsigned char, 4> header{};
    if (!ReadAll(header.data(), header.size())) return "";
    std::string body(FrameBytes(header), '\0');
    return ReadAll(body.data(), body.size()) ? body : "";
  }
  bool IsClosedByRoot() { return Receive().empty(); }

 private:
  bool ReadAll(void* data, size_t bytes) {
    auto* at = static_cast<char*>(data);
    while (bytes > 0) {
      const ssize_t got = recv(fd_.get(), at, bytes, 0);
      if (got <= 0) return false;
      at += got;
      bytes -= static_cast<size_t>(got);
    }
    return true;
  }
  UniqueFd fd_;
};

std::string Frame(const std::string& body) {
  std::string frame;
  for (int shift = 0; shift < 32; shift += 8)
    frame.push_back(static_cast<char>((body.size() >> shift) & 0xFF));
  return frame + body;
}

class StrangerTest : public testing::Test {
 protected:
  void SetUp() override {
    auto info = StartRoot(0);
    ASSERT_TRUE(info) << info.status().text();
    bytes_ = *info;
    info_ = *Decode(bytes_);
  }
  void ExpectJobStillWorks() {
    for (const Joined& one : JoinAll(bytes_, Ranks(2, AllButZero))) EXPECT_TRUE(one) << one.status().text();
  }
  Environment environment_;
  RootInfoBytes bytes_{};
  RootInfo info_;
};

TEST_F(StrangerTest, GarbageCostsOnlyItsConnection) {
  const std::vector<std::string> garbage = {"GET / HTTP/1.1\r\n\r\n",
                                            std::string(4, '\0'),
                                            Frame("not json"),
                                            Frame("[]"),
                                            Frame("{}"),
                                            Frame(R"({"type":"welcome"})"),
                                            Frame(R"({"type":7})"),
                                            Frame(std::string(3000, '[')),
                                            "\xff\xff\xff\xff",
                                            Frame(std::string(4097, ' ')),
                                            Frame(R"({"type":"hello","tandem":1,"root":"00"})")};
  for (const std::string& bytes : garbage) {
    Stranger stranger(info_);
    stranger.Send(bytes);
    EXPECT_TRUE(stranger.IsClosedByRoot()) << bytes.substr(0, 40);
  }
  ExpectJobStillWorks();
}

TEST_F(StrangerTest, OtherProtocolVersionIsToldSo) {
  Stranger stranger(info_);
  stranger.Send(Frame(R"({"type":"hello","tandem":2,"something":"new"})"));
  const auto answer = DecodeMessage(stranger.Receive());
  ASSERT_TRUE(answer);
  const auto* failure = std::get_if<Failure>(&*answer);
  ASSERT_NE(failure, nullptr);
  EXPECT_EQ(failure->status.id(), "EI0008");
  EXPECT_NE(failure->status.text().find("version 2"), std::string_view::npos) << failure->status.text();
  EXPECT_TRUE(stranger.IsClosedByRoot());
  ExpectJobStillWorks();
}

TEST_F(StrangerTest, WrongSecretIsRefused) {
  Stranger stranger(info_);
  const auto nonce = Random<32>();
  stranger.Send(Encode(Hello{info_.id, nonce}));
  const auto challenge = DecodeMessage(stranger.Receive());
  ASSERT_TRUE(challenge && std::holds_alternative<Challenge>(*challenge));
  const Challenge& asked = std::get<Challenge>(*challenge);
  // The root proves itself first.
  EXPECT_TRUE(SameProof(asked.proof, MakeProof(info_.secret, Side::kRoot, info_.id, nonce, asked.nonce)));
  stranger.Send(Encode(RankProof{MakeProof(Random<32>(), Side::kRank, info_.id, nonce, asked.nonce)}));
  const auto answer = DecodeMessage(stranger.Receive());
  ASSERT_TRUE(answer && std::holds_alternative<Failure>(*answer));
  EXPECT_TRUE(stranger.IsClosedByRoot());
  ExpectJobStillWorks();
}

TEST_F(StrangerTest, TheRootsOwnProofSentBackIsRefused) {
  Stranger stranger(info_);
  stranger.Send(Encode(Hello{info_.id, Random<32>()}));
  const auto challenge = DecodeMessage(stranger.Receive());
  ASSERT_TRUE(challenge && std::holds_alternative<Challenge>(*challenge));
  stranger.Send(Encode(RankProof{std::get<Challenge>(*challenge).proof}));
  const auto answer = DecodeMessage(stranger.Receive());
  ASSERT_TRUE(answer && std::holds_alternative<Failure>(*answer));
  ExpectJobStillWorks();
}

TEST_F(StrangerTest, RankWithAnotherSecretFails) {
  RootInfo other = info_;
  other.secret = Random<32>();
  const auto joined = JoinAll(Encode(other), Ranks(1, [](uint32_t) { return true; }));
  ASSERT_FALSE(joined[0]);
  EXPECT_EQ(joined[0].status().code(), Code::kConnect);
  EXPECT_NE(joined[0].status().text().find("does not know the secret"), std::string_view::npos)
      << joined[0].status().text();
  ExpectJobStillWorks();
}

TEST_F(StrangerTest, SomethingElseAtTheRootsAddressIsNamed) {
  auto socket = Listen("127.0.0.1", {0});
  ASSERT_TRUE(socket);
  RootInfo other = info_;
  other.port = socket->port;
  std::thread server([&] {
    pollfd wait{socket->fd.get(), POLLIN, 0};
    poll(&wait, 1, -1);
    const UniqueFd fd(accept4(socket->fd.get(), nullptr, nullptr, SOCK_CLOEXEC));
    const std::string answer = Frame("SSH-2.0");
    send(fd.get(), answer.data(), answer.size(), MSG_NOSIGNAL);
    std::array<char, 64> ignored{};
    while (recv(fd.get(), ignored.data(), ignored.size(), 0) > 0) continue;
  });
  const auto joined = JoinAll(Encode(other), Ranks(1, [](uint32_t) { return true; }));
  server.join();
  ASSERT_FALSE(joined[0]);
  EXPECT_EQ(joined[0].status().code(), Code::kConnect);
  EXPECT_NE(joined[0].status().text().find("something else than the root"), std::string_view::npos)
      << joined[0].status().text();
}

// More silent connections than the root takes: they are dropped in time and those behind them get their turn.
TEST_F(StrangerTest, SilentConnectionsDoNotKeepRanksOut) {
  constexpr size_t kSilent = Listener::kMaxStrangers + 88;
  rlimit limit{};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &limit), 0);
  limit.rlim_cur = std::min<rlim_t>(limit.rlim_max, 65536);
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &limit), 0);
  // Two descriptors each, one on either side.
  if (limit.rlim_cur < 2 * kSilent + 64) GTEST_SKIP() << "the limit on descriptors is " << limit.rlim_cur;
  std::vector<std::unique_ptr<Stranger>> silent;
  for (size_t i = 0; i < kSilent; ++i) silent.push_back(std::make_unique<Stranger>(info_));
  ExpectJobStillWorks();
  EXPECT_TRUE(silent.front()->IsClosedByRoot());
}

}  // namespace
}  // namespace tandem::bootstrap::test
