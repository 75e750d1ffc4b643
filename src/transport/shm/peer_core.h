// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <asio/posix/stream_descriptor.hpp>
#include <asio/steady_timer.hpp>
#include <chrono>
#include <cstddef>
#include <map>
#include <memory>
#include <set>

#include "transport/shm/peer_hub.h"
#include "transport/shm/peer_inbound.h"
#include "transport/shm/peer_outbound.h"

namespace tandem::shm {

struct PeerHubOptions {
  // A stranger who has not proven itself by then is dropped. Generous: with many more processes than cores a
  // good one may take seconds.
  std::chrono::milliseconds handshake_timeout{30000};
  // Longer than that, so that a queue of strangers in front of us can be dropped first.
  std::chrono::milliseconds connect_timeout{120000};
  // While there are so many unproven connections, further ones wait in the kernel's queue.
  size_t max_strangers = 256;
};

// PeerHub::Start with other limits; for tests.
Result<std::unique_ptr<PeerHub>> StartPeerHub(PeerHub::Handler& handler, const PeerHubOptions& options);

// The state of a hub. All of it is used on the IoLoop thread only; connections and their handlers share it.
//
// Each direction has its own connection: what we send goes over the one we made, what a peer sends arrives on
// the one it made. So when both sides start at the same moment nothing has to be decided between two
// connections, and no message can be lost or overtake another by such a decision; the price is a second
// descriptor for a pair that talks both ways. The end of either is the end of the peer: the other is closed
// with it, and it is told once.
class PeerCore : public std::enable_shared_from_this<PeerCore> {
 public:
  PeerCore(PeerHub::Handler& handler, const PeerAddress& address, const PeerHubOptions& options);

  // On any thread, once, before everything else.
  Status Start(UniqueFd listener);
  // Closes everything; no handler is called afterwards.
  void Stop();
  void Send(const PeerAddress& to, PeerMessage message);

  const PeerAddress& address() const { return address_; }
  const PeerHubOptions& options() const { return options_; }

  // For the connections.
  void OnInboundProven(const std::shared_ptr<PeerInbound>& connection);
  void OnInboundEnded(PeerInbound& connection, const Status& why);
  void OnOutboundEnded(PeerOutbound& connection, const Status& why);
  void Deliver(const ProcessId& from, PeerMessage message);

 private:
  struct Peer {
    std::shared_ptr<PeerOutbound> outbound;
    std::shared_ptr<PeerInbound> inbound;
  };

  void AwaitStranger();
  void AcceptStrangers();
  void AddStranger(UniqueFd socket);
  void RemoveStranger(const std::shared_ptr<PeerInbound>& connection);
  void FinishStrangersOf(const ProcessId& peer);
  void Lose(const ProcessId& peer, const Status& why);

  PeerHub::Handler* handler_;
  const PeerAddress address_;
  const PeerHubOptions options_;
  bool stopped_ = false;
  bool awaiting_stranger_ = false;
  asio::posix::stream_descriptor acceptor_;
  asio::steady_timer accept_retry_;
  std::set<std::shared_ptr<PeerInbound>> strangers_;
  std::map<ProcessId, Peer> peers_;
};

}  // namespace tandem::shm
