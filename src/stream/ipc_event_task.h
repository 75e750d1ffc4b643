// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <chrono>
#include <memory>
#include <utility>

#include "stream/ipc_event.h"
#include "stream/task.h"

namespace tandem {

// Hears of records that other processes have ended; for shm::EventBell.
std::shared_ptr<shm::Doorbell::Listener> IpcEventListener();
// Notifies the streams of this process that wait for records of the event that have ended.
void WakeIpcEventWaiters(shm::SharedEvent& event);
// For a record that is kDropped or kLost.
Status NeverReached(shm::EventRecordState state);

class IpcRecordTask final : public Task {
 public:
  IpcRecordTask(std::shared_ptr<IpcEvent> event, const shm::EventRecord& record,
                std::shared_ptr<RecordPoint> point)
      : event_(std::move(event)), record_(record), point_(std::move(point)) {}
  ~IpcRecordTask() override;
  Step Run(const RunContext& context) override;
  void Cancel(const Status& why) override;

 private:
  std::shared_ptr<IpcEvent> event_;
  shm::EventRecord record_;
  std::shared_ptr<RecordPoint> point_;
  bool ended_ = false;
  bool cancelled_ = false;
};

class IpcWaitTask final : public Task {
 public:
  IpcWaitTask(std::shared_ptr<IpcEvent> event, const shm::EventRecord& record, std::chrono::seconds limit)
      : event_(std::move(event)), record_(record), limit_(limit) {}
  ~IpcWaitTask() override;
  Step Run(const RunContext& context) override;
  bool Arm() override;
  Deadline WakeAt() override { return std::min(deadline_, next_look_); }
  void Cancel(const Status& why) override;

 private:
  std::shared_ptr<IpcEvent> event_;
  shm::EventRecord record_;
  std::chrono::seconds limit_;
  Stream* stream_ = nullptr;
  Deadline deadline_ = kNever;
  Deadline next_look_ = kNever;  // whether the process that made the record lives
  bool begun_ = false;
  bool armed_ = false;
  bool cancelled_ = false;
};

}  // namespace tandem
