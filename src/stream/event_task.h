// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <vector>

#include "base/mutex.h"
#include "stream/event.h"
#include "stream/task.h"

namespace tandem {

struct EventState {
  Mutex mutex;
  std::shared_ptr<RecordPoint> latest TANDEM_GUARDED_BY(mutex);
  // Events with one hardware id are flags: set by a record, cleared by a reset, and waits pass while it is
  // set.
  bool level TANDEM_GUARDED_BY(mutex) = false;
  std::vector<Stream*> level_waiters TANDEM_GUARDED_BY(mutex);
  std::atomic<uint32_t> waits_queued{0};

  std::shared_ptr<RecordPoint> Latest();
  void RaiseLevel();
  // False: the level is up already.
  bool AddLevelWaiter(Stream& stream);
  bool LevelIsUp();
};

class RecordTask final : public Task {
 public:
  // `raise`: the event is a flag.
  RecordTask(std::shared_ptr<EventState> state, std::shared_ptr<RecordPoint> point, bool raise)
      : state_(std::move(state)), point_(std::move(point)), raise_(raise) {}
  ~RecordTask() override;
  Step Run(const RunContext& context) override;
  void Cancel(const Status& why) override;

 private:
  std::shared_ptr<EventState> state_;
  std::shared_ptr<RecordPoint> point_;
  bool raise_;
  bool cancelled_ = false;
};

class ResetTask final : public Task {
 public:
  // Clears the event unless it was recorded again after `seen`.
  ResetTask(std::shared_ptr<EventState> state, std::shared_ptr<RecordPoint> seen)
      : state_(std::move(state)), seen_(std::move(seen)) {}
  Step Run(const RunContext& context) override;
  void Cancel(const Status& why) override;

 private:
  std::shared_ptr<EventState> state_;
  std::shared_ptr<RecordPoint> seen_;
  bool cancelled_ = false;
};

// Waits for a recorded point, or, without one, for the level of the event.
class WaitTask final : public Task {
 public:
  WaitTask(std::shared_ptr<EventState> state, std::shared_ptr<RecordPoint> point, std::chrono::seconds limit)
      : state_(std::move(state)), point_(std::move(point)), limit_(limit) {
    state_->waits_queued.fetch_add(1, std::memory_order_relaxed);
  }
  ~WaitTask() override { state_->waits_queued.fetch_sub(1, std::memory_order_release); }
  Step Run(const RunContext& context) override;
  Deadline WakeAt() override { return deadline_; }
  void Cancel(const Status& why) override;

 private:
  bool IsOver();

  std::shared_ptr<EventState> state_;
  std::shared_ptr<RecordPoint> point_;
  std::chrono::seconds limit_;
  Deadline deadline_ = kNever;
  bool registered_ = false;
  bool cancelled_ = false;
};

}  // namespace tandem
