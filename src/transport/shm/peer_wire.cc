// SPDX-License-Identifier: Apache-2.0
#include "transport/shm/peer_wire.h"

#include <sodium.h>

#include <cstring>

namespace tandem::shm {

PeerHello MakePeerHello(const ProcessId& id) {
  PeerHello hello;
  hello.id = id;
  randombytes_buf(hello.nonce.data(), hello.nonce.size());
  return hello;
}

PeerProof MakePeerProof(const PeerToken& token, PeerRole role, const PeerHello& connector,
                        const PeerHello& acceptor) {
  static_assert(std::tuple_size_v<PeerToken> == crypto_generichash_KEYBYTES);
  std::array<uint8_t, 1 + 2 * sizeof(PeerHello)> input;
  input[0] = static_cast<uint8_t>(role);
  std::memcpy(input.data() + 1, &connector, sizeof connector);
  std::memcpy(input.data() + 1 + sizeof connector, &acceptor, sizeof acceptor);
  PeerProof proof;
  crypto_generichash(proof.data(), proof.size(), input.data(), input.size(), token.data(), token.size());
  return proof;
}

bool SamePeerProof(const PeerProof& a, const PeerProof& b) {
  return sodium_memcmp(a.data(), b.data(), a.size()) == 0;
}

}  // namespace tandem::shm
