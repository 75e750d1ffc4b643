// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <asio/posix/stream_descriptor.hpp>
#include <asio/steady_timer.hpp>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "transport/shm/peer_hub.h"
#include "transport/shm/peer_socket.h"
#include "transport/shm/peer_wire.h"

namespace tandem::shm {

class PeerCore;

// A connection that another process made to us: first a stranger, then, once its proof is checked, the way on
// which that peer's messages arrive. Used on the IoLoop thread only; alive until closed and its last handler
// has run.
class PeerInbound : public std::enable_shared_from_this<PeerInbound> {
 public:
  PeerInbound(std::shared_ptr<PeerCore> core, pid_t pid);

  Status Start(UniqueFd socket);
  void Close();

  // Reads what is there, at most `reads` pieces of it. A status when the connection ended, nothing otherwise.
  std::optional<Status> Progress(int reads);

  // What the other side calls itself; believed only when proven.
  const ProcessId& claimed_id() const { return connector_.id; }
  pid_t pid() const { return pid_; }
  bool proven() const { return stage_ == Stage::kHeader || stage_ == Stage::kBody; }

 private:
  enum class Stage : uint8_t { kHello, kProof, kHeader, kBody };

  void AwaitReadable();
  std::span<std::byte> Missing();
  Status Truncated() const;
  Status CompletePiece();
  Status AnswerHello();
  Status CheckProof();
  Status BeginBody();
  void Deliver();
  void EnterStage(Stage stage);

  std::shared_ptr<PeerCore> core_;
  asio::posix::stream_descriptor socket_;
  asio::steady_timer timer_;  // until proven
  pid_t pid_;
  bool closed_ = false;
  Stage stage_ = Stage::kHello;
  size_t filled_ = 0;  // bytes of the present piece that have arrived
  PeerHello connector_;
  PeerHello acceptor_;
  PeerProof proof_{};
  PeerFrameHeader header_;
  PeerMessage message_;
};

}  // namespace tandem::shm
