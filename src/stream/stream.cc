// SPDX-License-Identifier: Apache-2.0
#include "stream/stream.h"

#include <algorithm>
#include <utility>

#include "stream/executor.h"
#include "transport/shm/doorbell.h"

namespace tandem {
namespace {

// For counters that only the owner of a stream writes. The hand-over of the stream orders owners; release is
// for those who only read.
void CountOne(std::atomic<uint64_t>& counter) {
  counter.store(counter.load(std::memory_order_relaxed) + 1, std::memory_order_release);
}

}  // namespace

void Stream::Submit(std::unique_ptr<Task> task) {
  if (state_.TryAcquire()) {
    SubmitOwned(task.release());
  } else {
    SubmitPushed(std::move(task));
  }
}

// Both count first, so that nobody sees more tasks completed than submitted.

void Stream::SubmitOwned(Task* task) {
  CountOne(taken_);
  // What this thread, or one that it knows of, queued before is either done or in one of the two lists, so an
  // idle stream can take the task directly.
  if (IsEmpty()) {
    front_ = task;
  } else {
    Push(task);
  }
  StartInline();
}

void Stream::SubmitPushed(std::unique_ptr<Task> task) {
  pushed_.fetch_add(1, std::memory_order_release);
  Push(task.release());
  Handle(state_.SetAppended());
}

void Stream::Push(Task* task) {
  Task* newest = incoming_.load(std::memory_order_relaxed);
  do {
    task->next_ = newest;
  } while (
      !incoming_.compare_exchange_weak(newest, task, std::memory_order_release, std::memory_order_relaxed));
}

void Stream::Notify() { Handle(state_.SetReady()); }

void Stream::Handle(RunState::Notice notice) {
  switch (notice) {
    case RunState::Notice::kNothing:
      break;
    case RunState::Notice::kSchedule:
      Executor::Process().Schedule(*this);
      break;
    case RunState::Notice::kWakeParked:
      FutexWake(state_.word(), 1, FutexScope::kPrivate);
      break;
    case RunState::Notice::kWakeAtBell:
      shm::Doorbell::Process().Kick(shm::Doorbell::Sleeper::kWaiter);
      break;
  }
}

Task* Stream::Front() {
  if (front_ == nullptr && incoming_.load(std::memory_order_relaxed) != nullptr) {
    Task* newest = incoming_.exchange(nullptr, std::memory_order_acquire);
    while (newest != nullptr) {
      Task* const older = std::exchange(newest->next_, front_);
      front_ = newest;
      newest = older;
    }
  }
  return front_;
}

void Stream::Release(Task* task) {
  if (task->in_room_) {
    task->~Task();
    room_taken_ = false;
  } else {
    delete task;
  }
}

void Stream::Pop() {
  Task* const done = front_;
  front_ = done->next_;
  if (!done->status().ok()) {
    if (failure_hook_ != nullptr) failure_hook_(*this, done->status(), failure_owner_);
    {
      MutexLock lock(error_mutex_);
      error_ = done->status();
    }
    failed_.store(true, std::memory_order_release);
  }
  Release(done);
  CountOne(completed_);
  // A guest either sees the new count after AddGuest, or is seen here: the fence is for that. When no task
  // follows, the owner's next step is to give the stream up, and that tells guests too.
  if (Front() == nullptr) return;
  std::atomic_thread_fence(std::memory_order_seq_cst);
  if (state_.HasGuests()) WakeGuests();
}

Step Stream::RunFront(RunContext& context) {
  if (cancelling_.load(std::memory_order_acquire) && !cancel_told_) {
    cancel_told_ = true;
    Status reason;
    {
      MutexLock lock(error_mutex_);
      reason = cancel_reason_;
    }
    front_->Cancel(reason);
  }
  const Step step = front_->Run(context);
  if (step == Step::kDone) {
    cancel_told_ = false;
    Pop();
  }
  return step;
}

void Stream::WakeGuests() {
  guest_word_.fetch_add(1, std::memory_order_seq_cst);
  FutexWake(guest_word_, INT32_MAX, FutexScope::kPrivate);
}

bool Stream::TryGiveUp() {
  bool guests = false;
  const bool released = state_.TryRelease(guests);
  if (guests) WakeGuests();
  return released;
}

// On the thread that queued a task: start what can be started, leave the rest to the thread that will wait,
// or to a worker when none comes.
void Stream::StartInline() {
  RunContext context(*this, true);
  for (;;) {
    if (Front() == nullptr) {
      if (TryGiveUp()) return;
      continue;
    }
    if (RunFront(context) != Step::kDone) break;
  }
  bool guests = false;
  const bool queue = state_.ReleaseQueued(guests);
  if (guests) WakeGuests();
  if (queue) Executor::Process().ScheduleLater(*this);
}

void Stream::RunAsWorker() {
  // After so many rounds of a stream that could go on for ever, other streams get their turn.
  constexpr int kFairRounds = 64;
  RunContext context(*this, false);
  for (int round = 0;; ++round) {
    if (Front() == nullptr) {
      if (TryGiveUp()) return;
      continue;
    }
    if (round == kFairRounds || state_.HasGuests()) {
      bool guests = false;
      const bool queue = state_.ReleaseQueued(guests);
      if (guests) WakeGuests();
      if (queue) Executor::Process().ScheduleLater(*this);
      return;
    }
    context.NextRound();
    if (RunFront(context) != Step::kBlocked || state_.TakeReady()) continue;
    if (!front_->Arm()) continue;
    const Deadline wake_at = front_->WakeAt();
    if (!TryGiveUp()) continue;
    if (wake_at != kNever) Executor::Process().ScheduleAt(*this, wake_at);
    return;
  }
}

void Stream::Leave() {
  for (;;) {
    if (completed_.load(std::memory_order_relaxed) != submitted()) {
      bool guests = false;
      const bool queue = state_.ReleaseQueued(guests);
      if (guests) WakeGuests();
      if (queue) Executor::Process().ScheduleLater(*this);
      return;
    }
    if (TryGiveUp()) return;
  }
}

void Stream::Park(Deadline deadline) {
  shm::Doorbell& bell = shm::Doorbell::Process();
  Executor& executor = Executor::Process();
  if (executor.TryAttend()) {
    const uint32_t seen = bell.Prepare();
    if (!RunState::HasReady(state_.BeginPark(true)))
      bell.Sleep(seen, deadline, shm::Doorbell::Sleeper::kWaiter);
    state_.EndPark();
    executor.StopAttending();
    bell.Drain();
  } else {
    const uint32_t value = state_.BeginPark(false);
    if (!RunState::HasReady(value)) FutexWait(state_.word(), value, deadline, FutexScope::kPrivate);
    state_.EndPark();
  }
}

// False: the deadline has passed, or the stream was aborted.
bool Stream::RunAsOwner(uint64_t ticket, Deadline deadline, uint64_t aborts) {
  // Reading the clock costs more than polling, and news must not wait for it: this many rounds go by without,
  // and a round that lingered in vain counts for several.
  constexpr int kRoundsPerClock = 16;
  constexpr int kVainRounds = 8;
  RunContext context(*this, false);
  const bool spins = Executor::Process().spin() > std::chrono::nanoseconds(0);
  Deadline sleepy = kNever;  // when to stop polling: set at the first fruitless polls
  int rounds = 0;
  while (!IsDone(ticket) && Front() != nullptr) {
    if (aborts != kAnyAborts && aborts_.load(std::memory_order_acquire) != aborts) return false;
    const Step step = RunFront(context);
    if (step == Step::kDone) continue;
    if (step == Step::kMore || state_.TakeReady()) {
      sleepy = kNever;
      context.NextRound();
      if (deadline != kNever && context.Now() >= deadline) return IsDone(ticket);
      continue;
    }
    if (spins) {
      rounds += front_->Linger() ? 1 : kVainRounds;
      if (rounds < kRoundsPerClock) continue;
      rounds = 0;
    } else {
      CpuPause();
    }
    context.NextRound();
    if (context.Now() >= deadline) return false;
    if (sleepy == kNever) sleepy = context.Now() + Executor::Process().spin();
    if (context.Now() < sleepy) continue;
    if (shm::Doorbell::Process().Drain() || Executor::Process().RunOne() || !front_->Arm()) continue;
    Park(std::min(deadline, front_->WakeAt()));
    sleepy = kNever;
    context.NextRound();
  }
  return true;
}

void Stream::WaitAsGuest(uint64_t ticket, Deadline deadline) {
  const uint32_t seen = guest_word_.load(std::memory_order_seq_cst);
  if (!state_.AddGuest()) return;
  // seq_cst: pairs with the fence in Pop.
  if (completed_.load(std::memory_order_seq_cst) >= ticket) return;
  // If the owner sleeps at an earlier task it stays the owner; news wakes it, and it tells the guests.
  FutexWait(guest_word_, seen, deadline, FutexScope::kPrivate);
}

Status Stream::Wait(uint64_t ticket, Deadline deadline) {
  const uint64_t aborts = aborts_.load(std::memory_order_acquire);
  while (!IsDone(ticket)) {
    if (aborts_.load(std::memory_order_acquire) != aborts) {
      return Status::Error(Code::kStreamAborted, "the stream was aborted while this thread waited for it");
    }
    if (state_.TryAcquire()) {
      const bool done = RunAsOwner(ticket, deadline, aborts);
      Leave();
      if (done) continue;
    } else {
      WaitAsGuest(ticket, deadline);
    }
    if (deadline != kNever && Clock::now() >= deadline && !IsDone(ticket)) {
      return Status::Error(Code::kStreamSyncTimeout, "the stream has unfinished work after the time limit");
    }
  }
  if (aborts_.load(std::memory_order_acquire) != aborts) {
    return Status::Error(Code::kStreamAborted, "the stream was aborted while this thread waited for it");
  }
  return Status::Ok();
}

Status Stream::TakeError() {
  if (!failed_.load(std::memory_order_acquire)) return Status::Ok();
  MutexLock lock(error_mutex_);
  failed_.store(false, std::memory_order_relaxed);
  return std::exchange(error_, Status::Ok());
}

Status Stream::Abort(const Status& why, Deadline deadline) {
  {
    MutexLock lock(error_mutex_);
    cancel_reason_ = why;
  }
  cancelling_.store(true, std::memory_order_seq_cst);
  aborts_.fetch_add(1, std::memory_order_seq_cst);  // threads in Wait leave
  Notify();
  WakeGuests();
  // While cancelling_ is set every task is cancelled before it runs, so the stream drains by itself.
  while (!IsDone(submitted())) {
    if (state_.TryAcquire()) {
      RunAsOwner(submitted(), deadline, kAnyAborts);
      Leave();
    } else {
      WaitAsGuest(submitted(), deadline);
    }
    if (deadline != kNever && Clock::now() >= deadline && !IsDone(submitted())) {
      return Status::Error(Code::kTimeout, "the stream still runs a task after the time limit of the abort");
    }
  }
  cancelling_.store(false, std::memory_order_seq_cst);
  // What the abort itself made fail is not an error of the application.
  static_cast<void>(TakeError());
  return Status::Ok();
}

void Stream::Reset() {
  static_cast<void>(TakeError());
  failure_hook_ = nullptr;
  failure_owner_ = nullptr;
  cancelling_.store(false, std::memory_order_release);
}

}  // namespace tandem
