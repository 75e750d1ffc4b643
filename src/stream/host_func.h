// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <deque>
#include <functional>
#include <memory>
#include <thread>

#include "base/mutex.h"
#include "stream/task.h"

namespace tandem {

// One call of a host function; shared by its task and the thread that runs it.
struct HostCall {
  enum class State : uint8_t { kWaiting, kRunning, kDone };
  void (*function)(void*) = nullptr;
  void* argument = nullptr;
  Stream* stream = nullptr;
  std::atomic<State> state{State::kWaiting};
};

// Runs the host functions of one context, one after the other, so that user code neither holds up a stream's
// runner nor runs inside an API call of another thread. Stops when it is destroyed; calls still waiting are
// dropped.
class HostFunctionThread {
 public:
  // Throws std::system_error when there is no thread to be had.
  HostFunctionThread() : thread_([queue = queue_] { Main(queue); }) {}
  ~HostFunctionThread();

  void Post(std::shared_ptr<HostCall> call);

 private:
  struct Queue {
    Mutex mutex;
    CondVar news;
    std::deque<std::shared_ptr<HostCall>> calls TANDEM_GUARDED_BY(mutex);
    bool stopping TANDEM_GUARDED_BY(mutex) = false;
  };
  static void Main(const std::shared_ptr<Queue>& queue);

  // Shared with the thread, which may outlive this object: see the destructor.
  std::shared_ptr<Queue> queue_ = std::make_shared<Queue>();
  std::thread thread_;
};

// Calls a function of the application in stream order; later tasks wait for its return.
class HostFunctionTask final : public Task {
 public:
  HostFunctionTask(HostFunctionThread& thread, void (*function)(void*), void* argument);

  Step Run(const RunContext& context) override;
  // A function that runs already is waited for: it uses the application's data.
  void Cancel(const Status& why) override;

 private:
  HostFunctionThread& thread_;
  std::shared_ptr<HostCall> call_;
  bool posted_ = false;
  bool cancelled_ = false;
};

}  // namespace tandem
