// SPDX-License-Identifier: Apache-2.0
#include "transport/shm/peer_socket.h"

#include <sys/socket.h>
#include <sys/un.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "transport/shm/peer_hub.h"

namespace tandem::shm {
namespace {

// Fills in an abstract address; returns its length, or 0 when the name does not fit.
socklen_t AbstractAddress(const std::string& name, sockaddr_un& address) {
  address = {};
  address.sun_family = AF_UNIX;
  if (name.empty() || name.size() + 1 > sizeof address.sun_path) return 0;
  std::memcpy(address.sun_path + 1, name.data(), name.size());
  return static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size());
}

UniqueFd NewSocket() { return UniqueFd(socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0)); }

// Room for the most descriptors that one message carries, aligned for cmsghdr.
union ControlBuffer {
  std::array<char, CMSG_SPACE(PeerMessage::kMaxDescriptors * sizeof(int))> bytes;
  cmsghdr align;
};

}  // namespace

Result<UniqueFd> ListenAbstract(const std::string& name) {
  sockaddr_un address;
  const socklen_t length = AbstractAddress(name, address);
  if (length == 0) return Status::Error(Code::kInternal, "socket name \"%s\" does not fit", name.c_str());
  UniqueFd listener = NewSocket();
  if (!listener.valid()) return PeerSocketError(errno, "socket(AF_UNIX)");
  if (bind(listener.get(), reinterpret_cast<const sockaddr*>(&address), length) != 0) {
    return PeerSocketError(errno, "bind(\"@" + name + "\")");
  }
  // The kernel cuts this down to net.core.somaxconn; when the queue is full, connectors try again.
  if (listen(listener.get(), 4096) != 0) return PeerSocketError(errno, "listen(\"@" + name + "\")");
  return listener;
}

Result<UniqueFd> AcceptPeer(int listener) {
  for (;;) {
    UniqueFd socket(accept4(listener, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
    if (socket.valid() || errno == EAGAIN) return socket;
    if (errno == EINTR || errno == ECONNABORTED) continue;
    return PeerSocketError(errno, "accept4");
  }
}

Result<ConnectAttempt> ConnectAbstract(const std::string& name) {
  sockaddr_un address;
  const socklen_t length = AbstractAddress(name, address);
  if (length == 0) {
    return Status::Error(Code::kInvalidArgument, "PeerAddress::socket has %zu characters, expected 1 to %zu",
                         name.size(), sizeof address.sun_path - 1);
  }
  UniqueFd socket = NewSocket();
  if (!socket.valid()) return PeerSocketError(errno, "socket(AF_UNIX)");
  int result = 0;
  do {
    result = connect(socket.get(), reinterpret_cast<const sockaddr*>(&address), length);
  } while (result != 0 && errno == EINTR);
  if (result == 0) return ConnectAttempt{ConnectOutcome::kConnected, std::move(socket)};
  if (errno == EAGAIN) return ConnectAttempt{ConnectOutcome::kQueueFull, {}};
  if (errno == ECONNREFUSED) return ConnectAttempt{ConnectOutcome::kRefused, {}};
  return PeerSocketError(errno, "connect(\"@" + name + "\")");
}

Result<PeerCredentials> ReadPeerCredentials(int socket) {
  ucred credentials{};
  socklen_t length = sizeof credentials;
  if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &credentials, &length) != 0) {
    return PeerSocketError(errno, "getsockopt(SO_PEERCRED)");
  }
  return PeerCredentials{credentials.pid, credentials.uid};
}

Status CheckPeerUser(uid_t own, const PeerCredentials& peer) {
  if (own == peer.uid || own == 0 || peer.uid == 0) return Status::Ok();
  return Status::Error(
      Code::kNotPermitted,
      "%s runs for user id %u, this process for user id %u: ranks on one host must run for the same "
      "user (or one of them for root)",
      PeerName(peer.pid).c_str(), peer.uid, own);
}

SocketTransfer SendBytes(int socket, std::span<const std::byte> head, std::span<const std::byte> body,
                         std::span<const int> descriptors) {
  std::array<iovec, 2> parts{};
  parts[0] = {const_cast<std::byte*>(head.data()), head.size()};
  parts[1] = {const_cast<std::byte*>(body.data()), body.size()};
  msghdr message{};
  message.msg_iov = parts.data();
  message.msg_iovlen = parts.size();
  ControlBuffer control{};
  if (!descriptors.empty()) {
    message.msg_control = control.bytes.data();
    message.msg_controllen = CMSG_SPACE(descriptors.size() * sizeof(int));
    cmsghdr* item = CMSG_FIRSTHDR(&message);
    item->cmsg_level = SOL_SOCKET;
    item->cmsg_type = SCM_RIGHTS;
    item->cmsg_len = CMSG_LEN(descriptors.size() * sizeof(int));
    std::memcpy(CMSG_DATA(item), descriptors.data(), descriptors.size() * sizeof(int));
  }
  for (;;) {
    const ssize_t sent = sendmsg(socket, &message, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (sent >= 0) return {.bytes = static_cast<size_t>(sent)};
    if (errno != EINTR) return {.error = errno};
  }
}

SocketTransfer ReceiveBytes(int socket, std::span<std::byte> buffer, std::vector<UniqueFd>* descriptors) {
  iovec part{buffer.data(), buffer.size()};
  ControlBuffer control{};
  msghdr message{};
  ssize_t received = 0;
  do {
    message = {};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    if (descriptors != nullptr) {
      message.msg_control = control.bytes.data();
      message.msg_controllen = control.bytes.size();
    }
    received = recvmsg(socket, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
  } while (received < 0 && errno == EINTR);
  if (received < 0) return {.error = errno};

  SocketTransfer result{.bytes = static_cast<size_t>(received)};
  result.truncated = (message.msg_flags & MSG_CTRUNC) != 0;
  for (cmsghdr* item = CMSG_FIRSTHDR(&message); item != nullptr; item = CMSG_NXTHDR(&message, item)) {
    if (item->cmsg_level != SOL_SOCKET || item->cmsg_type != SCM_RIGHTS) continue;
    const size_t count = (item->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    for (size_t i = 0; i < count; ++i) {
      int fd = -1;
      std::memcpy(&fd, CMSG_DATA(item) + i * sizeof fd, sizeof fd);
      descriptors->emplace_back(fd);
    }
  }
  return result;
}

}  // namespace tandem::shm
