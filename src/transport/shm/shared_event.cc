// SPDX-License-Identifier: Apache-2.0
#include "transport/shm/shared_event.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace tandem::shm {
namespace {

constexpr uint64_t kStateMask = 3;
constexpr uint32_t kMemberShift = 2;
constexpr uint32_t kNumberShift = 10;
constexpr uint32_t kIndexBits = 13;
static_assert(EventPage::kMembers == 1U << (kNumberShift - kMemberShift));
static_assert(EventPage::kRecords == 1U << kIndexBits);

EventRecordState StateIn(uint64_t word) { return static_cast<EventRecordState>(word & kStateMask); }
uint32_t MemberIn(uint64_t word) { return (word >> kMemberShift) % EventPage::kMembers; }
uint64_t WithState(uint64_t word, EventRecordState state) {
  return (word & ~kStateMask) | static_cast<uint64_t>(state);
}

}  // namespace

Result<std::shared_ptr<SharedEvent>> SharedEvent::Make(EventBell& bell) {
  Result<UniqueFd> fd = CreateMemfd("tandem-event", sizeof(EventPage));
  if (!fd) return fd.status();
  Result<Mapping> mapping = Mapping::Shared(*fd, sizeof(EventPage));
  if (!mapping) return mapping.status();
  std::shared_ptr<SharedEvent> event(new SharedEvent(bell, *std::move(fd), *std::move(mapping)));
  // A new memfd reads as zero, which is the initial state of every field.
  event->page().layout = EventPage::kLayout;
  // release: whoever sees the magic sees an initialised page.
  event->page().magic.store(EventPage::kMagic, std::memory_order_release);
  TANDEM_RETURN_IF_ERROR(event->Join());
  return event;
}

Result<std::shared_ptr<SharedEvent>> SharedEvent::Attach(EventBell& bell, UniqueFd fd) {
  const Result<size_t> bytes = SealedSize(fd);
  if (!bytes) return bytes.status();
  if (*bytes != sizeof(EventPage)) {
    return Status::Error(Code::kInvalidFile,
                         "the event of another process has %zu bytes, expected %zu: mixed Tandem versions?",
                         *bytes, sizeof(EventPage));
  }
  Result<Mapping> mapping = Mapping::Shared(fd, sizeof(EventPage));
  if (!mapping) return mapping.status();
  std::shared_ptr<SharedEvent> event(new SharedEvent(bell, std::move(fd), *std::move(mapping)));
  if (event->page().magic.load(std::memory_order_acquire) != EventPage::kMagic ||
      event->page().layout != EventPage::kLayout) {
    return Status::Error(Code::kInvalidFile,
                         "the event of another process has another layout: mixed Tandem versions?");
  }
  TANDEM_RETURN_IF_ERROR(event->Join());
  return event;
}

SharedEvent::~SharedEvent() {
  if (place_ == EventPage::kMembers) return;
  EventMember& member = page().members[place_];
  member.armed.store(0, std::memory_order_seq_cst);
  uint64_t own = bell_.name();
  member.name.compare_exchange_strong(own, 0, std::memory_order_seq_cst);
}

Status SharedEvent::Join() {
  for (uint32_t place = 0; place < EventPage::kMembers; ++place) {
    if (TakePlace(place, 0)) return Status::Ok();
  }
  // Places of processes that were killed.
  for (uint32_t place = 0; place < EventPage::kMembers; ++place) {
    const uint64_t name = page().members[place].name.load(std::memory_order_seq_cst);
    if (name != bell_.name() && !EventBell::Lives(name) && TakePlace(place, name)) return Status::Ok();
  }
  return Status::Error(Code::kResourceExhausted, "the event is open in %u processes already",
                       EventPage::kMembers);
}

bool SharedEvent::TakePlace(uint32_t place, uint64_t before) {
  EventMember& member = page().members[place];
  if (!member.name.compare_exchange_strong(before, bell_.name(), std::memory_order_seq_cst)) return false;
  member.armed.store(0, std::memory_order_seq_cst);
  place_ = place;
  if (before == 0) return true;
  // What the one before left behind would pass for records of this process.
  for (uint32_t index = 0; index < EventPage::kRecords; ++index) {
    const uint64_t word = page().records[index].load(std::memory_order_seq_cst);
    if (StateIn(word) == EventRecordState::kPending && MemberIn(word) == place) {
      End({index, word}, EventRecordState::kLost);
    }
  }
  return true;
}

