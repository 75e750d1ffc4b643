// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "base/result.h"
#include "stream/memory.h"

namespace tandem {

// Ranges of addresses outside the arena about which the runtime knows more than that they are ordinary
// memory: host memory that the application registered, and memory of other processes mapped here. They never
// overlap. Thread-safe; asking costs one load while there are none.
struct OutsideRange {
  std::byte* data = nullptr;
  size_t bytes = 0;
  MemoryLocation location;
  bool registered = false;  // by the application, else a mapping of ours
};

// kMemoryRegistered when it overlaps a known range.
Status AddOutsideRange(const OutsideRange& range);
// Forgets the range that starts at `data`; nothing when there is none of that sort.
std::optional<OutsideRange> RemoveOutsideRange(const void* data, bool registered);
std::optional<OutsideRange> FindOutsideRange(const void* address);

// Host memory of the application. `pinned`: it counts as page-locked. kInvalidValue when it is not ordinary
// mapped memory of this process, kMemoryRegistered when it overlaps a known range.
Status RegisterHostMemory(void* data, size_t bytes, bool pinned);

}  // namespace tandem
