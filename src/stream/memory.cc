// SPDX-License-Identifier: Apache-2.0
#include "stream/memory.h"

#include <array>
#include <atomic>
#include <cstdint>
#include <limits>
#include <optional>

#include "base/config.h"
#include "base/thread_local.h"
#include "stream/device.h"
#include "stream/outside_memory.h"
#include "stream/virtual_memory.h"
#include "transport/shm/arena.h"

namespace tandem {
namespace {

using shm::Arena;

constexpr uint32_t kHostOwner = std::numeric_limits<uint32_t>::max();
// With the number of the device: the block belongs to a memory pool.
constexpr uint32_t kPoolBit = uint32_t{1} << 30;
constexpr size_t kUnit = 32;

int32_t DeviceOf(const Arena::Block& block) { return static_cast<int32_t>(block.owner & ~kPoolBit); }
bool IsPooled(const Arena::Block& block) {
  return block.owner != kHostOwner && (block.owner & kPoolBit) != 0;
}

Result<size_t> ChargedBytes(size_t bytes, bool guard) {
  if (bytes > std::numeric_limits<size_t>::max() - 2 * kUnit) {
    return Status::Error(Code::kInvalidArgument, "size %zu is too large to be rounded up", bytes);
  }
  return (bytes + kUnit - 1) / kUnit * kUnit + (guard ? kUnit : 0);
}

Status NotOwned(const void* data, const char* expected) {
  return Status::Error(Code::kInvalidValue, "%p is not %s", data, expected);
}

// The allocations that a thread asked about last, so that it need not take the arena's lock for the same
// buffers again and again. A freed one may be taken for live by a thread that races with the free; what is
// refused is always looked up.
struct Extent {
  uintptr_t begin = 0;
  uintptr_t end = 0;
};
struct ExtentCache {
  static constexpr size_t kEntries = 16;
  uint64_t frees = 0;  // how many there were when the entries were made
  std::array<Extent, kEntries> entries{};
  // By units of the smallest distance between two allocations, so that small buffers side by side do not
  // share an entry. Multiplied, since large buffers begin at multiples of large powers of two.
  Extent& EntryOf(uintptr_t address) {
    return entries[((address / Arena::kAlignment) * 0x9E3779B97F4A7C15U) >> 32 & (kEntries - 1)];
  }
};

TANDEM_FAST_THREAD_LOCAL ExtentCache extent_cache;
constinit std::atomic<uint64_t> frees{0};

Status LookUpExtent(const Arena& arena, const void* data, size_t bytes, const char* argument) {
  // Before the look-up: an entry that a free overtakes carries the older number, and is not used.
  const uint64_t before = frees.load(std::memory_order_acquire);
  const std::optional<Arena::Block> block = arena.Find(data);
  if (!block) {
    return Status::Error(Code::kInvalidValue,
                         "%s is %p, device memory that is not allocated; was it freed already?", argument,
                         data);
  }
  const auto begin = reinterpret_cast<uintptr_t>(data);
  const auto start = reinterpret_cast<uintptr_t>(block->data);
  const Extent extent{start, start + block->bytes};
  if (bytes > extent.end - begin) {
    return Status::Error(
        Code::kInvalidValue,
        "%s is %p with %zu bytes, but its allocation of %zu bytes (padding included) ends %zu "
        "bytes from there",
        argument, data, bytes, block->bytes, static_cast<size_t>(extent.end - begin));
  }
  if (extent_cache.frees != before) extent_cache = {};
  extent_cache.frees = before;
  extent_cache.EntryOf(begin) = extent;
  return Status::Ok();
}

enum class Kind { kHost, kDevice, kPool };

Kind KindOf(const Arena::Block& block) {
  if (block.owner == kHostOwner) return Kind::kHost;
  return IsPooled(block) ? Kind::kPool : Kind::kDevice;
}

const char* KindName(Kind kind) {
  switch (kind) {
    case Kind::kHost:
      return "host memory";
    case Kind::kDevice:
      return "device memory";
    case Kind::kPool:
      return "memory of a pool";
  }
  return "";
}

const char* FreeCall(Kind kind) {
  switch (kind) {
    case Kind::kHost:
      return "aclrtFreeHost";
    case Kind::kDevice:
      return "aclrtFree";
    case Kind::kPool:
      return "aclrtMemPoolFreeAsync";
  }
  return "";
}

// Frees the block if it belongs to the right kind of memory.
Result<Arena::Block> FreeBlock(void* data, Kind kind) {
  const char* expected = kind == Kind::kHost
                             ? "the start of memory from aclrtMallocHost that is still allocated"
                             : "the start of memory from aclrtMalloc that is still allocated";
  Arena* arena = Arena::ProcessOrNull();
  const std::optional<Arena::Block> block = arena == nullptr ? std::nullopt : arena->Find(data);
  if (!block || block->data != data) return NotOwned(data, expected);
  if (KindOf(*block) != kind) {
    return Status::Error(Code::kInvalidValue, "%p is %s; free it with %s", data, KindName(KindOf(*block)),
                         FreeCall(KindOf(*block)));
  }
  Result<Arena::Block> freed = arena->Free(data);
  frees.fetch_add(1, std::memory_order_release);  // pairs with the loads of those who look up extents
  return freed;
}

Result<void*> AllocateOnDevice(int32_t device, size_t bytes, bool guard, uint32_t owner_bits) {
  const Result<size_t> charged = ChargedBytes(bytes, guard);
  if (!charged) return charged.status();
  const Result<Arena*> arena = Arena::Process();
  if (!arena) return arena.status();
  if (const Result<uint64_t> capacity = config::DeviceMemoryBytes(); !capacity) return capacity.status();
  Device& owner = Device::Get(device);
  if (!owner.TakeMemory(*charged)) {
    return Status::Error(
        Code::kOutOfMemory,
        "%zu bytes were asked for; device %d has %llu of %llu bytes free (TANDEM_DEVICE_MEMORY sets the "
        "capacity)",
        bytes, UserIdOfDevice(device), static_cast<unsigned long long>(DeviceMemoryInfo(device).free_bytes),
        static_cast<unsigned long long>(Device::MemoryCapacity()));
  }
  Result<void*> data = (*arena)->Allocate(*charged, 1, static_cast<uint32_t>(device) | owner_bits);
  if (!data) owner.ReturnMemory(*charged);
  return data;
}

Status FreeOnDevice(void* data, Kind kind) {
  const Result<Arena::Block> block = FreeBlock(data, kind);
  if (!block) return block.status();
  Device::Get(DeviceOf(*block)).ReturnMemory(block->bytes);
  return Status::Ok();
}

}  // namespace

Result<void*> AllocateDeviceMemory(int32_t device, size_t bytes, bool guard) {
  return AllocateOnDevice(device, bytes, guard, 0);
}

Status FreeDeviceMemory(void* data) { return FreeOnDevice(data, Kind::kDevice); }

Result<void*> AllocatePoolMemory(int32_t device, size_t bytes) {
  return AllocateOnDevice(device, bytes, false, kPoolBit);
}

Status FreePoolMemory(void* data) { return FreeOnDevice(data, Kind::kPool); }

Result<void*> AllocateHostMemory(size_t bytes) {
  const Result<size_t> charged = ChargedBytes(bytes, false);
  if (!charged) return charged.status();
  const Result<Arena*> arena = Arena::Process();
  if (!arena) return arena.status();
  return (*arena)->Allocate(*charged, 1, kHostOwner);
}

Status FreeHostMemory(void* data) { return FreeBlock(data, Kind::kHost).status(); }

MemoryLocation Locate(const void* address) {
  const Arena* arena = Arena::ProcessOrNull();
  const std::optional<Arena::Block> block = arena == nullptr ? std::nullopt : arena->Find(address);
  if (!block) {
    const std::optional<OutsideRange> range = FindOutsideRange(address);
    return range ? range->location : LocateMapped(address);
  }
  if (block->owner == kHostOwner) return {MemoryPlace::kPinned, -1, block->data, block->bytes};
  return {MemoryPlace::kDevice, DeviceOf(*block), block->data, block->bytes};
}

Status CheckExtent(const void* data, size_t bytes, const char* argument) {
  const auto begin = reinterpret_cast<uintptr_t>(data);
  const Arena* arena = Arena::ProcessOrNull();
  if (arena != nullptr && arena->Contains(data, 1)) {
    const Extent& known = extent_cache.EntryOf(begin);
    const bool fits = begin >= known.begin && begin < known.end && bytes <= known.end - begin;
    if (fits && extent_cache.frees == frees.load(std::memory_order_acquire)) [[likely]]
      return Status::Ok();
    return LookUpExtent(*arena, data, bytes, argument);
  }
  if (bytes <= UINTPTR_MAX - begin) [[likely]]
    return Status::Ok();
  return Status::Error(Code::kInvalidValue,
                       "%s is %p with %zu bytes, more than the address space has from there", argument, data,
                       bytes);
}

MemoryInfo DeviceMemoryInfo(int32_t device) {
  const uint64_t total = Device::MemoryCapacity();
  const uint64_t used = Device::Get(device).memory_used();
  return {total - used, total};
}

}  // namespace tandem
