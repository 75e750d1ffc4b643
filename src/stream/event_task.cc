// SPDX-License-Identifier: Apache-2.0
#include "stream/event_task.h"

#include <utility>

#include "stream/stream.h"

namespace tandem {

std::shared_ptr<RecordPoint> EventState::Latest() {
  MutexLock lock(mutex);
  return latest;
}

void EventState::RaiseLevel() {
  std::vector<Stream*> wake;
  {
    MutexLock lock(mutex);
    level = true;
    wake.swap(level_waiters);
  }
  for (Stream* stream : wake) stream->Notify();
}

bool EventState::AddLevelWaiter(Stream& stream) {
  MutexLock lock(mutex);
  if (!level) level_waiters.push_back(&stream);
  return !level;
}

bool EventState::LevelIsUp() {
  MutexLock lock(mutex);
  return level;
}

RecordTask::~RecordTask() {
  if (point_->state() == RecordPoint::State::kPending) point_->Drop();
}

Step RecordTask::Run(const RunContext& /*context*/) {
  if (cancelled_) return Step::kDone;
  point_->Reach();
  if (raise_) state_->RaiseLevel();
  return Step::kDone;
}

void RecordTask::Cancel(const Status& /*why*/) { cancelled_ = true; }

Step ResetTask::Run(const RunContext& /*context*/) {
  if (cancelled_) return Step::kDone;
  MutexLock lock(state_->mutex);
  state_->level = false;
  if (state_->latest == seen_) state_->latest = nullptr;
  return Step::kDone;
}

void ResetTask::Cancel(const Status& /*why*/) { cancelled_ = true; }

bool WaitTask::IsOver() {
  if (point_ == nullptr) return state_->LevelIsUp();
  const RecordPoint::State state = point_->state();
  if (state == RecordPoint::State::kDropped) {
    Fail(Status::Error(Code::kStreamAborted,
                       "waiting for an event whose recording was dropped: the stream it was "
                       "recorded in was aborted or destroyed"));
  }
  return state != RecordPoint::State::kPending;
}

Step WaitTask::Run(const RunContext& context) {
  if (cancelled_ || IsOver()) return Step::kDone;
  if (deadline_ == kNever && limit_ > std::chrono::seconds(0)) deadline_ = context.Now() + limit_;
  if (deadline_ != kNever && context.Now() >= deadline_) {
    Fail(Status::Error(Code::kTaskTimeout, "a wait for an event was not satisfied within %lld s",
                       static_cast<long long>(limit_.count())));
    return Step::kDone;
  }
  // A reset may have lowered the level between the notification and this look at it: then register again.
  if (point_ == nullptr || !registered_) {
    registered_ = true;
    const bool waiting =
        point_ != nullptr ? point_->AddWaiter(*context.stream) : state_->AddLevelWaiter(*context.stream);
    if (!waiting) return Step::kMore;
  }
  return Step::kBlocked;
}

void WaitTask::Cancel(const Status& /*why*/) { cancelled_ = true; }

}  // namespace tandem
