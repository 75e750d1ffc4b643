// SPDX-License-Identifier: Apache-2.0
#include "transport/shm/peer_inbound.h"

#include <cerrno>
#include <utility>

#include "base/io_loop.h"
#include "transport/shm/peer_core.h"

namespace tandem::shm {
namespace {

// Pieces read before other connections get their turn.
constexpr int kReadsPerTurn = 128;

template <typename T>
std::span<std::byte> BytesOf(T& value) {
  return std::as_writable_bytes(std::span<T, 1>(&value, 1));
}

}  // namespace

PeerInbound::PeerInbound(std::shared_ptr<PeerCore> core, pid_t pid)
    : core_(std::move(core)), socket_(IoLoop::Context()), timer_(IoLoop::Context()), pid_(pid) {}

Status PeerInbound::Start(UniqueFd socket) {
  asio::error_code error;
  socket_.assign(socket.get(), error);
  if (error) return PeerSocketError(error.value(), "watching a socket");
  socket.Release();
  timer_.expires_after(core_->options().handshake_timeout);
  timer_.async_wait([self = shared_from_this()](const asio::error_code&) {
    if (self->closed_ || self->proven()) return;
    self->core_->OnInboundEnded(*self, Status::Error(Code::kTimeout, "%s connected and then said nothing",
                                                     PeerName(self->pid_).c_str()));
  });
  AwaitReadable();
  return Status::Ok();
}

void PeerInbound::Close() {
  closed_ = true;
  timer_.cancel();
  asio::error_code ignored;
  socket_.close(ignored);
}

void PeerInbound::AwaitReadable() {
  socket_.async_wait(asio::posix::stream_descriptor::wait_read,
                     [self = shared_from_this()](const asio::error_code&) {
                       if (self->closed_) return;
                       std::optional<Status> end = self->Progress(kReadsPerTurn);
                       if (self->closed_) return;
                       if (end) {
                         self->core_->OnInboundEnded(*self, *end);
                       } else {
                         self->AwaitReadable();
                       }
                     });
}

std::optional<Status> PeerInbound::Progress(int reads) {
  while (reads-- > 0 && !closed_) {
    std::span<std::byte> missing = Missing();
    // Descriptors belong to the first byte of a frame; anywhere else the kernel throws them away for us.
    std::vector<UniqueFd>* descriptors = stage_ == Stage::kHeader ? &message_.descriptors : nullptr;
    const SocketTransfer got = ReceiveBytes(socket_.native_handle(), missing, descriptors);
    if (got.error == EAGAIN) return std::nullopt;
    if (got.error != 0 && got.error != ECONNRESET) {
      return PeerSocketError(got.error, "receiving from " + PeerName(pid_));
    }
    if (got.bytes == 0) return DescribePeerEnd(pid_);
    if (got.truncated) return Truncated();
    filled_ += got.bytes;
    if (got.bytes < missing.size()) continue;
    if (Status wrong = CompletePiece(); !wrong.ok()) return wrong;
  }
  return std::nullopt;
}

std::span<std::byte> PeerInbound::Missing() {
  switch (stage_) {
    case Stage::kHello:
      return BytesOf(connector_).subspan(filled_);
    case Stage::kProof:
      return BytesOf(proof_).subspan(filled_);
    case Stage::kHeader:
      return BytesOf(header_).subspan(filled_);
    case Stage::kBody:
      break;
  }
  return std::span(message_.body).subspan(filled_);
}

Status PeerInbound::Truncated() const {
  if (stage_ == Stage::kHeader && message_.descriptors.size() < PeerMessage::kMaxDescriptors) {
    return OutOfDescriptors("taking the descriptors that " + PeerName(pid_) + " sent");
  }
  return Status::Error(Code::kNetwork, "%s sent descriptors where none are expected", PeerName(pid_).c_str());
}

void PeerInbound::EnterStage(Stage stage) {
  stage_ = stage;
  filled_ = 0;
}

Status PeerInbound::CompletePiece() {
  switch (stage_) {
    case Stage::kHello:
      return AnswerHello();
    case Stage::kProof:
      return CheckProof();
    case Stage::kHeader:
      return BeginBody();
    case Stage::kBody:
      break;
  }
  Deliver();
  return Status::Ok();
}

Status PeerInbound::AnswerHello() {
  if (connector_.magic != kPeerMagic) {
    return Status::Error(Code::kNetwork, "%s connected and sent something else than a hello",
                         PeerName(pid_).c_str());
  }
  acceptor_ = MakePeerHello(core_->address().id);
  PeerReply reply{acceptor_, {}};
  // A connector of another version is told ours before it is dropped, so that its error can name both.
  const bool same_version = connector_.version == kPeerVersion;
  if (same_version) {
    reply.proof = MakePeerProof(core_->address().token, PeerRole::kAcceptor, connector_, acceptor_);
  }
  const SocketTransfer sent = SendBytes(socket_.native_handle(), BytesOf(reply), {}, {});
  if (!same_version) {
    return Status::Error(Code::kConnect, "%s speaks version %u, this process %u", PeerName(pid_).c_str(),
                         connector_.version, kPeerVersion);
  }
  if (sent.error == EPIPE || sent.error == ECONNRESET) return DescribePeerEnd(pid_);
  // The socket's buffer is empty at this point, so anything but all of it is a failure.
  if (sent.bytes != sizeof reply) return PeerSocketError(sent.error, "answering " + PeerName(pid_));
  EnterStage(Stage::kProof);
  return Status::Ok();
}

Status PeerInbound::CheckProof() {
  const PeerProof expected =
      MakePeerProof(core_->address().token, PeerRole::kConnector, connector_, acceptor_);
  if (!SamePeerProof(proof_, expected)) {
    return Status::Error(Code::kNotPermitted, "%s connected without knowing this process's token",
                         PeerName(pid_).c_str());
  }
  timer_.cancel();
  EnterStage(Stage::kHeader);
  core_->OnInboundProven(shared_from_this());
  return Status::Ok();
}

Status PeerInbound::BeginBody() {
  // header_ is our copy: the peer cannot change it between this check and its use.
  if (header_.body_bytes > PeerMessage::kMaxBody || header_.descriptor_count != message_.descriptors.size()) {
    return Status::Error(
        Code::kNetwork,
        "%s sent a message of %u bytes that announces %u descriptors and brings %zu; at most %zu "
        "bytes and as many descriptors as announced are expected",
        PeerName(pid_).c_str(), header_.body_bytes, header_.descriptor_count, message_.descriptors.size(),
        PeerMessage::kMaxBody);
  }
  message_.type = header_.type;
  message_.body.resize(header_.body_bytes);
  EnterStage(Stage::kBody);
  if (header_.body_bytes == 0) Deliver();
  return Status::Ok();
}

void PeerInbound::Deliver() {
  EnterStage(Stage::kHeader);
  // The handler may destroy the hub, which closes this connection.
  core_->Deliver(connector_.id, std::exchange(message_, {}));
}

}  // namespace tandem::shm
