// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "base/futex.h"
#include "base/mutex.h"

namespace tandem {

class Stream;

// Runs the streams that nobody waits for, on about as many threads as there are cores, and decides how long a
// waiting thread spins before it sleeps. One for the process; its threads start with the first stream that
// needs them.
class Executor {
 public:
  static Executor& Process();

  // News for a stream without an owner: a worker runs it as soon as possible.
  void Schedule(Stream& stream);

  // Work that the calling thread will probably do itself in a moment, when it synchronizes: a worker takes
  // the stream only after a grace period. Makes no system call while a worker is awake anyway.
  void ScheduleLater(Stream& stream);

  // Look at the stream again at `when`, if nobody did before. At most one entry for each stream.
  void ScheduleAt(Stream& stream, Deadline when);

  // Runs one ready stream on the calling thread, if there is one.
  bool RunOne();

  // Starts the workers now, so that somebody attends the doorbell.
  void EnsureWorkers();

  // How long a waiter polls before it sleeps: set from cores and ranks of the host.
  std::chrono::nanoseconds spin() const {
    return std::chrono::nanoseconds(spin_ns_.load(std::memory_order_relaxed));
  }
  // What a communicator learned of this host: how many ranks it runs, on how many different cores.
  void NoteHost(uint32_t ranks, uint32_t cores);

  // One waiting thread may sleep at the doorbell itself, so that a peer's ring wakes it without a detour.
  bool TryAttend() { return !attended_.exchange(true, std::memory_order_acq_rel); }
  void StopAttending() { attended_.store(false, std::memory_order_release); }

 private:
  struct Later {
    Stream* stream;
    Deadline due;
  };
  struct Timer {
    Deadline when;
    Stream* stream;
    bool operator>(const Timer& other) const { return when > other.when; }
  };

  Executor();
  void WorkerMain();
  Stream* PopReady(Deadline now) TANDEM_REQUIRES(mutex_);
  void FireTimers(Deadline now);
  void Wake();

  Mutex mutex_;
  std::deque<Stream*> ready_ TANDEM_GUARDED_BY(mutex_);
  std::deque<Later> later_ TANDEM_GUARDED_BY(mutex_);
  std::vector<Timer> timers_ TANDEM_GUARDED_BY(mutex_);  // a heap, earliest first
  bool started_ TANDEM_GUARDED_BY(mutex_) = false;
  bool lingering_ TANDEM_GUARDED_BY(mutex_) = false;
  std::atomic<uint32_t> queued_{0};  // entries of ready_, to be read without the lock
  std::atomic<int64_t> spin_ns_;
  std::atomic<bool> attended_{false};
  const uint32_t workers_;
};

}  // namespace tandem
