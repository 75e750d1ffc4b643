// SPDX-License-Identifier: Apache-2.0
#include "transport/local_channel.h"

#include <algorithm>
#include <cstring>

namespace tandem {
namespace {

// Up to here the thread that comes second moves the bytes itself, even when it only queues: it costs less
// than telling anybody.
constexpr uint64_t kMoveAtOnce = 4096;

}  // namespace

void LocalChannel::Waiting::Append(Half& half) {
  half.next = nullptr;
  if (last == nullptr) {
    first = &half;
  } else {
    last->next = &half;
  }
  last = &half;
}

Half* LocalChannel::Waiting::Take(uint64_t sequence) {
  Half* before = nullptr;
  for (Half* half = first; half != nullptr; before = half, half = half->next) {
    if (half->sequence != sequence) continue;
    (before == nullptr ? first : before->next) = half->next;
    if (last == half) last = before;
    return half;
  }
  return nullptr;
}

void LocalChannel::Post(Half& half) {
  Half* other = nullptr;
  Status failure;
  {
    MutexLock lock(mutex_);
    if (failure_.ok()) {
      const bool send = half.direction == Direction::kSend;
      Waiting& others = send ? receives_ : sends_;
      other = others.Take(half.sequence);
      if (other == nullptr) {
        if (others.withdrawn.empty() || others.withdrawn.erase(half.sequence) == 0) {
          (send ? sends_ : receives_).Append(half);
          return;
        }
        failure = GaveUpStatus();
      }
    } else {
      failure = failure_;
    }
  }
  if (other == nullptr) {
    half.owner->OnFinished(half, failure);
  } else if (half.direction == Direction::kSend) {
    Join(half, *other);
  } else {
    Join(*other, half);
  }
}

// Both halves are out of the lists, so only this thread knows of the pair until it tells the owners.
void LocalChannel::Join(Half& send, Half& receive) {
  if (send.count != receive.count || send.type != receive.type) {
    const HalfShape sent{send.count, send.type};
    const HalfShape received{receive.count, receive.type};
    send.owner->OnMismatch(send, received);
    receive.owner->OnMismatch(receive, sent);
    return;
  }
  if (send.bytes <= kMoveAtOnce) {
    // memmove: nothing forbids that the ranks of one process name overlapping memory.
    std::memmove(receive.buffer, send.buffer, send.bytes);
    send.owner->OnFinished(send, Status::Ok());
    receive.owner->OnFinished(receive, Status::Ok());
    return;
  }
  auto copy = std::make_shared<LocalCopy>();
  copy->to = static_cast<std::byte*>(receive.buffer);
  copy->from = static_cast<const std::byte*>(send.buffer);
  copy->bytes = send.bytes;
  copy->pieces = CutIntoPieces(send.bytes);
  copy->send = &send;
  copy->receive = &receive;
  send.copy = copy;
  receive.copy = copy;
  // From the first of these calls on, the other side may move everything and finish both halves, so `send`
  // and `receive` are used only as far as their own owner keeps them: an owner is kept by the thread that
  // runs it, which for one of the two is this thread.
  HalfOwner* const receiver = receive.owner;
  Half* const receive_half = &receive;
  send.owner->OnMatched(send);
  receiver->OnMatched(*receive_half);
}

Channel::Moved LocalChannel::Move(Half& half) {
  LocalCopy& copy = *half.copy;
  // From different ends, as in shm/slots.h. What is added in vain is too little to overflow.
  const bool front = half.direction == Direction::kSend;
  const uint64_t claimed = copy.claimed.fetch_add(front ? 1 : uint64_t{1} << 32, std::memory_order_relaxed);
  const auto at_front = static_cast<uint32_t>(claimed);
  const auto at_back = static_cast<uint32_t>(claimed >> 32);
  if (uint64_t{at_front} + at_back >= copy.pieces.count) return Moved::kNothing;
  const uint32_t piece = front ? at_front : copy.pieces.count - 1 - at_back;
  const uint64_t at = piece * copy.pieces.bytes;
  CopyBytes(copy.to + at, copy.from + at, std::min(copy.pieces.bytes, copy.bytes - at), copy.bytes);
  // acq_rel: whoever adds the last piece has seen all pieces of the other side.
  if (copy.done.fetch_add(1, std::memory_order_acq_rel) + 1 == copy.pieces.count) {
    const std::shared_ptr<LocalCopy> keep = half.copy;
    keep->send->owner->OnFinished(*keep->send, Status::Ok());
    keep->receive->owner->OnFinished(*keep->receive, Status::Ok());
  }
  return Moved::kSome;
}

bool LocalChannel::Withdraw(Half& half, const Status& why) {
  {
    MutexLock lock(mutex_);
    Waiting& waiting = half.direction == Direction::kSend ? sends_ : receives_;
    if (waiting.Take(half.sequence) == nullptr) return false;
    waiting.withdrawn.insert(half.sequence);
  }
  half.owner->OnFinished(half, why);
  return true;
}

void LocalChannel::Fail(const Status& why) {
  Half* lists[2];
  {
    MutexLock lock(mutex_);
    if (failure_.ok()) failure_ = why;
    lists[0] = sends_.first;
    lists[1] = receives_.first;
    sends_.first = sends_.last = nullptr;
    receives_.first = receives_.last = nullptr;
  }
  for (Half* half : lists) {
    while (half != nullptr) {
      Half* const next = half->next;
      half->owner->OnFinished(*half, why);
      half = next;
    }
  }
}

}  // namespace tandem
