// SPDX-License-Identifier: Apache-2.0
// The application's callback for tasks that fail.
#include <acl/acl_rt.h>

#include <climits>
#include <csignal>
#include <deque>
#include <memory>
#include <system_error>
#include <thread>

#include "base/futex.h"
#include "base/log.h"
#include "base/mutex.h"
#include "capi/enter.h"
#include "capi/status_map.h"
#include "stream/context.h"
#include "stream/device.h"

struct rtExceptionInfo {
  uint32_t task;
  uint32_t stream;
  uint32_t thread;
  uint32_t device;
  uint32_t code;
};

namespace tandem::capi {
namespace {

constexpr uint32_t kUnknown = 0xFFFFFFFF;
// How long a failure may wait for the callback to return before it becomes visible: the callback may itself
// wait, against the rules, for the stream that waits for it.
constexpr std::chrono::seconds kPatience{10};

struct Report {
  rtExceptionInfo info{};
  std::atomic<uint32_t> told{0};
};

// The internal thread that calls the callback, so that it runs neither with a stream in its hands nor inside
// an API call of the application. It lives as long as the process.
class Teller {
 public:
  static Teller& Process() {
    static Teller* const teller = new Teller;
    return *teller;
  }

  void SetCallback(aclrtExceptionInfoCallback callback) {
    callback_.store(callback, std::memory_order_release);
  }

  // Returns when the callback has returned, or patience is at its end.
  void Tell(const rtExceptionInfo& info) {
    auto report = std::make_shared<Report>();
    report->info = info;
    {
      MutexLock lock(mutex_);
      if (!started_) Start();
      started_ = true;
      reports_.push_back(report);
    }
    news_.fetch_add(1, std::memory_order_seq_cst);
    FutexWake(news_, 1, FutexScope::kPrivate);
    // A callback that runs a stream with another failing task must not wait for itself.
    if (is_teller) return;
    const Deadline deadline = Clock::now() + kPatience;
    while (report->told.load(std::memory_order_acquire) == 0) {
      if (!FutexWait(report->told, 0, deadline, FutexScope::kPrivate)) {
        TANDEM_LOG(kWarn,
                   "the callback of aclrtSetExceptionInfoCallback has not returned for %lld s; the "
                   "failure is reported without waiting for it",
                   static_cast<long long>(kPatience.count()));
        return;
      }
    }
  }

 private:
  // Throws std::system_error when there is no thread to be had.
  void Start() {
    // The application's signal handlers belong on the application's threads.
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    struct Restore {
      const sigset_t& mask;
      ~Restore() { pthread_sigmask(SIG_SETMASK, &mask, nullptr); }
    } restore{before};
    std::thread([this] { Main(); }).detach();
  }

  void Main() {
    is_teller = true;
    for (;;) {
      const uint32_t seen = news_.load(std::memory_order_seq_cst);
      std::shared_ptr<Report> report;
      {
        MutexLock lock(mutex_);
        if (!reports_.empty()) {
          report = std::move(reports_.front());
          reports_.pop_front();
        }
      }
      if (report == nullptr) {
        FutexWait(news_, seen, kNever, FutexScope::kPrivate);
        continue;
      }
      if (const auto callback = callback_.load(std::memory_order_acquire)) callback(&report->info);
      report->told.store(1, std::memory_order_release);
      FutexWake(report->told, INT_MAX, FutexScope::kPrivate);
    }
  }

  static constinit thread_local bool is_teller;

  std::atomic<aclrtExceptionInfoCallback> callback_{nullptr};
  std::atomic<uint32_t> news_{0};  // futex; changed with every entry of reports_
  Mutex mutex_;
  std::deque<std::shared_ptr<Report>> reports_ TANDEM_GUARDED_BY(mutex_);
  bool started_ TANDEM_GUARDED_BY(mutex_) = false;
};

constinit thread_local bool Teller::is_teller = false;

// Runs on the thread that owns the failed task's stream, where no exception may pass.
void OnTaskFailure(ManagedStream& stream, const TaskFailure& failure) {
  try {
    Teller::Process().Tell({static_cast<uint32_t>(failure.task), stream.id(), failure.thread,
                            static_cast<uint32_t>(UserIdOfDevice(stream.context()->device())),
                            static_cast<uint32_t>(MapCode(failure.status->code()).acl)});
  } catch (const std::exception& error) {
    TANDEM_LOG(kError, "the callback of aclrtSetExceptionInfoCallback could not be called: %s", error.what());
  }
}

}  // namespace
}  // namespace tandem::capi

using namespace tandem;        // NOLINT(google-build-using-namespace): the functions below are outside every
                               // namespace
using namespace tandem::capi;  // NOLINT(google-build-using-namespace)

extern "C" aclError aclrtSetExceptionInfoCallback(aclrtExceptionInfoCallback callback) {
  return EnterAcl("aclrtSetExceptionInfoCallback", [&]() -> Status {
    Teller::Process().SetCallback(callback);
    SetTaskFailureHook(callback == nullptr ? nullptr : &OnTaskFailure);
    return Status::Ok();
  });
}

extern "C" uint32_t aclrtGetTaskIdFromExceptionInfo(const aclrtExceptionInfo* info) {
  return info == nullptr ? kUnknown : info->task;
}

extern "C" uint32_t aclrtGetStreamIdFromExceptionInfo(const aclrtExceptionInfo* info) {
  return info == nullptr ? kUnknown : info->stream;
}

extern "C" uint32_t aclrtGetThreadIdFromExceptionInfo(const aclrtExceptionInfo* info) {
  return info == nullptr ? kUnknown : info->thread;
}

extern "C" uint32_t aclrtGetDeviceIdFromExceptionInfo(const aclrtExceptionInfo* info) {
  return info == nullptr ? kUnknown : info->device;
}

extern "C" uint32_t aclrtGetErrorCodeFromExceptionInfo(const aclrtExceptionInfo* info) {
  return info == nullptr ? kUnknown : info->code;
}
