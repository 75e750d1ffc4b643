// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mutex>

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

// std::mutex that the compiler's lock check understands.
class TANDEM_CAPABILITY("mutex") Mutex {
 public:
  void Lock() TANDEM_ACQUIRE() { mutex_.lock(); }
  void Unlock() TANDEM_RELEASE() { mutex_.unlock(); }
  bool TryLock() TANDEM_TRY_ACQUIRE(true) { return mutex_.try_lock(); }
  // For std::condition_variable only.
  std::mutex& native() { return mutex_; }

 private:
  std::mutex mutex_;
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