std::optional<EventRecord> SharedEvent::Claim() {
  const uint64_t number = page().numbers.fetch_add(1, std::memory_order_seq_cst) + 1;
  const uint64_t word = (number << kNumberShift) | (uint64_t{place_} << kMemberShift) |
                        static_cast<uint64_t>(EventRecordState::kPending);
  for (uint32_t i = 0; i < EventPage::kRecords; ++i) {
    // The one that was used longest ago comes first.
    const auto index = static_cast<uint32_t>((number + i) % EventPage::kRecords);
    uint64_t old = page().records[index].load(std::memory_order_seq_cst);
    if (StateIn(old) == EventRecordState::kPending) continue;
    if (page().records[index].compare_exchange_strong(old, word, std::memory_order_seq_cst)) {
      return EventRecord{index, word};
    }
  }
  return std::nullopt;
}

void SharedEvent::Publish(const EventRecord& record) {
  const uint64_t next = (record.word >> kNumberShift) << kIndexBits | record.index;
  uint64_t old = page().latest.load(std::memory_order_seq_cst);
  while (old < next && !page().latest.compare_exchange_weak(old, next, std::memory_order_seq_cst)) {
  }
}

void SharedEvent::End(const EventRecord& record, EventRecordState state) {
  uint64_t pending = record.word;
  if (!page().records[record.index].compare_exchange_strong(pending, WithState(record.word, state),
                                                            std::memory_order_seq_cst)) {
    return;
  }
  if (page().sleepers.load(std::memory_order_seq_cst) != 0) {
    page().news.fetch_add(1, std::memory_order_seq_cst);
    FutexWake(page().news, std::numeric_limits<int>::max(), FutexScope::kShared);
  }
  for (uint32_t place = 0; place < EventPage::kMembers; ++place) {
    const EventMember& member = page().members[place];
    if (place == place_ || member.armed.load(std::memory_order_seq_cst) == 0) continue;
    const uint64_t name = member.name.load(std::memory_order_seq_cst);
    if (name != 0) bell_.Ring(name);
  }
}

std::optional<EventRecord> SharedEvent::Latest() const {
  const uint64_t latest = page().latest.load(std::memory_order_seq_cst);
  if (latest == 0) return std::nullopt;
  const auto index = static_cast<uint32_t>(latest % EventPage::kRecords);
  const uint64_t word = page().records[index].load(std::memory_order_seq_cst);
  // Another number: it has ended, and the place was taken for a later record that is not published yet.
  if (word >> kNumberShift != latest >> kIndexBits) return std::nullopt;
  return EventRecord{index, WithState(word, EventRecordState::kPending)};
}

EventRecordState SharedEvent::StateOf(const EventRecord& record) const {
  const uint64_t word = page().records[record.index].load(std::memory_order_seq_cst);
  return word >> kNumberShift == record.word >> kNumberShift ? StateIn(word) : EventRecordState::kReached;
}

bool SharedEvent::IsOwn(const EventRecord& record) const { return MemberIn(record.word) == place_; }

void SharedEvent::EndIfLost(const EventRecord& record) {
  if (IsOwn(record)) return;
  const uint64_t name = page().members[MemberIn(record.word)].name.load(std::memory_order_seq_cst);
  if (name != 0 && (name == bell_.name() || EventBell::Lives(name))) return;
  End(record, EventRecordState::kLost);
}

void SharedEvent::EndAllLost() {
  // One question for each process, not for each of its records.
  std::array<std::optional<bool>, EventPage::kMembers> lives;
  for (uint32_t index = 0; index < EventPage::kRecords; ++index) {
    const uint64_t word = page().records[index].load(std::memory_order_seq_cst);
    if (StateIn(word) != EventRecordState::kPending || IsOwn({index, word})) continue;
    std::optional<bool>& answer = lives[MemberIn(word)];
    if (!answer) {
      const uint64_t name = page().members[MemberIn(word)].name.load(std::memory_order_seq_cst);
      answer = name != 0 && (name == bell_.name() || EventBell::Lives(name));
    }
    if (!*answer) End({index, word}, EventRecordState::kLost);
  }
}

void SharedEvent::SetArmed(bool armed) {
  page().members[place_].armed.store(armed ? 1 : 0, std::memory_order_seq_cst);
}

bool SharedEvent::AnyFree() const {
  return std::any_of(page().records.begin(), page().records.end(), [](const std::atomic<uint64_t>& record) {
    return StateIn(record.load(std::memory_order_seq_cst)) != EventRecordState::kPending;
  });
}

void SharedEvent::Sleep(const std::optional<EventRecord>& record, Deadline deadline) {
  page().sleepers.fetch_add(1, std::memory_order_seq_cst);
  const uint32_t seen = page().news.load(std::memory_order_seq_cst);
  const bool over = record ? StateOf(*record) != EventRecordState::kPending : AnyFree();
  if (!over) FutexWait(page().news, seen, deadline, FutexScope::kShared);
  page().sleepers.fetch_sub(1, std::memory_order_seq_cst);
}

}  // namespace tandem::shm
