// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>

#include "base/futex.h"
#include "base/status.h"

namespace tandem {

class Stream;

// What a task says after it was run.
enum class Step : uint8_t {
  kDone,     // finished, well or badly: see Task::status()
  kMore,     // did something, has more to do at once
  kBlocked,  // can do nothing until news comes
};

// How a task is run this time.
class RunContext {
 public:
  RunContext(Stream& of, bool only_start) : stream(&of), starting(only_start) {}

  Stream* const stream;
  // On the thread that queues the task: start it (post, register), but do nothing that takes longer than
  // about a microsecond; return kMore instead. Queueing must return at once, whatever the task.
  const bool starting;

  // The time of this round. Read only when somebody asks: the clock costs as much as a poll.
  Deadline Now() const {
    if (now_ == Deadline::min()) now_ = Clock::now();
    return now_;
  }
  // Whether somebody has asked in this round. What may as well begin a round later does not ask first.
  bool KnowsTime() const { return now_ != Deadline::min(); }
  void NextRound() { now_ = Deadline::min(); }

 private:
  mutable Deadline now_ = Deadline::min();
};

// One entry of a stream: a small state machine that whoever runs the stream pushes forward.
//
// Owned by its stream from Submit on. Only the thread that owns the stream at that moment calls its
// functions, so a task needs no lock for its own state; what other threads touch (peers, events) it must
// guard itself. A task that returned kBlocked must bring about Stream::Notify() when that changes, but for
// tasks whose news comes from another process it is enough to do so after Arm().
class Task {
 public:
  Task() = default;
  Task(const Task&) = delete;
  Task& operator=(const Task&) = delete;
  virtual ~Task() = default;

  virtual Step Run(const RunContext& context) = 0;

  // A thread that has a core for itself waits for this blocked task: poll for a fraction of a microsecond.
  // True as soon as there may be news. Shorter than the way from one Run to the next, and so sooner to
  // notice.
  virtual bool Linger() {
    CpuPause();
    return false;
  }

  // The runner is about to sleep or to leave the stream: from now on news must lead to Notify(). False: there
  // is news already, run again.
  virtual bool Arm() { return true; }

  // Latest time to run again without news (a time limit of the task).
  virtual Deadline WakeAt() { return kNever; }

  // Give up because of `why` (stream aborted or destroyed). After it the task must reach kDone without help
  // of any other rank or stream; until then it may still have to wait for a copy under way.
  virtual void Cancel(const Status& why) = 0;

  const Status& status() const { return status_; }

 protected:
  void Fail(Status status) {
    if (status_.ok()) status_ = std::move(status);
  }

 private:
  friend class Stream;
  Status status_;
  Task* next_ = nullptr;  // owned by the stream, like this task
  bool in_room_ = false;  // lies in its stream's own memory
};

}  // namespace tandem
