// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>

namespace tandem {

// Who runs a stream, and whether there is news for it: one word, so that every hand-over is one atomic step.
//
// At any time at most one thread owns the stream (kRunning): a worker, or a thread that waits for the stream.
// News (SetReady) comes from any thread: a task was queued, a peer posted its half, an event was recorded.
//
// Why no news is lost: SetReady is a read-modify-write with release order that always leaves kReady behind,
// unless the owner is parked on purpose and the news is only a longer queue. The owner gives the stream up by
// a compare-exchange that fails while kReady is set; it clears kReady (acquire) only before it looks at the
// tasks again. So either the owner sees the news, or the one who brought it sees that there is no owner and
// queues the stream for a worker.
class RunState {
 public:
  enum class Notice : uint8_t { kNothing, kSchedule, kWakeParked, kWakeAtBell };

  // Leaves news. kSchedule: the caller must hand the stream to the executor's queue. kWake...: the owner
  // sleeps on word(), or at the process's doorbell.
  Notice SetReady() { return Leave(false); }

  // As SetReady, for a task that was only appended: an owner that is parked at an earlier task stays asleep.
  Notice SetAppended() { return Leave(true); }

  // Takes ownership; what was news before is being looked at from now on.
  bool TryAcquire() {
    uint32_t old = word_.load(std::memory_order_relaxed);
    while ((old & kRunning) == 0) {
      if (word_.compare_exchange_weak(old, (old | kRunning) & ~kReady, std::memory_order_acquire,
                                      std::memory_order_relaxed)) {
        return true;
      }
    }
    return false;
  }

  // A worker took the stream out of the executor's queue. True: it is the owner now.
  bool Dequeue() {
    uint32_t old = word_.load(std::memory_order_relaxed);
    for (;;) {
      const bool take = (old & kRunning) == 0;
      const uint32_t next = (take ? (old | kRunning) & ~kReady : old) & ~kQueued;
      if (word_.compare_exchange_weak(old, next, std::memory_order_acquire, std::memory_order_relaxed))
        return take;
    }
  }

  // Owner: takes note of news. True if there was any.
  bool TakeReady() {
    if ((word_.load(std::memory_order_relaxed) & kReady) == 0) return false;
    word_.fetch_and(~kReady, std::memory_order_acquire);
    return true;
  }

  // Owner: gives the stream up. False: there is news, look again first. Either way sets `guests` when
  // somebody waits to be told of what is done, and what the owner counted as done is visible to guests who
  // come later.
  bool TryRelease(bool& guests) {
    uint32_t old = word_.load(std::memory_order_relaxed);
    while ((old & kReady) == 0) {
      if (word_.compare_exchange_weak(old, old & ~(kRunning | kGuests), std::memory_order_release,
                                      std::memory_order_relaxed)) {
        guests = (old & kGuests) != 0;
        return true;
      }
    }
    guests = (word_.fetch_and(~kReady, std::memory_order_acq_rel) & kGuests) != 0;
    return false;
  }

  // Owner: gives up a stream that still has work. True: the caller must hand it to the executor's queue.
  bool ReleaseQueued(bool& guests) {
    uint32_t old = word_.load(std::memory_order_relaxed);
    for (;;) {
      const uint32_t next = (old | kQueued | kReady) & ~(kRunning | kGuests);
      if (word_.compare_exchange_weak(old, next, std::memory_order_release, std::memory_order_relaxed)) {
        guests = (old & kGuests) != 0;
        return (old & kQueued) == 0;
      }
    }
  }

  // Owner: says that it is about to sleep on word() (or at the doorbell). Returns the value to sleep on; when
  // it has news in it (HasReady), do not sleep.
  uint32_t BeginPark(bool at_bell) {
    const uint32_t bit = at_bell ? kAtBell : kParked;
    return word_.fetch_or(bit, std::memory_order_seq_cst) | bit;
  }
  void EndPark() { word_.fetch_and(~(kParked | kAtBell), std::memory_order_acquire); }
  static bool HasReady(uint32_t value) { return (value & kReady) != 0; }

  // A second thread waits for the stream while another owns it: the owner will be told when it gives up
  // (TryRelease). False: there is no owner now, try to acquire.
  bool AddGuest() {
    uint32_t old = word_.load(std::memory_order_relaxed);
    while ((old & kRunning) != 0) {
      if (word_.compare_exchange_weak(old, old | kGuests, std::memory_order_seq_cst,
                                      std::memory_order_relaxed)) {
        return true;
      }
    }
    return false;
  }
  bool HasGuests() const { return (word_.load(std::memory_order_seq_cst) & kGuests) != 0; }

  std::atomic<uint32_t>& word() { return word_; }

 private:
  static constexpr uint32_t kRunning = 1;  // a thread owns the stream
  static constexpr uint32_t kReady = 2;    // there is news that the owner has not looked at
  static constexpr uint32_t kQueued = 4;   // the executor's queue has an entry for it, possibly a stale one
  static constexpr uint32_t kParked = 8;   // the owner sleeps on this word
  static constexpr uint32_t kAtBell = 16;  // the owner sleeps at the process's doorbell
  static constexpr uint32_t kGuests = 32;  // other threads wait for the stream

  Notice Leave(bool appended_only) {
    uint32_t old = word_.load(std::memory_order_relaxed);
    for (;;) {
      uint32_t next = old | kReady;
      Notice notice = Notice::kNothing;
      if ((old & (kParked | kAtBell)) != 0) {
        if (appended_only) {
          next = old;
        } else if ((old & kReady) == 0) {
          notice = (old & kParked) != 0 ? Notice::kWakeParked : Notice::kWakeAtBell;
        }
      } else if ((old & (kRunning | kQueued)) == 0) {
        next |= kQueued;
        notice = Notice::kSchedule;
      }
      // release: what the bringer of the news wrote is visible to the owner that clears kReady.
      if (word_.compare_exchange_weak(old, next, std::memory_order_seq_cst, std::memory_order_relaxed))
        return notice;
    }
  }

  std::atomic<uint32_t> word_{0};
};

}  // namespace tandem
