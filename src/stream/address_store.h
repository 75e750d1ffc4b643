// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>

#include "base/result.h"

namespace tandem {

// Ranges of addresses that were given back and stay mapped, for reservations to come. Not thread-safe.
class AddressStore {
 public:
  // REQUIRES: page aligned, mapped, and not in the store
  void Add(uintptr_t at, size_t bytes);
  // A range of at least `bytes`, at a huge page if asked for; at `wish` and nowhere else when that is not 0.
  // 0: there is none.
  uintptr_t Take(size_t bytes, bool huge, uintptr_t wish);

  // New addresses from the system that cannot be used yet; at `wish` if that is possible. kOutOfMemory.
  static Result<uintptr_t> Fresh(size_t bytes, bool huge, uintptr_t wish);

 private:
  std::map<uintptr_t, size_t> ranges_;  // never adjacent to each other
};

}  // namespace tandem
