// SPDX-License-Identifier: Apache-2.0
#include "transport/shm/peer_core.h"

#include <unistd.h>

#include <asio/io_context.hpp>
#include <asio/post.hpp>
#include <optional>
#include <utility>
#include <vector>

#include "base/io_loop.h"

namespace tandem::shm {
namespace {

// How long to leave the kernel's queue alone after there was no descriptor to accept with.
constexpr std::chrono::milliseconds kAcceptRetryInterval{50};
// More than a socket can hold, so that everything a dead peer sent is read; a living one cannot hold us up
// for ever.
constexpr int kDrainReads = 1 << 16;

}  // namespace

PeerCore::PeerCore(PeerHub::Handler& handler, const PeerAddress& address, const PeerHubOptions& options)
    : handler_(&handler),
      address_(address),
      options_(options),
      acceptor_(IoLoop::Context()),
      accept_retry_(IoLoop::Context()) {}

Status PeerCore::Start(UniqueFd listener) {
  asio::error_code error;
  acceptor_.assign(listener.get(), error);
  if (error) return PeerSocketError(error.value(), "watching a socket");
  listener.Release();
  asio::post(IoLoop::Context(), [self = shared_from_this()] { self->AwaitStranger(); });
  return Status::Ok();
}

void PeerCore::Stop() {
  stopped_ = true;
  accept_retry_.cancel();
  asio::error_code ignored;
  acceptor_.close(ignored);
  for (const auto& stranger : std::exchange(strangers_, {})) stranger->Close();
  for (auto& [id, peer] : std::exchange(peers_, {})) {
    if (peer.outbound) peer.outbound->Close();
    if (peer.inbound) peer.inbound->Close();
  }
}

void PeerCore::Send(const PeerAddress& to, PeerMessage message) {
  if (stopped_) return;
  const size_t descriptors = message.descriptors.size() + message.lasting.size();
  if (message.body.size() > PeerMessage::kMaxBody || descriptors > PeerMessage::kMaxDescriptors) {
    return Lose(
        to.id, Status::Error(Code::kInternal,
                             "PeerHub::Send: message %u to %s has %zu bytes and %zu descriptors, at most %zu "
                             "and %zu are possible",
                             message.type, PeerName(to.pid).c_str(), message.body.size(), descriptors,
                             PeerMessage::kMaxBody, PeerMessage::kMaxDescriptors));
  }
  std::shared_ptr<PeerOutbound>& slot = peers_[to.id].outbound;
  const bool is_new = slot == nullptr;
  if (is_new) slot = std::make_shared<PeerOutbound>(shared_from_this(), to);
  // Both calls may lose the peer, and with it the slot.
  const std::shared_ptr<PeerOutbound> outbound = slot;
  outbound->Queue(std::move(message));
  if (is_new) outbound->Start();
}

void PeerCore::AwaitStranger() {
  if (stopped_ || awaiting_stranger_) return;
  awaiting_stranger_ = true;
  acceptor_.async_wait(asio::posix::stream_descriptor::wait_read,
                       [self = shared_from_this()](const asio::error_code&) {
                         self->awaiting_stranger_ = false;
                         if (!self->stopped_) self->AcceptStrangers();
                       });
}

void PeerCore::AcceptStrangers() {
  // When there are too many, the next to leave calls AwaitStranger again.
  while (strangers_.size() < options_.max_strangers) {
    Result<UniqueFd> socket = AcceptPeer(acceptor_.native_handle());
    if (socket && !socket->valid()) return AwaitStranger();
    if (!socket) {
      // Most likely out of descriptors, which may pass. The queue stays readable, so waiting for it would
      // spin.
      awaiting_stranger_ = true;
      accept_retry_.expires_after(kAcceptRetryInterval);
      accept_retry_.async_wait([self = shared_from_this()](const asio::error_code&) {
        self->awaiting_stranger_ = false;
        if (!self->stopped_) self->AcceptStrangers();
      });
      return;
    }
    AddStranger(*std::move(socket));
  }
}

void PeerCore::AddStranger(UniqueFd socket) {
  Result<PeerCredentials> credentials = ReadPeerCredentials(socket.get());
  // The connector makes the same check and finds the reason for itself.
  if (!credentials || !CheckPeerUser(geteuid(), *credentials).ok()) return;
  auto stranger = std::make_shared<PeerInbound>(shared_from_this(), credentials->pid);
  if (stranger->Start(std::move(socket)).ok()) strangers_.insert(std::move(stranger));
}

void PeerCore::RemoveStranger(const std::shared_ptr<PeerInbound>& connection) {
  strangers_.erase(connection);
  AwaitStranger();
}

void PeerCore::OnInboundProven(const std::shared_ptr<PeerInbound>& connection) {
  RemoveStranger(connection);
  const ProcessId& id = connection->claimed_id();
  const auto known = peers_.find(id);
  if (known != peers_.end() && known->second.inbound != nullptr) {
    // A peer connects anew only after it has given up its old connection.
    Lose(id, Status::Error(Code::kPeerLost, "%s gave up its connection and made another",
                           PeerName(connection->pid()).c_str()));
  }
  if (stopped_) return connection->Close();
  peers_[id].inbound = connection;
}

void PeerCore::OnInboundEnded(PeerInbound& connection, const Status& why) {
  connection.Close();
  if (connection.proven()) return Lose(connection.claimed_id(), why);
  RemoveStranger(connection.shared_from_this());
}

void PeerCore::OnOutboundEnded(PeerOutbound& connection, const Status& why) {
  const ProcessId id = connection.peer();
  FinishStrangersOf(id);
  if (!connection.closed()) Lose(id, why);
}

void PeerCore::Deliver(const ProcessId& from, PeerMessage message) {
  if (!stopped_) handler_->OnMessage(from, std::move(message));
}

// What a peer sent before its end must not arrive after the news of its end, even if its own connection is
// still to be looked at.
void PeerCore::FinishStrangersOf(const ProcessId& peer) {
  std::vector<std::shared_ptr<PeerInbound>> same;
  for (const auto& stranger : strangers_) {
    if (stranger->claimed_id() == peer) same.push_back(stranger);
  }
  for (const auto& stranger : same) {
    const std::optional<Status> end = stranger->Progress(kDrainReads);
    // A proven one is the peer's by now, and goes with it.
    if (end && !stranger->proven()) OnInboundEnded(*stranger, *end);
  }
}

void PeerCore::Lose(const ProcessId& peer, const Status& why) {
  const ProcessId id = peer;  // `peer` may live in what is closed here
  auto node = peers_.extract(id);
  if (!node.empty()) {
    Peer& lost = node.mapped();
    if (lost.outbound) lost.outbound->Close();
    if (lost.inbound) {
      lost.inbound->Progress(kDrainReads);
      lost.inbound->Close();
    }
  }
  if (!stopped_) handler_->OnPeerLost(id, why);
}

}  // namespace tandem::shm
