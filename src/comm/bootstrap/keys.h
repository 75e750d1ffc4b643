// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tandem::bootstrap {

using RootId = std::array<uint8_t, 16>;  // names one root info; not secret
using Secret = std::array<uint8_t, 32>;  // known to whoever has the root info
using Nonce = std::array<uint8_t, 32>;
using Proof = std::array<uint8_t, 32>;

// Which side of a connection proves that it knows the secret.
enum class Side : uint8_t { kRoot, kRank };

void FillRandom(uint8_t* bytes, size_t count);

template <size_t kBytes>
std::array<uint8_t, kBytes> Random() {
  std::array<uint8_t, kBytes> bytes{};
  FillRandom(bytes.data(), bytes.size());
  return bytes;
}

// Keyed hash over side, root id and both nonces: fresh for each connection, and never the same for the two
// sides, so that nobody can answer a challenge by sending it back.
Proof MakeProof(const Secret& secret, Side side, const RootId& root, const Nonce& rank_nonce,
                const Nonce& root_nonce);
// In constant time.
bool SameProof(const Proof& a, const Proof& b);

std::string ToHex(const uint8_t* bytes, size_t count);
bool FromHex(std::string_view hex, uint8_t* bytes, size_t count);

template <size_t kBytes>
std::string ToHex(const std::array<uint8_t, kBytes>& bytes) {
  return ToHex(bytes.data(), kBytes);
}
template <size_t kBytes>
std::optional<std::array<uint8_t, kBytes>> FromHex(std::string_view hex) {
  std::array<uint8_t, kBytes> bytes{};
  if (!FromHex(hex, bytes.data(), kBytes)) return std::nullopt;
  return bytes;
}

// Unkeyed, against damage only.
std::array<uint8_t, 16> CheckSum(const char* bytes, size_t count);

}  // namespace tandem::bootstrap
