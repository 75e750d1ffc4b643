// SPDX-License-Identifier: Apache-2.0
#include "stream/value_task.h"

#include <algorithm>
#include <atomic>
#include <unordered_map>
#include <vector>

#include "base/mutex.h"
#include "stream/stream.h"

namespace tandem {
namespace {

using std::chrono::microseconds;

constexpr microseconds kFirstInterval{50};
// A waiting thread polls for some tens of microseconds each time it wakes, so this keeps it below some
// percent of a core.
constexpr microseconds kLastInterval{5000};

struct WaitTable {
  Mutex mutex;
  // Streams that wait, by address. Streams are never freed, so one that is told late only looks once too
  // often.
  std::unordered_multimap<const uint64_t*, Stream*> waiting TANDEM_GUARDED_BY(mutex);
};

WaitTable& Waits() {
  static WaitTable* const table = new WaitTable;
  return *table;
}

}  // namespace

Step ValueWriteTask::Run(const RunContext& /*context*/) {
  if (cancelled_) return Step::kDone;
  // release: what earlier tasks of the stream wrote is visible to whoever sees the value; pairs with the
  // acquire in IsSatisfied.
  std::atomic_ref<uint64_t>(*at_).store(value_, std::memory_order_release);
  std::vector<Stream*> wake;
  {
    // A waiter that registers after this has the lock looks at the value afterwards, and sees the store.
    MutexLock lock(Waits().mutex);
    const auto [first, last] = Waits().waiting.equal_range(at_);
    for (auto entry = first; entry != last; ++entry) wake.push_back(entry->second);
  }
  for (Stream* stream : wake) stream->Notify();
  return Step::kDone;
}

void ValueWriteTask::Cancel(const Status& /*why*/) { cancelled_ = true; }

ValueWaitTask::~ValueWaitTask() { StopListening(); }

bool ValueWaitTask::IsSatisfied() const {
  const uint64_t value = std::atomic_ref<uint64_t>(*at_).load(std::memory_order_acquire);
  switch (condition_) {
    case Condition::kAtLeast:
      return static_cast<int64_t>(value - value_) >= 0;
    case Condition::kEqual:
      return value == value_;
    case Condition::kAnd:
      return (value & value_) != 0;
    case Condition::kNor:
      return ~(value | value_) != 0;
  }
  return true;
}

Step ValueWaitTask::Run(const RunContext& context) {
  stream_ = context.stream;
  return cancelled_ || IsSatisfied() ? Step::kDone : Step::kBlocked;
}

bool ValueWaitTask::Arm() {
  if (!listening_) {
    MutexLock lock(Waits().mutex);
    Waits().waiting.emplace(at_, stream_);
    listening_ = true;
  }
  if (IsSatisfied()) return false;
  interval_ = std::clamp(interval_ * 2, kFirstInterval, kLastInterval);
  look_at_ = Clock::now() + interval_;
  return true;
}

void ValueWaitTask::StopListening() {
  if (!listening_) return;
  listening_ = false;
  MutexLock lock(Waits().mutex);
  const auto [first, last] = Waits().waiting.equal_range(at_);
  const auto mine = std::find_if(first, last, [this](const auto& entry) { return entry.second == stream_; });
  if (mine != last) Waits().waiting.erase(mine);
}

void ValueWaitTask::Cancel(const Status& /*why*/) { cancelled_ = true; }

}  // namespace tandem
