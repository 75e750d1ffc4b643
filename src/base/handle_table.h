// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <cstdint>
#include <deque>
#include <optional>

#include "base/mutex.h"
#include "base/result.h"

namespace tandem {

enum class HandleKind : uint8_t {
  kContext = 1,
  kStream,
  kEvent,
  kNotify,
  kCommunicator,
  kPhysicalMemory,
  kMemoryPool,
  kAllocator,
  kCountNotify
};

const char* HandleKindName(HandleKind kind);

// Opaque handles of the C API. A handle is not an address: it names a slot, the slot's generation and the
// kind, so one that was destroyed, is of another kind, or never came from here is always recognised, whatever
// its bits are. Find takes no lock. Slots are freed only with the table, and the
// process's table lives as long as the process.
class HandleTable {
 public:
  static HandleTable& Process();

  HandleTable() = default;
  ~HandleTable();
  HandleTable(const HandleTable&) = delete;
  HandleTable& operator=(const HandleTable&) = delete;

  // kResourceExhausted when there are 16 million already.
  Result<void*> Add(HandleKind kind, void* object);
  // The object, or null unless `handle` is live and of this kind.
  void* Find(HandleKind kind, const void* handle) const noexcept;
  // Ends the handle's life. Null unless it was live and of this kind: of two racing callers one gets the
  // object.
  void* Remove(HandleKind kind, const void* handle);

  // What the bits claim to be; nothing when they are no handle at all. For error texts.
  static std::optional<HandleKind> ClaimedKind(const void* handle);

 private:
  struct Slot {
    std::atomic<uint64_t> handle{0};  // 0: free
    std::atomic<void*> object{nullptr};
    uint64_t generation = 0;
  };
  static constexpr uint64_t kIndexBits = 24;
  static constexpr uint64_t kGenerationBits = 28;
  static constexpr uint64_t kKindShift = kIndexBits + kGenerationBits;
  static constexpr uint64_t kTagShift = kKindShift + 4;
  // Makes the value an address that no process can have: a program that reads through a handle fails at once.
  static constexpr uint64_t kTag = 0x5A;
  static constexpr uint64_t kChunkSlots = 4096;
  static constexpr uint64_t kChunks = (uint64_t{1} << kIndexBits) / kChunkSlots;

  Slot* SlotOf(uint64_t value) const noexcept;
  Result<uint64_t> TakeIndex() TANDEM_REQUIRES(mutex_);

  std::array<std::atomic<Slot*>, kChunks> chunks_{};
  Mutex mutex_;
  // Oldest first, so that a slot rests as long as possible before its next generation.
  std::deque<uint64_t> free_ TANDEM_GUARDED_BY(mutex_);
  uint64_t used_ TANDEM_GUARDED_BY(mutex_) = 0;
};

inline HandleTable::Slot* HandleTable::SlotOf(uint64_t value) const noexcept {
  const uint64_t index = value & ((uint64_t{1} << kIndexBits) - 1);
  // acquire: pairs with the release in TakeIndex, so the chunk's slots are initialized.
  Slot* chunk = chunks_[index / kChunkSlots].load(std::memory_order_acquire);
  return chunk == nullptr ? nullptr : &chunk[index % kChunkSlots];
}

inline void* HandleTable::Find(HandleKind kind, const void* handle) const noexcept {
  const uint64_t value = std::bit_cast<uint64_t>(handle);
  if ((value >> kTagShift) != kTag || ((value >> kKindShift) & 15) != static_cast<uint64_t>(kind))
    return nullptr;
  const Slot* slot = SlotOf(value);
  if (slot == nullptr || slot->handle.load(std::memory_order_acquire) != value) return nullptr;
  void* object = slot->object.load(std::memory_order_acquire);
  // The slot may have got its next generation between the two loads.
  return slot->handle.load(std::memory_order_relaxed) == value ? object : nullptr;
}

}  // namespace tandem
