// SPDX-License-Identifier: Apache-2.0
#include "stream/task_failure.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <utility>

#include "stream/context.h"

namespace tandem {
namespace {

std::atomic<TaskFailureHook> failure_hook{nullptr};

struct Origin {
  uint32_t thread = UINT32_MAX;
  bool cancelled = false;
};

// Of the task that has just failed on this thread: a stream tells its failure hook at once after the last
// Run, on the same thread, so the wrapper can leave here what the hook wants to know.
constinit thread_local Origin failing;

uint32_t ThisThread() {
  thread_local const auto id = static_cast<uint32_t>(syscall(SYS_gettid));
  return id;
}

class OriginTask final : public Task {
 public:
  explicit OriginTask(std::unique_ptr<Task> task) : task_(std::move(task)) {}

  Step Run(const RunContext& run) override {
    const Step step = task_->Run(run);
    if (step == Step::kDone && !task_->status().ok()) {
      failing = origin_;
      Fail(task_->status());
    }
    return step;
  }
  bool Arm() override { return task_->Arm(); }
  Deadline WakeAt() override { return task_->WakeAt(); }
  void Cancel(const Status& why) override {
    origin_.cancelled = true;
    task_->Cancel(why);
  }

 private:
  std::unique_ptr<Task> task_;
  Origin origin_{ThisThread(), false};
};

// The number of the task at the head, which is the first that is not done.
uint64_t HeadTask(const Stream& stream) {
  uint64_t done = 0;
  uint64_t open = stream.submitted();
  while (open - done > 1) {
    const uint64_t middle = done + (open - done) / 2;
    (stream.IsDone(middle) ? done : open) = middle;
  }
  return open;
}

}  // namespace

void SetTaskFailureHook(TaskFailureHook hook) { failure_hook.store(hook, std::memory_order_release); }

bool WantsTaskFailures() { return failure_hook.load(std::memory_order_relaxed) != nullptr; }

std::unique_ptr<Task> WithOrigin(std::unique_ptr<Task> task) {
  if (!WantsTaskFailures()) [[likely]]
    return task;
  return std::make_unique<OriginTask>(std::move(task));
}

void TellTaskFailure(ManagedStream& stream, const Status& status) {
  const Origin origin = std::exchange(failing, Origin{});
  const TaskFailureHook hook = failure_hook.load(std::memory_order_acquire);
  if (hook == nullptr || origin.cancelled) return;
  hook(stream, {HeadTask(stream), origin.thread, &status});
}

}  // namespace tandem
