// SPDX-License-Identifier: Apache-2.0
#include "stream/stream_pool.h"

#include <utility>
#include <vector>

#include "base/handle_table.h"
#include "base/thread_local.h"
#include "stream/context.h"
#include "stream/device.h"
#include "stream/report.h"
#include "stream/task_failure.h"

namespace tandem {
namespace {

struct FreeStreams {
  Mutex mutex;
  std::vector<ManagedStream*> free TANDEM_GUARDED_BY(mutex);
  uint64_t lives TANDEM_GUARDED_BY(mutex) = 0;
};

FreeStreams& Pool() {
  static FreeStreams* const pool = new FreeStreams;
  return *pool;
}

// Drops its task when the context has failed before the task began: what a context in stop mode still has
// queued.
class StopGuard final : public Task {
 public:
  StopGuard(const Context& context, std::unique_ptr<Task> task) : context_(context), task_(std::move(task)) {}

  Step Run(const RunContext& run) override {
    if (!begun_ && !cancelled_ && context_.HasFailed()) return Step::kDone;
    begun_ = true;
    const Step step = task_->Run(run);
    if (step == Step::kDone) Fail(task_->status());
    return step;
  }
  bool Arm() override { return task_->Arm(); }
  Deadline WakeAt() override { return task_->WakeAt(); }
  void Cancel(const Status& why) override {
    cancelled_ = true;
    task_->Cancel(why);
  }

 private:
  const Context& context_;
  std::unique_ptr<Task> task_;
  bool begun_ = false;
  bool cancelled_ = false;
};

// Tells when the task it carries has left the stream.
class Tracked final : public Task {
 public:
  Tracked(std::unique_ptr<Task> task, std::shared_ptr<std::atomic<bool>> done)
      : task_(std::move(task)), done_(std::move(done)) {}
  ~Tracked() override { done_->store(true, std::memory_order_release); }

  Step Run(const RunContext& run) override {
    const Step step = task_->Run(run);
    if (step == Step::kDone) Fail(task_->status());
    return step;
  }
  bool Arm() override { return task_->Arm(); }
  Deadline WakeAt() override { return task_->WakeAt(); }
  void Cancel(const Status& why) override { task_->Cancel(why); }

 private:
  std::unique_ptr<Task> task_;
  std::shared_ptr<std::atomic<bool>> done_;
};

TANDEM_FAST_THREAD_LOCAL uint32_t last_task_id = UINT32_MAX;

}  // namespace

bool ManagedStream::ClaimCallbacks(Callbacks kind) {
  Callbacks now = Callbacks::kNone;
  return callbacks_.compare_exchange_strong(now, kind, std::memory_order_relaxed) || now == kind;
}

Result<ManagedStream*> StreamPool::Acquire(Context& context, const ManagedStream::Traits& traits) {
  Device& device = Device::Get(context.device());
  uint32_t id = 0;
  if (!device.stream_ids().Take(id)) {
    return Status::Error(Code::kNoStreams, "device %d has %u streams already; destroy some first",
                         context.device(), Device::kStreams);
  }
  ManagedStream* stream = nullptr;
  uint64_t life = 0;
  {
    MutexLock lock(Pool().mutex);
    life = ++Pool().lives;
    if (!Pool().free.empty()) {
      stream = Pool().free.back();
      Pool().free.pop_back();
    }
  }
  if (stream == nullptr) stream = new ManagedStream;
  stream->Reset();
  stream->context_.store(&context, std::memory_order_relaxed);
  stream->id_ = id;
  stream->traits_ = traits;
  stream->callbacks_.store(ManagedStream::Callbacks::kNone, std::memory_order_relaxed);
  stream->stops_on_failure.store(false, std::memory_order_relaxed);
  stream->priority.store(traits.priority, std::memory_order_relaxed);
  for (std::atomic<uint32_t>* attribute :
       {&stream->overflow_check, &stream->user_tag, &stream->cache_op_info})
    attribute->store(0, std::memory_order_relaxed);
  stream->closing_.store(false, std::memory_order_relaxed);
  stream->SetFailureHook(&Context::OnTaskFailed, &context);
  stream->life_.store(life, std::memory_order_release);
  Result<void*> handle = HandleTable::Process().Add(HandleKind::kStream, stream);
  if (!handle) {
    Release(*stream);
    return handle.status();
  }
  stream->handle_.store(*handle, std::memory_order_relaxed);
  return stream;
}

void StreamPool::Release(ManagedStream& stream) {
  HandleTable::Process().Remove(HandleKind::kStream, stream.handle());
  ForgetSubscription(stream);
  stream.handle_.store(nullptr, std::memory_order_relaxed);
  stream.life_.store(0, std::memory_order_release);
  stream.Reset();
  Device::Get(stream.context()->device()).stream_ids().Return(stream.id());
  MutexLock lock(Pool().mutex);
  Pool().free.push_back(&stream);
}

Status CheckSubmission(const ManagedStream& stream) {
  const Context& context = *stream.context();
  TANDEM_RETURN_IF_ERROR(Device::CheckNotAborting(context.device()));
  return context.stop_mode() && context.HasFailed() ? context.Failure() : Status::Ok();
}

Status SubmitTask(ManagedStream& stream, std::unique_ptr<Task> task) {
  TANDEM_RETURN_IF_ERROR(CheckSubmission(stream));
  SubmitChecked(stream, std::move(task));
  return Status::Ok();
}

void SubmitChecked(ManagedStream& stream, std::unique_ptr<Task> task) {
  const Context& context = *stream.context();
  if (context.stop_mode()) [[unlikely]] {
    task = std::make_unique<StopGuard>(context, std::move(task));
  }
  stream.Submit(WithOrigin(std::move(task)));
  NoteLastTask(stream);
}

bool IsPlain(const ManagedStream& stream) { return !stream.context()->stop_mode() && !WantsTaskFailures(); }

void NoteLastTask(const ManagedStream& stream) { last_task_id = static_cast<uint32_t>(stream.submitted()); }

uint32_t LastTaskId() { return last_task_id; }

Status SubmitAndWait(ManagedStream& stream, std::unique_ptr<Task> task) {
  const uint64_t aborts = Device::AbortsSoFar();
  const auto done = std::make_shared<std::atomic<bool>>(false);
  // Other threads may submit in between, so the task's own ticket is this one or a few later.
  uint64_t ticket = stream.submitted() + 1;
  TANDEM_RETURN_IF_ERROR(SubmitTask(stream, std::make_unique<Tracked>(std::move(task), done)));
  Status first;
  while (!done->load(std::memory_order_acquire)) {
    Status waited = stream.Wait(ticket, kNever);
    if (waited.ok()) {
      ++ticket;
    } else if (first.ok()) {
      // Aborted: the task is about to end, but until then it uses the caller's memory.
      first = std::move(waited);
    }
  }
  return Device::WasAborted(stream.context()->device(), aborts) ? AbortedByDevice() : first;
}

}  // namespace tandem
