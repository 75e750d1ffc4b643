// SPDX-License-Identifier: Apache-2.0
#include "transport/copy.h"

#include <algorithm>
#include <cstring>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace tandem {
namespace {

constexpr uint64_t kKiB = 1024;
constexpr uint64_t kMiB = 1024 * kKiB;

// Measured on two cores of one chip: see docs/performance.md, "copying".
constexpr uint64_t kSinglePiece = 8 * kKiB;
constexpr uint64_t kNonTemporalFrom = 8 * kMiB;

#if defined(__x86_64__)
__attribute__((target("avx2"))) void CopyNonTemporal(std::byte* to, const std::byte* from, size_t bytes) {
  const size_t head = std::min<size_t>(bytes, (32 - reinterpret_cast<uintptr_t>(to) % 32) % 32);
  std::memcpy(to, from, head);
  to += head;
  from += head;
  bytes -= head;
  size_t at = 0;
  for (; at + 128 <= bytes; at += 128) {
    const auto* source = reinterpret_cast<const __m256i*>(from + at);
    auto* target = reinterpret_cast<__m256i*>(to + at);
    const __m256i a = _mm256_loadu_si256(source);
    const __m256i b = _mm256_loadu_si256(source + 1);
    const __m256i c = _mm256_loadu_si256(source + 2);
    const __m256i d = _mm256_loadu_si256(source + 3);
    _mm256_stream_si256(target, a);
    _mm256_stream_si256(target + 1, b);
    _mm256_stream_si256(target + 2, c);
    _mm256_stream_si256(target + 3, d);
  }
  std::memcpy(to + at, from + at, bytes - at);
  // Non-temporal stores are not ordered by the release that announces the piece.
  _mm_sfence();
}
#endif

}  // namespace

Pieces CutIntoPieces(uint64_t bytes) {
  uint64_t piece = bytes;
  if (bytes > 4 * kMiB) {
    piece = 256 * kKiB;
  } else if (bytes > 256 * kKiB) {
    piece = 64 * kKiB;
  } else if (bytes > kSinglePiece) {
    piece = std::max<uint64_t>(4 * kKiB, (bytes / 8 + 4095) / 4096 * 4096);
  }
  // From 8 GiB on pieces grow.
  while (bytes / piece >= kMostPieces) piece *= 2;
  return {piece, static_cast<uint32_t>((bytes + piece - 1) / piece)};
}

void CopyBytes(std::byte* to, const std::byte* from, size_t bytes, uint64_t total) {
#if defined(__x86_64__)
  static const bool avx2 = __builtin_cpu_supports("avx2") != 0;
  if (total >= kNonTemporalFrom && avx2) {
    CopyNonTemporal(to, from, bytes);
    return;
  }
#endif
  static_cast<void>(total);
  std::memcpy(to, from, bytes);
}

}  // namespace tandem
