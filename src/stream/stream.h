// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <utility>

#include "base/mutex.h"
#include "base/status.h"
#include "stream/run_state.h"
#include "stream/task.h"

namespace tandem {

// A queue of tasks that run one after the other, each after the one before it has finished. Progressed by
// whoever waits for it, else by the executor's workers; never by a thread of its own.
//
// Thread-safe. A Stream object is never freed (StreamPool hands it out again), so a late Notify() from a
// peer's thread is harmless: it makes a stream look at its queue once too often.
class Stream {
 public:
  Stream() = default;
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  // Appends the task and starts it when it is the first. Never blocks.
  void Submit(std::unique_ptr<Task> task);

  // As Submit, for a task that is made here: a stream that is idle has room for one in itself.
  template <typename T, typename... Args>
  void Emplace(Args&&... args) {
    static_assert(sizeof(T) <= kRoomBytes && alignof(T) <= alignof(std::max_align_t));
    if (!state_.TryAcquire()) {
      SubmitPushed(std::make_unique<T>(std::forward<Args>(args)...));
      return;
    }
    const bool fits = IsEmpty() && !room_taken_;
    Task* task = nullptr;
    try {
      task = fits ? new (room_.data()) T(std::forward<Args>(args)...) : new T(std::forward<Args>(args)...);
    } catch (...) {
      StartInline();  // gives the stream up
      throw;
    }
    if (fits) task->in_room_ = room_taken_ = true;
    SubmitOwned(task);
  }

  // Number of tasks submitted so far; a ticket for Wait. Whatever was queued before a task has been counted
  // before it too, so a ticket taken after a Submit covers its task.
  uint64_t submitted() const {
    return pushed_.load(std::memory_order_acquire) + taken_.load(std::memory_order_acquire);
  }
  bool IsDone(uint64_t ticket) const { return completed_.load(std::memory_order_acquire) >= ticket; }

  // Runs the stream until `ticket` tasks are done. kStreamSyncTimeout at the deadline (everything goes on).
  // Errors of tasks are not reported here: see TakeError.
  Status Wait(uint64_t ticket, Deadline deadline);

  // The newest error of a task since the last call, and forgets it.
  Status TakeError();
  bool HasError() const { return failed_.load(std::memory_order_acquire); }

  // There is news for the task at the head. Any thread, at any time.
  void Notify();

  // Gives up the running task and drops those that are queued; returns when the stream is empty (kTimeout: it
  // is not, by the deadline). Tasks submitted meanwhile are dropped too. Threads in Wait return
  // kStreamAborted.
  Status Abort(const Status& why, Deadline deadline);

  // Called once for each failed task, on the thread that ran it, before waiting threads see the failure. Set
  // before the first Submit.
  using FailureHook = void (*)(Stream& stream, const Status& status, void* owner);
  void SetFailureHook(FailureHook hook, void* owner) {
    failure_hook_ = hook;
    failure_owner_ = owner;
  }
  // Called when the stream is handed out again.
  void Reset();

 private:
  friend class Executor;

  void Push(Task* task);
  void SubmitPushed(std::unique_ptr<Task> task);

  // All of these: REQUIRES ownership by RunState.
  bool IsEmpty() const { return front_ == nullptr && incoming_.load(std::memory_order_relaxed) == nullptr; }
  void SubmitOwned(Task* task);
  void Release(Task* task);
  Task* Front();
  void Pop();
  Step RunFront(RunContext& context);
  void StartInline();
  void RunAsWorker();
  bool RunAsOwner(uint64_t ticket, Deadline deadline, uint64_t aborts);
  void Leave();
  bool TryGiveUp();
  void Park(Deadline deadline);

  static constexpr uint64_t kAnyAborts = ~uint64_t{0};

  void WaitAsGuest(uint64_t ticket, Deadline deadline);
  void WakeGuests();
  void Handle(RunState::Notice notice);

  RunState state_;
  // Tasks that were submitted by a thread which owned the stream at that moment (only owners write it, so
  // counting is a plain store), and by all others.
  std::atomic<uint64_t> taken_{0};
  std::atomic<uint64_t> pushed_{0};
  std::atomic<uint64_t> completed_{0};  // written by owners only
  std::atomic<uint64_t> aborts_{0};
  std::atomic<bool> failed_{false};
  std::atomic<bool> cancelling_{false};
  std::atomic<uint32_t> guest_word_{0};

  // Owner only.
  static constexpr size_t kRoomBytes = 704;
  alignas(std::max_align_t) std::array<std::byte, kRoomBytes> room_;
  bool room_taken_ = false;
  Task* front_ = nullptr;  // a list; owned
  bool cancel_told_ = false;
  Deadline timer_ = kNever;  // guarded by the executor: when it will look at this stream again

  // Tasks that the owner has not taken over yet, newest first; owned. Pushed by any thread with release,
  // taken as a whole by the owner with acquire.
  std::atomic<Task*> incoming_{nullptr};

  Mutex error_mutex_;
  Status error_ TANDEM_GUARDED_BY(error_mutex_);
  Status cancel_reason_ TANDEM_GUARDED_BY(error_mutex_);

  FailureHook failure_hook_ = nullptr;
  void* failure_owner_ = nullptr;
};

}  // namespace tandem
