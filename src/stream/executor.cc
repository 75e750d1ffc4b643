// SPDX-License-Identifier: Apache-2.0
#include "stream/executor.h"

#include <pthread.h>
#include <sys/prctl.h>

#include <algorithm>
#include <csignal>
#include <thread>

#include "base/config.h"
#include "base/cores.h"
#include "stream/stream.h"
#include "transport/shm/doorbell.h"

namespace tandem {
namespace {

using std::chrono::microseconds;
using std::chrono::nanoseconds;

// A stream that was queued by a thread which will probably wait for it in a moment is left alone for so long.
constexpr nanoseconds kGrace = microseconds(50);
// How often a worker that found nothing to do looks again before it goes to sleep for good: it saves the
// threads that queue work the system call that would wake it.
constexpr nanoseconds kFirstTick = microseconds(50);
constexpr nanoseconds kLastTick = microseconds(1000);
constexpr int kIdleTicks = 8;

// Spinning pays while every rank of the host has a core to itself; otherwise it takes the core from the rank
// that is waited for.
nanoseconds SpinFor(uint32_t ranks, uint32_t cores) {
  if (const auto chosen = config::SpinTime(); chosen && *chosen) return **chosen;
  const double limit = CoreTimeLimit();
  const double usable = limit > 0 ? std::min<double>(limit, cores) : cores;
  return ranks <= usable ? microseconds(100) : nanoseconds(0);
}

}  // namespace

Executor& Executor::Process() {
  // Never destroyed: workers run until the process ends.
  static Executor* executor = new Executor;
  return *executor;
}

Executor::Executor() : workers_(static_cast<uint32_t>(std::max<size_t>(1, AllowedCores().size()))) {
  spin_ns_.store(SpinFor(1, workers_).count());
}

void Executor::NoteHost(uint32_t ranks, uint32_t cores) {
  // Communicators share ranks, so the largest says most; one that spreads over more cores than ranks changes
  // nothing.
  const int64_t spin = SpinFor(ranks, cores).count();
  int64_t old = spin_ns_.load(std::memory_order_relaxed);
  while (spin < old && !spin_ns_.compare_exchange_weak(old, spin, std::memory_order_relaxed)) {
  }
}

void Executor::EnsureWorkers() {
  {
    MutexLock lock(mutex_);
    if (std::exchange(started_, true)) return;
  }
  // The application's signal handlers belong on the application's threads.
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  for (uint32_t i = 0; i < workers_; ++i) std::thread([this] { WorkerMain(); }).detach();
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

void Executor::Wake() { shm::Doorbell::Process().Kick(shm::Doorbell::Sleeper::kWorker); }

void Executor::Schedule(Stream& stream) {
  EnsureWorkers();
  {
    MutexLock lock(mutex_);
    ready_.push_back(&stream);
    queued_.store(static_cast<uint32_t>(ready_.size()), std::memory_order_relaxed);
  }
  Wake();
}

void Executor::ScheduleLater(Stream& stream) {
  EnsureWorkers();
  bool awake = false;
  {
    MutexLock lock(mutex_);
    later_.push_back({&stream, Clock::now() + kGrace});
    awake = lingering_;
  }
  if (!awake) Wake();
}

void Executor::ScheduleAt(Stream& stream, Deadline when) {
  EnsureWorkers();
  {
    MutexLock lock(mutex_);
    if (stream.timer_ <= when) return;
    stream.timer_ = when;
    timers_.push_back({when, &stream});
    std::push_heap(timers_.begin(), timers_.end(), std::greater<>());
    if (timers_.front().stream != &stream) return;
  }
  Wake();
}

Stream* Executor::PopReady(Deadline now) {
  Stream* stream = nullptr;
  if (!ready_.empty()) {
    stream = ready_.front();
    ready_.pop_front();
    queued_.store(static_cast<uint32_t>(ready_.size()), std::memory_order_relaxed);
  } else if (!later_.empty() && later_.front().due <= now) {
    stream = later_.front().stream;
    later_.pop_front();
  }
  return stream;
}

bool Executor::RunOne() {
  if (queued_.load(std::memory_order_relaxed) == 0) return false;
  Stream* stream = nullptr;
  {
    MutexLock lock(mutex_);
    if (ready_.empty()) return false;
    stream = PopReady(Deadline::min());
  }
  if (stream->state_.Dequeue()) stream->RunAsWorker();
  return true;
}

void Executor::FireTimers(Deadline now) {
  for (;;) {
    Stream* stream = nullptr;
    {
      MutexLock lock(mutex_);
      if (timers_.empty() || timers_.front().when > now) return;
      stream = timers_.front().stream;
      if (stream->timer_ == timers_.front().when) stream->timer_ = kNever;
      std::pop_heap(timers_.begin(), timers_.end(), std::greater<>());
      timers_.pop_back();
    }
    stream->Notify();
  }
}

void Executor::WorkerMain() {
  pthread_setname_np(pthread_self(), "tandem-worker");
  prctl(PR_SET_TIMERSLACK, 1000UL);  // nanoseconds; the default of 50 us would double the grace period
  shm::Doorbell& bell = shm::Doorbell::Process();
  nanoseconds tick = kFirstTick;
  int idle = kIdleTicks;
  for (;;) {
    bell.Drain();
    FireTimers(Clock::now());
    const uint32_t seen = bell.Prepare();
    Stream* stream = nullptr;
    Deadline due = kNever;
    bool linger = false;
    {
      MutexLock lock(mutex_);
      const Deadline now = Clock::now();
      stream = PopReady(now);
      if (stream == nullptr) {
        // One worker looks after the streams that were queued for later; the others sleep until somebody
        // wakes them.
        linger = !lingering_ && (idle < kIdleTicks || !later_.empty());
        if (!timers_.empty()) due = timers_.front().when;
        if (linger) {
          lingering_ = true;
          due = std::min(due, later_.empty() ? now + tick : later_.front().due);
        }
      }
    }
    if (stream != nullptr) {
      idle = 0;
      if (stream->state_.Dequeue()) {
        tick = kFirstTick;
        stream->RunAsWorker();
      }
      continue;
    }
    bell.Sleep(seen, due, shm::Doorbell::Sleeper::kWorker);
    if (linger) {
      MutexLock lock(mutex_);
      lingering_ = false;
      idle = later_.empty() ? idle + 1 : 0;
      tick = std::min(tick * 2, kLastTick);
    }
  }
}

}  // namespace tandem
