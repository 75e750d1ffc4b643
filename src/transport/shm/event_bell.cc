// SPDX-License-Identifier: Apache-2.0
#include "transport/shm/event_bell.h"

#include <fcntl.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <array>
#include <asio/io_context.hpp>
#include <asio/posix/stream_descriptor.hpp>
#include <asio/post.hpp>
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <utility>

#include "base/io_loop.h"
#include "base/mutex.h"
#include "transport/shm/peer_socket.h"

namespace tandem::shm {
namespace {

struct Address {
  explicit Address(uint64_t name) {
    socket.sun_family = AF_UNIX;
    // The zero byte in front makes it a name without a file.
    const int length = snprintf(socket.sun_path + 1, sizeof(socket.sun_path) - 1, "tandem.event.%016llx",
                                static_cast<unsigned long long>(name));
    bytes = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + static_cast<size_t>(length));
  }
  const sockaddr* get() const { return reinterpret_cast<const sockaddr*>(&socket); }

  sockaddr_un socket{};
  socklen_t bytes = 0;
};

UniqueFd NewBellSocket() { return UniqueFd(socket(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0)); }

// Empties the socket and tells the listener, for ever.
class BellReader : public std::enable_shared_from_this<BellReader> {
 public:
  explicit BellReader(std::shared_ptr<Doorbell::Listener> listener)
      : descriptor_(IoLoop::Context()), listener_(std::move(listener)) {}

  Status Start(UniqueFd socket) {
    asio::error_code error;
    descriptor_.assign(socket.get(), error);
    if (error) return PeerSocketError(error.value(), "watching a socket");
    socket.Release();
    asio::post(IoLoop::Context(), [self = shared_from_this()] { self->Await(); });
    return Status::Ok();
  }

 private:
  void Await() {
    descriptor_.async_wait(asio::posix::stream_descriptor::wait_read,
                           [self = shared_from_this()](const asio::error_code& error) {
                             if (!error) self->OnReadable();
                           });
  }

  void OnReadable() {
    std::array<char, 8> ignored;
    // Emptied before the listener looks: a ring after that makes the socket readable again.
    while (recv(descriptor_.native_handle(), ignored.data(), ignored.size(), MSG_DONTWAIT) >= 0) {
    }
    listener_->OnNews();
    Await();
  }

  asio::posix::stream_descriptor descriptor_;
  std::shared_ptr<Doorbell::Listener> listener_;
};

}  // namespace

Result<EventBell*> EventBell::Process(const std::shared_ptr<Doorbell::Listener>& listener) {
  static Mutex making;
  static EventBell* made = nullptr;
  MutexLock lock(making);
  if (made != nullptr) return made;
  Result<EventBell*> opened = Open(listener);
  if (opened) made = *opened;
  return opened;
}

Result<EventBell*> EventBell::Open(const std::shared_ptr<Doorbell::Listener>& listener) {
  UniqueFd socket = NewBellSocket();
  if (!socket.valid()) return PeerSocketError(errno, "socket(AF_UNIX)");
  uint64_t name = 0;
  // Random, so that a name is never mistaken for that of a process before it. 0 stands for no process.
  if (getrandom(&name, sizeof(name), 0) != sizeof(name) || name == 0) {
    return Status::Error(Code::kSystem, "getrandom() failed: the system gives no random numbers");
  }
  const Address address(name);
  if (bind(socket.get(), address.get(), address.bytes) != 0) {
    return PeerSocketError(errno, "bind(), for a socket that hears of events,");
  }
  UniqueFd read_end(fcntl(socket.get(), F_DUPFD_CLOEXEC, 0));
  if (!read_end.valid()) return PeerSocketError(errno, "fcntl(F_DUPFD_CLOEXEC)");
  TANDEM_RETURN_IF_ERROR(std::make_shared<BellReader>(listener)->Start(std::move(read_end)));
  return new EventBell(std::move(socket), name);
}

void EventBell::Ring(uint64_t name) const {
  const Address address(name);
  const char ring = 0;
  // A process that is gone needs no ring, and one that could not be rung looks by itself after a while.
  static_cast<void>(
      sendto(socket_.get(), &ring, sizeof(ring), MSG_DONTWAIT | MSG_NOSIGNAL, address.get(), address.bytes));
}

bool EventBell::Lives(uint64_t name) {
  const UniqueFd socket = NewBellSocket();
  if (!socket.valid()) return true;
  const Address address(name);
  return connect(socket.get(), address.get(), address.bytes) == 0 || errno != ECONNREFUSED;
}

}  // namespace tandem::shm
