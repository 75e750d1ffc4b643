// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <cstring>
#include <string>
#include <vector>

#include "transport/shm/peer_wire.h"
#include "unit/peer_hub/recorder.h"

namespace tandem::shm {

// A blocking socket with the hub's address format and none of its manners: it says whatever a test tells it
// to.
class RawPeer {
 public:
  RawPeer() : socket_(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)) { SetPatience(); }
  explicit RawPeer(int accepted) : socket_(accepted) { SetPatience(); }

  bool Connect(const std::string& name) {
    const sockaddr_un address = Address(name);
    return connect(socket_.get(), reinterpret_cast<const sockaddr*>(&address), Length(name)) == 0;
  }
  bool Listen(const std::string& name, int backlog) {
    const sockaddr_un address = Address(name);
    return bind(socket_.get(), reinterpret_cast<const sockaddr*>(&address), Length(name)) == 0 &&
           listen(socket_.get(), backlog) == 0;
  }
  RawPeer Accept() { return RawPeer(accept4(socket_.get(), nullptr, nullptr, SOCK_CLOEXEC)); }

  template <typename T>
  bool Send(const T& value) {
    return send(socket_.get(), &value, sizeof value, MSG_NOSIGNAL) == static_cast<ssize_t>(sizeof value);
  }
  bool SendText(const std::string& text) {
    return send(socket_.get(), text.data(), text.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(text.size());
  }
  // Sends the value with `count` copies of `fd` attached.
  template <typename T>
  bool SendWithDescriptors(const T& value, int fd, size_t count) {
    T copy = value;
    iovec part{&copy, sizeof copy};
    std::vector<char> control(CMSG_SPACE(count * sizeof(int)));
    msghdr message{};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    message.msg_control = control.data();
    message.msg_controllen = control.size();
    cmsghdr* item = CMSG_FIRSTHDR(&message);
    item->cmsg_level = SOL_SOCKET;
    item->cmsg_type = SCM_RIGHTS;
    item->cmsg_len = CMSG_LEN(count * sizeof(int));
    for (size_t i = 0; i < count; ++i) std::memcpy(CMSG_DATA(item) + i * sizeof fd, &fd, sizeof fd);
    return sendmsg(socket_.get(), &message, MSG_NOSIGNAL) == static_cast<ssize_t>(sizeof copy);
  }
  template <typename T>
  bool Receive(T& value) {
    return recv(socket_.get(), &value, sizeof value, MSG_WAITALL) == static_cast<ssize_t>(sizeof value);
  }
  // Whether the hub closed the connection without another byte (waits for it).
  bool ReceivesEnd() {
    char byte = 0;
    const ssize_t got = recv(socket_.get(), &byte, 1, 0);
    return got == 0 || (got < 0 && errno == ECONNRESET);
  }

  // The whole handshake, as the process `id` would do it.
  bool Introduce(const PeerAddress& to, const ProcessId& id, const PeerToken& token) {
    const PeerHello hello = MakePeerHello(id);
    PeerReply reply;
    if (!Connect(to.socket) || !Send(hello) || !Receive(reply)) return false;
    return Send(MakePeerProof(token, PeerRole::kConnector, hello, reply.hello));
  }

  void Close() { socket_.Reset(); }

 private:
  static sockaddr_un Address(const std::string& name) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::memcpy(address.sun_path + 1, name.data(), name.size());
    return address;
  }
  static socklen_t Length(const std::string& name) {
    return static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size());
  }
  void SetPatience() {
    const timeval patience{kPatience.count(), 0};
    setsockopt(socket_.get(), SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  }

  UniqueFd socket_;
};

// A listener under a fresh name, and the address by which a hub would look for it.
struct RawAcceptor {
  RawPeer listener;
  PeerAddress address;

  explicit RawAcceptor(int backlog = 16) {
    static int number = 0;
    const PeerHello random = MakePeerHello({});
    std::memcpy(address.id.bytes.data(), random.nonce.data(), address.id.bytes.size());
    address.token = random.nonce;
    address.pid = getpid();
    address.socket = "tandem.test." + std::to_string(getpid()) + "." + std::to_string(++number);
    EXPECT_TRUE(listener.Listen(address.socket, backlog));
  }
};

}  // namespace tandem::shm
