// SPDX-License-Identifier: Apache-2.0
#include "stream/event.h"

#include <acl/acl_rt.h>

#include <utility>

#include "base/handle_table.h"
#include "stream/context.h"
#include "stream/device.h"
#include "stream/event_task.h"
#include "stream/ipc_event.h"

namespace tandem {
namespace {

struct EventPool {
  Mutex mutex;
  std::vector<Event*> free TANDEM_GUARDED_BY(mutex);
};

EventPool& Events() {
  static EventPool* const pool = new EventPool;
  return *pool;
}

Status Destroyed() {
  return Status::Error(Code::kInvalidHandle, "the event was destroyed by another thread");
}

}  // namespace

RecordPoint::RecordPoint(ManagedStream& stream, uint64_t first_ticket)
    : stream_(stream),
      context_(stream.context()),
      context_life_(stream.context()->life()),
      first_ticket_(first_ticket) {}

void RecordPoint::Reach() {
  time_ns_ = std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now().time_since_epoch()).count();
  Settle(State::kReached);
}

void RecordPoint::Drop() { Settle(State::kDropped); }

void RecordPoint::Settle(State state) {
  std::vector<Stream*> wake;
  {
    MutexLock lock(mutex_);
    state_.store(state, std::memory_order_release);
    wake.swap(waiters_);
  }
  for (Stream* stream : wake) stream->Notify();
}

bool RecordPoint::AddWaiter(Stream& stream) {
  MutexLock lock(mutex_);
  if (state_.load(std::memory_order_relaxed) != State::kPending) return false;
  waiters_.push_back(&stream);
  return true;
}

Status RecordPoint::ContextFailure() const {
  return context_->life() == context_life_ && context_->HasFailed() ? context_->Failure() : Status::Ok();
}

Status RecordPoint::Wait(Deadline deadline) {
  // A stream keeps counting when it is handed out again, so a ticket of an ended stream is done at once.
  for (uint64_t ticket = first_ticket_; state() == State::kPending; ++ticket) {
    Status status = stream_.Wait(ticket, deadline);
    TANDEM_RETURN_IF_ERROR(ContextFailure());
    if (status.code() == Code::kStreamSyncTimeout && state() == State::kPending) {
      return Status::Error(Code::kEventSyncTimeout,
                           "the event was not reached within the time limit; the work before "
                           "it goes on");
    }
    if (!status.ok()) return status;
  }
  TANDEM_RETURN_IF_ERROR(ContextFailure());
  if (state() == State::kDropped) {
    return Status::Error(Code::kStreamAborted,
                         "the recording of the event was dropped: its stream was aborted or "
                         "destroyed before it ran");
  }
  return Status::Ok();
}

Result<void*> Event::Create(Context& context, Kind kind, uint32_t flags) {
  if ((flags & ACL_EVENT_IPC) == 0) return Publish(context, kind, flags, nullptr);
  Result<std::shared_ptr<IpcEvent>> ipc = IpcEvent::Make();
  if (!ipc) return ipc.status();
  return Publish(context, kind, flags, *std::move(ipc));
}

Result<void*> Event::OpenIpc(Context& context, const shm::OfferKey& key) {
  Result<std::shared_ptr<IpcEvent>> ipc = IpcEvent::Open(key);
  if (!ipc) return ipc.status();
  return Publish(context, Kind::kNewMode, ACL_EVENT_IPC, *std::move(ipc));
}

Result<void*> Event::Publish(Context& context, Kind kind, uint32_t flags, std::shared_ptr<IpcEvent> ipc) {
  Event* event = nullptr;
  {
    MutexLock lock(Events().mutex);
    if (!Events().free.empty()) {
      event = Events().free.back();
      Events().free.pop_back();
    }
  }
  if (event == nullptr) event = new Event;
  if (Status begun = event->Begin(context, kind, flags, std::move(ipc)); !begun.ok()) {
    event->Recycle();
    return begun;
  }
  Result<void*> handle = HandleTable::Process().Add(HandleKind::kEvent, event);
  if (!handle) {
    event->Recycle();
    return handle.status();
  }
  if (context.Adopt(*handle, &Event::Destroy)) return handle;
  Destroy(*handle);
  return Status::Error(Code::kNoContext, "the current context was closed by another thread");
}

