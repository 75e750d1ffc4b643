// SPDX-License-Identifier: Apache-2.0
#include "stream/notify.h"

#include <utility>
#include <vector>

#include "base/handle_table.h"
#include "stream/context.h"
#include "stream/notify_state.h"

namespace tandem {
namespace {

struct NotifyPool {
  Mutex mutex;
  std::vector<Notify*> free TANDEM_GUARDED_BY(mutex);
};

NotifyPool& Notifies() {
  static NotifyPool* const pool = new NotifyPool;
  return *pool;
}

HandleKind HandleKindOf(Notify::Kind kind) {
  return kind == Notify::Kind::kFlag ? HandleKind::kNotify : HandleKind::kCountNotify;
}

}  // namespace

bool NotifyCondition::IsMet(uint32_t by) const {
  switch (kind) {
    case Kind::kLess:
      return by < value;
    case Kind::kEqual:
      return by == value;
    case Kind::kBigger:
      return by > value;
    case Kind::kBiggerOrEqual:
      return by >= value;
    case Kind::kAllBits:
      return (by & value) == value;
  }
  return false;
}

Result<void*> Notify::Publish(Context& context, Kind kind, std::shared_ptr<NotifyState> state) {
  Notify* notify = nullptr;
  {
    MutexLock lock(Notifies().mutex);
    if (!Notifies().free.empty()) {
      notify = Notifies().free.back();
      Notifies().free.pop_back();
    }
  }
  if (notify == nullptr) notify = new Notify;
  notify->context_ = &context;
  {
    MutexLock lock(notify->mutex_);
    notify->state_ = std::move(state);
  }
  Result<void*> handle = HandleTable::Process().Add(HandleKindOf(kind), notify);
  if (!handle) {
    {
      MutexLock lock(notify->mutex_);
      notify->state_ = nullptr;
    }
    MutexLock lock(Notifies().mutex);
    Notifies().free.push_back(notify);
    return handle;
  }
  if (context.Adopt(*handle, kind == Kind::kFlag ? &Notify::Destroy : &Notify::DestroyCounter)) return handle;
  End(kind, *handle);
  return Status::Error(Code::kNoContext, "the current context was closed by another thread");
}

Result<void*> Notify::Create(Context& context, Kind kind) {
  Result<std::shared_ptr<NotifyState>> state = NotifyState::Make(context.device());
  if (!state) return state.status();
  return Publish(context, kind, *std::move(state));
}

Result<void*> Notify::Import(Context& context, const shm::OfferKey& key) {
  Result<std::shared_ptr<NotifyState>> state = NotifyState::Attach(key);
  if (!state) return state.status();
  return Publish(context, Kind::kFlag, *std::move(state));
}

bool Notify::Destroy(void* handle) { return End(Kind::kFlag, handle); }
bool Notify::DestroyCounter(void* handle) { return End(Kind::kCounter, handle); }

bool Notify::End(Kind kind, void* handle) {
  auto* notify = static_cast<Notify*>(HandleTable::Process().Remove(HandleKindOf(kind), handle));
  if (notify == nullptr) return false;
  notify->context_->Forget(handle);
  std::shared_ptr<NotifyState> state;
  std::optional<shm::OfferKey> key;
  {
    MutexLock lock(notify->mutex_);
    state.swap(notify->state_);
    key.swap(notify->key_);
  }
  if (key) shm::WithdrawOffer(*key);
  if (state != nullptr) state->Destroy();
  MutexLock lock(Notifies().mutex);
  Notifies().free.push_back(notify);
  return true;
}

Result<std::shared_ptr<NotifyState>> Notify::State() {
  MutexLock lock(mutex_);
  if (state_ == nullptr) {
    return Status::Error(Code::kInvalidHandle, "the notify was destroyed by another thread");
  }
  return state_;
}

Status Notify::Record(ManagedStream& stream, const NotifyChange& change) {
  Result<std::shared_ptr<NotifyState>> state = State();
  if (!state) return state.status();
  return SubmitTask(stream, std::make_unique<NotifyRecordTask>(*std::move(state), change));
}

Status Notify::Wait(ManagedStream& stream, const NotifyCondition& condition, std::chrono::seconds limit) {
  Result<std::shared_ptr<NotifyState>> state = State();
  if (!state) return state.status();
  if (!(*state)->own()) {
    return Status::Error(Code::kInvalidValue,
                         "the notify was imported: only the process that created it can wait for it");
  }
  return SubmitTask(stream, std::make_unique<NotifyWaitTask>(*std::move(state), condition, limit));
}

Status Notify::Clear() {
  const Result<std::shared_ptr<NotifyState>> state = State();
  if (!state) return state.status();
  return (*state)->Change({NotifyChange::Kind::kSet, 0});
}

Result<int32_t> Notify::Device() {
  const Result<std::shared_ptr<NotifyState>> state = State();
  if (!state) return state.status();
  return (*state)->device();
}

Result<uint32_t> Notify::Id() {
  const Result<std::shared_ptr<NotifyState>> state = State();
  if (!state) return state.status();
  return (*state)->id();
}

Result<shm::OfferKey> Notify::Offer(NotifyState& state) {
  if (key_) return *key_;
  Result<shm::Offer> offer = state.MakeOffer();
  if (!offer) return offer.status();
  Result<shm::OfferKey> key = shm::AddOffer(shm::OfferKind::kNotify, *std::move(offer));
  if (key) key_ = *key;
  return key;
}

Result<shm::OfferKey> Notify::Export(bool to_all) {
  MutexLock lock(mutex_);
  if (state_ == nullptr) {
    return Status::Error(Code::kInvalidHandle, "the notify was destroyed by another thread");
  }
  if (!state_->own()) {
    return Status::Error(Code::kInvalidValue,
                         "the notify was imported: only the process that created it can export it");
  }
  Result<shm::OfferKey> key = Offer(*state_);
  if (key && to_all) shm::OpenOfferToAll(*key);
  return key;
}

Status Notify::Allow(std::span<const int32_t> pids) {
  const Result<shm::OfferKey> key = Export(false);
  if (!key) return key.status();
  shm::AllowOffer(*key, pids);
  return Status::Ok();
}

}  // namespace tandem
