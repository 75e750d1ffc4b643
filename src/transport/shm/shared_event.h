// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "base/fd.h"
#include "base/futex.h"
#include "base/mapping.h"
#include "base/result.h"
#include "transport/shm/event_bell.h"

namespace tandem::shm {

// A process that uses a shared event. Its place is its number in the records that it makes.
struct EventMember {
  std::atomic<uint64_t> name;   // of its EventBell; 0: the place is free
  std::atomic<uint32_t> armed;  // somebody in it waits
  uint32_t unused;
};

// Layout 1. One event that several processes record and wait for; a memfd that they all map, so it lives as
// long as one of them does, in whatever order they end.
//
// A record is one word: number << 10 | member << 2 | state. It is claimed (a word that is not pending becomes
// a pending one) when it is queued and ended when its stream reaches it. A number is never used twice, so who
// waits compares the whole word and needs no lock: another word there means that the record has ended.
//
// Who wakes whom: a waiter says so (`armed` of its process, or `sleepers` for threads that sleep on `news`),
// then looks at the record once more before it sleeps. Whoever ends a record changes its word, then reads
// these. All of it is sequentially consistent, so either the waiter sees the end or the ender sees the
// waiter. A process that is killed may end without doing so; therefore waits for records of other processes
// look every kTick whether the one that made the record still lives.
struct EventPage {
  static constexpr uint32_t kMagic = 0x45444e54;  // "TNDE"
  static constexpr uint32_t kLayout = 1;
  static constexpr uint32_t kRecords = 8192;  // outstanding at the same time
  static constexpr uint32_t kMembers = 256;

  std::atomic<uint32_t> magic;
  uint32_t layout;
  alignas(64) std::atomic<uint64_t> numbers;  // records claimed so far
  std::atomic<uint64_t> latest;               // number << 13 | index of the record; 0: never recorded
  std::atomic<uint32_t> news;                 // futex; changed when a record ends and somebody sleeps
  std::atomic<uint32_t> sleepers;
  alignas(64) std::array<EventMember, kMembers> members;
  std::array<std::atomic<uint64_t>, kRecords> records;
};
static_assert(offsetof(EventPage, numbers) == 64 && offsetof(EventPage, sleepers) == 84);
static_assert(sizeof(EventMember) == 16 && offsetof(EventPage, members) == 128);
static_assert(offsetof(EventPage, records) == 128 + 16 * 256 &&
              sizeof(EventPage) == 128 + 16 * 256 + 8 * 8192);

enum class EventRecordState : uint8_t {
  kReached = 0,
  kPending = 1,
  kDropped = 2,  // its stream was aborted or destroyed before
  kLost = 3,     // its process ended before
};

// One record, as it was when it was pending.
struct EventRecord {
  uint32_t index = 0;
  uint64_t word = 0;
  bool operator==(const EventRecord&) const = default;
};

// A process's use of a shared event. What others wrote is masked to what it can be. Thread-safe.
class SharedEvent {
 public:
  static constexpr std::chrono::milliseconds kTick{100};

  static Result<std::shared_ptr<SharedEvent>> Make(EventBell& bell);
  // kInvalidFile when the descriptor is not what it should be; kResourceExhausted when it has too many users.
  static Result<std::shared_ptr<SharedEvent>> Attach(EventBell& bell, UniqueFd fd);
  ~SharedEvent();
  SharedEvent(const SharedEvent&) = delete;
  SharedEvent& operator=(const SharedEvent&) = delete;

  const UniqueFd& fd() const { return fd_; }

  // Takes a free record; nothing when all are outstanding.
  std::optional<EventRecord> Claim();
  // From now on it is the latest, unless a later one was published before.
  void Publish(const EventRecord& record);
  // Ends a claimed record and wakes whoever waits in other processes.
  void End(const EventRecord& record, EventRecordState state);

  // The latest record, if there is one.
  std::optional<EventRecord> Latest() const;
  // A record that others have taken since counts as reached.
  EventRecordState StateOf(const EventRecord& record) const;
  // Whether this process made it.
  bool IsOwn(const EventRecord& record) const;
  // Ends it as lost when the process that made it has ended.
  void EndIfLost(const EventRecord& record);
  // The same for all.
  void EndAllLost();

  // Whether others ring this process when a record ends.
  void SetArmed(bool armed);
  // Sleeps until some record ends, but not when this one has ended, or (without one) some record is free.
  void Sleep(const std::optional<EventRecord>& record, Deadline deadline);

 private:
  SharedEvent(EventBell& bell, UniqueFd fd, Mapping mapping)
      : bell_(bell), fd_(std::move(fd)), mapping_(std::move(mapping)) {}
  EventPage& page() const { return *reinterpret_cast<EventPage*>(mapping_.data()); }
  Status Join();
  bool TakePlace(uint32_t place, uint64_t before);
  bool AnyFree() const;

  EventBell& bell_;
  UniqueFd fd_;
  Mapping mapping_;
  uint32_t place_ = EventPage::kMembers;  // that many: not joined
};

}  // namespace tandem::shm
