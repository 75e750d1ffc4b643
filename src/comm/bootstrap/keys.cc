// SPDX-License-Identifier: Apache-2.0
#include "comm/bootstrap/keys.h"

#include <sodium.h>

#include <cstdlib>

namespace tandem::bootstrap {
namespace {

// Safe from any thread, cheap after the first call. Without randomness nothing here can be secure.
void StartSodium() {
  static const int result = sodium_init();
  if (result < 0) std::abort();
}

}  // namespace

void FillRandom(uint8_t* bytes, size_t count) {
  StartSodium();
  randombytes_buf(bytes, count);
}

Proof MakeProof(const Secret& secret, Side side, const RootId& root, const Nonce& rank_nonce,
                const Nonce& root_nonce) {
  StartSodium();
  Proof proof{};
  const std::string_view label = side == Side::kRoot ? "tandem bootstrap root" : "tandem bootstrap rank";
  crypto_generichash_state state;
  crypto_generichash_init(&state, secret.data(), secret.size(), proof.size());
  crypto_generichash_update(&state, reinterpret_cast<const unsigned char*>(label.data()), label.size());
  crypto_generichash_update(&state, root.data(), root.size());
  crypto_generichash_update(&state, rank_nonce.data(), rank_nonce.size());
  crypto_generichash_update(&state, root_nonce.data(), root_nonce.size());
  crypto_generichash_final(&state, proof.data(), proof.size());
  return proof;
}

bool SameProof(const Proof& a, const Proof& b) { return sodium_memcmp(a.data(), b.data(), a.size()) == 0; }

std::string ToHex(const uint8_t* bytes, size_t count) {
  std::string hex(count * 2 + 1, '\0');
  sodium_bin2hex(hex.data(), hex.size(), bytes, count);
  hex.pop_back();
  return hex;
}

bool FromHex(std::string_view hex, uint8_t* bytes, size_t count) {
  size_t decoded = 0;
  const char* end = nullptr;
  return hex.size() == count * 2 &&
         sodium_hex2bin(bytes, count, hex.data(), hex.size(), nullptr, &decoded, &end) == 0 &&
         decoded == count && end == hex.data() + hex.size();
}

std::array<uint8_t, 16> CheckSum(const char* bytes, size_t count) {
  StartSodium();
  std::array<uint8_t, 16> sum{};
  crypto_generichash(sum.data(), sum.size(), reinterpret_cast<const unsigned char*>(bytes), count, nullptr,
                     0);
  return sum;
}

}  // namespace tandem::bootstrap
