// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <utility>

#include "base/result.h"
#include "stream/stream.h"

namespace tandem {

class Context;

// A stream as the application sees it: it belongs to a context and has a number, a priority and a handle.
// Lives in the pool for ever; each time it is handed out is a new life. What is set by Begin stays the same
// until the stream has ended, so it may be read without a lock by whoever may use the stream.
class ManagedStream : public Stream {
 public:
  struct Traits {
    uint32_t priority = 0;
    uint32_t flags = 0;  // as the application gave them
    bool is_default = false;
  };

  Context* context() const { return context_.load(std::memory_order_relaxed); }
  // 0 while the stream lies in the pool.
  uint64_t life() const { return life_.load(std::memory_order_acquire); }
  void* handle() const { return handle_.load(std::memory_order_relaxed); }
  uint32_t id() const { return id_; }
  const Traits& traits() const { return traits_; }

  // Who calls back for this stream; a stream has one kind only.
  enum class Callbacks : uint8_t { kNone, kHostFunctions, kSubscribed };
  // False: it has the other kind.
  bool ClaimCallbacks(Callbacks kind);
  // The last subscriber left: the stream may get another kind.
  bool HasHostFunctions() const {
    return callbacks_.load(std::memory_order_relaxed) == Callbacks::kHostFunctions;
  }
  void ReleaseCallbacks() { callbacks_.store(Callbacks::kNone, std::memory_order_relaxed); }

  // Whether this stream itself was switched to stop at its first failure (the context follows).
  std::atomic<bool> stops_on_failure{false};

  // What aclrtSetStreamAttribute sets. Nothing here depends on them; they are remembered for whoever asks.
  std::atomic<uint32_t> priority{0};
  std::atomic<uint32_t> overflow_check{0};
  std::atomic<uint32_t> user_tag{0};
  std::atomic<uint32_t> cache_op_info{0};

  // The first of several callers that end the stream.
  bool BeginClosing() { return !closing_.exchange(true, std::memory_order_acq_rel); }

 private:
  friend class StreamPool;
  std::atomic<Context*> context_{nullptr};
  std::atomic<uint64_t> life_{0};
  std::atomic<void*> handle_{nullptr};
  std::atomic<Callbacks> callbacks_{Callbacks::kNone};
  std::atomic<bool> closing_{false};
  uint32_t id_ = 0;
  Traits traits_;
};

// Where streams come from and go back to. Thread-safe.
class StreamPool {
 public:
  // Hands out a stream of the context's device, with a handle. kNoStreams: the device has no more.
  static Result<ManagedStream*> Acquire(Context& context, const ManagedStream::Traits& traits);
  // REQUIRES: the stream is empty, and the caller won BeginClosing
  static void Release(ManagedStream& stream);
};

// The error of a context that stops on failure and has failed, or kDeviceAborting: nothing may be queued.
Status CheckSubmission(const ManagedStream& stream);

// Whether tasks need no wrapper here: the context goes on after failures, and nobody asks where failures
// come from.
bool IsPlain(const ManagedStream& stream);
// For LastTaskId.
void NoteLastTask(const ManagedStream& stream);

// Queues the task on the stream, unless CheckSubmission says why not.
Status SubmitTask(ManagedStream& stream, std::unique_ptr<Task> task);
// The same for a caller who has made that check.
void SubmitChecked(ManagedStream& stream, std::unique_ptr<Task> task);

// The same for a task that is made here.
template <typename T, typename... Args>
void EmplaceChecked(ManagedStream& stream, Args&&... args) {
  if (!IsPlain(stream)) [[unlikely]]
    return SubmitChecked(stream, std::make_unique<T>(std::forward<Args>(args)...));
  stream.Emplace<T>(std::forward<Args>(args)...);
  NoteLastTask(stream);
}

// A number for the task that the calling thread queued last, counted in its stream; UINT32_MAX before the
// first.
uint32_t LastTaskId();

// As SubmitTask, then runs the stream until the task is done. The task's own failure stays with the stream.
Status SubmitAndWait(ManagedStream& stream, std::unique_ptr<Task> task);

}  // namespace tandem
