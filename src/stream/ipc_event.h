// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <memory>
#include <optional>

#include "base/mutex.h"
#include "base/result.h"
#include "stream/event.h"
#include "transport/shm/offers.h"
#include "transport/shm/shared_event.h"

namespace tandem {

// What the handles of this process for one event with ACL_EVENT_IPC, and its queued tasks, share: the event
// as all processes see it, and what only this one knows of its own records. Thread-safe.
class IpcEvent : public std::enable_shared_from_this<IpcEvent> {
 public:
  static Result<std::shared_ptr<IpcEvent>> Make();
  // Errors of shm::TakeOffer and of shm::SharedEvent::Attach.
  static Result<std::shared_ptr<IpcEvent>> Open(const shm::OfferKey& key);
  ~IpcEvent();
  IpcEvent(const IpcEvent&) = delete;
  IpcEvent& operator=(const IpcEvent&) = delete;

  // By which others open it; for one that was opened here, the key of the process that made it.
  Result<shm::OfferKey> Key();

  // Queues a record. Blocks while EventPage::kRecords are outstanding.
  Status Record(ManagedStream& stream);
  // Queues a wait for the latest record, if that is not reached yet. `limit` zero: none.
  Status WaitOn(ManagedStream& stream, std::chrono::seconds limit);
  // Errors as RecordPoint::Wait.
  Status Synchronize(Deadline deadline);
  // kStreamAborted: the latest record will never be reached.
  Result<bool> IsComplete();

  shm::SharedEvent& shared() { return *shared_; }
  void End(const shm::EventRecord& record, shm::EventRecordState state);

 private:
  explicit IpcEvent(std::shared_ptr<shm::SharedEvent> shared) : shared_(std::move(shared)) {}
  Result<shm::EventRecord> Claim(const ManagedStream& stream);
  // Of a record that this process made, while it is the latest of this process.
  std::shared_ptr<RecordPoint> PointOf(const shm::EventRecord& record);

  const std::shared_ptr<shm::SharedEvent> shared_;
  bool made_here_ = false;
  Mutex mutex_;
  std::optional<shm::OfferKey> key_ TANDEM_GUARDED_BY(mutex_);
  std::optional<shm::EventRecord> record_ TANDEM_GUARDED_BY(mutex_);
  std::shared_ptr<RecordPoint> point_ TANDEM_GUARDED_BY(mutex_);
};

}  // namespace tandem
