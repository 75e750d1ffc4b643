// SPDX-License-Identifier: Apache-2.0
#include "base/mutex.h"

namespace tandem {

void Mutex::LockContended() {
  while (word_.exchange(kContended, std::memory_order_acquire) != kFree) {
    FutexWait(word_, kContended, kNever, FutexScope::kPrivate);
  }
}

// The lock check cannot follow a lock that is given up and taken back.
void CondVar::Wait(Mutex& mutex) TANDEM_NO_THREAD_SAFETY_ANALYSIS {
  const uint32_t seen = news_.load(std::memory_order_relaxed);
  mutex.Unlock();
  FutexWait(news_, seen, kNever, FutexScope::kPrivate);
  mutex.Lock();
}

void CondVar::NotifyOne() {
  news_.fetch_add(1, std::memory_order_relaxed);
  FutexWake(news_, 1, FutexScope::kPrivate);
}

}  // namespace tandem