Status Event::Begin(Context& context, Kind kind, uint32_t flags, std::shared_ptr<IpcEvent> ipc) {
  context_ = &context;
  device_ = context.device();
  kind_ = kind;
  flags_ = flags;
  MutexLock lock(mutex_);
  state_ = std::make_shared<EventState>();
  ipc_ = std::move(ipc);
  return kind == Kind::kFlagged ? TakeId() : Status::Ok();
}

bool Event::Destroy(void* handle) {
  auto* event = static_cast<Event*>(HandleTable::Process().Remove(HandleKind::kEvent, handle));
  if (event == nullptr) return false;
  event->context_->Forget(handle);
  event->Recycle();
  return true;
}

// Tasks that are still queued keep the state.
void Event::Recycle() {
  std::shared_ptr<IpcEvent> ipc;
  {
    MutexLock lock(mutex_);
    ipc.swap(ipc_);
    if (has_id_) Device::Get(device_).event_ids().Return(id_);
    has_id_ = false;
    state_.reset();
  }
  MutexLock lock(Events().mutex);
  Events().free.push_back(this);
}

Result<std::shared_ptr<IpcEvent>> Event::Ipc() {
  if (!Has(ACL_EVENT_IPC)) return std::shared_ptr<IpcEvent>();
  MutexLock lock(mutex_);
  if (ipc_ == nullptr) return Destroyed();
  return ipc_;
}

Result<shm::OfferKey> Event::IpcKey() {
  const Result<std::shared_ptr<IpcEvent>> ipc = Ipc();
  if (!ipc) return ipc.status();
  if (*ipc != nullptr) return (*ipc)->Key();
  return Status::Error(Code::kInvalidValue,
                       "other processes can open only events that aclrtCreateEventExWithFlag made with "
                       "ACL_EVENT_IPC; this one has flags 0x%x",
                       flags_);
}

Status Event::TakeId() {
  if (has_id_) return Status::Ok();
  if (!Device::Get(device_).event_ids().Take(id_)) {
    return Status::Error(Code::kNoEvents, "device %d has %u events in use already; destroy some first",
                         device_, Device::kEvents);
  }
  has_id_ = true;
  return Status::Ok();
}

Status Event::Record(ManagedStream& stream) {
  if (Has(ACL_EVENT_DEVICE_USE_ONLY)) {
    return Status::Error(Code::kInvalidValue,
                         "an event created with ACL_EVENT_DEVICE_USE_ONLY cannot be recorded from "
                         "the host");
  }
  if (stream.context()->device() != device_) {
    return Status::Error(Code::kInvalidValue,
                         "the event belongs to device %d and the stream to device %d; record it in "
                         "a stream of its own device (waiting for it works from any)",
                         UserIdOfDevice(device_), UserIdOfDevice(stream.context()->device()));
  }
  if (const Result<std::shared_ptr<IpcEvent>> ipc = Ipc(); !ipc || *ipc != nullptr)
    return ipc ? (*ipc)->Record(stream) : ipc.status();
  std::shared_ptr<EventState> state;
  {
    MutexLock lock(mutex_);
    if (state_ == nullptr) return Destroyed();
    TANDEM_RETURN_IF_ERROR(TakeId());
    state = state_;
  }
  auto point = std::make_shared<RecordPoint>(stream, stream.submitted() + 1);
  TANDEM_RETURN_IF_ERROR(
      SubmitTask(stream, std::make_unique<RecordTask>(state, point, kind_ == Kind::kFlagged)));
  MutexLock lock(state->mutex);
  state->latest = std::move(point);
  return Status::Ok();
}

Status Event::Reset(ManagedStream& stream) {
  if (kind_ == Kind::kNewMode || (kind_ == Kind::kFlagged && !Has(ACL_EVENT_SYNC))) {
    return Status::Error(Code::kNotSupported,
                         "only events of aclrtCreateEvent, and of aclrtCreateEventWithFlag with "
                         "ACL_EVENT_SYNC, can be reset; this one has flags 0x%x",
                         flags_);
  }
  std::shared_ptr<EventState> state;
  {
    MutexLock lock(mutex_);
    if (state_ == nullptr) return Destroyed();
    state = state_;
  }
  return SubmitTask(stream, std::make_unique<ResetTask>(state, state->Latest()));
}

