// SPDX-License-Identifier: Apache-2.0
#include "stream/notify_state.h"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <utility>

#include "base/mutex.h"
#include "stream/device.h"
#include "stream/stream.h"

namespace tandem {
namespace {

using shm::NotifyPage;

// The streams of this process that wait for cells of this process.
class NotifyWaiters final : public shm::Doorbell::Listener {
 public:
  static const std::shared_ptr<NotifyWaiters>& Process() {
    static const auto* const waiters = new std::shared_ptr<NotifyWaiters>(new NotifyWaiters);
    return *waiters;
  }

  void Add(shm::NotifyCell& cell, Stream& stream) {
    MutexLock lock(mutex_);
    std::vector<Stream*>& streams = streams_[&cell];
    if (std::find(streams.begin(), streams.end(), &stream) == streams.end()) streams.push_back(&stream);
    // seq_cst: pairs with the load in NotifyState::Change.
    cell.armed.store(1, std::memory_order_seq_cst);
  }

  void Remove(shm::NotifyCell& cell, Stream& stream) {
    MutexLock lock(mutex_);
    const auto found = streams_.find(&cell);
    if (found == streams_.end()) return;
    std::erase(found->second, &stream);
    if (!found->second.empty()) return;
    streams_.erase(found);
    cell.armed.store(0, std::memory_order_seq_cst);
  }

  void Wake(shm::NotifyCell& cell) {
    std::vector<Stream*> wake;
    {
      MutexLock lock(mutex_);
      const auto found = streams_.find(&cell);
      if (found == streams_.end()) return;
      wake = std::move(found->second);
      streams_.erase(found);
      // Who is woken looks at the value and, if it has to wait on, arms again.
      cell.armed.store(0, std::memory_order_seq_cst);
    }
    for (Stream* stream : wake) stream->Notify();
  }

  // Another process set some flag: which, the cells say.
  void OnNews() override {
    std::vector<shm::NotifyCell*> set;
    {
      MutexLock lock(mutex_);
      for (const auto& [cell, streams] : streams_) {
        if (cell->value.load(std::memory_order_seq_cst) != 0) set.push_back(cell);
      }
    }
    for (shm::NotifyCell* cell : set) Wake(*cell);
  }

