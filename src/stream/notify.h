// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "base/mutex.h"
#include "base/result.h"
#include "stream/stream_pool.h"
#include "transport/shm/offers.h"

namespace tandem {

// How a record changes the value, and what a wait asks of it. A plain notify is set to 1, and waited for
// until it is not 0.
struct NotifyChange {
  enum class Kind : uint8_t { kSet, kAdd, kOr, kAnd };
  Kind kind = Kind::kSet;
  uint32_t value = 1;
};
struct NotifyCondition {
  enum class Kind : uint8_t { kLess, kEqual, kBigger, kBiggerOrEqual, kAllBits };
  Kind kind = Kind::kBigger;
  uint32_t value = 0;
  bool clear = true;  // set it to 0 in the step that finds the condition met
  bool IsMet(uint32_t by) const;
};

// What a notify's queued tasks share with it.
class NotifyState;

// A flag or a counter on a device. Objects come from a pool and are never freed; tasks keep only the shared
// state, so destroying a notify never waits. Thread-safe.
class Notify {
 public:
  enum class Kind : uint8_t { kFlag, kCounter };

  // These return the handle. kNoNotifies: all are in use.
  static Result<void*> Create(Context& context, Kind kind);
  // A flag of another process. Errors of shm::TakeOffer.
  static Result<void*> Import(Context& context, const shm::OfferKey& key);
  // False: it is no live notify of that kind. Tasks that wait for it fail.
  static bool Destroy(void* handle);
  static bool DestroyCounter(void* handle);

  // Queues a change.
  Status Record(ManagedStream& stream, const NotifyChange& change);
  // Queues a wait; `limit` zero: none. kInvalidValue: the notify is of another process.
  Status Wait(ManagedStream& stream, const NotifyCondition& condition, std::chrono::seconds limit);
  // Sets it to 0 now.
  Status Clear();

  // The device on which it was made; -1: in another process.
  Result<int32_t> Device();
  Result<uint32_t> Id();

  // The key by which other processes can import it. `to_all`: without being named.
  Result<shm::OfferKey> Export(bool to_all);
  Status Allow(std::span<const int32_t> pids);

 private:
  Notify() = default;
  static Result<void*> Publish(Context& context, Kind kind, std::shared_ptr<NotifyState> state);
  static bool End(Kind kind, void* handle);
  Result<std::shared_ptr<NotifyState>> State();
  Result<shm::OfferKey> Offer(NotifyState& state) TANDEM_REQUIRES(mutex_);

  Context* context_ = nullptr;
  Mutex mutex_;
  std::shared_ptr<NotifyState> state_ TANDEM_GUARDED_BY(mutex_);
  std::optional<shm::OfferKey> key_ TANDEM_GUARDED_BY(mutex_);
};

}  // namespace tandem
