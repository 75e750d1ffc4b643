// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <asio/io_context.hpp>
#include <asio/posix/stream_descriptor.hpp>
#include <asio/post.hpp>
#include <asio/steady_timer.hpp>
#include <cerrno>
#include <chrono>
#include <memory>
#include <utility>

#include "base/io_loop.h"
#include "transport/shm/offer_wire.h"
#include "transport/shm/peer_socket.h"

namespace tandem::shm {
namespace {

// One who connected and asks nothing is dropped then.
constexpr std::chrono::seconds kServePatience{10};
// How long to leave the kernel's queue alone when there was no descriptor to accept with.
constexpr std::chrono::milliseconds kOfferRetryInterval{50};
// Further askers wait in the kernel's queue.
constexpr uint32_t kMostAskers = 64;

class OfferServer : public std::enable_shared_from_this<OfferServer> {
 public:
  OfferServer() : acceptor_(IoLoop::Context()), retry_(IoLoop::Context()) {}

  Status Start(UniqueFd listener) {
    asio::error_code error;
    acceptor_.assign(listener.get(), error);
    if (error) return PeerSocketError(error.value(), "watching a socket");
    listener.Release();
    asio::post(IoLoop::Context(), [self = shared_from_this()] { self->Await(); });
    return Status::Ok();
  }
  void OnAskerGone() {
    --askers_;
    Await();
  }

 private:
  void Await() {
    if (awaiting_ || askers_ >= kMostAskers) return;
    awaiting_ = true;
    acceptor_.async_wait(asio::posix::stream_descriptor::wait_read,
                         [self = shared_from_this()](const asio::error_code& error) {
                           self->awaiting_ = false;
                           if (!error) self->Accept();
                         });
  }
  void Accept();

  asio::posix::stream_descriptor acceptor_;
  asio::steady_timer retry_;
  bool awaiting_ = false;
  uint32_t askers_ = 0;
};

// One connection; alive until its last handler has run.
class Asker : public std::enable_shared_from_this<Asker> {
 public:
  Asker(std::shared_ptr<OfferServer> server, pid_t pid)
      : server_(std::move(server)), socket_(IoLoop::Context()), timer_(IoLoop::Context()), pid_(pid) {}
  ~Asker() { server_->OnAskerGone(); }

  void Start(UniqueFd socket) {
    asio::error_code error;
    socket_.assign(socket.get(), error);
    if (error) return;
    socket.Release();
    timer_.expires_after(kServePatience);
    timer_.async_wait([self = shared_from_this()](const asio::error_code&) { self->Close(); });
    Await();
  }

 private:
  void Await() {
    socket_.async_wait(asio::posix::stream_descriptor::wait_read,
                       [self = shared_from_this()](const asio::error_code& error) {
                         if (error) return self->Close();
                         self->OnReadable();
                       });
  }

  void OnReadable() {
    const auto missing = std::as_writable_bytes(std::span(&question_, 1)).subspan(filled_);
    const SocketTransfer got = ReceiveBytes(socket_.native_handle(), missing, nullptr);
    if (got.error == EAGAIN) return Await();
    if (got.error != 0 || got.bytes == 0 || got.truncated) return Close();
    filled_ += got.bytes;
    if (got.bytes < missing.size()) return Await();
    AnswerOffer(socket_.native_handle(), pid_, question_);
    Close();
  }

  void Close() {
    timer_.cancel();
    asio::error_code ignored;
    socket_.close(ignored);
  }

  std::shared_ptr<OfferServer> server_;
  asio::posix::stream_descriptor socket_;
  asio::steady_timer timer_;
  const pid_t pid_;
  OfferQuestion question_;
  size_t filled_ = 0;
};

void OfferServer::Accept() {
  while (askers_ < kMostAskers) {
    Result<UniqueFd> socket = AcceptPeer(acceptor_.native_handle());
    if (socket && !socket->valid()) return Await();
    if (!socket) {
      // Most likely out of descriptors, which may pass. The queue stays readable, so waiting for it would
      // spin.
      awaiting_ = true;
      retry_.expires_after(kOfferRetryInterval);
      retry_.async_wait([self = shared_from_this()](const asio::error_code&) {
        self->awaiting_ = false;
        self->Accept();
      });
      return;
    }
    const Result<PeerCredentials> asker = ReadPeerCredentials(socket->get());
    // The asker makes the same check and finds the reason for itself.
    if (!asker || !CheckPeerUser(geteuid(), *asker).ok()) continue;
    ++askers_;
    std::make_shared<Asker>(shared_from_this(), asker->pid)->Start(*std::move(socket));
  }
}

}  // namespace

Status ServeOffers(UniqueFd listener) { return std::make_shared<OfferServer>()->Start(std::move(listener)); }

}  // namespace tandem::shm
