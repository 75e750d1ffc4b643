// SPDX-License-Identifier: Apache-2.0
#include "comm/memory_ranges.h"

#include <cinttypes>
#include <iterator>
#include <limits>

namespace tandem {
namespace {

Status CheckSize(const char* name, uintptr_t begin, size_t bytes) {
  if (bytes == 0) return Status::Error(Code::kInvalidArgument, "size is 0, expected more");
  if (bytes <= std::numeric_limits<uintptr_t>::max() - begin) return Status::Ok();
  return Status::Error(Code::kInvalidArgument,
                       "%s is 0x%" PRIxPTR " and size %zu: the range goes beyond all addresses", name, begin,
                       bytes);
}

// The range that shares an address with [begin, begin + bytes), or the end.
template <typename Ranges>
auto FindOverlap(Ranges& ranges, uintptr_t begin, size_t bytes) {
  auto next = ranges.upper_bound(begin);
  if (next != ranges.begin()) {
    const auto before = std::prev(next);
    if (before->first + before->second > begin) return before;
  }
  return next != ranges.end() && next->first < begin + bytes ? next : ranges.end();
}

// Refuses a range that shares an address with one of `ranges`; `state` is what those are.
template <typename Ranges>
Status CheckFree(Ranges& ranges, uintptr_t begin, size_t bytes, const char* state) {
  const auto other = FindOverlap(ranges, begin, bytes);
  if (other == ranges.end()) return Status::Ok();
  return Status::Error(Code::kInvalidArgument,
                       "%zu bytes at 0x%" PRIxPTR " overlap the range of %zu bytes at 0x%" PRIxPTR
                       ", which is %s already",
                       bytes, begin, other->second, other->first, state);
}

}  // namespace

Status MemoryRanges::Set(uintptr_t base, size_t bytes) {
  TANDEM_RETURN_IF_ERROR(CheckSize("baseVirPtr", base, bytes));
  MutexLock lock(mutex_);
  TANDEM_RETURN_IF_ERROR(CheckFree(set_, base, bytes, "set"));
  set_.emplace(base, bytes);
  return Status::Ok();
}

Status MemoryRanges::Unset(uintptr_t base) {
  MutexLock lock(mutex_);
  const auto found = set_.find(base);
  if (found == set_.end()) {
    return Status::Error(
        Code::kInvalidArgument,
        "baseVirPtr is 0x%" PRIxPTR ", where no range begins that HcclCommSetMemoryRange set", base);
  }
  const auto used = FindOverlap(active_, base, found->second);
  if (used != active_.end()) {
    return Status::Error(Code::kInvalidArgument,
                         "the range at 0x%" PRIxPTR " has active memory at 0x%" PRIxPTR
                         "; call HcclCommDeactivateCommMemory first",
                         base, used->first);
  }
  set_.erase(found);
  return Status::Ok();
}

Status MemoryRanges::Activate(uintptr_t address, size_t bytes) {
  TANDEM_RETURN_IF_ERROR(CheckSize("virPtr", address, bytes));
  MutexLock lock(mutex_);
  const auto range = FindOverlap(set_, address, bytes);
  if (range == set_.end() || range->first > address || address + bytes > range->first + range->second) {
    return Status::Error(Code::kInvalidArgument,
                         "%zu bytes at 0x%" PRIxPTR
                         " are not inside one range that HcclCommSetMemoryRange set",
                         bytes, address);
  }
  TANDEM_RETURN_IF_ERROR(CheckFree(active_, address, bytes, "active"));
  active_.emplace(address, bytes);
  return Status::Ok();
}

Status MemoryRanges::Deactivate(uintptr_t address) {
  MutexLock lock(mutex_);
  if (active_.erase(address) != 0) return Status::Ok();
  return Status::Error(Code::kInvalidArgument, "virPtr is 0x%" PRIxPTR ", where no active memory begins",
                       address);
}

}  // namespace tandem