 private:
  NotifyWaiters() = default;
  Mutex mutex_;
  std::unordered_map<shm::NotifyCell*, std::vector<Stream*>> streams_ TANDEM_GUARDED_BY(mutex_);
};

Result<shm::NotifyTable*> OwnTable() { return shm::NotifyTable::Process(NotifyWaiters::Process()); }

IdPool& FreeCells() {
  static IdPool* const cells = new IdPool(NotifyPage::kCells);
  return *cells;
}

// The tables of other processes that are in use here, so that all imports from one share a mapping.
struct PeerTables {
  Mutex mutex;
  std::map<std::array<uint8_t, 16>, std::weak_ptr<shm::PeerNotifyTable>> tables TANDEM_GUARDED_BY(mutex);
};

Result<std::shared_ptr<shm::PeerNotifyTable>> TableOf(const shm::OfferKey& key,
                                                      const shm::OpenedOffer& opened) {
  static PeerTables* const known = new PeerTables;
  MutexLock lock(known->mutex);
  std::erase_if(known->tables, [](const auto& entry) { return entry.second.expired(); });
  std::weak_ptr<shm::PeerNotifyTable>& slot = known->tables[key.process];
  if (std::shared_ptr<shm::PeerNotifyTable> table = slot.lock()) return table;
  Result<std::shared_ptr<shm::PeerNotifyTable>> table =
      shm::PeerNotifyTable::Attach(opened.pid, opened.descriptors[0], opened.descriptors[1]);
  if (table) slot = *table;
  return table;
}

}  // namespace

Result<std::shared_ptr<NotifyState>> NotifyState::Make(int32_t device) {
  const Result<shm::NotifyTable*> table = OwnTable();
  if (!table) return table.status();
  std::shared_ptr<NotifyState> state(new NotifyState);
  if (!FreeCells().Take(state->index_)) {
    return Status::Error(Code::kNoNotifies, "this process has %u notifies already; destroy some first",
                         NotifyPage::kCells);
  }
  state->cell_ = &(*table)->cell(state->index_);
  state->generation_ = state->cell_->generation.load(std::memory_order_relaxed);
  state->device_ = device;
  state->cell_->value.store(0, std::memory_order_seq_cst);
  return state;
}

Result<std::shared_ptr<NotifyState>> NotifyState::Attach(const shm::OfferKey& key) {
  const Result<shm::OpenedOffer> opened = shm::TakeOffer(key);
  if (!opened) return opened.status();
  if (opened->descriptors.size() != 2 || opened->words[0] >= NotifyPage::kCells) {
    return Status::Error(Code::kInvalidValue,
                         "process %d passed %zu descriptors for notify %llu, expected 2 and below %u",
                         opened->pid, opened->descriptors.size(),
                         static_cast<unsigned long long>(opened->words[0]), NotifyPage::kCells);
  }
  const Result<std::shared_ptr<shm::PeerNotifyTable>> table = TableOf(key, *opened);
  if (!table) return table.status();
  std::shared_ptr<NotifyState> state(new NotifyState);
  state->peer_ = *table;
  state->index_ = static_cast<uint32_t>(opened->words[0]);
  state->generation_ = static_cast<uint32_t>(opened->words[1]);
  state->cell_ = &(*table)->cell(state->index_);
  return state;
}

NotifyState::~NotifyState() {
  if (cell_ == nullptr || !own()) return;
  cell_->generation.fetch_add(1, std::memory_order_seq_cst);
  FreeCells().Return(index_);
}

Result<shm::Offer> NotifyState::MakeOffer() const {
  const Result<shm::NotifyTable*> table = OwnTable();
  if (!table) return table.status();
  const UniqueFd& doorbell = shm::Doorbell::Process().fd();
  if (!doorbell.valid()) {
    return Status::Error(Code::kResourceExhausted,
                         "other processes cannot wake this one: no page could be shared when it started");
  }
  shm::Offer offer;
  offer.words = {index_, generation_};
  offer.descriptors = {(*table)->fd().get(), doorbell.get()};
  return offer;
}

Status NotifyState::Change(const NotifyChange& change) {
  if (!own() && cell_->generation.load(std::memory_order_seq_cst) != generation_) {
    return Status::Error(Code::kInvalidHandle,
                         "the notify was destroyed in process %d, which made it, before it was recorded here",
                         peer_->pid());
  }
  switch (change.kind) {
    case NotifyChange::Kind::kSet:
      cell_->value.store(change.value, std::memory_order_seq_cst);
      break;
    case NotifyChange::Kind::kAdd:
      cell_->value.fetch_add(change.value, std::memory_order_seq_cst);
      break;
    case NotifyChange::Kind::kOr:
      cell_->value.fetch_or(change.value, std::memory_order_seq_cst);
      break;
    case NotifyChange::Kind::kAnd:
      cell_->value.fetch_and(change.value, std::memory_order_seq_cst);
      break;
  }
  if (cell_->armed.load(std::memory_order_seq_cst) == 0) return Status::Ok();
  if (own()) {
    WakeWaiters();
  } else {
    peer_->Ring();
  }
  return Status::Ok();
}

bool NotifyState::IsMet(const NotifyCondition& condition) const {
  return condition.IsMet(cell_->value.load(std::memory_order_seq_cst));
}

bool NotifyState::Take(const NotifyCondition& condition) {
  uint32_t value = cell_->value.load(std::memory_order_seq_cst);
  while (condition.IsMet(value)) {
    // Of several waits one gets it.
    if (!condition.clear || cell_->value.compare_exchange_weak(value, 0, std::memory_order_seq_cst))
      return true;
  }
  return false;
}

void NotifyState::AddWaiter(Stream& stream) { NotifyWaiters::Process()->Add(*cell_, stream); }
void NotifyState::RemoveWaiter(Stream& stream) { NotifyWaiters::Process()->Remove(*cell_, stream); }
void NotifyState::WakeWaiters() { NotifyWaiters::Process()->Wake(*cell_); }

void NotifyState::Destroy() {
  destroyed_.store(true, std::memory_order_seq_cst);
  if (own()) WakeWaiters();
}

Step NotifyRecordTask::Run(const RunContext& /*context*/) {
  if (!cancelled_) Fail(state_->Change(change_));
  return Step::kDone;
}

void NotifyRecordTask::Cancel(const Status& /*why*/) { cancelled_ = true; }

NotifyWaitTask::~NotifyWaitTask() {
  if (armed_) state_->RemoveWaiter(*stream_);
}

Step NotifyWaitTask::Run(const RunContext& context) {
  if (cancelled_ || state_->Take(condition_)) return Step::kDone;
  if (state_->destroyed()) {
    Fail(Status::Error(Code::kInvalidHandle, "a notify was destroyed while a stream waited for it"));
    return Step::kDone;
  }
  stream_ = context.stream;
  if (deadline_ == kNever && limit_ > std::chrono::seconds(0)) deadline_ = context.Now() + limit_;
  if (deadline_ != kNever && context.Now() >= deadline_) {
    Fail(Status::Error(Code::kTaskTimeout, "a wait for a notify was not satisfied within %lld s",
                       static_cast<long long>(limit_.count())));
    return Step::kDone;
  }
  return Step::kBlocked;
}

// Every time: a wake takes the stream off the list.
bool NotifyWaitTask::Arm() {
  armed_ = true;
  state_->AddWaiter(*stream_);
  return !state_->IsMet(condition_) && !state_->destroyed();
}

void NotifyWaitTask::Cancel(const Status& /*why*/) { cancelled_ = true; }

}  // namespace tandem
