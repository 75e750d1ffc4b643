// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "base/status.h"

namespace tandem {

enum class Direction : uint8_t { kSend, kReceive };

struct Half;
struct LocalCopy;

// What the other side of a transfer said.
struct HalfShape {
  uint64_t count = 0;
  uint32_t type = 0;
};

// Who posted a half, and is told what becomes of it. The functions may be called from any thread, under the
// channel's lock, so they must not block and must not call the channel. After OnFinished or OnMismatch the
// channel never touches the half.
class HalfOwner {
 public:
  // Both sides are there and agree; the bytes are not moved yet. The owner should call Channel::Move.
  virtual void OnMatched(Half& half) = 0;
  virtual void OnFinished(Half& half, Status status) = 0;
  // The two sides disagree: the half is finished, and not a byte was moved.
  virtual void OnMismatch(Half& half, const HalfShape& other) = 0;

 protected:
  ~HalfOwner() = default;
};

// One side of a transfer: a send or a receive. A transfer is done only when both halves were posted.
struct Half {
  // Set by the owner before Post; constant from then on. A half has one buffer, which the channel reads
  // (send) or writes (receive) between Post and OnFinished.
  HalfOwner* owner = nullptr;
  void* buffer = nullptr;
  uint64_t sequence =
      0;               // number of this transfer among those of its channel, from 0; decides who meets whom
  uint64_t count = 0;  // elements; compared with the other side
  uint64_t bytes = 0;  // count times the element size, greater than 0
  uint32_t type = 0;   // element type; compared with the other side
  Direction direction = Direction::kSend;

  // The owner's, for its list of halves to move.
  Half* owner_next = nullptr;
  std::atomic<bool> owner_queued{false};

  // The channel's.
  Half* next = nullptr;
  std::shared_ptr<LocalCopy> copy;
  bool matched = false;
  bool finished = false;
  bool staging = false;       // goes through buffers between the two sides
  uint64_t staged_bytes = 0;  // and how far it is; touched only by the thread that runs the owner
};

// Transfers in one direction between two ranks, in one matching space. Sequence number k of the sender meets
// sequence number k of the receiver; different numbers do not wait for each other.
class Channel {
 public:
  enum class Moved : uint8_t {
    kSome,     // a piece was moved: call again
    kNothing,  // this side can do nothing now; OnFinished or OnMatched will come
  };

  virtual ~Channel() = default;

  // Makes the half known to the other side. May finish it at once. Never blocks and never moves more than a
  // few KiB.
  virtual void Post(Half& half) = 0;
  // Moves one piece of a matched half. Only the thread that runs the owner calls it.
  virtual Moved Move(Half& half) = 0;
  // Looks for news of the other side; true if there was any. Free of system calls.
  virtual bool Poll() = 0;
  // Whether Poll would find nothing, as far as one look without a lock can tell. Between two calls of Poll
  // only.
  virtual bool IsQuiet() const = 0;
  // From now on news reaches the owners without Poll. False: there was news just now.
  virtual bool Arm() = 0;
  virtual void Disarm() = 0;
  // Takes back a half that has not met its other side: it finishes with `why`. False: it is matched and will
  // finish by itself as soon as the bytes are moved.
  virtual bool Withdraw(Half& half, const Status& why) = 0;
  // The other side is gone: everything that is posted, and everything posted later, finishes with `why`.
  virtual void Fail(const Status& why) = 0;
};

// What the other side of a withdrawn half finishes with.
Status GaveUpStatus();

}  // namespace tandem
