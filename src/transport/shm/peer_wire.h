// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "transport/shm/peer_hub.h"

namespace tandem::shm {

// What two hubs of one host say to each other. Same machine, hence native byte order.
//
//   connector                        acceptor
//   PeerHello            ->
//                        <-          PeerReply (its hello, and its proof)
//   PeerProof            ->
//   frames ...           ->          nothing more is ever written by the acceptor
//
// Both proofs are keyed by the acceptor's token. The role is part of what is hashed, so that a proof cannot
// be sent back as one's own; both nonces are, so that it cannot be replayed.

inline constexpr uint32_t kPeerMagic = 0x48444e54;  // "TNDH"
inline constexpr uint32_t kPeerVersion = 1;

using PeerToken = std::array<uint8_t, 32>;
using PeerProof = std::array<uint8_t, 32>;

struct PeerHello {
  uint32_t magic = kPeerMagic;  // magic and version stay first in every version
  uint32_t version = kPeerVersion;
  ProcessId id;
  std::array<uint8_t, 32> nonce{};
};
static_assert(sizeof(PeerHello) == 56 && std::is_trivially_copyable_v<PeerHello>);

struct PeerReply {
  PeerHello hello;
  PeerProof proof{};
};
static_assert(sizeof(PeerReply) == 88 && std::is_trivially_copyable_v<PeerReply>);

// Descriptors travel with the first byte of the header.
struct PeerFrameHeader {
  uint32_t type = 0;
  uint32_t body_bytes = 0;
  uint32_t descriptor_count = 0;
};
static_assert(sizeof(PeerFrameHeader) == 12 && std::is_trivially_copyable_v<PeerFrameHeader>);

enum class PeerRole : uint8_t { kConnector = 'c', kAcceptor = 'a' };

// A hello with a fresh nonce.
PeerHello MakePeerHello(const ProcessId& id);
PeerProof MakePeerProof(const PeerToken& token, PeerRole role, const PeerHello& connector,
                        const PeerHello& acceptor);
// Takes the same time whichever byte differs.
bool SamePeerProof(const PeerProof& a, const PeerProof& b);

}  // namespace tandem::shm
