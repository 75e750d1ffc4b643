// SPDX-License-Identifier: Apache-2.0
#include "base/handle_table.h"

#include <bit>

namespace tandem {

static_assert(sizeof(void*) == sizeof(uint64_t), "handles need 64-bit pointers");

const char* HandleKindName(HandleKind kind) {
  switch (kind) {
    case HandleKind::kContext:
      return "context";
    case HandleKind::kStream:
      return "stream";
    case HandleKind::kEvent:
      return "event";
    case HandleKind::kNotify:
      return "notify";
    case HandleKind::kCommunicator:
      return "communicator";
    case HandleKind::kCountNotify:
      return "counting notify";
    case HandleKind::kPhysicalMemory:
      return "physical memory";
    case HandleKind::kMemoryPool:
      return "memory pool";
    case HandleKind::kAllocator:
      return "allocator description";
  }
  return "unknown";
}

HandleTable& HandleTable::Process() {
  // Never destroyed: threads may still use handles while the process exits.
  static HandleTable* const table = new HandleTable;
  return *table;
}

HandleTable::~HandleTable() {
  for (const std::atomic<Slot*>& chunk : chunks_) delete[] chunk.load(std::memory_order_relaxed);
}

Result<uint64_t> HandleTable::TakeIndex() {
  constexpr size_t kRest = 1024;  // slots that rest before any is used again
  if (free_.size() > kRest || (used_ == kChunks * kChunkSlots && !free_.empty())) {
    const uint64_t index = free_.front();
    free_.pop_front();
    return index;
  }
  if (used_ == kChunks * kChunkSlots) {
    return Status::Error(Code::kResourceExhausted, "%llu handles are in use; destroy some first",
                         static_cast<unsigned long long>(used_));
  }
  const uint64_t index = used_;
  if (index % kChunkSlots == 0)
    chunks_[index / kChunkSlots].store(new Slot[kChunkSlots], std::memory_order_release);
  ++used_;
  return index;
}

Result<void*> HandleTable::Add(HandleKind kind, void* object) {
  MutexLock lock(mutex_);
  Result<uint64_t> index = TakeIndex();
  if (!index) return index.status();
  Slot& slot = *SlotOf(*index);
  slot.generation = (slot.generation + 1) & ((uint64_t{1} << kGenerationBits) - 1);
  const uint64_t value =
      kTag << kTagShift | static_cast<uint64_t>(kind) << kKindShift | slot.generation << kIndexBits | *index;
  slot.object.store(object, std::memory_order_relaxed);
  // release: pairs with the first load in Find, so the object is visible with the handle.
  slot.handle.store(value, std::memory_order_release);
  return std::bit_cast<void*>(value);
}

void* HandleTable::Remove(HandleKind kind, const void* handle) {
  MutexLock lock(mutex_);
  void* object = Find(kind, handle);
  if (object == nullptr) return nullptr;
  const uint64_t value = std::bit_cast<uint64_t>(handle);
  SlotOf(value)->handle.store(0, std::memory_order_release);
  free_.push_back(value & ((uint64_t{1} << kIndexBits) - 1));
  return object;
}

std::optional<HandleKind> HandleTable::ClaimedKind(const void* handle) {
  const uint64_t value = std::bit_cast<uint64_t>(handle);
  const uint64_t kind = (value >> kKindShift) & 15;
  if ((value >> kTagShift) != kTag || kind == 0 || kind > static_cast<uint64_t>(HandleKind::kCountNotify)) {
    return std::nullopt;
  }
  return static_cast<HandleKind>(kind);
}

}  // namespace tandem
