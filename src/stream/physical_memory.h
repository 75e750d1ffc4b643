// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "base/fd.h"
#include "base/result.h"
#include "stream/memory.h"

namespace tandem {

// Memory without an address, to be mapped where the program wants it. An anonymous file of its own, not a
// piece of the arena: so another process that opened it keeps it whatever this one frees, and sees nothing
// else. Its pages exist from the beginning, so that what was promised is really there. Counted against its
// device until the last reference goes.
class PhysicalMemory {
 public:
  // kOutOfMemory, or kResourceExhausted when there is no descriptor for it. `device` is not used for kPinned.
  static Result<std::shared_ptr<PhysicalMemory>> Allocate(MemoryPlace place, int32_t device, size_t bytes);
  // Of another process; counted there. REQUIRES: `fd` is sealed and has `bytes`
  static std::shared_ptr<PhysicalMemory> Adopt(UniqueFd fd, MemoryPlace place, int32_t device, size_t bytes);
  ~PhysicalMemory();
  PhysicalMemory(const PhysicalMemory&) = delete;
  PhysicalMemory& operator=(const PhysicalMemory&) = delete;

  const UniqueFd& fd() const { return fd_; }
  MemoryPlace place() const { return place_; }
  int32_t device() const { return device_; }
  size_t bytes() const { return bytes_; }
  bool imported() const { return imported_; }

 private:
  PhysicalMemory(UniqueFd fd, MemoryPlace place, int32_t device, size_t bytes, bool imported)
      : fd_(std::move(fd)), place_(place), device_(device), bytes_(bytes), imported_(imported) {}

  const UniqueFd fd_;
  const MemoryPlace place_;
  const int32_t device_;
  const size_t bytes_;
  const bool imported_;
};

// Handles of physical memory, each with a count of references. Thread-safe.

// A handle with one reference; the memory's handle with one reference more when it has one.
Result<void*> RetainPhysical(const std::shared_ptr<PhysicalMemory>& memory);
// Null: not such a handle.
std::shared_ptr<PhysicalMemory> FindPhysical(const void* handle);
// One reference less; the last one ends the handle. False: not such a handle.
bool ReleasePhysical(void* handle);

}  // namespace tandem
