// SPDX-License-Identifier: Apache-2.0
#include "stream/virtual_memory.h"

#include <sys/mman.h>

#include <atomic>
#include <cerrno>
#include <map>
#include <utility>

#include "base/mutex.h"
#include "stream/address_store.h"
#include "stream/device.h"

namespace tandem {
namespace {

struct ReservedRange {
  size_t bytes = 0;
  bool used = false;  // something was mapped in it at some time
};

struct Mapped {
  size_t bytes = 0;
  std::shared_ptr<PhysicalMemory> memory;
  std::map<AccessPlace, uint32_t> access;
};

struct Space {
  Mutex mutex;
  std::map<uintptr_t, ReservedRange> ranges TANDEM_GUARDED_BY(mutex);
  std::map<uintptr_t, Mapped> mapped TANDEM_GUARDED_BY(mutex);
  AddressStore released TANDEM_GUARDED_BY(mutex);
  // Size of `mapped`, so that programs that use none of this pay nothing for it.
  std::atomic<size_t> mappings{0};
};

Space& Addresses() {
  static Space* const space = new Space;
  return *space;
}

uintptr_t Number(const void* address) { return reinterpret_cast<uintptr_t>(address); }
void* Pointer(uintptr_t number) {
  return reinterpret_cast<void*>(number);  // NOLINT(performance-no-int-to-ptr)
}

// The entry that contains [at, at + bytes), or the end.
template <typename Map>
auto FindAround(Map& map, uintptr_t at, size_t bytes) {
  auto after = map.upper_bound(at);
  if (after == map.begin()) return map.end();
  const auto entry = std::prev(after);
  const size_t offset = at - entry->first;
  return offset < entry->second.bytes && bytes <= entry->second.bytes - offset ? entry : map.end();
}

template <typename Map>
bool Overlaps(const Map& map, uintptr_t at, size_t bytes) {
  const auto next = map.lower_bound(at);
  if (next != map.end() && next->first - at < bytes) return true;
  return next != map.begin() && std::prev(next)->first + std::prev(next)->second.bytes > at;
}

Status NotMapped(const void* address) {
  return Status::Error(Code::kInvalidValue, "nothing is mapped at %p (aclrtMapMem)", address);
}

}  // namespace

Result<void*> ReserveAddresses(size_t bytes, void* wish, bool huge) {
  MutexLock lock(Addresses().mutex);
  uintptr_t at = Addresses().released.Take(bytes, huge, Number(wish));
  const bool used = at != 0;
  if (at == 0) {
    const Result<uintptr_t> fresh = AddressStore::Fresh(bytes, huge, Number(wish));
    if (!fresh) return fresh.status();
    at = *fresh;
  }
  const size_t taken = (bytes + kVirtualPage - 1) / kVirtualPage * kVirtualPage;
  Addresses().ranges.emplace(at, ReservedRange{taken, used});
  return Pointer(at);
}

Status ReleaseAddresses(void* at) {
  MutexLock lock(Addresses().mutex);
  const auto range = Addresses().ranges.find(Number(at));
  if (range == Addresses().ranges.end()) {
    return Status::Error(Code::kInvalidValue, "virPtr is %p, which is not the start of a reserved range", at);
  }
  const size_t bytes = range->second.bytes;
  if (Overlaps(Addresses().mapped, range->first, bytes)) {
    return Status::Error(Code::kInvalidValue, "something is still mapped in the range at %p (aclrtUnmapMem)",
                         at);
  }
  if (range->second.used) {
    static_cast<void>(madvise(at, bytes, MADV_DONTNEED));
    Addresses().released.Add(range->first, bytes);
  } else {
    munmap(at, bytes);
  }
  Addresses().ranges.erase(range);
  return Status::Ok();
}

Status MapPhysical(void* at, size_t bytes, std::shared_ptr<PhysicalMemory> memory) {
  const uintptr_t start = Number(at);
  if (start % kVirtualPage != 0 || bytes % kVirtualPage != 0 || bytes > memory->bytes()) {
    return Status::Error(Code::kInvalidValue,
                         "virPtr is %p and size %zu, expected multiples of %zu and a size of at most the "
                         "physical memory's %zu",
                         at, bytes, kVirtualPage, memory->bytes());
  }
  MutexLock lock(Addresses().mutex);
  const auto range = FindAround(Addresses().ranges, start, bytes);
  if (range == Addresses().ranges.end() || Overlaps(Addresses().mapped, start, bytes)) {
    return Status::Error(Code::kInvalidValue,
                         "%zu bytes at %p are not within one reserved range, or something is mapped there",
                         bytes, at);
  }
  const auto [entry, added] = Addresses().mapped.emplace(start, Mapped{bytes, std::move(memory), {}});
  if (mmap(at, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED | MAP_NORESERVE,
           entry->second.memory->fd().get(), 0) == MAP_FAILED) {
    const int error = errno;
    Addresses().mapped.erase(entry);
    return Status::FromErrno(error, "mapping %zu bytes (see vm.max_map_count)", bytes);
  }
  range->second.used = true;
  Addresses().mappings.store(Addresses().mapped.size(), std::memory_order_release);
  return Status::Ok();
}

Status UnmapPhysical(void* at) {
  std::shared_ptr<PhysicalMemory> memory;  // ends when the lock is free
  MutexLock lock(Addresses().mutex);
  const auto entry = Addresses().mapped.find(Number(at));
  if (entry == Addresses().mapped.end()) return NotMapped(at);
  // In one step, so that a task that writes there at this moment finds either pages or the other pages.
  constexpr int kFlags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE;
  if (mmap(at, entry->second.bytes, PROT_READ | PROT_WRITE, kFlags, -1, 0) == MAP_FAILED) {
    return Status::FromErrno(errno, "unmapping %zu bytes (see vm.overcommit_memory)", entry->second.bytes);
  }
  memory = std::move(entry->second.memory);
  Addresses().mapped.erase(entry);
  Addresses().mappings.store(Addresses().mapped.size(), std::memory_order_release);
  return Status::Ok();
}

std::shared_ptr<PhysicalMemory> PhysicalAt(const void* address) {
  MutexLock lock(Addresses().mutex);
  const auto entry = FindAround(Addresses().mapped, Number(address), 1);
  return entry == Addresses().mapped.end() ? nullptr : entry->second.memory;
}

MemoryLocation LocateMapped(const void* address) {
  if (Addresses().mappings.load(std::memory_order_acquire) == 0) return {};
  MutexLock lock(Addresses().mutex);
  const auto entry = FindAround(Addresses().mapped, Number(address), 1);
  if (entry == Addresses().mapped.end()) return {};
  const PhysicalMemory& memory = *entry->second.memory;
  return {memory.place(), memory.device(), Pointer(entry->first), entry->second.bytes};
}

Status SetAccess(void* at, size_t bytes, const AccessPlace& place, uint32_t flags) {
  MutexLock lock(Addresses().mutex);
  const auto entry = Addresses().mapped.find(Number(at));
  if (entry == Addresses().mapped.end()) return NotMapped(at);
  if (entry->second.bytes != bytes) {
    return Status::Error(Code::kInvalidValue, "size is %zu, expected the %zu bytes that are mapped at %p",
                         bytes, entry->second.bytes, at);
  }
  entry->second.access[place] = flags;
  return Status::Ok();
}

Result<uint32_t> GetAccess(const void* address, const AccessPlace& place, uint32_t own) {
  MutexLock lock(Addresses().mutex);
  const auto entry = FindAround(Addresses().mapped, Number(address), 1);
  if (entry == Addresses().mapped.end()) return NotMapped(address);
  const auto set = entry->second.access.find(place);
  if (set != entry->second.access.end()) return set->second;
  const PhysicalMemory& memory = *entry->second.memory;
  if (place.host) return memory.place() == MemoryPlace::kPinned ? own : 0;
  const bool same = memory.place() == MemoryPlace::kDevice &&
                    static_cast<uint32_t>(UserIdOfDevice(memory.device())) == place.id;
  return same ? own : 0;
}

}  // namespace tandem
