// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>

#include "base/mutex.h"
#include "base/result.h"
#include "stream/stream_pool.h"

namespace tandem {

// Device memory that is taken at the call and given back in stream order. A block whose giving back a stream
// has reached serves anybody; one whose giving back is only queued serves calls that follow in the same
// stream, since their work comes after it. Blocks are kept until the threshold says otherwise. Thread-safe.
class MemoryPool : public std::enable_shared_from_this<MemoryPool> {
 public:
  static constexpr size_t kFlags = 3;
  struct Counts {
    uint64_t reserved = 0;  // bytes taken from the device
    uint64_t used = 0;      // bytes that the application has
    uint64_t most_reserved = 0;
    uint64_t most_used = 0;
  };

  // A handle. `limit` in bytes.
  static Result<void*> Create(int32_t device, uint64_t limit);
  // Null: not such a handle.
  static std::shared_ptr<MemoryPool> Find(const void* handle);
  // kUnavailable while blocks are used, or given back further on in a stream; kInvalidHandle when another
  // thread was faster.
  static Status Destroy(void* handle);
  // The pool that has a block beginning there; null when none has.
  static std::shared_ptr<MemoryPool> OwnerOf(const void* data);
  // A thread has waited for a stream: pools of the device keep no more unused memory than their threshold.
  static void OnSynchronized(int32_t device);

  int32_t device() const { return device_; }

  // For work that is queued in the stream from now on. kUnavailable when the pool or the device has no more.
  Result<void*> Take(size_t bytes, const ManagedStream& stream);
  // kInvalidValue unless the application has this block; else it is given back when the stream gets there.
  Status GiveBack(void* data, ManagedStream& stream);
  // Gives unused blocks back to the device until no more than `keep` bytes are reserved.
  void TrimTo(uint64_t keep);

  uint64_t threshold() const;
  void SetThreshold(uint64_t bytes);
  // From now on the most is counted anew.
  void ResetMostReserved();
  void ResetMostUsed();
  Counts counts() const;
  // 0 or 1; only remembered.
  int32_t flag(size_t index) const;
  void SetFlag(size_t index, int32_t value);

 private:
  friend class GiveBackTask;
  enum class State : uint8_t { kUnused, kUsed, kGivenBack };
  struct Block {
    size_t bytes = 0;
    State state = State::kUsed;
    uint64_t stream = 0;  // kGivenBack: the life of the stream in which that is queued
    uint64_t use = 0;     // counts how often it was handed out
  };

  MemoryPool(int32_t device, uint64_t limit) : device_(device), limit_(limit) {}
  Block* FindFit(size_t bytes, uint64_t stream, std::byte*& data) TANDEM_REQUIRES(mutex_);
  Result<void*> TakeNew(size_t bytes) TANDEM_REQUIRES(mutex_);
  void Trim(uint64_t keep) TANDEM_REQUIRES(mutex_);
  void NoteUse(uint64_t bytes) TANDEM_REQUIRES(mutex_);
  void Reached(std::byte* data, uint64_t use);

  const int32_t device_;
  const uint64_t limit_;
  mutable Mutex mutex_;
  std::map<std::byte*, Block> blocks_ TANDEM_GUARDED_BY(mutex_);
  Counts counts_ TANDEM_GUARDED_BY(mutex_);
  uint64_t threshold_ TANDEM_GUARDED_BY(mutex_) = 0;
  std::array<int32_t, kFlags> flags_ TANDEM_GUARDED_BY(mutex_) = {1, 1, 1};
  bool destroyed_ TANDEM_GUARDED_BY(mutex_) = false;
};

}  // namespace tandem
