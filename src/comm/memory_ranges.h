// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>

#include "base/mutex.h"
#include "base/status.h"

namespace tandem {

// Address ranges that a program announces for zero-copy transfers. Tandem copies straight between any two
// buffers and needs no announcement; the book is kept so that calls that do not fit each other are refused
// here as on a device. Thread-safe.
class MemoryRanges {
 public:
  // kInvalidArgument: empty, beyond the address space, or overlapping one that is set.
  Status Set(uintptr_t base, size_t bytes) TANDEM_EXCLUDES(mutex_);
  // kInvalidArgument: no such range, or part of it is active.
  Status Unset(uintptr_t base) TANDEM_EXCLUDES(mutex_);
  // kInvalidArgument: not inside one range that is set, or overlapping what is active.
  Status Activate(uintptr_t address, size_t bytes) TANDEM_EXCLUDES(mutex_);
  // kInvalidArgument: nothing active begins there.
  Status Deactivate(uintptr_t address) TANDEM_EXCLUDES(mutex_);

 private:
  using Ranges = std::map<uintptr_t, size_t>;  // begin, bytes; never overlapping

  Mutex mutex_;
  Ranges set_ TANDEM_GUARDED_BY(mutex_);
  Ranges active_ TANDEM_GUARDED_BY(mutex_);
};

}  // namespace tandem
