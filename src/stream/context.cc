// SPDX-License-Identifier: Apache-2.0
#include "stream/context.h"

#include <algorithm>
#include <string>
#include <system_error>
#include <thread>
#include <utility>

#include "base/fork_guard.h"
#include "base/handle_table.h"
#include "base/log.h"
#include "stream/device.h"
#include "stream/host_func.h"
#include "stream/task_failure.h"

namespace tandem {
namespace {

struct ContextPool {
  Mutex mutex;
  std::vector<Context*> free TANDEM_GUARDED_BY(mutex);
  std::unordered_set<Context*> open TANDEM_GUARDED_BY(mutex);
  uint64_t lives TANDEM_GUARDED_BY(mutex) = 0;
};

ContextPool& Contexts() {
  static ContextPool* const pool = new ContextPool;
  return *pool;
}

std::atomic<StreamStateHook> stream_state_hook{nullptr};

void Tell(ManagedStream& stream, StreamState state) {
  if (const StreamStateHook hook = stream_state_hook.load(std::memory_order_acquire)) hook(stream, state);
}

Status Dropped() {
  return Status::Error(Code::kStreamAborted, "the stream was destroyed without waiting for its work");
}

}  // namespace

Status AbortedByDevice() {
  return Status::Error(Code::kDeviceAborting, "all tasks of the device were dropped by aclrtDeviceTaskAbort");
}

void SetStreamStateHook(StreamStateHook hook) { stream_state_hook.store(hook, std::memory_order_release); }

Result<Context*> Context::Open(int32_t device, bool primary) {
  WatchForks();
  Context* context = nullptr;
  uint64_t life = 0;
  {
    MutexLock lock(Contexts().mutex);
    life = ++Contexts().lives;
    if (!Contexts().free.empty()) {
      context = Contexts().free.back();
      Contexts().free.pop_back();
    }
  }
  if (context == nullptr) context = new Context;
  context->device_ = device;
  context->primary_ = primary;
  context->stop_mode_.store(false, std::memory_order_relaxed);
  context->failed_.store(false, std::memory_order_relaxed);
  for (std::atomic<int64_t>& option : context->options_)
    option.store(kOptionNotSet, std::memory_order_relaxed);
  {
    MutexLock lock(context->mutex_);
    context->failure_ = Status::Ok();
  }
  Result<ManagedStream*> stream = StreamPool::Acquire(*context, {.is_default = true});
  Result<void*> handle = stream ? HandleTable::Process().Add(HandleKind::kContext, context) : stream.status();
  if (!handle) {
    if (stream) StreamPool::Release(**stream);
    MutexLock lock(Contexts().mutex);
    Contexts().free.push_back(context);
    return handle.status();
  }
  context->handle_ = *handle;
  context->default_stream_ = *stream;
  {
    MutexLock lock(context->mutex_);
    context->streams_.insert(*stream);
  }
  // release: pairs with the acquire in life(), so a thread that selects the context sees all of the above.
  context->life_.store(life, std::memory_order_release);
  MutexLock lock(Contexts().mutex);
  Contexts().open.insert(context);
  return context;
}

void Context::Announce() { Tell(*default_stream_, StreamState::kCreated); }

std::vector<ManagedStream*> Context::Streams() const {
  MutexLock lock(mutex_);
  return {streams_.begin(), streams_.end()};
}

bool Context::Close(bool drop) {
  // From here on no thread finds the context any more, so no new work arrives through the API.
  if (life_.exchange(0, std::memory_order_acq_rel) == 0) return false;
  HandleTable::Process().Remove(HandleKind::kContext, handle_);
  {
    MutexLock lock(Contexts().mutex);
    Contexts().open.erase(this);
  }
  CloseStreams(drop || HasFailed());
  CloseOwned();
  std::unique_ptr<HostFunctionThread> host_functions;
  {
    MutexLock lock(mutex_);
    host_functions = std::move(host_functions_);
  }
  host_functions.reset();
  MutexLock lock(Contexts().mutex);
  Contexts().free.push_back(this);
  return true;
}

void Context::CloseStreams(bool drop) {
  for (ManagedStream* stream : Streams()) {
    if (stream->context() != this) continue;
    // While each is waited for in turn all run on: they may wait for each other's events.
    static_cast<void>(drop ? stream->Abort(Dropped(), kNever) : stream->Wait(stream->submitted(), kNever));
  }
  for (ManagedStream* stream : Streams()) static_cast<void>(CloseStream(*stream, drop));
  // A thread that was destroying a stream of its own meanwhile is about to take it off the list.
  while (!Streams().empty()) std::this_thread::yield();
}

void Context::CloseOwned() {
  std::unordered_map<void*, Destroyer> owned;
  {
    MutexLock lock(mutex_);
    owned.swap(owned_);
  }
  for (const auto& [handle, destroy] : owned) destroy(handle);
}

Result<ManagedStream*> Context::CreateStream(const ManagedStream::Traits& traits) {
  Result<ManagedStream*> stream = StreamPool::Acquire(*this, traits);
  if (!stream) return stream.status();
  bool closed = false;
  {
    MutexLock lock(mutex_);
    // Close ends the life first and looks at the streams under this lock afterwards, so it misses none.
    closed = life() == 0;
    if (!closed) streams_.insert(*stream);
  }
  if (closed) {
    StreamPool::Release(**stream);
    return Status::Error(Code::kNoContext, "the current context was closed by another thread");
  }
  Tell(**stream, StreamState::kCreated);
  return stream;
}

Status Context::DestroyStream(ManagedStream& stream, bool drop) { return CloseStream(stream, drop); }

Status Context::CloseStream(ManagedStream& stream, bool drop) {
  {
    // Only while it is on the list is it this context's stream and not a later one in the same object.
    MutexLock lock(mutex_);
    if (!streams_.contains(&stream) || !stream.BeginClosing()) {
      return Status::Error(Code::kInvalidHandle, "another thread is destroying this stream already");
    }
  }
  Tell(stream, StreamState::kDestroying);
  if (drop || HasFailed()) {
    static_cast<void>(stream.Abort(Dropped(), kNever));
  } else {
    // An abort by another thread ends the wait early, with the stream as empty as this needs it.
    while (!stream.IsDone(stream.submitted())) static_cast<void>(stream.Wait(stream.submitted(), kNever));
  }
  {
    MutexLock lock(mutex_);
    streams_.erase(&stream);
  }
  StreamPool::Release(stream);
  return Status::Ok();
}

Status Context::Synchronize(Deadline deadline) {
  TANDEM_RETURN_IF_ERROR(Device::CheckNotAborting(device_));
  if (HasFailed()) return Failure();
  const uint64_t aborts = Device::AbortsSoFar();
  Status first;
  for (ManagedStream* stream : Streams()) {
    const uint64_t life = stream->life();
    if (life == 0 || stream->context() != this) continue;
    Status status = stream->Wait(stream->submitted(), deadline);
    if (Device::WasAborted(device_, aborts)) return AbortedByDevice();
    if (HasFailed()) return Failure();
    if (status.code() == Code::kStreamSyncTimeout) return status;
    if (status.ok() && stream->life() == life) status = stream->TakeError();
    if (first.ok()) first = std::move(status);
  }
  return first;
}

bool Context::Adopt(void* handle, Destroyer destroy) {
  MutexLock lock(mutex_);
  if (life() == 0) return false;
  owned_.emplace(handle, destroy);
  return true;
}

void Context::Forget(void* handle) {
  MutexLock lock(mutex_);
  owned_.erase(handle);
}

Status Context::Failure() const {
  MutexLock lock(mutex_);
  return failure_;
}

void Context::OnTaskFailed(Stream& stream, const Status& status, void* owner) {
  auto& context = *static_cast<Context*>(owner);
  // What is still queued in a context that has stopped fails because of the first failure, and is no news.
  if (!context.HasFailed()) TellTaskFailure(static_cast<ManagedStream&>(stream), status);
  if (!context.stop_mode()) return;
  {
    MutexLock lock(context.mutex_);
    if (context.failed_.load(std::memory_order_relaxed)) return;
    context.failure_ = status;
    context.failed_.store(true, std::memory_order_release);
  }
  // The thread that ran the task owns its stream, so it cannot empty it: another one does, for all streams.
  const uint64_t life = context.life();
  if (life == 0) return;
  try {
    std::thread([&context, life] { context.StopAllStreams(life); }).detach();
  } catch (const std::system_error& error) {
    TANDEM_LOG(kWarn, "no thread to stop the streams of a failed context (%s); their running tasks go on",
               error.what());
  }
}

void Context::StopAllStreams(uint64_t life) {
  const Status why = Failure();
  for (ManagedStream* stream : Streams()) {
    // A device's abort may have cleared the failure meanwhile; what was queued since is not concerned.
    if (this->life() != life || !HasFailed()) return;
    if (stream->life() != 0 && stream->context() == this) static_cast<void>(stream->Abort(why, kNever));
  }
}

Status Context::AbortAll(int32_t device, Deadline deadline) {
  std::vector<Context*> contexts;
  {
    MutexLock lock(Contexts().mutex);
    for (Context* context : Contexts().open) {
      if (context->device() == device) contexts.push_back(context);
    }
  }
  const Status why = AbortedByDevice();
  // First all are told, so that no thread goes on waiting for one while another takes its time.
  Status result;
  for (const Deadline limit : {Clock::now(), deadline}) {
    result = Status::Ok();
    for (Context* context : contexts) {
      if (Status aborted = context->AbortStreams(why, limit); result.ok()) result = std::move(aborted);
    }
  }
  return result;
}

Status Context::AbortStreams(const Status& why, Deadline deadline) {
  Status result;
  const uint64_t life = this->life();
  for (ManagedStream* stream : Streams()) {
    if (life == 0 || this->life() != life) return Status::Ok();
    if (stream->life() == 0 || stream->context() != this) continue;
    const Status aborted = stream->Abort(why, deadline);
    if (aborted.ok()) continue;
    result = Status::Error(Code::kWaitTimeout, "stream %u of device %d: %s", stream->id(),
                           UserIdOfDevice(device_), std::string(aborted.text()).c_str());
  }
  if (!result.ok()) return result;
  MutexLock lock(mutex_);
  failure_ = Status::Ok();
  failed_.store(false, std::memory_order_release);
  return result;
}

HostFunctionThread& Context::host_functions() {
  MutexLock lock(mutex_);
  if (host_functions_ == nullptr) host_functions_ = std::make_unique<HostFunctionThread>();
  return *host_functions_;
}

}  // namespace tandem
