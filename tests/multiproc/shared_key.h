// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstring>
#include <string>

#include "support/board.h"

namespace tandem::test {

// Carries the bytes of a key or handle from one rank to the others, as a program's file or pipe would.
inline void PutKey(Board& board, const void* bytes, size_t size, uint32_t flag) {
  for (size_t at = 0; at < size; at += 8) {
    uint64_t word = 0;
    std::memcpy(&word, static_cast<const char*>(bytes) + at, size - at < 8 ? size - at : 8);
    board.values[at / 8].store(word);
  }
  board.Raise(flag);
}

inline std::string GetKey(Board& board, size_t size, uint32_t flag) {
  board.Await(flag);
  std::string bytes(size, '\0');
  for (size_t at = 0; at < size; at += 8) {
    const uint64_t word = board.values[at / 8].load();
    std::memcpy(bytes.data() + at, &word, size - at < 8 ? size - at : 8);
  }
  return bytes;
}

}  // namespace tandem::test
