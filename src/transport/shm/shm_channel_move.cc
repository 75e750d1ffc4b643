// SPDX-License-Identifier: Apache-2.0
// How the bytes of a matched transfer get from one process to the other: by either side through the other's
// arena, by the kernel, or through the stage buffers.
#include <algorithm>
#include <cstring>
#include <utility>

#include "transport/shm/arena.h"
#include "transport/shm/shm_channel.h"

namespace tandem::shm {

std::byte* ShmChannel::Reach(const HalfLine& theirs, uint64_t bytes) const {
  return theirs.place == static_cast<uint32_t>(Place::kArena) ? peer_->At(theirs.offset, bytes) : nullptr;
}

bool ShmChannel::SenderCanPush(const Half& half) const {
  const Arena* arena = Arena::ProcessOrNull();
  return ring_->sender.reach != 0 && arena != nullptr && arena->Contains(half.buffer, half.bytes);
}

Channel::Moved ShmChannel::Move(Half& half) {
  if (!connected_.load(std::memory_order_acquire)) return Moved::kNothing;
  Slot& slot = SlotOf(half.sequence);
  std::byte* reached = nullptr;
  {
    // A half that is finished has no slot any more.
    MutexLock lock(mutex_);
    if (half.finished) return Moved::kNothing;
    reached = Reach(TheirLine(slot), half.bytes);
  }
  if (reached != nullptr) return MovePiece(half, slot, reached);
  if (half.direction == Direction::kSend) return FillStage(half, slot);
  if (SenderCanPush(half)) return Moved::kNothing;
  return peer_->CanRead() ? MoveByKernel(half, slot) : DrainStage(half, slot);
}

// Takes a piece for this side. The half is looked at and the piece taken in one step under the lock: once the
// other side has moved the rest, another thread may finish the half, and its slot may then belong to a later
// transfer. A piece that was taken keeps the half open until it is counted.
bool ShmChannel::TakePiece(Half& half, Slot& slot, Take take, uint32_t& piece) {
  MutexLock lock(mutex_);
  if (half.finished) return false;
  switch (ClaimPiece(slot.progress, half.sequence, CutIntoPieces(half.bytes).count, take, piece)) {
    case Claim::kPiece:
      return true;
    case Claim::kNoneLeft:
      return false;
    case Claim::kWithdrawn:
      Finish(half, GaveUpStatus());
      return false;
  }
  return false;
}

void ShmChannel::CountAndFinish(Half& half, Slot& slot, uint32_t moved) {
  if (!CountMoved(slot.progress, half.sequence, CutIntoPieces(half.bytes).count, moved)) return;
  RingIfArmed();
  FinishLater(half, Status::Ok());
}

void ShmChannel::FinishLater(Half& half, Status status) {
  MutexLock lock(mutex_);
  if (!half.finished) Finish(half, std::move(status));
}

Channel::Moved ShmChannel::MovePiece(Half& half, Slot& slot, std::byte* theirs) {
  const Pieces pieces = CutIntoPieces(half.bytes);
  uint32_t piece = 0;
  if (!TakePiece(half, slot, half.direction == Direction::kSend ? Take::kFront : Take::kBack, piece))
    return Moved::kNothing;
  const uint64_t at = piece * pieces.bytes;
  const uint64_t bytes = std::min(pieces.bytes, half.bytes - at);
  auto* const mine = static_cast<std::byte*>(half.buffer);
  if (half.direction == Direction::kSend) {
    CopyBytes(theirs + at, mine + at, bytes, half.bytes);
  } else {
    CopyBytes(mine + at, theirs + at, bytes, half.bytes);
  }
  CountAndFinish(half, slot, 1);
  return Moved::kSome;
}

Channel::Moved ShmChannel::MoveByKernel(Half& half, Slot& slot) {
  const Pieces pieces = CutIntoPieces(half.bytes);
  uint32_t piece = 0;
  if (!TakePiece(half, slot, Take::kFront, piece)) return Moved::kNothing;
  const uint64_t at = piece * pieces.bytes;
  const uint64_t bytes = std::min(pieces.bytes, half.bytes - at);
  if (!peer_->Read(static_cast<std::byte*>(half.buffer) + at, TheirLine(slot).offset + at, bytes)) {
    // The kernel refuses: this piece and all after it go through the stage buffers.
    return AskForStage(half, slot);
  }
  CountAndFinish(half, slot, 1);
  return Moved::kSome;
}

// Only the receiver asks, and only when the sender cannot write into its buffer: so nobody else claims
// pieces, and what was moved is exactly the first pieces.
Channel::Moved ShmChannel::AskForStage(Half& half, Slot& slot) {
  {
    MutexLock lock(mutex_);
    if (half.finished || staging_ != nullptr)
      return Moved::kNothing;  // told again when the stage buffers are free
    staging_ = &half;
  }
  const uint64_t done = slot.progress.done.load(std::memory_order_acquire);
  const uint32_t first = HasTag(done, half.sequence) ? NumberOf(done) : 0;
  uint32_t rest = 0;
  // False with pieces left over only if this side had claimed the last one before the kernel refused it.
  if (!TakePiece(half, slot, Take::kAllFromFront, rest)) {
    MutexLock lock(mutex_);
    if (half.finished) return Moved::kNothing;
  }
  half.staged_bytes = first * CutIntoPieces(half.bytes).bytes;
  slot.progress.stage.store(TagOf(half.sequence) | first, std::memory_order_seq_cst);
  RingIfArmed();
  return Moved::kSome;
}

Channel::Moved ShmChannel::DrainStage(Half& half, Slot& slot) {
  bool mine = false;
  {
    MutexLock lock(mutex_);
    mine = staging_ == &half;
  }
  if (!mine) return AskForStage(half, slot);
  const Pieces pieces = CutIntoPieces(half.bytes);
  const uint64_t emptied = Mine().staged.load(std::memory_order_relaxed);
  if (Theirs().staged.load(std::memory_order_seq_cst) == emptied) return Moved::kNothing;
  const uint64_t bytes = std::min<uint64_t>(kStageBytes, half.bytes - half.staged_bytes);
  std::memcpy(static_cast<std::byte*>(half.buffer) + half.staged_bytes, (*stage_)[emptied % 2].data(), bytes);
  half.staged_bytes += bytes;
  Mine().staged.store(emptied + 1, std::memory_order_seq_cst);
  RingIfArmed();
  if (half.staged_bytes == half.bytes) {
    const uint32_t first = NumberOf(slot.progress.stage.load(std::memory_order_relaxed));
    CountAndFinish(half, slot, pieces.count - first);
  }
  return Moved::kSome;
}

// The receiver may ask for the next transfer before this side has seen that the last one is done, and another
// thread may serve it; so what is known of a transfer is kept in its half, and one that was filled to its end
// touches nothing more.
Channel::Moved ShmChannel::FillStage(Half& half, Slot& slot) {
  const uint64_t stage = slot.progress.stage.load(std::memory_order_seq_cst);
  if (!HasTag(stage, half.sequence)) return Moved::kNothing;
  {
    MutexLock lock(mutex_);
    if (half.finished) return Moved::kNothing;
  }
  if (!half.staging) {
    half.staging = true;
    half.staged_bytes = NumberOf(stage) * CutIntoPieces(half.bytes).bytes;
  }
  const uint64_t filled = Mine().staged.load(std::memory_order_relaxed);
  if (half.staged_bytes >= half.bytes || filled - Theirs().staged.load(std::memory_order_seq_cst) >= 2) {
    return Moved::kNothing;
  }
  const uint64_t bytes = std::min<uint64_t>(kStageBytes, half.bytes - half.staged_bytes);
  std::memcpy((*stage_)[filled % 2].data(), static_cast<const std::byte*>(half.buffer) + half.staged_bytes,
              bytes);
  half.staged_bytes += bytes;
  Mine().staged.store(filled + 1, std::memory_order_seq_cst);
  RingIfArmed();
  return Moved::kSome;
}

}  // namespace tandem::shm
