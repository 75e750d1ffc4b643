// SPDX-License-Identifier: Apache-2.0
#include "stream/memory_pool.h"

#include <algorithm>
#include <atomic>
#include <string>
#include <utility>
#include <vector>

#include "base/handle_table.h"
#include "stream/context.h"
#include "stream/memory.h"

namespace tandem {
namespace {

// A block may be this much larger than what it is used for; without cutting blocks, more would be waste.
constexpr size_t kLargestWaste = size_t{64} << 10;
constexpr size_t kPoolUnit = 32;

bool Fits(size_t block, size_t bytes) {
  return block >= bytes && (block - bytes <= kLargestWaste || block / 2 <= bytes);
}

struct PoolRegistry {
  Mutex mutex;
  std::map<const void*, std::shared_ptr<MemoryPool>> pools TANDEM_GUARDED_BY(mutex);
  std::atomic<size_t> count{0};  // of pools; programs without any pay nothing for them
};

PoolRegistry& Pools() {
  static PoolRegistry* const registry = new PoolRegistry;
  return *registry;
}

std::vector<std::shared_ptr<MemoryPool>> AllPools() {
  std::vector<std::shared_ptr<MemoryPool>> pools;
  if (Pools().count.load(std::memory_order_acquire) == 0) return pools;
  MutexLock lock(Pools().mutex);
  for (const auto& [handle, pool] : Pools().pools) pools.push_back(pool);
  return pools;
}

}  // namespace

// The point in a stream at which a block is given back. Whatever becomes of the task, the block is not lost.
class GiveBackTask final : public Task {
 public:
  GiveBackTask(std::shared_ptr<MemoryPool> pool, std::byte* data, uint64_t use)
      : pool_(std::move(pool)), data_(data), use_(use) {}
  ~GiveBackTask() override { pool_->Reached(data_, use_); }
  Step Run(const RunContext& /*context*/) override { return Step::kDone; }
  void Cancel(const Status& /*why*/) override {}

