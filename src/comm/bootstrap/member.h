// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/futex.h"
#include "base/mutex.h"
#include "comm/bootstrap/bootstrap.h"

namespace tandem::bootstrap {

// Losses of one communicator as this process knows them, in the order they became known. IoLoop thread only.
using LossList = std::vector<RankLoss>;

// One rank of this process: first its join, which a thread waits for, then its membership. Shared by that
// thread and the IoLoop's.
class Member {
 public:
  Member(uint32_t rank_count, RankRecord record, Deadline deadline)
      : rank_count_(rank_count), record_(std::move(record)), deadline_(deadline) {}

  uint32_t rank_count() const { return rank_count_; }
  uint32_t rank() const { return record_.rank; }
  const RankRecord& record() const { return record_; }
  Deadline deadline() const { return deadline_; }
  // How long the root may wait on this rank's behalf: less than the rank itself, so that the root's word,
  // which names the ranks that are missing, comes before the rank's own time is up.
  std::chrono::milliseconds Patience() const;

  // The joining thread: waits for Succeed or Fail.
  Status Wait();
  const RankTable& table() const { return *table_; }  // REQUIRES: Wait() was successful

  // Any thread. Returns when the old handler no longer runs; on the IoLoop thread, without waiting.
  void SetLossHandler(LossHandler handler);

  // IoLoop thread; only the first of the two counts.
  void Succeed(std::shared_ptr<const RankTable> table, std::shared_ptr<const LossList> losses);
  void Fail(const Status& status);
  // Tells the handler what it has not heard yet.
  void TellLosses();

 private:
  void Finish();

  const uint32_t rank_count_;
  const RankRecord record_;
  const Deadline deadline_;
  // Written by the IoLoop thread before done_ (release), read by the joining thread after it (acquire).
  std::shared_ptr<const RankTable> table_;
  Status status_;
  std::atomic<uint32_t> done_{0};

  std::shared_ptr<const LossList> losses_;  // IoLoop thread only
  Mutex mutex_;
  std::shared_ptr<const LossHandler> handler_ TANDEM_GUARDED_BY(mutex_);
  size_t told_ TANDEM_GUARDED_BY(mutex_) = 0;  // how many losses handler_ has heard
  std::atomic<uint32_t> handler_runs_{0};      // set under mutex_; a futex for those who wait for its end
};

// What the ranks of this process that belong to one communicator are connected to: the root's server when it
// lives in this process, else the connection to it. IoLoop thread only.
class Group {
 public:
  virtual ~Group() = default;
  virtual void Add(std::shared_ptr<Member> member) = 0;
  virtual void Leave(const std::shared_ptr<Member>& member) = 0;
};

}  // namespace tandem::bootstrap
