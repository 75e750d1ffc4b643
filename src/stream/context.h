// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/mutex.h"
#include "base/result.h"
#include "stream/stream_pool.h"

namespace tandem {

class HostFunctionThread;

// A context: the owner of streams and events on one device. Contexts come from a pool and are never freed, so
// a thread that still has a closed one selected finds out by comparing lives. Thread-safe.
class Context {
 public:
  static constexpr size_t kOptions = 3;

  // A context with its default stream and a handle. The caller calls Announce when it holds no lock any more.
  static Result<Context*> Open(int32_t device, bool primary);
  void Announce();
  // Ends everything the context owns. `drop`: without waiting for queued work. False: somebody closed it
  // before.
  bool Close(bool drop);

  int32_t device() const { return device_; }
  bool primary() const { return primary_; }
  void* handle() const { return handle_; }
  // Identifies one use of the object; 0 when it is closed.
  uint64_t life() const { return life_.load(std::memory_order_acquire); }
  ManagedStream& default_stream() { return *default_stream_; }

  Result<ManagedStream*> CreateStream(const ManagedStream::Traits& traits);
  // REQUIRES: a stream of this context, not the default one. kInvalidHandle: another thread is destroying it.
  Status DestroyStream(ManagedStream& stream, bool drop);
  // Waits for all streams until the deadline; the first error of a task, or kStreamSyncTimeout.
  Status Synchronize(Deadline deadline);

  // Gives up all tasks of all contexts of a device, and leaves their streams empty and without errors.
  // kWaitTimeout: some task is still running at the deadline. REQUIRES: Device::BeginAbort
  static Status AbortAll(int32_t device, Deadline deadline);

  // Events and notifies die with the context in which they were created: Close calls `destroy` for those that
  // were not forgotten. False: it is closed.
  using Destroyer = bool (*)(void* handle);
  bool Adopt(void* handle, Destroyer destroy);
  void Forget(void* handle);

  // What happens after a task failed: nothing (default), or the whole context stops with the first error.
  bool stop_mode() const { return stop_mode_.load(std::memory_order_acquire); }
  void StopOnFailure() { stop_mode_.store(true, std::memory_order_release); }
  bool HasFailed() const { return failed_.load(std::memory_order_acquire); }
  Status Failure() const;
  static void OnTaskFailed(Stream& stream, const Status& status, void* owner);

  // The thread that runs host functions; made on first use.
  HostFunctionThread& host_functions();

  // aclrtCtxSetSysParamOpt; `option` < kOptions.
  std::atomic<int64_t>& option(size_t option) { return options_[option]; }
  static constexpr int64_t kOptionNotSet = INT64_MIN;

 private:
  Context() = default;
  std::vector<ManagedStream*> Streams() const;
  Status CloseStream(ManagedStream& stream, bool drop);
  void CloseStreams(bool drop);
  void CloseOwned();
  void StopAllStreams(uint64_t life);
  Status AbortStreams(const Status& why, Deadline deadline);

  std::atomic<uint64_t> life_{0};
  int32_t device_ = 0;
  bool primary_ = false;
  void* handle_ = nullptr;
  ManagedStream* default_stream_ = nullptr;
  std::atomic<bool> stop_mode_{false};
  std::atomic<bool> failed_{false};
  std::array<std::atomic<int64_t>, kOptions> options_{};

  mutable Mutex mutex_;
  std::unordered_set<ManagedStream*> streams_ TANDEM_GUARDED_BY(mutex_);
  std::unordered_map<void*, Destroyer> owned_ TANDEM_GUARDED_BY(mutex_);
  Status failure_ TANDEM_GUARDED_BY(mutex_);
  std::unique_ptr<HostFunctionThread> host_functions_ TANDEM_GUARDED_BY(mutex_);
};

// Told of every stream after it was made and before it ends, on the thread that does it. No lock is held.
enum class StreamState : uint8_t { kCreated, kDestroying };
using StreamStateHook = void (*)(ManagedStream& stream, StreamState state);
void SetStreamStateHook(StreamStateHook hook);

// One failed task.
struct TaskFailure {
  uint64_t task = 0;             // counted in its stream, from 1
  uint32_t thread = UINT32_MAX;  // that queued it; UINT32_MAX when it was queued before there was a hook
  const Status* status = nullptr;
};
// Told of every task that failed by itself (not of those that an abort gave up), on the thread that ran it,
// which owns the stream at that moment, before waiting threads see the failure. Null: nobody wants to know.
using TaskFailureHook = void (*)(ManagedStream& stream, const TaskFailure& failure);
void SetTaskFailureHook(TaskFailureHook hook);
// Why a wait ended that an abort of the whole device ended.
Status AbortedByDevice();

// What the calling thread has selected.

// kNoContext when it selected nothing, or what it selected is closed.
Result<Context*> CurrentContext();
Context* CurrentContextOrNull();
// The device of the current context, as a number of this host (not the user's).
Result<int32_t> CurrentDevice();
// For synchronous copies: kNoContext, or kDeviceAborting while the current device drops its tasks.
Status CheckCurrentDevice();

// A device's one context shared by all threads, counted by SetDevice.
Status SetDevice(int32_t user_id);
// Gives one count back; with the last one the context is closed. `force`: all counts, and queued work is
// dropped.
Status ResetDevice(int32_t user_id, bool force);
bool PrimaryContextActive(int32_t device);
// The device of threads that never selected one.
void SetDefaultDevice(std::optional<int32_t> user_id);

Result<Context*> CreateContext(int32_t user_id);
// kNoContext: it is a primary one. kContextReleased: another thread is destroying it.
Status DestroyContext(Context& context);
void SelectContext(Context& context);

}  // namespace tandem
