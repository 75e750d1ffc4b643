// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>

#include "base/fd.h"
#include "base/mapping.h"
#include "base/mutex.h"
#include "base/result.h"

namespace tandem::shm {

// The one region of this process from which device memory and page-locked host memory are cut. It is an
// anonymous shared file, larger than the host's memory (pages appear when touched), so that a peer on the
// same host maps it once, from one descriptor, and then reads and writes any buffer in it in place.
//
// The region stays mapped until the process ends: memory that was freed while a queued task still used it
// gives wrong data at worst, never a crash. Thread-safe. Bookkeeping is kept outside the region, where no
// stray write of the application can damage it.
class Arena {
 public:
  struct Block {
    std::byte* data = nullptr;
    size_t bytes = 0;    // as allocated
    uint32_t owner = 0;  // who allocated it, in the caller's numbering (device, or host memory)
  };

  // The process's arena; made by the first call. An error when not even a small region can be mapped.
  static Result<Arena*> Process();
  // The process's arena if it was made already, else null. For the hot path.
  static Arena* ProcessOrNull() { return process_.load(std::memory_order_acquire); }

  // Of every allocation, at least.
  static constexpr size_t kAlignment = 64;

  // `alignment` is a power of two. kOutOfMemory when no gap is large enough or the host has not enough memory
  // left.
  Result<void*> Allocate(size_t bytes, size_t alignment, uint32_t owner);
  // Gives the block's pages back to the system. kInvalidValue unless `data` is the start of a live block.
  Result<Block> Free(void* data);
  // The live block that contains the address.
  std::optional<Block> Find(const void* address) const;

  // Whether all of [data, data + bytes) lies inside the region (allocated or not). No lock.
  bool Contains(const void* data, size_t bytes) const {
    const auto at = reinterpret_cast<uintptr_t>(data) - reinterpret_cast<uintptr_t>(base());
    return at < this->bytes() && bytes <= this->bytes() - at;
  }
  uint64_t OffsetOf(const void* data) const {
    return reinterpret_cast<uintptr_t>(data) - reinterpret_cast<uintptr_t>(base());
  }

  std::byte* base() const { return mapping_.data(); }
  size_t bytes() const { return mapping_.bytes(); }
  const UniqueFd& fd() const { return fd_; }

  // For tests: an arena of its own.
  static Result<std::unique_ptr<Arena>> Create(size_t bytes);

 private:
  Arena(UniqueFd fd, Mapping mapping);
  struct Live {
    Block block;
    size_t taken = 0;  // with rounding
  };
  Result<size_t> TakeGap(size_t bytes, size_t alignment) TANDEM_REQUIRES(mutex_);
  void AddGap(size_t offset, size_t bytes) TANDEM_REQUIRES(mutex_);

  static std::atomic<Arena*> process_;

  UniqueFd fd_;
  Mapping mapping_;
  mutable Mutex mutex_;
  std::map<size_t, Live> live_ TANDEM_GUARDED_BY(mutex_);  // by offset
  size_t live_bytes_ TANDEM_GUARDED_BY(mutex_) = 0;
  std::map<size_t, size_t> gaps_ TANDEM_GUARDED_BY(mutex_);  // offset -> bytes, never adjacent to each other
};

}  // namespace tandem::shm
