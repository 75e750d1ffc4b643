// SPDX-License-Identifier: Apache-2.0
#include "stream/address_store.h"

#include <sys/mman.h>

#include <cerrno>
#include <iterator>

namespace tandem {
namespace {

constexpr size_t kPage = 4096;
constexpr size_t kHugePage = size_t{2} << 20;
// More than any process can have.
constexpr size_t kMost = size_t{1} << 47;

uintptr_t RoundUp(uintptr_t value, size_t alignment) { return (value + alignment - 1) & ~(alignment - 1); }

void* Address(uintptr_t number) {
  return reinterpret_cast<void*>(number);  // NOLINT(performance-no-int-to-ptr)
}

uintptr_t Reserve(uintptr_t wish, size_t bytes, int flags) {
  void* got =
      mmap(Address(wish), bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | flags, -1, 0);
  return got == MAP_FAILED ? 0 : reinterpret_cast<uintptr_t>(got);
}

}  // namespace

void AddressStore::Add(uintptr_t at, size_t bytes) {
  auto next = ranges_.lower_bound(at);
  if (next != ranges_.end() && next->first == at + bytes) {
    bytes += next->second;
    next = ranges_.erase(next);
  }
  if (next != ranges_.begin()) {
    const auto before = std::prev(next);
    if (before->first + before->second == at) {
      before->second += bytes;
      return;
    }
  }
  ranges_.emplace(at, bytes);
}

uintptr_t AddressStore::Take(size_t bytes, bool huge, uintptr_t wish) {
  if (bytes > kMost) return 0;
  bytes = RoundUp(bytes, kPage);
  const size_t alignment = huge ? kHugePage : kPage;
  if (wish % alignment != 0) return 0;
  for (auto range = ranges_.begin(); range != ranges_.end(); ++range) {
    const auto [start, size] = *range;
    const uintptr_t at = wish != 0 ? wish : RoundUp(start, alignment);
    if (at < start || at - start > size || size - (at - start) < bytes) continue;
    ranges_.erase(range);
    if (at > start) ranges_.emplace(start, at - start);
    if (at + bytes < start + size) ranges_.emplace(at + bytes, start + size - at - bytes);
    return at;
  }
  return 0;
}

Result<uintptr_t> AddressStore::Fresh(size_t bytes, bool huge, uintptr_t wish) {
  const Status none = Status::Error(Code::kOutOfMemory, "no range of %zu addresses is free", bytes);
  if (bytes > kMost) return none;
  bytes = RoundUp(bytes, kPage);
  const size_t alignment = huge ? kHugePage : kPage;
  if (wish != 0 && wish % alignment == 0) {
    const uintptr_t at = Reserve(wish, bytes, MAP_FIXED_NOREPLACE);
    if (at == wish) return at;
    // Kernels that do not know the flag take the address as a mere hint.
    if (at != 0) munmap(Address(at), bytes);
  }
  const size_t spare = huge ? kHugePage : 0;
  const uintptr_t got = Reserve(0, bytes + spare, 0);
  if (got == 0) return none;
  const uintptr_t at = RoundUp(got, alignment);
  if (at > got) munmap(Address(got), at - got);
  if (got + spare > at) munmap(Address(at + bytes), got + spare - at);
  return at;
}

}  // namespace tandem
