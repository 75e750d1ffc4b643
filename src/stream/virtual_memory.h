// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "base/result.h"
#include "stream/memory.h"
#include "stream/physical_memory.h"

namespace tandem {

// Ranges of addresses that the program reserves, and physical memory mapped into them. Thread-safe.
//
// What was mapped once stays readable and writable until the process ends: after UnmapPhysical there are
// pages of no meaning, and a released range waits for the next reservation. So a queued task that still names
// the memory gives wrong data at worst, never a crash.

constexpr size_t kVirtualPage = 4096;

// `wish` may be null, and need not be granted. `huge`: at a multiple of 2 MiB.
Result<void*> ReserveAddresses(size_t bytes, void* wish, bool huge);
// kInvalidValue unless a reserved range begins there and nothing is mapped in it.
Status ReleaseAddresses(void* at);

// kInvalidValue unless [at, at + bytes) is page aligned, reserved and free, and the memory is large enough.
Status MapPhysical(void* at, size_t bytes, std::shared_ptr<PhysicalMemory> memory);
// kInvalidValue unless a mapping begins there. Never waits for work that uses it.
Status UnmapPhysical(void* at);
// What is mapped at the address; null when nothing is.
std::shared_ptr<PhysicalMemory> PhysicalAt(const void* address);

// The mapping that contains the address; ordinary memory when there is none.
MemoryLocation LocateMapped(const void* address);

// Who may use a mapping. Only remembered: everything here is memory of the host.
struct AccessPlace {
  bool host = false;
  uint32_t id = 0;  // of the user's device, or of the host's part
  // Clang 14 takes the 0 that the compiler compares with for a pointer.
  auto operator<=>(const AccessPlace&) const = default;  // NOLINT(modernize-use-nullptr)
};
// kInvalidValue unless exactly this is mapped.
Status SetAccess(void* at, size_t bytes, const AccessPlace& place, uint32_t flags);
// Full access at first for the place of the memory, `own`, and none for others.
Result<uint32_t> GetAccess(const void* address, const AccessPlace& place, uint32_t own);

}  // namespace tandem
