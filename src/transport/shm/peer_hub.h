// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/fd.h"
#include "base/result.h"

namespace tandem::shm {

// A process, for as long as it lives: 128 random bits made at start, so a reused pid is never mistaken for
// it.
struct ProcessId {
  std::array<uint8_t, 16> bytes{};
  // Clang 14 sees a literal 0 in it.
  auto operator<=>(const ProcessId&) const = default;  // NOLINT(modernize-use-nullptr)
  std::string ToHex() const;
  static Result<ProcessId> FromHex(const std::string& hex);
};

// How to reach a process of this host. Passed between ranks by the bootstrap.
struct PeerAddress {
  ProcessId id;
  std::string socket;               // name in the abstract Unix socket space, without the leading zero byte
  std::array<uint8_t, 32> token{};  // proves that whoever connects was told of this process by the bootstrap
  int32_t pid = 0;
};

struct PeerMessage {
  uint32_t type = 0;
  std::vector<std::byte> body;        // at most kMaxBody bytes
  std::vector<UniqueFd> descriptors;  // at most kMaxDescriptors, with the next
  // Sent before those above; of descriptors that stay open until this process ends, so a message to each of
  // many peers needs none of its own. Always empty in a message that arrives.
  std::vector<int> lasting;
  static constexpr size_t kMaxBody = size_t{64} * 1024;
  static constexpr size_t kMaxDescriptors = 8;
};

// Connections between the processes of one host: at most one for each pair and direction, made on first use,
// kept open until one of them ends, so that its closing tells of the end. Carries descriptors (shared memory)
// and rare messages.
//
// Owns a listening socket in the abstract name space (nothing in any file system; gone with the process).
// Thread-safe. Handlers run on the IoLoop thread and must not block.
class PeerHub {
 public:
  class Handler {
   public:
    virtual ~Handler() = default;
    virtual void OnMessage(const ProcessId& from, PeerMessage message) = 0;
    // The connection ended or could not be made; told once for each connection or attempt. `why` names pid
    // and cause.
    virtual void OnPeerLost(const ProcessId& peer, const Status& why) = 0;
  };

  // The handler must outlive the hub.
  static Result<std::unique_ptr<PeerHub>> Start(Handler& handler);
  virtual ~PeerHub() = default;

  virtual const PeerAddress& address() const = 0;

  // Queues the message; connects first when there is no connection yet. Never blocks. Messages to one peer
  // arrive in order. Failure is told through OnPeerLost.
  virtual void Send(const PeerAddress& to, PeerMessage message) = 0;
};

}  // namespace tandem::shm
