// SPDX-License-Identifier: Apache-2.0
#include "stream/host_func.h"

#include <utility>

#include "stream/stream.h"

namespace tandem {

HostFunctionThread::~HostFunctionThread() {
  {
    MutexLock lock(queue_->mutex);
    queue_->stopping = true;
  }
  queue_->news.NotifyOne();
  // A host function that closes its own context (which the documentation forbids) must not wait for itself.
  if (thread_.get_id() == std::this_thread::get_id()) {
    thread_.detach();
  } else {
    thread_.join();
  }
}

void HostFunctionThread::Post(std::shared_ptr<HostCall> call) {
  {
    MutexLock lock(queue_->mutex);
    queue_->calls.push_back(std::move(call));
  }
  queue_->news.NotifyOne();
}

void HostFunctionThread::Main(const std::shared_ptr<Queue>& queue) {
  for (;;) {
    std::shared_ptr<HostCall> call;
    {
      MutexLock lock(queue->mutex);
      while (queue->calls.empty() && !queue->stopping) {
        queue->news.Wait(queue->mutex);
      }
      if (queue->calls.empty()) return;
      call = std::move(queue->calls.front());
      queue->calls.pop_front();
    }
    HostCall::State expected = HostCall::State::kWaiting;
    // Fails when the task was cancelled before.
    if (!call->state.compare_exchange_strong(expected, HostCall::State::kRunning, std::memory_order_acq_rel))
      continue;
    call->function(call->argument);
    // release: what the function wrote is visible to the tasks after it.
    call->state.store(HostCall::State::kDone, std::memory_order_release);
    call->stream->Notify();
  }
}

HostFunctionTask::HostFunctionTask(HostFunctionThread& thread, void (*function)(void*), void* argument)
    : thread_(thread), call_(std::make_shared<HostCall>()) {
  call_->function = function;
  call_->argument = argument;
}

Step HostFunctionTask::Run(const RunContext& context) {
  if (!posted_) {
    if (cancelled_) return Step::kDone;
    // Waking the thread takes longer than a queueing call may.
    if (context.starting) return Step::kMore;
    posted_ = true;
    call_->stream = context.stream;
    thread_.Post(call_);
  }
  return call_->state.load(std::memory_order_acquire) == HostCall::State::kDone ? Step::kDone
                                                                                : Step::kBlocked;
}

void HostFunctionTask::Cancel(const Status& /*why*/) {
  cancelled_ = true;
  HostCall::State expected = HostCall::State::kWaiting;
  if (posted_)
    call_->state.compare_exchange_strong(expected, HostCall::State::kDone, std::memory_order_acq_rel);
}

}  // namespace tandem
