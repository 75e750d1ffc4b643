// SPDX-License-Identifier: Apache-2.0
// Peers that are other processes, and how they end.
#include <gtest/gtest.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <sstream>

#include "transport/shm/peer_socket.h"
#include "unit/peer_hub/child.h"
#include "unit/peer_hub/recorder.h"

namespace tandem::shm {
namespace {

enum : uint32_t { kAddress = 1, kEcho = 2, kCloseHub = 3, kExit = 4 };

std::string EncodeAddress(const PeerAddress& address) {
  // A token is twice as long as a process id, so it is written as two.
  ProcessId low;
  ProcessId high;
  std::copy_n(address.token.begin(), 16, low.bytes.begin());
  std::copy_n(address.token.begin() + 16, 16, high.bytes.begin());
  return address.id.ToHex() + " " + low.ToHex() + " " + high.ToHex() + " " + address.socket + " " +
         std::to_string(address.pid);
}

PeerAddress DecodeAddress(const std::string& text) {
  std::istringstream in(text);
  std::string id;
  std::string low;
  std::string high;
  PeerAddress address;
  in >> id >> low >> high >> address.socket >> address.pid;
  address.id = *ProcessId::FromHex(id);
  std::copy_n((*ProcessId::FromHex(low)).bytes.begin(), 16, address.token.begin());
  std::copy_n((*ProcessId::FromHex(high)).bytes.begin(), 16, address.token.begin() + 16);
  return address;
}

// Another process that runs RunChild for `hub`.
class Child {
 public:
  explicit Child(TestHub& hub) {
    const std::string variable = std::string(kChildVariable) + "=" + EncodeAddress(hub.address());
    std::vector<char*> environment{const_cast<char*>(variable.c_str())};
    for (char** entry = environ; *entry != nullptr; ++entry) environment.push_back(*entry);
    environment.push_back(nullptr);
    char program[] = "/proc/self/exe";
    char* arguments[] = {program, nullptr};
    EXPECT_EQ(posix_spawn(&pid_, program, nullptr, nullptr, arguments, environment.data()), 0);
  }
  ~Child() {
    if (pid_ <= 0) return;
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
  }
  pid_t pid() const { return pid_; }
  void Reap() {
    waitpid(pid_, nullptr, 0);
    pid_ = -1;
  }

 private:
  pid_t pid_ = -1;
};

// A test's hub and a child that has introduced itself.
class PeerProcessTest : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(hub_.recorder.WaitForMessages(1));
    ASSERT_EQ(hub_.recorder.received(0).message.type, kAddress);
    address_ = DecodeAddress(TextOf(hub_.recorder.received(0).message));
    ASSERT_EQ(address_.pid, child_.pid());
  }
  std::string Ended() const { return "process " + std::to_string(address_.pid) + " ended"; }

  TestHub hub_;
  Child child_{hub_};
  PeerAddress address_;
};

TEST_F(PeerProcessTest, MemoryPassesBothWays) {
  PeerMessage message = MakeMessage(kEcho, "to the child");
  message.descriptors.push_back(MemfdWith("written by the test"));
  hub_.hub->Send(address_, std::move(message));
  ASSERT_TRUE(hub_.recorder.WaitForMessages(2));
  const PeerMessage& answer = hub_.recorder.received(1).message;
  EXPECT_EQ(TextOf(answer), "child saw: written by the test");
  ASSERT_EQ(answer.descriptors.size(), 1u);
  EXPECT_EQ(ContentOf(answer.descriptors[0]), "written by the child");
}

TEST_F(PeerProcessTest, AKilledPeerIsSeenAsEndedOnceThoughItTalkedBothWays) {
  hub_.hub->Send(address_, MakeMessage(kEcho));
  ASSERT_TRUE(hub_.recorder.WaitForMessages(2));
  kill(child_.pid(), SIGKILL);
  ASSERT_TRUE(hub_.recorder.WaitForLosses(1));
  EXPECT_EQ(hub_.recorder.lost(0).peer, address_.id);
  EXPECT_EQ(hub_.recorder.lost(0).why.code(), Code::kPeerLost);
  EXPECT_EQ(hub_.recorder.lost(0).why.text(), Ended());
  child_.Reap();
  hub_.hub->Send(address_, MakeMessage(kEcho));
  ASSERT_TRUE(hub_.recorder.WaitForLosses(2));
  EXPECT_EQ(hub_.recorder.lost(1).why.text(), Ended());
  EXPECT_TRUE(HasProcessEnded(address_.pid));
}

TEST_F(PeerProcessTest, APeerThatOnlySentIsMissedToo) {
  kill(child_.pid(), SIGKILL);
  ASSERT_TRUE(hub_.recorder.WaitForLosses(1));
  EXPECT_EQ(hub_.recorder.lost(0).why.text(), Ended());
}

TEST_F(PeerProcessTest, APeerThatExitsIsSeenAsEnded) {
  hub_.hub->Send(address_, MakeMessage(kExit));
  ASSERT_TRUE(hub_.recorder.WaitForLosses(1));
  EXPECT_EQ(hub_.recorder.lost(0).why.text(), Ended());
}

TEST_F(PeerProcessTest, APeerThatClosesItsHubAndLivesIsNotCalledEnded) {
  hub_.hub->Send(address_, MakeMessage(kCloseHub));
  ASSERT_TRUE(hub_.recorder.WaitForLosses(1));
  EXPECT_EQ(hub_.recorder.lost(0).why.text(),
            "process " + std::to_string(address_.pid) + " closed its connection");
}

}  // namespace

int RunChild(const char* parent_text) {
  const PeerAddress parent = DecodeAddress(parent_text);
  TestHub own;
  own.recorder.on_message = [&](const ProcessId&, const PeerMessage& message) {
    if (message.type == kExit) _exit(0);
    if (message.type == kCloseHub) return own.hub.reset();
    PeerMessage answer = MakeMessage(kEcho, "child saw: ");
    if (!message.descriptors.empty()) {
      answer = MakeMessage(kEcho, "child saw: " + ContentOf(message.descriptors[0]));
      answer.descriptors.push_back(MemfdWith("written by the child"));
    }
    own.hub->Send(parent, std::move(answer));
  };
  own.recorder.on_lost = [](const ProcessId&) { _exit(0); };
  own.hub->Send(parent, MakeMessage(kAddress, EncodeAddress(own.address())));
  for (;;) pause();
}

}  // namespace tandem::shm
