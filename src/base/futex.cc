// SPDX-License-Identifier: Apache-2.0
#include "base/futex.h"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <ctime>

namespace tandem {
namespace {

int Operation(int operation, FutexScope scope) {
  return scope == FutexScope::kPrivate ? operation | FUTEX_PRIVATE_FLAG : operation;
}

}  // namespace

bool FutexWait(std::atomic<uint32_t>& word, uint32_t expected, Deadline deadline, FutexScope scope,
               uint32_t mask) {
  static_assert(sizeof(std::atomic<uint32_t>) == sizeof(uint32_t) &&
                std::atomic<uint32_t>::is_always_lock_free);
  // FUTEX_WAIT_BITSET takes an absolute CLOCK_MONOTONIC time, which is what steady_clock counts on Linux.
  const auto since = std::chrono::duration_cast<std::chrono::nanoseconds>(deadline.time_since_epoch());
  timespec until{};
  until.tv_sec = static_cast<time_t>(since.count() / 1'000'000'000);
  until.tv_nsec = static_cast<long>(since.count() % 1'000'000'000);
  const long result = syscall(SYS_futex, &word, Operation(FUTEX_WAIT_BITSET, scope), expected,
                              deadline == kNever ? nullptr : &until, nullptr, mask);
  return !(result == -1 && errno == ETIMEDOUT);
}

int FutexWake(std::atomic<uint32_t>& word, int count, FutexScope scope, uint32_t mask) {
  const long woken =
      syscall(SYS_futex, &word, Operation(FUTEX_WAKE_BITSET, scope), count, nullptr, nullptr, mask);
  return woken > 0 ? static_cast<int>(woken) : 0;
}

}  // namespace tandem
