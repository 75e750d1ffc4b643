// SPDX-License-Identifier: Apache-2.0
#include "transport/shm/peer_outbound.h"

#include <unistd.h>

#include <array>
#include <cerrno>
#include <span>
#include <utility>

#include "base/io_loop.h"
#include "transport/shm/peer_core.h"

namespace tandem::shm {
namespace {

// For the two conditions that nothing announces the end of: a full accept queue, and too many descriptors
// under way.
constexpr std::chrono::milliseconds kRetryInterval{5};

}  // namespace

PeerOutbound::PeerOutbound(std::shared_ptr<PeerCore> core, const PeerAddress& to)
    : core_(std::move(core)),
      to_(to),
      socket_(IoLoop::Context()),
      deadline_(IoLoop::Context()),
      retry_(IoLoop::Context()),
      pid_(to.pid) {}

void PeerOutbound::Start() {
  deadline_.expires_after(core_->options().connect_timeout);
  deadline_.async_wait([self = shared_from_this()](const asio::error_code&) {
    if (self->closed_ || self->stage_ == Stage::kOpen) return;
    self->End(Status::Error(Code::kConnect, "%s did not answer for %lld ms; is it stopped?",
                            PeerName(self->pid_).c_str(),
                            static_cast<long long>(self->core_->options().connect_timeout.count())));
  });
  TryConnect();
}

void PeerOutbound::Close() {
  closed_ = true;
  deadline_.cancel();
  retry_.cancel();
  asio::error_code ignored;
  socket_.close(ignored);
  queue_.clear();
}

void PeerOutbound::End(const Status& why) { core_->OnOutboundEnded(*this, why); }

void PeerOutbound::TryConnect() {
  Result<ConnectAttempt> attempt = ConnectAbstract(to_.socket);
  if (!attempt) return End(attempt.status());
  switch (attempt->outcome) {
    case ConnectOutcome::kRefused:
      return End(DescribePeerEnd(pid_));
    case ConnectOutcome::kQueueFull:
      retry_.expires_after(kRetryInterval);
      retry_.async_wait([self = shared_from_this()](const asio::error_code&) {
        if (!self->closed_) self->TryConnect();
      });
      return;
    case ConnectOutcome::kConnected:
      break;
  }
  if (Status failed = BeginHandshake(std::move(attempt->socket)); !failed.ok()) return End(failed);
  AwaitReadable();
}

Status PeerOutbound::BeginHandshake(UniqueFd socket) {
  Result<PeerCredentials> credentials = ReadPeerCredentials(socket.get());
  if (!credentials) return std::move(credentials).status();
  pid_ = credentials->pid;
  TANDEM_RETURN_IF_ERROR(CheckPeerUser(geteuid(), *credentials));
  asio::error_code error;
  socket_.assign(socket.get(), error);
  if (error) return PeerSocketError(error.value(), "watching a socket");
  socket.Release();
  stage_ = Stage::kAwaitingReply;
  connector_ = MakePeerHello(core_->address().id);
  const SocketTransfer sent =
      SendBytes(socket_.native_handle(), std::as_bytes(std::span<PeerHello, 1>(&connector_, 1)), {}, {});
  // When the acceptor has already closed, reading will tell why.
  if (sent.error == EPIPE || sent.error == ECONNRESET || sent.bytes == sizeof connector_) return Status::Ok();
  return PeerSocketError(sent.error, "sending to " + PeerName(pid_));
}

void PeerOutbound::AwaitReadable() {
  socket_.async_wait(asio::posix::stream_descriptor::wait_read,
                     [self = shared_from_this()](const asio::error_code&) {
                       if (self->closed_) return;
                       Status end = self->OnReadable();
                       if (!end.ok()) return self->End(end);
                       self->AwaitReadable();
                       if (self->stage_ == Stage::kOpen) self->Flush();
                     });
}

// The rest of the reply, and after it nothing but the end.
Status PeerOutbound::OnReadable() {
  for (;;) {
    std::array<std::byte, 1> surplus;
    std::span<std::byte> missing =
        std::as_writable_bytes(std::span<PeerReply, 1>(&reply_, 1)).subspan(reply_filled_);
    if (stage_ == Stage::kOpen) missing = surplus;
    const SocketTransfer got = ReceiveBytes(socket_.native_handle(), missing, nullptr);
    if (got.error == EAGAIN) return Status::Ok();
    if (got.error != 0 && got.error != ECONNRESET) {
      return PeerSocketError(got.error, "receiving from " + PeerName(pid_));
    }
    if (got.bytes == 0) {
      Status end = DescribePeerEnd(pid_);
      return stage_ == Stage::kOpen ? std::move(end) : std::move(end).Annotate("connecting");
    }
    if (stage_ == Stage::kOpen || got.truncated) {
      return Status::Error(Code::kNetwork, "%s sent bytes where none are expected", PeerName(pid_).c_str());
    }
    reply_filled_ += got.bytes;
    if (reply_filled_ == sizeof reply_) TANDEM_RETURN_IF_ERROR(CheckReply());
  }
}

Status PeerOutbound::CheckReply() {
  const PeerHello& acceptor = reply_.hello;
  if (acceptor.magic != kPeerMagic) {
    return Status::Error(Code::kNetwork, "%s answered something else than a hello", PeerName(pid_).c_str());
  }
  if (acceptor.version != kPeerVersion) {
    return Status::Error(Code::kConnect,
                         "%s speaks version %u, this process %u: all ranks must load the same library",
                         PeerName(pid_).c_str(), acceptor.version, kPeerVersion);
  }
  if (acceptor.id != to_.id) {
    return Status::Error(Code::kPeerLost, "process %d ended; %s has taken its socket name", to_.pid,
                         PeerName(pid_).c_str());
  }
  if (!SamePeerProof(reply_.proof, MakePeerProof(to_.token, PeerRole::kAcceptor, connector_, acceptor))) {
    return Status::Error(Code::kNotPermitted,
                         "%s does not have the token of the process that was to be reached",
                         PeerName(pid_).c_str());
  }
  const PeerProof proof = MakePeerProof(to_.token, PeerRole::kConnector, connector_, acceptor);
  const SocketTransfer sent =
      SendBytes(socket_.native_handle(), std::as_bytes(std::span<const PeerProof, 1>(&proof, 1)), {}, {});
  if (sent.error == EPIPE || sent.error == ECONNRESET) return DescribePeerEnd(pid_);
  if (sent.bytes != sizeof proof) return PeerSocketError(sent.error, "sending to " + PeerName(pid_));
  stage_ = Stage::kOpen;
  deadline_.cancel();
  return Status::Ok();
}

void PeerOutbound::Queue(PeerMessage message) {
  Frame frame;
  frame.header = {message.type, static_cast<uint32_t>(message.body.size()),
                  static_cast<uint32_t>(message.lasting.size() + message.descriptors.size())};
  frame.message = std::move(message);
  queue_.push_back(std::move(frame));
  if (stage_ == Stage::kOpen) Flush();
}

void PeerOutbound::Flush() {
  while (!queue_.empty() && !awaiting_room_) {
    Frame& frame = queue_.front();
    const SocketTransfer sent = SendPart(frame);
    if (sent.error == EAGAIN || sent.error == ETOOMANYREFS) return AwaitRoom(sent.error);
    if (sent.error == EPIPE || sent.error == ECONNRESET) return End(DescribePeerEnd(pid_));
    if (sent.error != 0) return End(PeerSocketError(sent.error, "sending to " + PeerName(pid_)));
    frame.sent += sent.bytes;
    // They went with the first byte; ours can go.
    frame.message.descriptors.clear();
    frame.message.lasting.clear();
    if (frame.sent == sizeof frame.header + frame.message.body.size()) queue_.pop_front();
  }
}

SocketTransfer PeerOutbound::SendPart(Frame& frame) {
  std::span<const std::byte> head = std::as_bytes(std::span<PeerFrameHeader, 1>(&frame.header, 1));
  std::span<const std::byte> body = frame.message.body;
  if (frame.sent < head.size()) {
    head = head.subspan(frame.sent);
  } else {
    body = body.subspan(frame.sent - head.size());
    head = {};
  }
  std::array<int, PeerMessage::kMaxDescriptors> descriptors;
  size_t count = 0;
  for (const int lasting : frame.message.lasting) descriptors[count++] = lasting;
  for (const UniqueFd& descriptor : frame.message.descriptors) descriptors[count++] = descriptor.get();
  return SendBytes(socket_.native_handle(), head, body, std::span(descriptors).first(count));
}

void PeerOutbound::AwaitRoom(int error) {
  awaiting_room_ = true;
  auto resume = [self = shared_from_this()](const asio::error_code&) {
    self->awaiting_room_ = false;
    if (!self->closed_) self->Flush();
  };
  if (error == EAGAIN) {
    socket_.async_wait(asio::posix::stream_descriptor::wait_write, std::move(resume));
  } else {
    // This user has more descriptors under way than it may have open; receivers will take them.
    retry_.expires_after(kRetryInterval);
    retry_.async_wait(std::move(resume));
  }
}

}  // namespace tandem::shm
