// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>

#include "base/futex.h"

// Clang checks these at compile time (-Wthread-safety); other compilers see nothing.
#if defined(__clang__)
#define TANDEM_ATTRIBUTE(x) __attribute__((x))
#else
#define TANDEM_ATTRIBUTE(x)
#endif
#define TANDEM_CAPABILITY(x) TANDEM_ATTRIBUTE(capability(x))
#define TANDEM_SCOPED_CAPABILITY TANDEM_ATTRIBUTE(scoped_lockable)
#define TANDEM_GUARDED_BY(x) TANDEM_ATTRIBUTE(guarded_by(x))
#define TANDEM_REQUIRES(...) TANDEM_ATTRIBUTE(requires_capability(__VA_ARGS__))
#define TANDEM_ACQUIRE(...) TANDEM_ATTRIBUTE(acquire_capability(__VA_ARGS__))
#define TANDEM_RELEASE(...) TANDEM_ATTRIBUTE(release_capability(__VA_ARGS__))
#define TANDEM_TRY_ACQUIRE(...) TANDEM_ATTRIBUTE(try_acquire_capability(__VA_ARGS__))
#define TANDEM_EXCLUDES(...) TANDEM_ATTRIBUTE(locks_excluded(__VA_ARGS__))
#define TANDEM_NO_THREAD_SAFETY_ANALYSIS TANDEM_ATTRIBUTE(no_thread_safety_analysis)

namespace tandem {

// A lock of one word. The library takes several of them for each transfer and nearly always finds them free,
// so locking and unlocking are one inlined atomic step each: std::mutex's calls into the C library were a
// fifth of the time of a small transfer. Not recursive; usable in zeroed memory.
//
// acquire in Lock pairs with release in Unlock. A thread that finds the lock held leaves kContended behind
// and sleeps on the word; whoever unlocks a contended lock wakes one sleeper, which takes it as contended
// again, since it cannot know whether it was the last.
class TANDEM_CAPABILITY("mutex") Mutex {
 public:
  Mutex() = default;
  Mutex(const Mutex&) = delete;
  Mutex& operator=(const Mutex&) = delete;

  void Lock() TANDEM_ACQUIRE() {
    if (!Take()) [[unlikely]]
      LockContended();
  }
  void Unlock() TANDEM_RELEASE() {
    if (word_.exchange(kFree, std::memory_order_release) == kContended) [[unlikely]]
      FutexWake(word_, 1, FutexScope::kPrivate);
  }
  bool TryLock() TANDEM_TRY_ACQUIRE(true) { return Take(); }

 private:
  static constexpr uint32_t kFree = 0;
  static constexpr uint32_t kHeld = 1;
  static constexpr uint32_t kContended = 2;  // held, and somebody may sleep

  bool Take() {
    uint32_t free = kFree;
    return word_.compare_exchange_strong(free, kHeld, std::memory_order_acquire, std::memory_order_relaxed);
  }
  void LockContended();

  std::atomic<uint32_t> word_{kFree};
};

// Lets threads that hold a Mutex wait until another says that something has changed.
class CondVar {
 public:
  // Gives the lock up while it sleeps. May return without a reason: call it in a loop over the condition.
  void Wait(Mutex& mutex) TANDEM_REQUIRES(mutex);
  // Call it after the condition was changed under the same lock: a waiter that had not seen the change read
  // news_ before it, and its sleep then ends at once.
  void NotifyOne();

 private:
  std::atomic<uint32_t> news_{0};
};

class TANDEM_SCOPED_CAPABILITY MutexLock {
 public:
  explicit MutexLock(Mutex& mutex) TANDEM_ACQUIRE(mutex) : mutex_(mutex) { mutex_.Lock(); }
  ~MutexLock() TANDEM_RELEASE() { mutex_.Unlock(); }
  MutexLock(const MutexLock&) = delete;
  MutexLock& operator=(const MutexLock&) = delete;

 private:
  Mutex& mutex_;
};

}  // namespace tandem
