// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace tandem {

// How a transfer is cut into pieces that either side may move.
struct Pieces {
  uint64_t bytes = 0;  // of one piece; the last one may be shorter
  uint32_t count = 0;
};

inline constexpr uint32_t kMostPieces = 32768;

// At most kMostPieces. Both sides compute the same cut from the same length. A piece is large enough that
// claiming it costs nothing beside moving it, and small enough that two cores finish together.
Pieces CutIntoPieces(uint64_t bytes);

// Copies `bytes`, which belong to a transfer of `total` bytes: beyond the caches, stores that go around them
// win (docs/performance.md).
void CopyBytes(std::byte* to, const std::byte* from, size_t bytes, uint64_t total);

}  // namespace tandem
