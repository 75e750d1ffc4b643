// SPDX-License-Identifier: Apache-2.0
#include "stream/ipc_event.h"

#include <algorithm>
#include <map>
#include <utility>

#include "stream/ipc_event_task.h"

namespace tandem {
namespace {

using shm::EventRecordState;

// The events that are exported or opened here, so that all handles for one share it.
struct KnownEvents {
  Mutex mutex;
  std::map<shm::OfferKey, std::weak_ptr<IpcEvent>> events TANDEM_GUARDED_BY(mutex);
};

KnownEvents& OpenEvents() {
  static KnownEvents* const known = new KnownEvents;
  return *known;
}

Result<shm::EventBell*> Bell() { return shm::EventBell::Process(IpcEventListener()); }

}  // namespace

Result<std::shared_ptr<IpcEvent>> IpcEvent::Make() {
  const Result<shm::EventBell*> bell = Bell();
  if (!bell) return bell.status();
  Result<std::shared_ptr<shm::SharedEvent>> shared = shm::SharedEvent::Make(**bell);
  if (!shared) return shared.status();
  std::shared_ptr<IpcEvent> event(new IpcEvent(*std::move(shared)));
  event->made_here_ = true;
  return event;
}

Result<std::shared_ptr<IpcEvent>> IpcEvent::Open(const shm::OfferKey& key) {
  {
    MutexLock lock(OpenEvents().mutex);
    const auto found = OpenEvents().events.find(key);
    if (found != OpenEvents().events.end()) {
      if (std::shared_ptr<IpcEvent> event = found->second.lock()) return event;
    }
  }
  if (key.IsOwn()) {
    return Status::Error(Code::kInvalidValue,
                         "handle is of an event that this process made and has destroyed since");
  }
  Result<shm::OpenedOffer> opened = shm::TakeOffer(key);
  if (!opened) return opened.status();
  if (opened->descriptors.size() != 1) {
    return Status::Error(Code::kInvalidValue, "process %d passed %zu descriptors, expected 1", opened->pid,
                         opened->descriptors.size());
  }
  const Result<shm::EventBell*> bell = Bell();
  if (!bell) return bell.status();
  Result<std::shared_ptr<shm::SharedEvent>> shared =
      shm::SharedEvent::Attach(**bell, std::move(opened->descriptors[0]));
  if (!shared) return shared.status();
  std::shared_ptr<IpcEvent> event(new IpcEvent(*std::move(shared)));
  {
    MutexLock lock(event->mutex_);
    event->key_ = key;
  }
  // Two threads that open it at the same time make two, which know nothing of each other; like two processes.
  MutexLock lock(OpenEvents().mutex);
  OpenEvents().events[key] = event;
  return event;
}

IpcEvent::~IpcEvent() {
  std::optional<shm::OfferKey> key;
  {
    MutexLock lock(mutex_);
    key = key_;
  }
  if (!key) return;
  if (made_here_) shm::WithdrawOffer(*key);
  MutexLock lock(OpenEvents().mutex);
  const auto found = OpenEvents().events.find(*key);
  if (found != OpenEvents().events.end() && found->second.expired()) OpenEvents().events.erase(found);
}

Result<shm::OfferKey> IpcEvent::Key() {
  MutexLock lock(mutex_);
  if (key_) return *key_;
  shm::Offer offer;
  // Events have no call that names the processes that may open them.
  offer.check_pid = false;
  offer.descriptors = {shared_->fd().get()};
  offer.keep = shared_;
  Result<shm::OfferKey> key = shm::AddOffer(shm::OfferKind::kEvent, std::move(offer));
  if (!key) return key;
  key_ = *key;
  MutexLock known(OpenEvents().mutex);
  OpenEvents().events[*key] = weak_from_this();
  return key;
}

void IpcEvent::End(const shm::EventRecord& record, EventRecordState state) {
  shared_->End(record, state);
  WakeIpcEventWaiters(*shared_);
}

Result<shm::EventRecord> IpcEvent::Claim(const ManagedStream& stream) {
  for (;;) {
    if (const std::optional<shm::EventRecord> record = shared_->Claim()) return *record;
    TANDEM_RETURN_IF_ERROR(CheckSubmission(stream));
    shared_->EndAllLost();
    shared_->Sleep(std::nullopt, Clock::now() + shm::SharedEvent::kTick);
  }
}

Status IpcEvent::Record(ManagedStream& stream) {
  TANDEM_RETURN_IF_ERROR(CheckSubmission(stream));
  const Result<shm::EventRecord> record = Claim(stream);
  if (!record) return record.status();
  auto point = std::make_shared<RecordPoint>(stream, stream.submitted() + 1);
  TANDEM_RETURN_IF_ERROR(
      SubmitTask(stream, std::make_unique<IpcRecordTask>(shared_from_this(), *record, point)));
  MutexLock lock(mutex_);
  if (!record_ || record_->word < record->word) {
    record_ = *record;
    point_ = std::move(point);
  }
  // Under the lock: whoever finds this process's record as the latest finds its point too.
  shared_->Publish(*record);
  return Status::Ok();
}

std::shared_ptr<RecordPoint> IpcEvent::PointOf(const shm::EventRecord& record) {
  MutexLock lock(mutex_);
  return record_ == record ? point_ : nullptr;
}

Status IpcEvent::WaitOn(ManagedStream& stream, std::chrono::seconds limit) {
  const std::optional<shm::EventRecord> record = shared_->Latest();
  if (!record || shared_->StateOf(*record) == EventRecordState::kReached) return Status::Ok();
  return SubmitTask(stream, std::make_unique<IpcWaitTask>(shared_from_this(), *record, limit));
}

Status IpcEvent::Synchronize(Deadline deadline) {
  const std::optional<shm::EventRecord> record = shared_->Latest();
  if (!record) return Status::Ok();
  // A thread that waits for a record of its own process runs the stream.
  if (const std::shared_ptr<RecordPoint> point = PointOf(*record)) return point->Wait(deadline);
  for (;;) {
    const EventRecordState state = shared_->StateOf(*record);
    if (state == EventRecordState::kReached) return Status::Ok();
    if (state != EventRecordState::kPending) return NeverReached(state);
    const Deadline now = Clock::now();
    if (now >= deadline) {
      return Status::Error(Code::kEventSyncTimeout,
                           "the event was not reached within the time limit; the work before it goes on");
    }
    shared_->EndIfLost(*record);
    shared_->Sleep(record, std::min(deadline, now + shm::SharedEvent::kTick));
  }
}

Result<bool> IpcEvent::IsComplete() {
  const std::optional<shm::EventRecord> record = shared_->Latest();
  if (!record) return true;
  if (const std::shared_ptr<RecordPoint> point = PointOf(*record)) {
    if (Status failure = point->ContextFailure(); !failure.ok()) return failure;
  }
  if (shared_->StateOf(*record) == EventRecordState::kPending) shared_->EndIfLost(*record);
  const EventRecordState state = shared_->StateOf(*record);
  if (state == EventRecordState::kDropped || state == EventRecordState::kLost) return NeverReached(state);
  return state == EventRecordState::kReached;
}

}  // namespace tandem