Status Event::WaitOn(ManagedStream& stream, std::chrono::seconds limit) {
  const bool may_wait = kind_ == Kind::kPlain || Has(ACL_EVENT_SYNC) ||
                        Has(kind_ == Kind::kFlagged ? ACL_EVENT_EXTERNAL : ACL_EVENT_IPC);
  if (!may_wait) {
    return Status::Error(Code::kNotSupported,
                         "streams can wait only for events created with ACL_EVENT_SYNC; this one "
                         "has flags 0x%x",
                         flags_);
  }
  if (const Result<std::shared_ptr<IpcEvent>> ipc = Ipc(); !ipc || *ipc != nullptr)
    return ipc ? (*ipc)->WaitOn(stream, limit) : ipc.status();
  std::shared_ptr<EventState> state;
  {
    MutexLock lock(mutex_);
    if (state_ == nullptr) return Destroyed();
    state = state_;
  }
  std::shared_ptr<RecordPoint> point;
  if (kind_ != Kind::kFlagged) {
    point = state->Latest();
    if (point == nullptr && kind_ == Kind::kPlain) {
      return Status::Error(Code::kInvalidValue,
                           "the event was never recorded, so there is nothing to wait for; call "
                           "aclrtRecordEvent first");
    }
    if (point == nullptr || point->state() != RecordPoint::State::kPending) return Status::Ok();
  }
  return SubmitTask(stream, std::make_unique<WaitTask>(std::move(state), std::move(point), limit));
}

Status Event::Synchronize(Deadline deadline) {
  if (const Result<std::shared_ptr<IpcEvent>> ipc = Ipc(); !ipc || *ipc != nullptr)
    return ipc ? (*ipc)->Synchronize(deadline) : ipc.status();
  std::shared_ptr<RecordPoint> point;
  {
    MutexLock lock(mutex_);
    if (state_ == nullptr) return Destroyed();
    point = state_->Latest();
  }
  return point == nullptr ? Status::Ok() : point->Wait(deadline);
}

Result<bool> Event::IsComplete() {
  if (const Result<std::shared_ptr<IpcEvent>> ipc = Ipc(); !ipc || *ipc != nullptr)
    return ipc ? (*ipc)->IsComplete() : ipc.status();
  std::shared_ptr<RecordPoint> point;
  {
    MutexLock lock(mutex_);
    if (state_ == nullptr) return Destroyed();
    point = state_->Latest();
  }
  if (point == nullptr) return kind_ == Kind::kNewMode;
  if (Status failure = point->ContextFailure(); !failure.ok()) return failure;
  return point->state() == RecordPoint::State::kReached;
}

Result<bool> Event::AreWaitsDone() {
  if (kind_ == Kind::kNewMode) {
    return Status::Error(Code::kNotSupported,
                         "events of aclrtCreateEventExWithFlag do not count their waits");
  }
  MutexLock lock(mutex_);
  if (state_ == nullptr) return Destroyed();
  return state_->waits_queued.load(std::memory_order_acquire) == 0;
}

Result<std::chrono::nanoseconds> Event::Time() {
  if (Has(ACL_EVENT_IPC) || Has(ACL_EVENT_EXTERNAL)) {
    return Status::Error(Code::kNotSupported, "events with ACL_EVENT_IPC or ACL_EVENT_EXTERNAL have no time");
  }
  std::shared_ptr<RecordPoint> point;
  {
    MutexLock lock(mutex_);
    if (state_ == nullptr) return Destroyed();
    point = state_->Latest();
  }
  if (point == nullptr) return Status::Error(Code::kEventNotRecorded, "the event was never recorded");
  if (kind_ != Kind::kPlain && !Has(ACL_EVENT_TIME_LINE)) {
    return Status::Error(Code::kEventTimestampInvalid,
                         "the event was created without ACL_EVENT_TIME_LINE (flags 0x%x), "
                         "so it has no time",
                         flags_);
  }
  if (point->state() != RecordPoint::State::kReached) {
    return Status::Error(Code::kEventTimestampInvalid,
                         "the event was recorded but its stream has not reached it; "
                         "synchronize first");
  }
  return point->time();
}

Result<uint32_t> Event::Id() {
  if (Has(ACL_EVENT_IPC)) return Status::Error(Code::kNotSupported, "events with ACL_EVENT_IPC have no id");
  MutexLock lock(mutex_);
  if (!has_id_)
    return Status::Error(Code::kEventNotRecorded, "the event was never recorded, so it has no id yet");
  return id_;
}

}  // namespace tandem
