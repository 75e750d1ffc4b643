// SPDX-License-Identifier: Apache-2.0
#include "transport/shm/shm_channel.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "transport/shm/arena.h"

namespace tandem::shm {
namespace {

// How many finished transfers may go untold before the other side learns that their slots are free. Must be
// well below kSlots, so that a full ring always gets news.
constexpr uint64_t kTellConsumedEvery = kSlots / 4;

}  // namespace

std::shared_ptr<ShmChannel> ShmChannel::Create(Direction direction) {
  std::shared_ptr<ShmChannel> channel(new ShmChannel(direction));
  channel->flag_ = Doorbell::Process().Register(channel);
  return channel;
}

ShmChannel::~ShmChannel() { Doorbell::Process().Unregister(flag_, this); }

void ShmChannel::Connect(std::shared_ptr<Mapping> segment, TransferRing& ring,
                         std::array<std::array<std::byte, kStageBytes>, 2>& stage,
                         std::shared_ptr<PeerMemory> peer) {
  MutexLock lock(mutex_);
  segment_ = std::move(segment);
  ring_ = &ring;
  stage_ = &stage;
  peer_ = std::move(peer);
  connected_.store(true, std::memory_order_release);
  if (armed_ > 0) Mine().armed.store(1, std::memory_order_seq_cst);
  FlushBacklog();
  LookAtAll();
}

void ShmChannel::RingIfArmed() {
  if (Theirs().armed.load(std::memory_order_seq_cst) != 0) RingDoorbell(peer_->doorbell(), Theirs().flag);
}

bool ShmChannel::MayUseSlot(uint64_t sequence) {
  if (sequence >= first_open_ + kSlots) return false;
  if (sequence >= consumed_seen_ + kSlots) consumed_seen_ = Theirs().consumed.load(std::memory_order_seq_cst);
  return sequence < consumed_seen_ + kSlots;
}

void ShmChannel::Post(Half& half) {
  MutexLock lock(mutex_);
  watched_.store(nullptr, std::memory_order_relaxed);
  if (!failure_.ok()) {
    half.finished = true;
    half.owner->OnFinished(half, failure_);
    return;
  }
  if (connected_.load(std::memory_order_relaxed) && MayUseSlot(half.sequence)) {
    // Both lines are likely to be in the other core's cache: fetch theirs while the store to ours waits.
    __builtin_prefetch(&TheirLine(SlotOf(half.sequence)));
    Publish(half);
    if (!LookAt(half)) Watch(half);
    return;
  }
  half.next = nullptr;
  (backlog_last_ == nullptr ? backlog_ : backlog_last_->next) = &half;
  backlog_last_ = &half;
}

void ShmChannel::Publish(Half& half) {
  Slot& slot = SlotOf(half.sequence);
  HalfLine& line = MyLine(slot);
  line.count = half.count;
  line.type = half.type;
  const Arena* arena = Arena::ProcessOrNull();
  if (half.direction == Direction::kSend && half.bytes <= kInlineBytes) {
    line.place = static_cast<uint32_t>(Place::kInline);
    std::memcpy(line.payload.data(), half.buffer, half.bytes);
  } else if (arena != nullptr && arena->Contains(half.buffer, half.bytes)) {
    line.place = static_cast<uint32_t>(Place::kArena);
    line.offset = arena->OffsetOf(half.buffer);
  } else {
    line.place = static_cast<uint32_t>(Place::kPrivate);
    line.offset = reinterpret_cast<uintptr_t>(half.buffer);
  }
  open_[half.sequence % kSlots] = &half;
  after_open_ = std::max(after_open_, half.sequence + 1);
  // Pairs with the load of the tag in LookAt on the other side: it sees the fields above.
  line.tag.store(half.sequence + 1, std::memory_order_seq_cst);
  // Where the next half goes. Only the receiver's line: the sender's is polled by a waiting receiver, which
  // would take it back at once.
  if (half.direction == Direction::kReceive) PrefetchToWrite(&MyLine(SlotOf(half.sequence + 1)));
  RingIfArmed();
}

bool ShmChannel::FlushBacklog() {
  bool any = false;
  const size_t told = std::erase_if(withdrawn_, [this](uint64_t sequence) TANDEM_REQUIRES(mutex_) {
    if (!MayUseSlot(sequence)) return false;
    PublishWithdrawn(sequence);
    return true;
  });
  if (told > 0 && withdrawn_.empty()) DropArmed();
  Half** link = &backlog_;
  backlog_last_ = nullptr;
  while (Half* half = *link) {
    if (MayUseSlot(half->sequence)) {
      *link = half->next;
      Publish(*half);
      // The other side may have come long before, and then it will not ring again.
      LookAt(*half);
      any = true;
    } else {
      backlog_last_ = half;
      link = &half->next;
    }
  }
  return any;
}

bool ShmChannel::LookAtAll() {
  bool any = false;
  for (uint64_t sequence = first_open_; sequence < after_open_; ++sequence) {
    Half* half = open_[sequence % kSlots];
    if (half != nullptr && half->sequence == sequence && LookAt(*half)) any = true;
  }
  if ((backlog_ != nullptr || !withdrawn_.empty()) && FlushBacklog()) any = true;
  return any;
}

// True if there was news for the half.
bool ShmChannel::LookAt(Half& half) {
  Slot& slot = SlotOf(half.sequence);
  if (half.matched) return LookAtMatched(half, slot);
  const HalfLine& theirs = TheirLine(slot);
  const uint64_t tag = theirs.tag.load(std::memory_order_seq_cst);
  if (tag == half.sequence + 1) return Match(half, slot, theirs);
  if (tag == ((half.sequence + 1) | kTagWithdrawn)) {
    Finish(half, GaveUpStatus());
    return true;
  }
  return false;
}

bool ShmChannel::LookAtMatched(Half& half, Slot& slot) {
  if (AllMoved(slot.progress, half.sequence, CutIntoPieces(half.bytes).count)) {
    Finish(half, Status::Ok());
    return true;
  }
  const uint64_t claim = slot.progress.claim.load(std::memory_order_seq_cst);
  if (HasTag(claim, half.sequence) && NumberOf(claim) == kClaimWithdrawn) {
    Finish(half, GaveUpStatus());
    return true;
  }
  if (half.direction == Direction::kSend) {
    const uint64_t stage = slot.progress.stage.load(std::memory_order_seq_cst);
    const uint64_t emptied = Theirs().staged.load(std::memory_order_seq_cst);
    if (!HasTag(stage, half.sequence)) return false;
    // The request is news once, and then each emptied buffer, since it is room for the next.
    if (stage_asked_ == half.sequence + 1 && stage_emptied_ == emptied) return false;
    stage_asked_ = half.sequence + 1;
    stage_emptied_ = emptied;
    half.owner->OnMatched(half);
    return true;
  }
  if (staging_ == &half &&
      Theirs().staged.load(std::memory_order_seq_cst) != Mine().staged.load(std::memory_order_relaxed)) {
    half.owner->OnMatched(half);
    return true;
  }
  return false;
}

bool ShmChannel::Match(Half& half, Slot& slot, const HalfLine& theirs) {
  // Copied once, then checked: the other process could change them.
  const HalfShape other{theirs.count, theirs.type};
  const auto place = static_cast<Place>(theirs.place);
  if (other.count != half.count || other.type != half.type) {
    Forget(half);
    half.owner->OnMismatch(half, other);
    return true;
  }
  if (half.bytes <= kInlineBytes) {
    if (half.direction == Direction::kReceive) {
      if (place != Place::kInline) {
        Finish(half,
               Status::Error(Code::kInternal, "the other rank's half of a small transfer has no payload"));
        return true;
      }
      std::memcpy(half.buffer, theirs.payload.data(), half.bytes);
    }
    Finish(half, Status::Ok());
    return true;
  }
  half.matched = true;
  const Pieces pieces = CutIntoPieces(half.bytes);
  std::byte* const reached = Reach(theirs, half.bytes);
  if (reached != nullptr && pieces.count == 1) {
    uint32_t piece = 0;
    if (ClaimPiece(slot.progress, half.sequence, 1, Take::kFront, piece) == Claim::kPiece) {
      auto* mine = static_cast<std::byte*>(half.buffer);
      const bool send = half.direction == Direction::kSend;
      std::memcpy(send ? reached : mine, send ? mine : reached, half.bytes);
      CountMoved(slot.progress, half.sequence, 1, 1);
      RingIfArmed();
      Finish(half, Status::Ok());
      return true;
    }
    return LookAtMatched(half, slot);
  }
  // The other side may have moved everything already, and may be gone by the next look.
  if (!LookAtMatched(half, slot)) half.owner->OnMatched(half);
  return true;
}

// Takes the half out of the ring's books. Its slot may be reused once both sides have done this.
void ShmChannel::Forget(Half& half) {
  half.finished = true;
  open_[half.sequence % kSlots] = nullptr;
  MarkFinished(half.sequence);
  if (staging_ == &half) {
    staging_ = nullptr;
    // Others may have been waiting for the stage buffers.
    for (Half* other : open_) {
      if (other != nullptr && other->matched) other->owner->OnMatched(*other);
    }
  }
}

void ShmChannel::MarkFinished(uint64_t sequence) {
  finished_bits_ |= uint64_t{1} << (sequence - first_open_);
  while ((finished_bits_ & 1) != 0) {
    finished_bits_ >>= 1;
    ++first_open_;
  }
  if (first_open_ - consumed_told_ >= kTellConsumedEvery) {
    consumed_told_ = first_open_;
    Mine().consumed.store(first_open_, std::memory_order_seq_cst);
    RingIfArmed();
  }
}

// The half was taken back before it could be posted. The other side must still hear of it, or it would wait
// for ever.
void ShmChannel::PublishWithdrawn(uint64_t sequence) {
  Slot& slot = SlotOf(sequence);
  WithdrawClaim(slot.progress, sequence);
  MyLine(slot).tag.store((sequence + 1) | kTagWithdrawn, std::memory_order_seq_cst);
  after_open_ = std::max(after_open_, sequence + 1);
  RingIfArmed();
  MarkFinished(sequence);
}

void ShmChannel::Finish(Half& half, Status status) {
  Forget(half);
  half.owner->OnFinished(half, std::move(status));
}

void ShmChannel::Watch(const Half& half) {
  if (after_open_ != first_open_ + 1 || backlog_ != nullptr || !withdrawn_.empty()) return;
  watched_tag_.store(half.sequence + 1, std::memory_order_relaxed);
  watched_.store(&TheirLine(SlotOf(half.sequence)).tag, std::memory_order_relaxed);
}

// Without the lock, so that polling costs next to nothing. May be wrong while another thread posts; the next
// poll is right then, and Arm looks properly. What is left behind by a half that has finished reads as news.
bool ShmChannel::IsQuiet() const {
  const std::atomic<uint64_t>* const tag = watched_.load(std::memory_order_relaxed);
  return tag != nullptr && (tag->load(std::memory_order_relaxed) & ~kTagWithdrawn) !=
                               watched_tag_.load(std::memory_order_relaxed);
}

bool ShmChannel::Poll() {
  if (!connected_.load(std::memory_order_acquire) || IsQuiet()) return false;
  if (!mutex_.TryLock()) return false;  // whoever holds it is looking
  const bool any = LookAtAll();
  mutex_.Unlock();
  return any;
}

void ShmChannel::OnNews() {
  MutexLock lock(mutex_);
  if (connected_.load(std::memory_order_relaxed)) LookAtAll();
}

void ShmChannel::HoldArmed() {
  if (++armed_ == 1 && connected_.load(std::memory_order_relaxed)) {
    Mine().armed.store(1, std::memory_order_seq_cst);
  }
}

void ShmChannel::DropArmed() {
  if (--armed_ == 0 && connected_.load(std::memory_order_relaxed)) {
    Mine().armed.store(0, std::memory_order_relaxed);
  }
}

bool ShmChannel::Arm() {
  MutexLock lock(mutex_);
  HoldArmed();
  return !connected_.load(std::memory_order_relaxed) || !LookAtAll();
}

void ShmChannel::Disarm() {
  MutexLock lock(mutex_);
  DropArmed();
}

bool ShmChannel::Withdraw(Half& half, const Status& why) {
  MutexLock lock(mutex_);
  watched_.store(nullptr, std::memory_order_relaxed);
  if (half.finished) return true;
  Half* before = nullptr;
  for (Half* waiting = backlog_; waiting != nullptr; before = waiting, waiting = waiting->next) {
    if (waiting != &half) continue;
    (before == nullptr ? backlog_ : before->next) = half.next;
    if (backlog_last_ == &half) backlog_last_ = before;
    half.finished = true;
    withdrawn_.push_back(half.sequence);
    // Its owner looks no more, but the other side must hear of it as soon as a slot is free.
    if (withdrawn_.size() == 1) HoldArmed();
    half.owner->OnFinished(half, why);
    if (connected_.load(std::memory_order_relaxed)) LookAtAll();
    return true;
  }
  if (LookAt(half) && half.finished) return true;
  if (half.matched) return false;
  Slot& slot = SlotOf(half.sequence);
  if (!WithdrawClaim(slot.progress, half.sequence)) return false;
  MyLine(slot).tag.store((half.sequence + 1) | kTagWithdrawn, std::memory_order_seq_cst);
  RingIfArmed();
  Finish(half, why);
  return true;
}

void ShmChannel::Fail(const Status& why) {
  MutexLock lock(mutex_);
  if (!failure_.ok()) return;
  failure_ = why;
  // What the other side finished before it went is finished here too.
  if (connected_.load(std::memory_order_relaxed)) LookAtAll();
  for (uint64_t sequence = first_open_; sequence < after_open_; ++sequence) {
    Half* half = open_[sequence % kSlots];
    if (half == nullptr || half->finished) continue;
    half->finished = true;
    open_[sequence % kSlots] = nullptr;
    half->owner->OnFinished(*half, why);
  }
  Half* waiting = std::exchange(backlog_, nullptr);
  backlog_last_ = nullptr;
  while (waiting != nullptr) {
    Half* const next = waiting->next;
    waiting->finished = true;
    waiting->owner->OnFinished(*waiting, why);
    waiting = next;
  }
}

}  // namespace tandem::shm
