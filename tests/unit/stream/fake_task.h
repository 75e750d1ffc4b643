// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "base/mutex.h"
#include "stream/stream.h"
#include "stream/task.h"

namespace tandem::test {

// What a test and a task under test both hold: a gate that the test opens, and what happened to the task.
struct Gate {
  std::atomic<bool> open{false};
  std::atomic<std::thread::id> runner{};  // who ran the task last
  std::atomic<int> cancels{0};
  std::atomic<bool> destroyed{false};
  std::atomic<bool> inside{false};      // a thread is in one of the task's functions
  std::atomic<bool> overlapped{false};  // and another came
};

// Blocked until its gate is open, or until it is cancelled.
class GateTask final : public Task {
 public:
  explicit GateTask(std::shared_ptr<Gate> gate, Deadline wake_at = kNever)
      : gate_(std::move(gate)), wake_at_(wake_at) {}
  ~GateTask() override { gate_->destroyed.store(true); }

  Step Run(const RunContext& context) override {
    const Inside inside(*gate_);
    gate_->runner.store(std::this_thread::get_id());
    if (cancelled_ || gate_->open.load()) return Step::kDone;
    if (wake_at_ != kNever && context.Now() >= wake_at_) {
      Fail(Status::Error(Code::kTaskTimeout, "the gate was not opened in time"));
      return Step::kDone;
    }
    return Step::kBlocked;
  }
  bool Arm() override { return !gate_->open.load(); }
  Deadline WakeAt() override { return wake_at_; }
  void Cancel(const Status& why) override {
    const Inside inside(*gate_);
    gate_->cancels.fetch_add(1);
    cancelled_ = true;
    Fail(why);
  }

 private:
  class Inside {
   public:
    explicit Inside(Gate& gate) : gate_(gate) {
      if (gate_.inside.exchange(true)) gate_.overlapped.store(true);
    }
    ~Inside() { gate_.inside.store(false); }

   private:
    Gate& gate_;
  };

  const std::shared_ptr<Gate> gate_;
  const Deadline wake_at_;
  bool cancelled_ = false;
};

inline void Open(Gate& gate, Stream& stream) {
  gate.open.store(true);
  stream.Notify();
}

// Takes some rounds, then writes its number to a list without a lock: the stream must give it one thread at a
// time.
class CountingTask final : public Task {
 public:
  CountingTask(std::vector<uint32_t>& list, uint32_t number, int rounds, bool fails = false)
      : list_(list), number_(number), rounds_(rounds), fails_(fails) {}

  Step Run(const RunContext& context) override {
    if (!cancelled_ && (context.starting ? rounds_ > 0 : rounds_-- > 0)) return Step::kMore;
    list_.push_back(number_);
    if (fails_) Fail(Status::Error(Code::kTaskFailed, "task %u fails", number_));
    return Step::kDone;
  }
  void Cancel(const Status& why) override {
    cancelled_ = true;
    Fail(why);
  }

 private:
  std::vector<uint32_t>& list_;
  const uint32_t number_;
  int rounds_;
  const bool fails_;
  bool cancelled_ = false;
};

// Streams are never freed, since a late notice may still reach one.
inline Stream& NewStream() {
  // Kept where a leak checker sees it.
  static Mutex mutex;
  static auto* const streams = new std::vector<std::unique_ptr<Stream>>;
  const MutexLock lock(mutex);
  streams->push_back(std::make_unique<Stream>());
  return *streams->back();
}

}  // namespace tandem::test
