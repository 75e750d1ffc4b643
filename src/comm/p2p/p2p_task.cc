// SPDX-License-Identifier: Apache-2.0
#include "comm/p2p/p2p_task.h"

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <utility>

#include "base/thread_local.h"
#include "comm/communicator.h"
#include "comm/data_type.h"
#include "comm/wait_note.h"

namespace tandem {
namespace {

// How many halves the thread that queues a batch posts itself, before it leaves the rest to whoever runs the
// stream.
constexpr size_t kPostAtStart = 64;

// The task that this thread runs now: what it finishes itself needs no notification.
TANDEM_FAST_THREAD_LOCAL const P2pTask* running = nullptr;

class Running {
 public:
  explicit Running(const P2pTask* task) : before_(running) { running = task; }
  ~Running() { running = before_; }
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;

 private:
  const P2pTask* before_;
};

}  // namespace

P2pTask::P2pTask(std::shared_ptr<Communicator> communicator, Stream& stream, const char* call, Space space,
                 const P2pItem* items, size_t count)
    : communicator_(std::move(communicator)),
      stream_(stream),
      call_(call),
      space_(space),
      many_(count > kFew ? std::make_unique<Item[]>(count) : nullptr),
      many_channels_(count > kFew ? std::make_unique<Channel*[]>(count) : nullptr),
      items_(count > kFew ? many_.get() : reinterpret_cast<Item*>(few_.data())),
      count_(count),
      remaining_(count) {
  for (size_t i = 0; i < count; ++i) {
    Item& item = count > kFew ? items_[i] : *std::construct_at(items_ + i);
    item.what = items[i];
    item.link = &communicator_->LinkTo(items[i].peer);
    item.link->CountSubmitted();
    item.half.owner = this;
    item.half.buffer = items[i].buffer != nullptr ? items[i].buffer : &item.nothing;
    item.half.sequence = item.link->TakeNumber(items[i].direction, space);
    item.half.count = items[i].count;
    item.half.bytes = items[i].bytes;
    item.half.type = static_cast<uint32_t>(items[i].type);
    item.half.direction = items[i].direction;
  }
  channels_ = {count > kFew ? many_channels_.get() : few_channels_.data(), count};
  for (size_t i = 0; i < count; ++i) channels_[i] = &ChannelOf(items_[i]);
  if (count == 1) return;
  std::sort(channels_.begin(), channels_.end());
  const auto end = std::unique(channels_.begin(), channels_.end());
  channels_ = channels_.first(static_cast<size_t>(end - channels_.begin()));
}

P2pTask::~P2pTask() {
  for (size_t i = 0; i < count_; ++i) items_[i].link->CountFinished();
  if (count_ <= kFew) std::destroy_n(items_, count_);
}

Step P2pTask::Run(const RunContext& context) {
  const Running here(this);
  if (armed_) DisarmAll();
  if (posted_ < count_) Post(context.starting);
  for (;;) {
    if (remaining_.load(std::memory_order_acquire) == 0) {
      // relaxed: whoever set it did so before it counted its half.
      if (failed_.load(std::memory_order_relaxed)) {
        MutexLock lock(error_mutex_);
        Fail(std::move(error_));
      }
      return Step::kDone;
    }
    CollectWork();
    if (context.starting) return moving_.empty() ? Step::kBlocked : Step::kMore;
    if (posted_ < count_) return Step::kMore;
    if (Move()) return Step::kMore;
    if (!Poll()) break;
  }
  // The wait counts from the first look that found nothing and knew the time: most transfers are over before
  // anybody has read a clock.
  if (!cancelled_ && (clock_runs_ || context.KnowsTime()) && IsOverdue(context.Now())) return Step::kMore;
  return Step::kBlocked;
}

void P2pTask::StartClock(Deadline now) {
  if (std::exchange(clock_runs_, true)) return;
  if (communicator_->exec_timeout()) deadline_ = now + *communicator_->exec_timeout();
  if (communicator_->note_after().count() != 0) notes_.Start(now, communicator_->note_after());
}

bool P2pTask::IsOverdue(Deadline now) {
  StartClock(now);
  if (now >= deadline_) {
    WithdrawAll(TimedOut());
    return true;
  }
  if (notes_.IsDue(now)) NoteWait(now);
  return false;
}

Deadline P2pTask::WakeAt() {
  if (cancelled_) return kNever;
  if (!clock_runs_) StartClock(Clock::now());
  return std::min(deadline_, notes_.next());
}

void P2pTask::Post(bool starting) {
  const size_t until = starting ? std::min(count_, kPostAtStart) : count_;
  for (; posted_ < until; ++posted_) {
    Item& item = items_[posted_];
    ChannelOf(item).Post(item.half);
  }
}

void P2pTask::CollectWork() {
  if (work_.load(std::memory_order_relaxed) == nullptr) return;
  // acquire: pairs with the release of the push in OnMatched.
  Half* half = work_.exchange(nullptr, std::memory_order_acquire);
  while (half != nullptr) {
    Half* const next = half->owner_next;
    // From here on the half may be pushed again: there may be more to move later.
    half->owner_queued.store(false, std::memory_order_seq_cst);
    moving_.push_back(half);
    half = next;
  }
}

// True: something was moved. One piece at a time, so that limits and other items are looked at in between.
bool P2pTask::Move() {
  while (!moving_.empty()) {
    Half* const half = moving_.back();
    if (ChannelOf(ItemOf(*half)).Move(*half) == Channel::Moved::kSome) return true;
    moving_.pop_back();
  }
  return false;
}

bool P2pTask::Poll() {
  bool any = false;
  for (Channel* channel : channels_) any = channel->Poll() || any;
  return any || work_.load(std::memory_order_relaxed) != nullptr ||
         remaining_.load(std::memory_order_relaxed) == 0;
}

bool P2pTask::Linger() {
  constexpr int kPolls = 16;
  for (int i = 0; i < kPolls; ++i) {
    CpuPause();
    if (work_.load(std::memory_order_relaxed) != nullptr || remaining_.load(std::memory_order_relaxed) == 0)
      return true;
    for (const Channel* channel : channels_) {
      if (!channel->IsQuiet()) return true;
    }
  }
  return false;
}

bool P2pTask::Arm() {
  armed_ = true;
  bool quiet = true;
  for (Channel* channel : channels_) quiet = channel->Arm() && quiet;
  return quiet && work_.load(std::memory_order_acquire) == nullptr &&
         remaining_.load(std::memory_order_acquire) != 0;
}

void P2pTask::DisarmAll() {
  armed_ = false;
  for (Channel* channel : channels_) channel->Disarm();
}

void P2pTask::Cancel(const Status& why) {
  const Running here(this);
  if (posted_ < count_) Post(false);
  WithdrawAll(why);
}

// What has met its other side is left to finish: it only takes the time of the copy.
void P2pTask::WithdrawAll(const Status& why) {
  cancelled_ = true;
  for (size_t i = 0; i < count_; ++i) ChannelOf(items_[i]).Withdraw(items_[i].half, why);
}

void P2pTask::OnMatched(Half& half) {
  Stream& stream = stream_;
  const bool here = running == this;
  if (half.owner_queued.exchange(true, std::memory_order_seq_cst)) return;
  Half* head = work_.load(std::memory_order_relaxed);
  do {
    half.owner_next = head;
  } while (!work_.compare_exchange_weak(head, &half, std::memory_order_release, std::memory_order_relaxed));
  if (!here) stream.Notify();
}

void P2pTask::Complete() {
  Stream& stream = stream_;
  const bool here = running == this;
  if (count_ == 1) {
    // release: the runner that sees 0 sees the bytes and the error. Nobody else counts, so no exchange is
    // needed; and nothing of the task may be used from here on.
    remaining_.store(0, std::memory_order_release);
    if (!here) stream.Notify();
    return;
  }
  // acq_rel: the runner that sees 0 sees the bytes and the error of every half.
  if (remaining_.fetch_sub(1, std::memory_order_acq_rel) == 1 && !here) stream.Notify();
}

void P2pTask::OnFinished(Half& half, Status status) {
  if (!status.ok()) RecordError(std::move(status).Annotate(Describe(ItemOf(half))));
  Complete();
}

void P2pTask::OnMismatch(Half& half, const HalfShape& other) {
  const Item& item = ItemOf(half);
  const bool send = half.direction == Direction::kSend;
  const uint32_t me = communicator_->rank();
  const uint32_t from = send ? me : item.what.peer;
  const uint32_t to = send ? item.what.peer : me;
  const std::string mine = DataTypeName(item.what.type);
  const std::string theirs = DataTypeName(static_cast<int>(other.type));
  const std::string types =
      mine == theirs ? mine
                     : "sender type " + (send ? mine : theirs) + ", receiver type " + (send ? theirs : mine);
  const std::optional<DataType> their_type = FindDataType(static_cast<int>(other.type));
  const bool same_bytes = their_type && other.count * their_type->bytes == half.bytes;
  RecordError(Status::Error(Code::kMismatch,
                            "%s: the two sides disagree on operation %" PRIu64
                            " from %u to %u: sender count %" PRIu64 ", receiver count %" PRIu64
                            ", %s%s. Nothing was moved. Give both calls the same count and "
                            "data type; local rank %u, remote rank %u, communicator %s",
                            call_, half.sequence + 1, from, to, send ? half.count : other.count,
                            send ? other.count : half.count, types.c_str(),
                            same_bytes ? " (same number of bytes, different type)" : "", me, item.what.peer,
                            communicator_->name().c_str())
                  .WithId("EI0005"));
  Complete();
}

void P2pTask::RecordError(Status status) {
  communicator_->NoteAsyncError(status);
  MutexLock lock(error_mutex_);
  if (error_.ok()) error_ = std::move(status);
  failed_.store(true, std::memory_order_relaxed);
}

const P2pTask::Item& P2pTask::ItemOf(const Half& half) const {
  const auto offset = reinterpret_cast<uintptr_t>(&half) - reinterpret_cast<uintptr_t>(&items_[0].half);
  return items_[offset / sizeof(Item)];
}

std::string P2pTask::Describe(const Item& item) const {
  const bool send = item.what.direction == Direction::kSend;
  char text[256];
  std::snprintf(text, sizeof(text),
                "%s: rank %u, %s %s rank %u, number %" PRIu64 " in that direction, %" PRIu64 " x %s", call_,
                communicator_->rank(), send ? "send" : "receive", send ? "to" : "from", item.what.peer,
                item.half.sequence + 1, item.what.count, DataTypeName(item.what.type).c_str());
  return text;
}

Status P2pTask::TimedOut() const {
  const double seconds =
      std::chrono::duration<double>(communicator_->exec_timeout().value_or(std::chrono::nanoseconds(0)))
          .count();
  return Status::
      Error(Code::kTaskTimeout,
            "waited %.2f s for its other side, which is the limit (HCCL_EXEC_TIMEOUT, TANDEM_EXEC_TIMEOUT "
            "or the communicator's own). Look for the earliest error of the other rank, and whether it makes "
            "the matching call; communicator %s, %u ranks",
            seconds, communicator_->name().c_str(), communicator_->size())
          .WithId("EI0002");
}

void P2pTask::NoteWait(Deadline now) const {
  WaitFacts facts;
  facts.call = call_;
  facts.seconds = notes_.Seconds(now);
  facts.count = count_;
  facts.open = remaining_.load(std::memory_order_relaxed);
  if (facts.open == 0) return;
  if (count_ == 1) {
    facts.only = &items_[0].what;
    facts.number = items_[0].half.sequence + 1;
  }
  for (size_t i = 0; i < count_; ++i) facts.peers.push_back(items_[i].what.peer);
  WriteNote(WaitNoteText(*communicator_, std::move(facts)));
}

}  // namespace tandem
