// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <set>

#include "base/mutex.h"
#include "transport/channel.h"
#include "transport/copy.h"

namespace tandem {

// The bytes of one matched transfer inside a process. Kept alive by both halves' owners, because one side may
// still ask for a piece after the other has moved the last.
struct LocalCopy {
  std::byte* to = nullptr;
  const std::byte* from = nullptr;
  uint64_t bytes = 0;
  Pieces pieces;
  Half* send = nullptr;
  Half* receive = nullptr;
  std::atomic<uint64_t> claimed{
      0};  // from the front, by the sender's side; << 32: from the back, by the receiver's
  std::atomic<uint32_t> done{0};
};

// A channel between two ranks of one process: one object that both sides post to. Whoever comes second finds
// the other half, so nobody polls; news goes straight to the owners.
class LocalChannel final : public Channel {
 public:
  void Post(Half& half) override TANDEM_EXCLUDES(mutex_);
  Moved Move(Half& half) override;
  bool Poll() override { return false; }
  bool IsQuiet() const override { return true; }
  bool Arm() override { return true; }
  void Disarm() override {}
  bool Withdraw(Half& half, const Status& why) override TANDEM_EXCLUDES(mutex_);
  void Fail(const Status& why) override TANDEM_EXCLUDES(mutex_);

 private:
  // Halves that wait for their other side, oldest first.
  struct Waiting {
    Half* first = nullptr;
    Half* last = nullptr;
    void Append(Half& half);
    Half* Take(uint64_t sequence);
    std::set<uint64_t> withdrawn;  // sequences that were taken back, until the other side comes and is told
  };
  static void Join(Half& send, Half& receive);

  Mutex mutex_;
  Waiting sends_ TANDEM_GUARDED_BY(mutex_);
  Waiting receives_ TANDEM_GUARDED_BY(mutex_);
  Status failure_ TANDEM_GUARDED_BY(mutex_);
};

}  // namespace tandem
