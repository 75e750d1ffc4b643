// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include "base/result.h"
#include "stream/notify.h"
#include "stream/task.h"
#include "transport/shm/notify_table.h"

namespace tandem {

// A cell in the table of this process or of another one; see shm::NotifyCell for who wakes whom. Thread-safe.
class NotifyState {
 public:
  // kNoNotifies: this process has no free cell.
  static Result<std::shared_ptr<NotifyState>> Make(int32_t device);
  // kInvalidValue when what the other process says makes no sense.
  static Result<std::shared_ptr<NotifyState>> Attach(const shm::OfferKey& key);
  ~NotifyState();
  NotifyState(const NotifyState&) = delete;
  NotifyState& operator=(const NotifyState&) = delete;

  bool own() const { return peer_ == nullptr; }
  int32_t device() const { return device_; }
  uint32_t id() const { return index_; }
  // What others need to import it. REQUIRES: own()
  Result<shm::Offer> MakeOffer() const;

  // kInvalidHandle: it was destroyed in the process that made it.
  Status Change(const NotifyChange& change);
  // Whether the condition is met; takes what it clears.
  bool Take(const NotifyCondition& condition);
  bool IsMet(const NotifyCondition& condition) const;

  // REQUIRES for these: own(). From now on the stream is notified of changes.
  void AddWaiter(Stream& stream);
  void RemoveWaiter(Stream& stream);
  void WakeWaiters();

  // The handle is gone: waits fail.
  void Destroy();
  bool destroyed() const { return destroyed_.load(std::memory_order_acquire); }

 private:
  NotifyState() = default;

  shm::NotifyCell* cell_ = nullptr;
  uint32_t index_ = 0;
  uint32_t generation_ = 0;
  int32_t device_ = -1;
  std::shared_ptr<shm::PeerNotifyTable> peer_;  // null: a cell of this process
  std::atomic<bool> destroyed_{false};
};

class NotifyRecordTask final : public Task {
 public:
  NotifyRecordTask(std::shared_ptr<NotifyState> state, const NotifyChange& change)
      : state_(std::move(state)), change_(change) {}
  Step Run(const RunContext& context) override;
  void Cancel(const Status& why) override;

 private:
  std::shared_ptr<NotifyState> state_;
  NotifyChange change_;
  bool cancelled_ = false;
};

class NotifyWaitTask final : public Task {
 public:
  NotifyWaitTask(std::shared_ptr<NotifyState> state, const NotifyCondition& condition,
                 std::chrono::seconds limit)
      : state_(std::move(state)), condition_(condition), limit_(limit) {}
  ~NotifyWaitTask() override;
  Step Run(const RunContext& context) override;
  bool Arm() override;
  Deadline WakeAt() override { return deadline_; }
  void Cancel(const Status& why) override;

 private:
  std::shared_ptr<NotifyState> state_;
  NotifyCondition condition_;
  std::chrono::seconds limit_;
  Stream* stream_ = nullptr;
  Deadline deadline_ = kNever;
  bool armed_ = false;
  bool cancelled_ = false;
};

}  // namespace tandem
