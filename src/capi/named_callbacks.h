// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "base/mutex.h"
#include "base/status.h"

namespace tandem::capi {

// Callbacks that the application registers under names. Thread-safe; callers call them from a copy, without a
// lock.
template <typename Function>
class NamedCallbacks {
 public:
  struct Entry {
    std::string name;
    Function* function;
    void* argument;
  };

  // A null function removes the entry of that name.
  Status Set(const char* name, Function* function, void* argument) {
    if (name == nullptr) return Status::Error(Code::kNullPointer, "regName is null");
    MutexLock lock(mutex_);
    const auto found = std::find_if(entries_.begin(), entries_.end(),
                                    [name](const Entry& entry) { return entry.name == name; });
    if (function == nullptr) {
      if (found != entries_.end()) entries_.erase(found);
      return Status::Ok();
    }
    if (found != entries_.end()) {
      return Status::Error(Code::kInvalidValue,
                           "regName \"%s\" is registered already; remove it first by registering a "
                           "null callback",
                           name);
    }
    entries_.push_back({name, function, argument});
    return Status::Ok();
  }

  std::vector<Entry> Entries() const {
    MutexLock lock(mutex_);
    return entries_;
  }

 private:
  mutable Mutex mutex_;
  std::vector<Entry> entries_ TANDEM_GUARDED_BY(mutex_);
};

}  // namespace tandem::capi
