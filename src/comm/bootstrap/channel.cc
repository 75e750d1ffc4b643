// SPDX-License-Identifier: Apache-2.0
#include "comm/bootstrap/channel.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <asio/buffer.hpp>
#include <asio/read.hpp>
#include <asio/write.hpp>
#include <cerrno>
#include <chrono>

namespace tandem::bootstrap {
namespace {

constexpr size_t kMaxUnsentBytes = 2 * kRootFrameBytes;
constexpr auto kFinishTime = std::chrono::seconds(2);

Status Closed(const asio::error_code& error) {
  if (error == asio::error::eof) return Status::Error(Code::kNetwork, "the other side closed the connection");
  return Status::Error(Code::kNetwork, "%s", error.message().c_str());
}

}  // namespace

Channel::Channel(asio::ip::tcp::socket socket, size_t frame_limit)
    : socket_(std::move(socket)), finish_timer_(socket_.get_executor()), frame_limit_(frame_limit) {}

void Channel::SetHandlers(FrameHandler on_frame, CloseHandler on_close) {
  on_frame_ = std::move(on_frame);
  on_close_ = std::move(on_close);
}

void Channel::ReadHeader() {
  asio::async_read(socket_, asio::buffer(header_),
                   [self = shared_from_this()](const asio::error_code& error, size_t) {
                     if (error) return self->Fail(Closed(error));
                     self->ReadBody();
                   });
}

void Channel::ReadBody() {
  const uint32_t bytes = FrameBytes(header_);
  if (bytes == 0 || bytes > frame_limit_) {
    return Fail(Status::Error(Code::kNetwork, "a message of %u bytes where at most %zu are allowed", bytes,
                              frame_limit_));
  }
  body_.resize(bytes);
  asio::async_read(socket_, asio::buffer(body_),
                   [self = shared_from_this()](const asio::error_code& error, size_t) {
                     if (error) return self->Fail(Closed(error));
                     // The handler may replace itself, so it must not be the stored one that runs.
                     const FrameHandler handler = self->on_frame_;
                     if (handler) handler(self->body_);
                     if (self->socket_.is_open()) self->ReadHeader();
                   });
}

void Channel::SendFrame(std::shared_ptr<const std::string> frame) {
  if (!socket_.is_open() || finishing_) return;
  unsent_bytes_ += frame->size();
  unsent_.push_back(std::move(frame));
  if (unsent_bytes_ > kMaxUnsentBytes) {
    return Fail(Status::Error(Code::kNetwork, "the other side does not read what it is sent"));
  }
  if (unsent_.size() == 1) WriteNext();
}

void Channel::WriteNext() {
  const auto frame = unsent_.front();
  asio::async_write(socket_, asio::buffer(*frame),
                    [self = shared_from_this(), frame](const asio::error_code& error, size_t) {
                      if (error) return self->Fail(Closed(error));
                      if (self->unsent_.empty()) return;  // closed meanwhile
                      self->unsent_bytes_ -= frame->size();
                      self->unsent_.pop_front();
                      if (!self->unsent_.empty()) return self->WriteNext();
                      if (self->finishing_) {
                        asio::error_code ignored;
                        self->socket_.shutdown(asio::ip::tcp::socket::shutdown_send, ignored);
                      }
                    });
}

void Channel::Finish() {
  if (!socket_.is_open() || finishing_) return;
  finishing_ = true;
  SetHandlers(nullptr, nullptr);
  // Reading on until the other side closes keeps the system from sending a reset, which could overtake our
  // last words.
  if (unsent_.empty()) {
    asio::error_code ignored;
    socket_.shutdown(asio::ip::tcp::socket::shutdown_send, ignored);
  }
  finish_timer_.expires_after(kFinishTime);
  finish_timer_.async_wait([self = shared_from_this()](const asio::error_code& error) {
    if (!error) self->Close();
  });
}

void Channel::Close() {
  SetHandlers(nullptr, nullptr);
  unsent_.clear();
  unsent_bytes_ = 0;
  finish_timer_.cancel();
  asio::error_code ignored;
  socket_.close(ignored);
}

void Channel::Fail(const Status& why) {
  if (!socket_.is_open()) return;
  const CloseHandler handler = on_close_;
  Close();
  if (handler) handler(why);
}

Result<UniqueFd> OpenTcpSocket(bool v6) {
  UniqueFd fd(socket(v6 ? AF_INET6 : AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!fd.valid()) return Status::FromErrno(errno, "creating a socket (see `ulimit -n`)");
  SetConnectionOptions(fd.get());
  return fd;
}

void SetConnectionOptions(int fd) {
  const int on = 1;
  const int idle_seconds = 10;
  const int interval_seconds = 5;
  const int probes = 4;
  setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
  setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof(on));
  setsockopt(fd, IPPROTO_TCP, TCP_KEEPIDLE, &idle_seconds, sizeof(idle_seconds));
  setsockopt(fd, IPPROTO_TCP, TCP_KEEPINTVL, &interval_seconds, sizeof(interval_seconds));
  setsockopt(fd, IPPROTO_TCP, TCP_KEEPCNT, &probes, sizeof(probes));
}

}  // namespace tandem::bootstrap
