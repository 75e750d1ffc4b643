// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/mutex.h"
#include "base/result.h"
#include "stream/stream_pool.h"
#include "transport/shm/offers.h"

namespace tandem {

// One recording of an event: the point in a stream that it captured. Shared by the queued tasks and by the
// event, so it outlives either.
class RecordPoint {
 public:
  // `first_ticket`: the record task's ticket in the stream is this one or a later one.
  RecordPoint(ManagedStream& stream, uint64_t first_ticket);

  enum class State : uint8_t { kPending, kReached, kDropped };
  State state() const { return state_.load(std::memory_order_acquire); }
  // When it was reached. REQUIRES: kReached
  std::chrono::nanoseconds time() const { return std::chrono::nanoseconds(time_ns_); }

  void Reach();
  // The record task left its stream without having run (abort, forced destroy).
  void Drop();

  // The stream will be notified when the state changes. False: it has changed already.
  bool AddWaiter(Stream& stream);
  // Runs the stream until the point is reached. kEventSyncTimeout, kStreamAborted, or the error of a stopped
  // context.
  Status Wait(Deadline deadline);
  // The error of the stream's context when that stops on failures and has failed.
  Status ContextFailure() const;

 private:
  void Settle(State state);

  ManagedStream& stream_;
  Context* const context_;
  const uint64_t context_life_;
  const uint64_t first_ticket_;
  std::atomic<State> state_{State::kPending};
  int64_t time_ns_ = 0;
  Mutex mutex_;
  std::vector<Stream*> waiters_ TANDEM_GUARDED_BY(mutex_);
};

// What an event's queued tasks share with it.
struct EventState;
// What takes its place for an event with ACL_EVENT_IPC.
class IpcEvent;

// An event. Objects come from a pool and are never freed; tasks keep only the shared state, so destroying an
// event never waits. Thread-safe.
class Event {
 public:
  // By the creation call; see the table in the documentation of aclrtCreateEvent and its relatives.
  enum class Kind : uint8_t { kPlain, kFlagged, kNewMode };

  // Returns the handle. `flags`: ACL_EVENT_*, checked by the caller.
  static Result<void*> Create(Context& context, Kind kind, uint32_t flags);
  // An event of flag ACL_EVENT_IPC that another process, or this one, made. Errors of IpcEvent::Open.
  static Result<void*> OpenIpc(Context& context, const shm::OfferKey& key);
  // False: it is no live event (any more). Of several callers one destroys it.
  static bool Destroy(void* handle);

  Kind kind() const { return kind_; }

  Status Record(ManagedStream& stream);
  Status Reset(ManagedStream& stream);
  // Queues a wait. `limit` zero: none.
  Status WaitOn(ManagedStream& stream, std::chrono::seconds limit);
  Status Synchronize(Deadline deadline);

  // Whether the latest recording was reached; the error of a context that stopped at a failure.
  Result<bool> IsComplete();
  Result<bool> AreWaitsDone();
  // Time of the latest recording on the monotonic clock.
  Result<std::chrono::nanoseconds> Time();
  Result<uint32_t> Id();
  // By which OpenIpc opens it elsewhere. kInvalidValue: it was created without ACL_EVENT_IPC.
  Result<shm::OfferKey> IpcKey();

 private:
  Event() = default;
  static Result<void*> Publish(Context& context, Kind kind, uint32_t flags, std::shared_ptr<IpcEvent> ipc);
  Status Begin(Context& context, Kind kind, uint32_t flags, std::shared_ptr<IpcEvent> ipc);
  void Recycle();
  Status TakeId() TANDEM_REQUIRES(mutex_);
  bool Has(uint32_t flag) const { return (flags_ & flag) != 0; }
  // Null when the event has no ACL_EVENT_IPC. kInvalidHandle: it was destroyed.
  Result<std::shared_ptr<IpcEvent>> Ipc();

  Context* context_ = nullptr;
  int32_t device_ = 0;
  Kind kind_ = Kind::kPlain;
  uint32_t flags_ = 0;

  Mutex mutex_;
  std::shared_ptr<EventState> state_ TANDEM_GUARDED_BY(mutex_);
  std::shared_ptr<IpcEvent> ipc_ TANDEM_GUARDED_BY(mutex_);
  bool has_id_ TANDEM_GUARDED_BY(mutex_) = false;
  uint32_t id_ TANDEM_GUARDED_BY(mutex_) = 0;
};

}  // namespace tandem
