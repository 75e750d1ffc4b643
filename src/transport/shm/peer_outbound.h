// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <asio/posix/stream_descriptor.hpp>
#include <asio/steady_timer.hpp>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>

#include "transport/shm/peer_hub.h"
#include "transport/shm/peer_socket.h"
#include "transport/shm/peer_wire.h"

namespace tandem::shm {

class PeerCore;

// The connection that this process makes to a peer, and the only one on which it sends to that peer. Messages
// wait in its queue until the handshake is over. Used on the IoLoop thread only; alive until closed and its
// last handler has run.
class PeerOutbound : public std::enable_shared_from_this<PeerOutbound> {
 public:
  PeerOutbound(std::shared_ptr<PeerCore> core, const PeerAddress& to);

  // Ends (by PeerCore::OnOutboundEnded) when the peer cannot be reached.
  void Start();
  void Queue(PeerMessage message);
  void Close();

  bool closed() const { return closed_; }
  const ProcessId& peer() const { return to_.id; }

 private:
  enum class Stage : uint8_t { kConnecting, kAwaitingReply, kOpen };
  struct Frame {
    PeerFrameHeader header;
    PeerMessage message;
    size_t sent = 0;  // of header and body together
  };

  void End(const Status& why);
  void TryConnect();
  Status BeginHandshake(UniqueFd socket);
  void AwaitReadable();
  Status OnReadable();
  Status CheckReply();
  void Flush();
  SocketTransfer SendPart(Frame& frame);
  void AwaitRoom(int error);

  std::shared_ptr<PeerCore> core_;
  const PeerAddress to_;
  asio::posix::stream_descriptor socket_;
  asio::steady_timer deadline_;  // of the handshake
  asio::steady_timer retry_;
  pid_t pid_;
  bool closed_ = false;
  bool awaiting_room_ = false;
  Stage stage_ = Stage::kConnecting;
  PeerHello connector_;
  PeerReply reply_;
  size_t reply_filled_ = 0;
  std::deque<Frame> queue_;
};

}  // namespace tandem::shm
