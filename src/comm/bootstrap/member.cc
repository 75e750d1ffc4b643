// SPDX-License-Identifier: Apache-2.0
#include "comm/bootstrap/member.h"

#include <algorithm>
#include <limits>

#include "base/io_loop.h"

namespace tandem::bootstrap {
namespace {

// The IoLoop's timers end every join at its deadline; this much later they are taken for stuck.
constexpr auto kLoopLate = std::chrono::seconds(5);
constexpr auto kLongestWarning = std::chrono::milliseconds(20'000);

}  // namespace

std::chrono::milliseconds Member::Patience() const {
  using std::chrono::milliseconds;
  const auto left = std::chrono::duration_cast<milliseconds>(deadline_ - Clock::now());
  return std::max(left - std::min(left / 10, kLongestWarning), milliseconds(1));
}

Status Member::Wait() {
  const Deadline stuck = deadline_ > kNever - kLoopLate ? kNever : deadline_ + kLoopLate;
  while (done_.load(std::memory_order_acquire) == 0) {  // pairs with Finish()
    if (!FutexWait(done_, 0, stuck, FutexScope::kPrivate) && done_.load(std::memory_order_acquire) == 0) {
      return Status::Error(Code::kTimeout, "rank %u: the thread for control connections does not answer",
                           rank())
          .WithId("EI0015");
    }
  }
  return status_;
}

void Member::Finish() {
  done_.store(1, std::memory_order_release);
  FutexWake(done_, std::numeric_limits<int>::max(), FutexScope::kPrivate);
}

void Member::Succeed(std::shared_ptr<const RankTable> table, std::shared_ptr<const LossList> losses) {
  if (done_.load(std::memory_order_relaxed) != 0) return;
  table_ = std::move(table);
  losses_ = std::move(losses);
  Finish();
}

void Member::Fail(const Status& status) {
  if (done_.load(std::memory_order_relaxed) != 0) return;
  status_ = status;
  Finish();
}

void Member::SetLossHandler(LossHandler handler) {
  {
    const MutexLock lock(mutex_);
    handler_ = handler ? std::make_shared<const LossHandler>(std::move(handler)) : nullptr;
    told_ = 0;
  }
  if (IoLoop::IsLoopThread()) return;
  while (handler_runs_.load(std::memory_order_acquire) != 0) {
    FutexWait(handler_runs_, 1, kNever, FutexScope::kPrivate);
  }
}

void Member::TellLosses() {
  while (losses_) {
    std::shared_ptr<const LossHandler> handler;
    size_t next = 0;
    {
      const MutexLock lock(mutex_);
      if (!handler_ || told_ == losses_->size()) return;
      handler = handler_;
      next = told_++;
      handler_runs_.store(1, std::memory_order_relaxed);
    }
    const RankLoss loss = (*losses_)[next];
    if (loss.rank != rank()) (*handler)(loss);
    handler_runs_.store(0, std::memory_order_release);
    FutexWake(handler_runs_, std::numeric_limits<int>::max(), FutexScope::kPrivate);
  }
}

}  // namespace tandem::bootstrap