 private:
  const std::shared_ptr<MemoryPool> pool_;
  std::byte* const data_;
  const uint64_t use_;
};

Result<void*> MemoryPool::Create(int32_t device, uint64_t limit) {
  std::shared_ptr<MemoryPool> pool(new MemoryPool(device, limit));
  Result<void*> handle = HandleTable::Process().Add(HandleKind::kMemoryPool, pool.get());
  if (!handle) return handle;
  MutexLock lock(Pools().mutex);
  Pools().pools.emplace(*handle, std::move(pool));
  Pools().count.store(Pools().pools.size(), std::memory_order_release);
  return handle;
}

std::shared_ptr<MemoryPool> MemoryPool::Find(const void* handle) {
  MutexLock lock(Pools().mutex);
  const auto found = Pools().pools.find(handle);
  return found == Pools().pools.end() ? nullptr : found->second;
}

Status MemoryPool::Destroy(void* handle) {
  const std::shared_ptr<MemoryPool> pool = Find(handle);
  if (pool == nullptr) return Status::Error(Code::kInvalidHandle, "another thread destroyed this pool");
  {
    MutexLock lock(pool->mutex_);
    const auto busy = std::count_if(pool->blocks_.begin(), pool->blocks_.end(),
                                    [](const auto& entry) { return entry.second.state != State::kUnused; });
    if (busy != 0) {
      return Status::Error(
          Code::kUnavailable,
          "%lld blocks of the pool are in use, or a stream has not reached the point at which "
          "they are given back",
          static_cast<long long>(busy));
    }
    pool->destroyed_ = true;
    pool->Trim(0);
  }
  MutexLock lock(Pools().mutex);
  if (Pools().pools.erase(handle) == 0)
    return Status::Error(Code::kInvalidHandle, "another thread destroyed this pool");
  Pools().count.store(Pools().pools.size(), std::memory_order_release);
  HandleTable::Process().Remove(HandleKind::kMemoryPool, handle);
  return Status::Ok();
}

std::shared_ptr<MemoryPool> MemoryPool::OwnerOf(const void* data) {
  for (const std::shared_ptr<MemoryPool>& pool : AllPools()) {
    MutexLock lock(pool->mutex_);
    for (const auto& [start, block] : pool->blocks_) {
      if (start == data) return pool;
    }
  }
  return nullptr;
}

void MemoryPool::OnSynchronized(int32_t device) {
  if (Pools().count.load(std::memory_order_acquire) == 0) [[likely]]
    return;
  for (const std::shared_ptr<MemoryPool>& pool : AllPools()) {
    if (pool->device() == device) pool->TrimTo(pool->threshold());
  }
}

MemoryPool::Block* MemoryPool::FindFit(size_t bytes, uint64_t stream, std::byte*& data) {
  Block* best = nullptr;
  for (auto& [start, block] : blocks_) {
    const bool free =
        block.state == State::kUnused || (block.state == State::kGivenBack && block.stream == stream);
    if (!free || !Fits(block.bytes, bytes) || (best != nullptr && best->bytes <= block.bytes)) continue;
    best = &block;
    data = start;
  }
  return best;
}

void MemoryPool::NoteUse(uint64_t bytes) {
  counts_.used += bytes;
  counts_.most_used = std::max(counts_.most_used, counts_.used);
}

Result<void*> MemoryPool::TakeNew(size_t bytes) {
  if (bytes > limit_) {
    return Status::Error(Code::kUnavailable, "size is %zu, more than the pool's maxSize (%llu)", bytes,
                         static_cast<unsigned long long>(limit_));
  }
  if (counts_.reserved > limit_ - bytes) Trim(limit_ - bytes);
  if (counts_.reserved > limit_ - bytes) {
    return Status::Error(Code::kUnavailable, "%zu bytes were asked for; the pool has %llu of %llu in use",
                         bytes, static_cast<unsigned long long>(counts_.reserved),
                         static_cast<unsigned long long>(limit_));
  }
  Result<void*> data = AllocatePoolMemory(device_, bytes);
  if (!data) {
    Trim(0);
    data = AllocatePoolMemory(device_, bytes);
  }
  if (!data) return Status::Error(Code::kUnavailable, "%s", std::string(data.status().text()).c_str());
  blocks_.emplace(static_cast<std::byte*>(*data), Block{.bytes = bytes, .use = 1});
  counts_.reserved += bytes;
  counts_.most_reserved = std::max(counts_.most_reserved, counts_.reserved);
  NoteUse(bytes);
  return data;
}

Result<void*> MemoryPool::Take(size_t bytes, const ManagedStream& stream) {
  const size_t rounded =
      bytes > SIZE_MAX - kPoolUnit ? bytes : (bytes + kPoolUnit - 1) / kPoolUnit * kPoolUnit;
  MutexLock lock(mutex_);
  if (destroyed_) return Status::Error(Code::kInvalidHandle, "another thread is destroying this pool");
  std::byte* data = nullptr;
  if (Block* block = FindFit(rounded, stream.life(), data)) {
    // Given back but not reached: it was never taken off `used`.
    if (block->state == State::kUnused) NoteUse(block->bytes);
    block->state = State::kUsed;
    ++block->use;
    return static_cast<void*>(data);
  }
  return TakeNew(rounded);
}

Status MemoryPool::GiveBack(void* data, ManagedStream& stream) {
  auto* const start = static_cast<std::byte*>(data);
  uint64_t use = 0;
  {
    MutexLock lock(mutex_);
    const auto block = blocks_.find(start);
    if (block == blocks_.end() || block->second.state != State::kUsed) {
      return Status::Error(Code::kInvalidValue, "ptr is %p, which was given back already", data);
    }
    block->second.state = State::kGivenBack;
    block->second.stream = stream.life();
    use = block->second.use;
  }
  // If it is not accepted, the block is as it was.
  Status checked = CheckSubmission(stream);
  if (!checked.ok()) {
    MutexLock lock(mutex_);
    if (const auto block = blocks_.find(start); block != blocks_.end() && block->second.use == use)
      block->second.state = State::kUsed;
    return checked;
  }
  return SubmitTask(stream, std::make_unique<GiveBackTask>(shared_from_this(), start, use));
}

void MemoryPool::Reached(std::byte* data, uint64_t use) {
  MutexLock lock(mutex_);
  const auto block = blocks_.find(data);
  // Handed out again in the same stream meanwhile.
  if (block == blocks_.end() || block->second.use != use || block->second.state != State::kGivenBack) return;
  block->second.state = State::kUnused;
  counts_.used -= block->second.bytes;
}

void MemoryPool::Trim(uint64_t keep) {
  for (auto block = blocks_.begin(); block != blocks_.end() && counts_.reserved > keep;) {
    if (block->second.state != State::kUnused) {
      ++block;
      continue;
    }
    static_cast<void>(FreePoolMemory(block->first));
    counts_.reserved -= block->second.bytes;
    block = blocks_.erase(block);
  }
}

void MemoryPool::TrimTo(uint64_t keep) {
  MutexLock lock(mutex_);
  Trim(keep);
}

uint64_t MemoryPool::threshold() const {
  MutexLock lock(mutex_);
  return threshold_;
}

void MemoryPool::SetThreshold(uint64_t bytes) {
  MutexLock lock(mutex_);
  threshold_ = bytes;
}

void MemoryPool::ResetMostReserved() {
  MutexLock lock(mutex_);
  counts_.most_reserved = counts_.reserved;
}

void MemoryPool::ResetMostUsed() {
  MutexLock lock(mutex_);
  counts_.most_used = counts_.used;
}

MemoryPool::Counts MemoryPool::counts() const {
  MutexLock lock(mutex_);
  return counts_;
}

int32_t MemoryPool::flag(size_t index) const {
  MutexLock lock(mutex_);
  return flags_[index];
}

void MemoryPool::SetFlag(size_t index, int32_t value) {
  MutexLock lock(mutex_);
  flags_[index] = value;
}

}  // namespace tandem
