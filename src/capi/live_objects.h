// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <new>
#include <unordered_map>

#include "base/mutex.h"
#include "base/status.h"

namespace tandem::capi {

// Objects whose address the application holds, and which the header shows, so that no number can stand for
// them. An address is looked up before it is used: one that was destroyed or never came from here is refused.
template <typename Object>
class LiveObjects {
 public:
  // Null without memory.
  Object* Add(const Object& object) noexcept {
    try {
      auto owner = std::make_unique<Object>(object);
      Object* const address = owner.get();
      MutexLock lock(mutex_);
      objects_.emplace(address, std::move(owner));
      return address;
    } catch (const std::bad_alloc&) {
      return nullptr;
    }
  }

  bool Remove(const Object* address) {
    std::unique_ptr<Object> ended;
    MutexLock lock(mutex_);
    const auto found = objects_.find(address);
    if (found == objects_.end()) return false;
    ended = std::move(found->second);
    objects_.erase(found);
    return true;
  }

  // Calls `use` with the object while no other thread can remove it. False when there is none.
  template <typename Use>
  bool With(const Object* address, Use&& use) {
    MutexLock lock(mutex_);
    const auto found = objects_.find(address);
    if (found == objects_.end()) return false;
    use(*found->second);
    return true;
  }

 private:
  Mutex mutex_;
  std::unordered_map<const Object*, std::unique_ptr<Object>> objects_ TANDEM_GUARDED_BY(mutex_);
};

// kInvalidHandle for an address that LiveObjects does not know.
inline Status NotLive(const char* argument, const void* address, const char* expected) {
  return Status::Error(Code::kInvalidHandle, "%s is %p, which is no live object; expected %s", argument,
                       address, expected);
}

}  // namespace tandem::capi
