// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

namespace tandem {

using Clock = std::chrono::steady_clock;
using Deadline = Clock::time_point;
// A wait without an end of its own. Compare with it; never add to it.
inline constexpr Deadline kNever = Deadline::max();

// Whether the futex word may be waited on and woken from several processes (then it must lie in shared
// memory).
enum class FutexScope : uint8_t { kPrivate, kShared };

// Sleeps while word == expected, at most until the deadline; may return early for no reason.
// Returns false only when the deadline has passed. `mask` chooses which wakes reach this sleeper.
bool FutexWait(std::atomic<uint32_t>& word, uint32_t expected, Deadline deadline, FutexScope scope,
               uint32_t mask = ~0U);

// Wakes up to `count` sleepers whose mask shares a bit with `mask`; returns how many were woken.
int FutexWake(std::atomic<uint32_t>& word, int count, FutexScope scope, uint32_t mask = ~0U);

// Tells the processor that this is a spin loop.
inline void CpuPause() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

// Begins to fetch a cache line that will soon be written. Not __builtin_prefetch, which only asks to read
// unless the compiler may assume a processor newer than the first x86-64; older ones skip the instruction.
inline void PrefetchToWrite(const void* line) {
#if defined(__x86_64__)
  asm volatile("prefetchw %0" : : "m"(*static_cast<const char*>(line)));
#else
  __builtin_prefetch(line, 1);
#endif
}

}  // namespace tandem
