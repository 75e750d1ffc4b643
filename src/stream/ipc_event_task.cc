// SPDX-License-Identifier: Apache-2.0
#include "stream/ipc_event_task.h"

#include <unordered_map>
#include <vector>

#include "stream/stream.h"

namespace tandem {
namespace {

using shm::EventRecordState;

// The streams of this process that wait for records of shared events. An entry's task keeps its event alive.
class EventWaiters final : public shm::Doorbell::Listener {
 public:
  static const std::shared_ptr<EventWaiters>& Process() {
    static const auto* const waiters = new std::shared_ptr<EventWaiters>(new EventWaiters);
    return *waiters;
  }

  void Add(shm::SharedEvent& event, const shm::EventRecord& record, Stream& stream) {
    MutexLock lock(mutex_);
    std::vector<Waiter>& waiters = waiters_[&event];
    const Waiter waiter{record, &stream};
    if (std::find(waiters.begin(), waiters.end(), waiter) == waiters.end()) waiters.push_back(waiter);
    event.SetArmed(true);
  }

  void Remove(shm::SharedEvent& event, const shm::EventRecord& record, Stream& stream) {
    MutexLock lock(mutex_);
    const auto found = waiters_.find(&event);
    if (found == waiters_.end()) return;
    std::erase(found->second, Waiter{record, &stream});
    if (!found->second.empty()) return;
    waiters_.erase(found);
    event.SetArmed(false);
  }

  void Wake(shm::SharedEvent& event) {
    std::vector<Stream*> wake;
    {
      MutexLock lock(mutex_);
      const auto found = waiters_.find(&event);
      if (found == waiters_.end()) return;
      TakeEnded(event, found->second, wake);
    }
    for (Stream* stream : wake) stream->Notify();
  }

  void OnNews() override {
    std::vector<Stream*> wake;
    {
      MutexLock lock(mutex_);
      for (auto& [event, waiters] : waiters_) TakeEnded(*event, waiters, wake);
    }
    for (Stream* stream : wake) stream->Notify();
  }

 private:
  struct Waiter {
    shm::EventRecord record;
    Stream* stream;
    bool operator==(const Waiter&) const = default;
  };
  EventWaiters() = default;

  // The entries stay until their tasks remove them: a stream that is told twice looks once too often.
  static void TakeEnded(const shm::SharedEvent& event, const std::vector<Waiter>& waiters,
                        std::vector<Stream*>& ended) {
    for (const Waiter& waiter : waiters) {
      if (event.StateOf(waiter.record) != EventRecordState::kPending) ended.push_back(waiter.stream);
    }
  }

  Mutex mutex_;
  std::unordered_map<shm::SharedEvent*, std::vector<Waiter>> waiters_ TANDEM_GUARDED_BY(mutex_);
};

}  // namespace

std::shared_ptr<shm::Doorbell::Listener> IpcEventListener() { return EventWaiters::Process(); }
void WakeIpcEventWaiters(shm::SharedEvent& event) { EventWaiters::Process()->Wake(event); }

Status NeverReached(EventRecordState state) {
  return Status::Error(Code::kStreamAborted, "the latest recording of the event will never be reached: %s",
                       state == EventRecordState::kLost
                           ? "the process that recorded it ended before its stream got there"
                           : "the stream it was recorded in was aborted or destroyed");
}

IpcRecordTask::~IpcRecordTask() {
  if (ended_) return;
  event_->End(record_, EventRecordState::kDropped);
  point_->Drop();
}

Step IpcRecordTask::Run(const RunContext& /*context*/) {
  if (cancelled_) return Step::kDone;
  ended_ = true;
  // Before the point, so that a thread that waited for that finds the event complete.
  event_->End(record_, EventRecordState::kReached);
  point_->Reach();
  return Step::kDone;
}

void IpcRecordTask::Cancel(const Status& /*why*/) { cancelled_ = true; }

IpcWaitTask::~IpcWaitTask() {
  if (armed_) EventWaiters::Process()->Remove(event_->shared(), record_, *stream_);
}

Step IpcWaitTask::Run(const RunContext& context) {
  if (cancelled_) return Step::kDone;
  shm::SharedEvent& shared = event_->shared();
  if (!begun_) {
    begun_ = true;
    stream_ = context.stream;
    if (limit_ > std::chrono::seconds(0)) deadline_ = context.Now() + limit_;
    if (!shared.IsOwn(record_)) next_look_ = context.Now();
  }
  // Not on the thread that queues it: the look costs some system calls.
  if (next_look_ != kNever && !context.starting && context.Now() >= next_look_) {
    shared.EndIfLost(record_);
    next_look_ = context.Now() + shm::SharedEvent::kTick;
  }
  const EventRecordState state = shared.StateOf(record_);
  if (state == EventRecordState::kReached) return Step::kDone;
  if (state != EventRecordState::kPending) {
    Fail(NeverReached(state));
    return Step::kDone;
  }
  if (deadline_ != kNever && context.Now() >= deadline_) {
    Fail(Status::Error(Code::kTaskTimeout, "a wait for an event was not satisfied within %lld s",
                       static_cast<long long>(limit_.count())));
    return Step::kDone;
  }
  return Step::kBlocked;
}

bool IpcWaitTask::Arm() {
  armed_ = true;
  EventWaiters::Process()->Add(event_->shared(), record_, *stream_);
  return event_->shared().StateOf(record_) == EventRecordState::kPending;
}

void IpcWaitTask::Cancel(const Status& /*why*/) { cancelled_ = true; }

}  // namespace tandem
