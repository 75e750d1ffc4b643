// SPDX-License-Identifier: Apache-2.0
#include "comm/bootstrap/listener.h"

#include <sys/socket.h>

#include <cerrno>
#include <system_error>

#include "base/log.h"
#include "comm/bootstrap/handshake.h"
#include "comm/bootstrap/whitelist.h"

namespace tandem::bootstrap {
namespace {

constexpr auto kAcceptRetry = std::chrono::milliseconds(100);

asio::ip::tcp Protocol(bool v6) { return v6 ? asio::ip::tcp::v6() : asio::ip::tcp::v4(); }

// Errors of one connection that ended before it was accepted; the next may be good.
bool IsOfOneConnection(int error) {
  return error == ECONNABORTED || error == EPROTO || error == ENETDOWN || error == ENETUNREACH ||
         error == EHOSTUNREACH || error == EINTR;
}

}  // namespace

Listener::Listener(asio::io_context& context, bool v6) : acceptor_(context), retry_timer_(context), v6_(v6) {}

Status Listener::Start(ListeningSocket socket) {
  asio::error_code error;
  acceptor_.assign(Protocol(v6_), socket.fd.get(), error);
  if (error) return Status::Error(Code::kSystem, "watching a listening socket: %s", error.message().c_str());
  socket.fd.Release();
  port_ = socket.port;
  WaitForConnection();
  return Status::Ok();
}

Listener::Place::Place(const std::shared_ptr<Listener>& listener) : listener_(listener) {
  ++listener->strangers_;
}

Listener::Place::~Place() {
  const auto listener = listener_.lock();
  if (!listener) return;
  --listener->strangers_;
  listener->WaitForConnection();
}

void Listener::WaitForConnection() {
  if (is_waiting_ || strangers_ >= kMaxStrangers) return;
  is_waiting_ = true;
  acceptor_.async_wait(asio::ip::tcp::acceptor::wait_read,
                       [weak = weak_from_this()](const asio::error_code& error) {
                         const auto self = weak.lock();
                         if (!self || error) return;
                         self->is_waiting_ = false;
                         self->AcceptAll();
                       });
}

void Listener::AcceptAll() {
  while (strangers_ < kMaxStrangers) {
    // Not asio's accept: a program started by this process must not inherit the connection.
    sockaddr_storage from{};
    socklen_t bytes = sizeof(from);
    UniqueFd fd(accept4(acceptor_.native_handle(), reinterpret_cast<sockaddr*>(&from), &bytes,
                        SOCK_CLOEXEC | SOCK_NONBLOCK));
    if (fd.valid()) {
      if (MayJoin(from)) Welcome(std::move(fd));
    } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
      break;
    } else if (!IsOfOneConnection(errno)) {
      return RetryLater(errno);
    }
  }
  WaitForConnection();
}

void Listener::RetryLater(int error_number) {
  TANDEM_LOG(kWarn, "cannot accept a connection on port %u: %s (see `ulimit -n`); trying again", port_,
             std::generic_category().message(error_number).c_str());
  retry_timer_.expires_after(kAcceptRetry);
  retry_timer_.async_wait([weak = weak_from_this()](const asio::error_code& error) {
    const auto self = weak.lock();
    if (self && !error) self->WaitForConnection();
  });
}

void Listener::Welcome(UniqueFd fd) {
  SetConnectionOptions(fd.get());
  asio::ip::tcp::socket socket(acceptor_.get_executor());
  asio::error_code error;
  socket.assign(Protocol(v6_), fd.get(), error);
  if (error) return;
  fd.Release();
  StartHandshake(std::make_shared<Channel>(std::move(socket), kStrangerFrameBytes),
                 std::make_unique<Place>(shared_from_this()));
}

}  // namespace tandem::bootstrap
