// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "transport/copy.h"

namespace tandem::shm {

// Layout 2 of what two processes share for one pair of ranks: six rings (two directions, three matching
// spaces) of transfer slots. Drawn in docs/architecture.md. Fixed widths, offsets instead of addresses; every
// field has one writer, except `claim` and `done`, which change only by compare-exchange.
//
// A slot is used by the transfers n, n + kSlots, n + 2 kSlots, ... of its ring. Nothing is ever reset: each
// word that decides something carries the number of its transfer, so that what an earlier transfer left
// behind reads as "not yet".

inline constexpr uint32_t kSlots = 64;
inline constexpr size_t kInlineBytes = 32;
inline constexpr size_t kStageBytes =
    size_t{128} * 1024;  // one of two buffers through which bytes go that nobody can reach

// Where the bytes of a half are.
enum class Place : uint32_t {
  kInline = 1,   // sender only: in the half itself
  kArena = 2,    // at `offset` of the process's arena, which the other side has mapped or can map
  kPrivate = 3,  // at address `offset` of the process; the other side cannot map it
};

struct alignas(64) HalfLine {
  std::atomic<uint64_t>
      tag;  // sequence + 1 once the half is posted; with kTagWithdrawn when it was taken back
  uint64_t count;
  uint32_t type;
  uint32_t place;
  uint64_t offset;
  std::array<std::byte, kInlineBytes> payload;
};

struct alignas(64) ProgressLine {
  std::atomic<uint64_t>
      claim;  // (sequence + 1) << 32 | claimed at the back << 16 | at the front, or kClaimWithdrawn
  std::atomic<uint64_t> done;  // (sequence + 1) << 32 | pieces moved
  std::atomic<uint64_t>
      stage;  // (sequence + 1) << 32 | first piece that the receiver wants through the stage buffers
};

struct Slot {
  HalfLine send;
  HalfLine receive;
  ProgressLine progress;
};

// What one side of a ring tells the other. One writer.
struct alignas(64) RingSide {
  std::atomic<uint32_t> armed;   // ring my doorbell when there is news
  uint32_t flag;                 // which of my doorbell's flags; set before the pair is connected
  std::atomic<uint64_t> staged;  // sender: stage buffers filled so far; receiver: emptied so far
  uint32_t reach;                // I have mapped the other side's arena; set before the pair is connected
  // All transfers below this are finished on this side: their slots may be reused. On a line of its own,
  // since it changes all the time and the other side reads `armed` for each transfer.
  alignas(64) std::atomic<uint64_t> consumed;
};

struct TransferRing {
  RingSide sender;
  RingSide receiver;
  std::array<Slot, kSlots> slots;
};

struct PairSegment {
  static constexpr uint32_t kMagic = 0x544e4450;  // "PDNT"
  static constexpr uint32_t kLayout = 2;
  static constexpr uint32_t kRings = 6;

