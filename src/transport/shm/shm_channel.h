// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/mapping.h"
#include "base/mutex.h"
#include "transport/channel.h"
#include "transport/copy.h"
#include "transport/shm/doorbell.h"
#include "transport/shm/peer_memory.h"
#include "transport/shm/slots.h"

namespace tandem::shm {

// One side of a ring that two processes share: this process sends on it, or receives on it.
//
// Who wakes whom: every change that the other side may wait for (a half posted, the last piece moved, slots
// freed, a stage buffer filled or emptied) is stored with seq_cst, then the other side's `armed` is read with
// seq_cst; Arm() stores `armed` and then looks at the slots, both seq_cst. So either the change is seen by
// the look, or the bell is rung.
//
// Locks: mutex_ guards this process's view; it is never held while bytes of more than a few KiB are moved,
// and no other channel's lock is taken under it.
class ShmChannel final : public Channel, public Doorbell::Listener {
 public:
  // `ring` and `stage` lie in `segment`, which the channel keeps mapped. Until Connect, halves only queue up
  // here.
  static std::shared_ptr<ShmChannel> Create(Direction direction);
  ~ShmChannel() override;

  // The pair's memory is there. Both sides' `flag` and `reach` must be in the ring by now.
  void Connect(std::shared_ptr<Mapping> segment, TransferRing& ring,
               std::array<std::array<std::byte, kStageBytes>, 2>& stage, std::shared_ptr<PeerMemory> peer)
      TANDEM_EXCLUDES(mutex_);

  void Post(Half& half) override TANDEM_EXCLUDES(mutex_);
  Moved Move(Half& half) override TANDEM_EXCLUDES(mutex_);
  bool Poll() override TANDEM_EXCLUDES(mutex_);
  bool IsQuiet() const override;
  bool Arm() override TANDEM_EXCLUDES(mutex_);
  void Disarm() override TANDEM_EXCLUDES(mutex_);
  bool Withdraw(Half& half, const Status& why) override TANDEM_EXCLUDES(mutex_);
  void Fail(const Status& why) override TANDEM_EXCLUDES(mutex_);

  void OnNews() override;

  uint32_t flag() const { return flag_; }

 private:
  explicit ShmChannel(Direction direction) : direction_(direction) {}

  RingSide& Mine() { return direction_ == Direction::kSend ? ring_->sender : ring_->receiver; }
  RingSide& Theirs() { return direction_ == Direction::kSend ? ring_->receiver : ring_->sender; }
  Slot& SlotOf(uint64_t sequence) { return ring_->slots[sequence % kSlots]; }
  HalfLine& MyLine(Slot& slot) { return direction_ == Direction::kSend ? slot.send : slot.receive; }
  HalfLine& TheirLine(Slot& slot) { return direction_ == Direction::kSend ? slot.receive : slot.send; }
  void RingIfArmed();
  void Watch(const Half& half) TANDEM_REQUIRES(mutex_);

  bool MayUseSlot(uint64_t sequence) TANDEM_REQUIRES(mutex_);
  void Publish(Half& half) TANDEM_REQUIRES(mutex_);
  bool FlushBacklog() TANDEM_REQUIRES(mutex_);
  bool LookAtAll() TANDEM_REQUIRES(mutex_);
  bool LookAt(Half& half) TANDEM_REQUIRES(mutex_);
  bool Match(Half& half, Slot& slot, const HalfLine& theirs) TANDEM_REQUIRES(mutex_);
  bool LookAtMatched(Half& half, Slot& slot) TANDEM_REQUIRES(mutex_);
  void Finish(Half& half, Status status) TANDEM_REQUIRES(mutex_);
  void Forget(Half& half) TANDEM_REQUIRES(mutex_);
  void MarkFinished(uint64_t sequence) TANDEM_REQUIRES(mutex_);
  void PublishWithdrawn(uint64_t sequence) TANDEM_REQUIRES(mutex_);
  void HoldArmed() TANDEM_REQUIRES(mutex_);
  void DropArmed() TANDEM_REQUIRES(mutex_);

  // Where the other side's bytes are in this process, or null.
  std::byte* Reach(const HalfLine& theirs, uint64_t bytes) const;
  bool SenderCanPush(const Half& half) const;
  Moved MovePiece(Half& half, Slot& slot, std::byte* theirs) TANDEM_EXCLUDES(mutex_);
  Moved MoveByKernel(Half& half, Slot& slot) TANDEM_EXCLUDES(mutex_);
  bool TakePiece(Half& half, Slot& slot, Take take, uint32_t& piece) TANDEM_EXCLUDES(mutex_);
  Moved AskForStage(Half& half, Slot& slot) TANDEM_EXCLUDES(mutex_);
  Moved FillStage(Half& half, Slot& slot) TANDEM_EXCLUDES(mutex_);
  Moved DrainStage(Half& half, Slot& slot) TANDEM_EXCLUDES(mutex_);
  void CountAndFinish(Half& half, Slot& slot, uint32_t moved) TANDEM_EXCLUDES(mutex_);
  void FinishLater(Half& half, Status status) TANDEM_EXCLUDES(mutex_);

  const Direction direction_;
  uint32_t flag_ = 0;

  // Set once by Connect, before connected_.
  std::shared_ptr<Mapping> segment_;
  TransferRing* ring_ = nullptr;
  std::array<std::array<std::byte, kStageBytes>, 2>* stage_ = nullptr;
  std::shared_ptr<PeerMemory> peer_;
  std::atomic<bool> connected_{false};

  // Where the other side will post the half that is waited for, and what it will write there, while exactly
  // one half is open, unmatched, and nothing waits behind it; else null. Written under mutex_, read without.
  std::atomic<const std::atomic<uint64_t>*> watched_{nullptr};
  std::atomic<uint64_t> watched_tag_{0};

  Mutex mutex_;
  std::array<Half*, kSlots> open_ TANDEM_GUARDED_BY(mutex_) = {};  // posted and not finished, by sequence
  uint64_t first_open_ TANDEM_GUARDED_BY(mutex_) = 0;              // all below are finished
  uint64_t after_open_ TANDEM_GUARDED_BY(mutex_) = 0;              // all from here on are not posted
  uint64_t finished_bits_ TANDEM_GUARDED_BY(mutex_) = 0;           // finished ones at or above first_open_
  uint64_t consumed_told_ TANDEM_GUARDED_BY(mutex_) = 0;
  uint64_t consumed_seen_ TANDEM_GUARDED_BY(mutex_) = 0;  // of the other side, when last looked at
  Half* backlog_ TANDEM_GUARDED_BY(mutex_) = nullptr;     // not yet posted: no slot free, or not connected
  Half* backlog_last_ TANDEM_GUARDED_BY(mutex_) = nullptr;
  std::vector<uint64_t> withdrawn_
      TANDEM_GUARDED_BY(mutex_);  // taken back before they were posted; told when due, armed until then
  uint32_t armed_ TANDEM_GUARDED_BY(mutex_) = 0;
  Status failure_ TANDEM_GUARDED_BY(mutex_);

  // Receiver: the one transfer that goes through the stage buffers. It chooses, and asks by the slot's stage
  // word.
  Half* staging_ TANDEM_GUARDED_BY(mutex_) = nullptr;
  uint64_t stage_asked_ TANDEM_GUARDED_BY(mutex_) = 0;    // sender: the request that its owner was told of
  uint64_t stage_emptied_ TANDEM_GUARDED_BY(mutex_) = 0;  // sender: and the state of the buffers
};

}  // namespace tandem::shm
