// SPDX-License-Identifier: Apache-2.0
#include "stream/outside_memory.h"

#include <sys/mman.h>

#include <atomic>
#include <cerrno>
#include <limits>
#include <map>

#include "base/mutex.h"
#include "transport/shm/arena.h"

namespace tandem {
namespace {

constexpr uintptr_t kPageBytes = 4096;

struct Ranges {
  Mutex mutex;
  std::map<uintptr_t, OutsideRange> by_start TANDEM_GUARDED_BY(mutex);
  std::atomic<size_t> count{0};
};

Ranges& OutsideRanges() {
  static Ranges* const ranges = new Ranges;
  return *ranges;
}

// Whether every page of the range is mapped. msync without a wait does nothing else than to look.
bool IsMapped(uintptr_t start, size_t bytes) {
  const uintptr_t first = start & ~(kPageBytes - 1);
  // NOLINTNEXTLINE(performance-no-int-to-ptr): rounded down to its page
  return msync(reinterpret_cast<void*>(first), start + bytes - first, MS_ASYNC) == 0 || errno != ENOMEM;
}

bool Overlaps(const OutsideRange& range, const std::byte* data, size_t bytes) {
  return range.data < data + bytes && data < range.data + range.bytes;
}

bool OverlapsArena(std::byte* data, size_t bytes) {
  const shm::Arena* arena = shm::Arena::ProcessOrNull();
  if (arena == nullptr) return false;
  return data < arena->base() + arena->bytes() && arena->base() < data + bytes;
}

}  // namespace

Status AddOutsideRange(const OutsideRange& range) {
  MutexLock lock(OutsideRanges().mutex);
  auto& ranges = OutsideRanges().by_start;
  const auto after = ranges.lower_bound(reinterpret_cast<uintptr_t>(range.data));
  const OutsideRange* overlapped = nullptr;
  if (after != ranges.end() && Overlaps(after->second, range.data, range.bytes)) overlapped = &after->second;
  if (after != ranges.begin()) {
    const OutsideRange& before = std::prev(after)->second;
    if (Overlaps(before, range.data, range.bytes)) overlapped = &before;
  }
  if (overlapped != nullptr) {
    return Status::Error(
        Code::kMemoryRegistered, "%zu bytes at %p overlap %zu bytes at %p, which are %s already", range.bytes,
        static_cast<void*>(range.data), overlapped->bytes, static_cast<void*>(overlapped->data),
        overlapped->registered ? "registered" : "mapped from another process");
  }
  ranges.emplace(reinterpret_cast<uintptr_t>(range.data), range);
  OutsideRanges().count.store(ranges.size(), std::memory_order_release);
  return Status::Ok();
}

std::optional<OutsideRange> RemoveOutsideRange(const void* data, bool registered) {
  MutexLock lock(OutsideRanges().mutex);
  auto& ranges = OutsideRanges().by_start;
  const auto found = ranges.find(reinterpret_cast<uintptr_t>(data));
  if (found == ranges.end() || found->second.registered != registered) return std::nullopt;
  const OutsideRange range = found->second;
  ranges.erase(found);
  OutsideRanges().count.store(ranges.size(), std::memory_order_release);
  return range;
}

std::optional<OutsideRange> FindOutsideRange(const void* address) {
  if (OutsideRanges().count.load(std::memory_order_acquire) == 0) return std::nullopt;
  MutexLock lock(OutsideRanges().mutex);
  auto& ranges = OutsideRanges().by_start;
  const auto after = ranges.upper_bound(reinterpret_cast<uintptr_t>(address));
  if (after == ranges.begin()) return std::nullopt;
  const OutsideRange& range = std::prev(after)->second;
  if (static_cast<const std::byte*>(address) >= range.data + range.bytes) return std::nullopt;
  return range;
}

Status RegisterHostMemory(void* data, size_t bytes, bool pinned) {
  const auto start = reinterpret_cast<uintptr_t>(data);
  if (bytes > std::numeric_limits<uintptr_t>::max() - start) {
    return Status::Error(Code::kInvalidValue, "%zu bytes at %p go beyond the last address", bytes, data);
  }
  if (OverlapsArena(static_cast<std::byte*>(data), bytes)) {
    return Status::Error(Code::kInvalidValue,
                         "%p comes from aclrtMalloc or aclrtMallocHost; only memory that the application "
                         "allocated itself can be registered",
                         data);
  }
  if (!IsMapped(start, bytes)) {
    return Status::Error(Code::kInvalidValue, "%zu bytes at %p are not all memory of this process", bytes,
                         data);
  }
  const MemoryPlace place = pinned ? MemoryPlace::kPinned : MemoryPlace::kPageable;
  return AddOutsideRange(
      {static_cast<std::byte*>(data), bytes, {place, -1, pinned ? data : nullptr, pinned ? bytes : 0}, true});
}

}  // namespace tandem