  std::atomic<uint32_t> magic;  // stored last, with release
  uint32_t layout;
  alignas(64) std::array<TransferRing, kRings> rings;
  // Two buffers for each ring, written and read in turn. Pages appear only when staging is needed.
  alignas(4096) std::array<std::array<std::array<std::byte, kStageBytes>, 2>, kRings> stage;
};

inline constexpr uint64_t kTagWithdrawn = uint64_t{1} << 63;
inline constexpr uint32_t kClaimWithdrawn = 0xFFFFFFFFU;

// The upper half of claim and done: sequence numbers modulo 2^32 never meet their equals, since at most
// kSlots transfers of a ring are open at a time.
inline uint64_t TagOf(uint64_t sequence) { return ((sequence + 1) & 0xFFFFFFFFU) << 32; }
inline bool HasTag(uint64_t word, uint64_t sequence) {
  return (word & 0xFFFFFFFF00000000U) == TagOf(sequence);
}
inline uint32_t NumberOf(uint64_t word) { return static_cast<uint32_t>(word); }
inline uint32_t FrontOf(uint32_t claimed) { return claimed & 0xFFFFU; }
inline uint32_t BackOf(uint32_t claimed) { return claimed >> 16; }
static_assert(kMostPieces < 0xFFFF, "both counts of claim have 16 bits, and all ones is kClaimWithdrawn");

static_assert(std::atomic<uint64_t>::is_always_lock_free && std::is_standard_layout_v<PairSegment>);
static_assert(sizeof(HalfLine) == 64 && sizeof(ProgressLine) == 64 && sizeof(Slot) == 192 &&
              sizeof(RingSide) == 128);
static_assert(offsetof(HalfLine, count) == 8 && offsetof(HalfLine, type) == 16 &&
              offsetof(HalfLine, place) == 20 && offsetof(HalfLine, offset) == 24 &&
              offsetof(HalfLine, payload) == 32);
static_assert(offsetof(TransferRing, receiver) == 128 && offsetof(TransferRing, slots) == 256 &&
              sizeof(TransferRing) == 256 + kSlots * sizeof(Slot));

// The protocol of claim and done. Modelled in tests/models/transfer_slot.pml.

enum class Claim : uint8_t { kPiece, kNoneLeft, kWithdrawn };

// Which piece to take. Sender and receiver begin at different ends and meet somewhere in the middle, so that
// the same core copies the same pieces each time a buffer is used: taken in turns, the lines of a piece would
// wander between the cores' caches.
enum class Take : uint8_t { kFront, kBack, kAllFromFront };

// Takes a piece of a matched transfer, or all that are left. Whichever side comes first turns the stale word
// into one of this transfer; a side that withdrew first has turned it into kClaimWithdrawn, and then nobody
// moves a byte.
inline Claim ClaimPiece(ProgressLine& line, uint64_t sequence, uint32_t pieces, Take take, uint32_t& piece) {
  uint64_t old = line.claim.load(std::memory_order_acquire);
  for (;;) {
    const uint32_t claimed = HasTag(old, sequence) ? NumberOf(old) : 0;
    if (claimed == kClaimWithdrawn) return Claim::kWithdrawn;
    const uint32_t front = FrontOf(claimed);
    const uint32_t back = BackOf(claimed);
    if (front + back >= pieces) return Claim::kNoneLeft;
    piece = take == Take::kBack ? pieces - 1 - back : front;
    const uint32_t next_front = take == Take::kAllFromFront ? pieces - back : front + (take == Take::kFront);
    const uint32_t next_back = back + (take == Take::kBack);
    const uint64_t next = TagOf(sequence) | next_back << 16 | next_front;
    if (line.claim.compare_exchange_weak(old, next, std::memory_order_acq_rel, std::memory_order_acquire)) {
      return Claim::kPiece;
    }
  }
}

// Counts moved pieces. True: these were the last.
// acq_rel: whoever counts the last piece, or sees the full count, sees the bytes of all pieces.
inline bool CountMoved(ProgressLine& line, uint64_t sequence, uint32_t pieces, uint32_t moved) {
  uint64_t old = line.done.load(std::memory_order_relaxed);
  for (;;) {
    const uint32_t before = HasTag(old, sequence) ? NumberOf(old) : 0;
    if (line.done.compare_exchange_weak(old, TagOf(sequence) | (before + moved), std::memory_order_seq_cst,
                                        std::memory_order_relaxed)) {
      return before + moved == pieces;
    }
  }
}

inline bool AllMoved(const ProgressLine& line, uint64_t sequence, uint32_t pieces) {
  const uint64_t done = line.done.load(std::memory_order_seq_cst);
  return HasTag(done, sequence) && NumberOf(done) == pieces;
}

// Takes a transfer back before any piece of it was claimed. False: too late, it will be moved.
inline bool WithdrawClaim(ProgressLine& line, uint64_t sequence) {
  uint64_t old = line.claim.load(std::memory_order_acquire);
  while (!HasTag(old, sequence)) {
    if (line.claim.compare_exchange_weak(old, TagOf(sequence) | kClaimWithdrawn, std::memory_order_acq_rel,
                                         std::memory_order_acquire)) {
      return true;
    }
  }
  return NumberOf(old) == kClaimWithdrawn;
}

}  // namespace tandem::shm
