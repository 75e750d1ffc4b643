// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/mutex.h"
#include "base/note.h"
#include "comm/link.h"
#include "stream/stream.h"
#include "stream/task.h"
#include "transport/channel.h"

namespace tandem {

class Communicator;

// One send or receive as the application asked for it, checked.
struct P2pItem {
  Direction direction = Direction::kSend;
  void* buffer = nullptr;  // null: one byte without meaning (barrier)
  uint64_t count = 0;      // greater than 0
  int type = 0;            // of HcclDataType, valid
  uint64_t bytes = 0;
  uint32_t peer = 0;
};

// The stream task behind HcclSend, HcclRecv, HcclBatchSendRecv and HcclBarrier: posts one half for each item,
// moves bytes whenever both sides are there, and is done when all items are. Items do not wait for each
// other.
//
// Who touches what: `remaining_`, `work_`, `failed_` and `error_` from any thread (peers finish halves);
// everything else only by the thread that runs the stream. The last OnFinished may free the task on another
// thread at once, so nothing of the task is used after it, only the stream, which is never freed.
class P2pTask final : public Task, private HalfOwner {
 public:
  // REQUIRES the communicator's submission lock, which also orders this task on the stream.
  P2pTask(std::shared_ptr<Communicator> communicator, Stream& stream, const char* call, Space space,
          const P2pItem* items, size_t count);
  ~P2pTask() override;

  Step Run(const RunContext& context) override;
  bool Linger() override;
  bool Arm() override;
  Deadline WakeAt() override;
  void Cancel(const Status& why) override;

 private:
  struct Item {
    P2pItem what;
    Link* link = nullptr;
    std::byte nothing{};
    Half half;
  };

  void OnMatched(Half& half) override;
  void OnFinished(Half& half, Status status) override;
  void OnMismatch(Half& half, const HalfShape& other) override;

  void Post(bool starting);
  bool Move();
  bool Poll();
  void CollectWork();
  void DisarmAll();
  void WithdrawAll(const Status& why);
  void Complete();
  void StartClock(Deadline now);
  bool IsOverdue(Deadline now);
  void RecordError(Status status) TANDEM_EXCLUDES(error_mutex_);
  Channel& ChannelOf(const Item& item) const { return item.link->channel(item.what.direction, space_); }
  const Item& ItemOf(const Half& half) const;
  std::string Describe(const Item& item) const;
  Status TimedOut() const;
  void NoteWait(Deadline now) const;

  const std::shared_ptr<Communicator> communicator_;
  Stream& stream_;
  const char* const call_;
  const Space space_;
  // One item, or a send with a receive, which is what most tasks have, needs no memory of its own.
  static constexpr size_t kFew = 2;
  alignas(Item) std::array<std::byte, kFew * sizeof(Item)> few_;
  std::array<Channel*, kFew> few_channels_{};
  const std::unique_ptr<Item[]> many_;
  const std::unique_ptr<Channel*[]> many_channels_;
  Item* const items_;
  const size_t count_;
  size_t posted_ = 0;
  std::span<Channel*> channels_;  // each channel of the items once
  std::vector<Half*> moving_;
  bool armed_ = false;
  bool cancelled_ = false;
  bool clock_runs_ = false;
  Deadline deadline_ = kNever;
  NoteClock notes_;

  std::atomic<size_t> remaining_;
  std::atomic<Half*> work_{nullptr};  // halves to move: pushed by any thread, taken as a whole by the runner
  std::atomic<bool> failed_{false};   // there is something in error_
  Mutex error_mutex_;
  Status error_ TANDEM_GUARDED_BY(error_mutex_);
};

}  // namespace tandem
