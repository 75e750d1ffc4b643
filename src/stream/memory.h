// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/result.h"

namespace tandem {

// Where an address lies, as far as copies are concerned.
enum class MemoryPlace : uint8_t { kPageable, kPinned, kDevice };

struct MemoryLocation {
  MemoryPlace place = MemoryPlace::kPageable;
  int32_t device = -1;          // kDevice: its number on this host
  const void* block = nullptr;  // the allocation it lies in, and its size; not kPageable
  size_t block_bytes = 0;
};

// Device memory is host memory from the process's arena, counted against the device's capacity. `guard`: the
// 32 bytes more that every allocation but the aligned kind gets. kOutOfMemory when the device or the host has
// no more.
Result<void*> AllocateDeviceMemory(int32_t device, size_t bytes, bool guard);
// kInvalidValue unless `data` came from AllocateDeviceMemory. Never waits for work that uses it.
Status FreeDeviceMemory(void* data);

// Device memory for a memory pool: as above, but only the pool can free it.
Result<void*> AllocatePoolMemory(int32_t device, size_t bytes);
Status FreePoolMemory(void* data);

// Page-locked host memory, from the same arena, so that peers reach it in place.
Result<void*> AllocateHostMemory(size_t bytes);
Status FreeHostMemory(void* data);

MemoryLocation Locate(const void* address);

// Refuses, with kInvalidValue, [data, data + bytes) when it begins in an allocation of this process and
// leaves it, or begins in device memory that is not allocated (any more), or wraps around the address space.
// Other host memory cannot be judged. A few ns when the same thread asked about the allocation before and
// nothing was freed since. `argument` is the parameter's name.
Status CheckExtent(const void* data, size_t bytes, const char* argument);

struct MemoryInfo {
  uint64_t free_bytes = 0;
  uint64_t total_bytes = 0;
};
MemoryInfo DeviceMemoryInfo(int32_t device);

}  // namespace tandem
