// SPDX-License-Identifier: Apache-2.0
#include "transport/shm/arena.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <algorithm>
#include <bit>

#include "base/host_memory.h"

namespace tandem::shm {
namespace {

constexpr size_t kPage = 4096;
constexpr size_t kHugePage = size_t{2} << 20;
constexpr size_t kSmallestArena = size_t{64} << 20;
// From this size on, a block is checked against the host's memory before, and given back to the system after
// its life.
constexpr size_t kLargeBlock = size_t{1} << 20;

size_t RoundUp(size_t value, size_t alignment) { return (value + alignment - 1) & ~(alignment - 1); }

// Blocks that may be exported or mapped by peers start at a page; very large ones at a huge page.
size_t NaturalAlignment(size_t bytes) {
  if (bytes >= kHugePage) return kHugePage;
  return bytes >= kPage ? kPage : Arena::kAlignment;
}

// `ulimit -f` counts for anonymous files too, and going over it raises a signal.
size_t LargestFile() {
  rlimit limit{};
  if (getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return SIZE_MAX;
  return static_cast<size_t>(limit.rlim_cur);
}

// Pages of the region that exist now.
size_t ResidentBytes(const UniqueFd& fd) {
  struct stat info {};
  if (fstat(fd.get(), &info) != 0) return 0;
  return static_cast<size_t>(info.st_blocks) * 512;
}

}  // namespace

std::atomic<Arena*> Arena::process_{nullptr};

Arena::Arena(UniqueFd fd, Mapping mapping) : fd_(std::move(fd)), mapping_(std::move(mapping)) {
  gaps_.emplace(0, mapping_.bytes());
}

Result<std::unique_ptr<Arena>> Arena::Create(size_t bytes) {
  Result<UniqueFd> fd = CreateMemfd("tandem-arena", bytes);
  if (!fd) return fd.status();
  Result<Mapping> mapping = Mapping::Shared(*fd, bytes);
  if (!mapping) return mapping.status();
  // Both are only wishes: a core dump without the payload, and fewer page faults.
  static_cast<void>(madvise(mapping->data(), bytes, MADV_DONTDUMP));
  static_cast<void>(madvise(mapping->data(), bytes, MADV_HUGEPAGE));
  return std::unique_ptr<Arena>(new Arena(std::move(*fd), std::move(*mapping)));
}

Result<Arena*> Arena::Process() {
  if (Arena* made = ProcessOrNull()) return made;
  static Mutex making;
  MutexLock lock(making);
  if (Arena* made = ProcessOrNull()) return made;
  size_t bytes = std::max<size_t>(std::bit_ceil(HostMemoryTotal()) * 2, kSmallestArena);
  while (bytes > LargestFile() && bytes > kSmallestArena) bytes /= 2;
  for (;;) {
    Result<std::unique_ptr<Arena>> arena = Create(bytes);
    if (arena) {
      // Never freed: see the class comment.
      process_.store(arena->release(), std::memory_order_release);
      return ProcessOrNull();
    }
    if (bytes <= kSmallestArena)
      return std::move(arena).status().Annotate("making the region for device memory");
    bytes /= 2;
  }
}

Result<size_t> Arena::TakeGap(size_t bytes, size_t alignment) {
  // Best fit keeps large gaps whole; the number of gaps is small, so a walk is cheap enough.
  auto best = gaps_.end();
  size_t best_at = 0;
  const uintptr_t start = reinterpret_cast<uintptr_t>(base());
  for (auto gap = gaps_.begin(); gap != gaps_.end(); ++gap) {
    const size_t at = RoundUp(start + gap->first, alignment) - start;
    if (at - gap->first > gap->second || gap->second - (at - gap->first) < bytes) continue;
    if (best != gaps_.end() && best->second <= gap->second) continue;
    best = gap;
    best_at = at;
  }
  if (best == gaps_.end()) {
    return Status::Error(Code::kOutOfMemory,
                         "no gap of %zu bytes is left in the region for device memory (%zu bytes)", bytes,
                         this->bytes());
  }
  const auto [gap_at, gap_bytes] = *best;
  gaps_.erase(best);
  if (best_at > gap_at) gaps_.emplace(gap_at, best_at - gap_at);
  const size_t end = best_at + bytes;
  if (end < gap_at + gap_bytes) gaps_.emplace(end, gap_at + gap_bytes - end);
  return best_at;
}

Result<void*> Arena::Allocate(size_t bytes, size_t alignment, uint32_t owner) {
  if (bytes == 0 || bytes > this->bytes()) {
    return Status::Error(Code::kOutOfMemory, "%zu bytes were asked for; the region for device memory has %zu",
                         bytes, this->bytes());
  }
  alignment = std::max(alignment, NaturalAlignment(bytes));
  const size_t taken = RoundUp(bytes, bytes >= kPage ? kPage : Arena::kAlignment);
  // Pages appear when they are touched, and touching what the host does not have ends the process: so promise
  // no more than there is, counting what was promised before and not touched yet.
  const uint64_t available = taken >= kLargeBlock ? HostMemoryAvailable() : 0;
  const size_t resident = taken >= kLargeBlock ? ResidentBytes(fd_) : 0;

  MutexLock lock(mutex_);
  if (taken >= kLargeBlock) {
    const uint64_t promised = live_bytes_ > resident ? live_bytes_ - resident : 0;
    if (taken > available || available - taken < promised) {
      return Status::Error(
          Code::kOutOfMemory,
          "%zu bytes were asked for; the host has %llu bytes available, of which %llu are promised to "
          "earlier allocations",
          bytes, static_cast<unsigned long long>(available), static_cast<unsigned long long>(promised));
    }
  }
  Result<size_t> offset = TakeGap(taken, alignment);
  if (!offset) return offset.status();
  live_.emplace(*offset, Live{Block{base() + *offset, bytes, owner}, taken});
  live_bytes_ += taken;
  return static_cast<void*>(base() + *offset);
}

Result<Arena::Block> Arena::Free(void* data) {
  if (!Contains(data, 1)) {
    return Status::Error(Code::kInvalidValue, "%p was not returned by an allocation call of this process",
                         data);
  }
  Live freed;
  const size_t offset = OffsetOf(data);
  {
    MutexLock lock(mutex_);
    const auto found = live_.find(offset);
    if (found == live_.end()) {
      return Status::Error(Code::kInvalidValue,
                           "%p is not the start of a live allocation (freed before, or an interior "
                           "pointer?)",
                           data);
    }
    freed = found->second;
    live_.erase(found);
    live_bytes_ -= freed.taken;
  }
  // The pages go before the space can be handed out again.
  if (freed.taken >= kLargeBlock) {
    static_cast<void>(fallocate(fd_.get(), FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
                                static_cast<off_t>(offset), static_cast<off_t>(freed.taken)));
  }
  MutexLock lock(mutex_);
  AddGap(offset, freed.taken);
  return freed.block;
}

void Arena::AddGap(size_t offset, size_t bytes) {
  auto next = gaps_.lower_bound(offset);
  if (next != gaps_.end() && next->first == offset + bytes) {
    bytes += next->second;
    next = gaps_.erase(next);
  }
  if (next != gaps_.begin()) {
    const auto before = std::prev(next);
    if (before->first + before->second == offset) {
      before->second += bytes;
      return;
    }
  }
  gaps_.emplace(offset, bytes);
}

std::optional<Arena::Block> Arena::Find(const void* address) const {
  if (!Contains(address, 1)) return std::nullopt;
  const size_t offset = OffsetOf(address);
  MutexLock lock(mutex_);
  auto after = live_.upper_bound(offset);
  if (after == live_.begin()) return std::nullopt;
  const Live& live = std::prev(after)->second;
  const auto* start = live.block.data;
  if (static_cast<const std::byte*>(address) >= start + live.block.bytes) return std::nullopt;
  return live.block;
}

}  // namespace tandem::shm
