// SPDX-License-Identifier: Apache-2.0
#include "stream/memory.h"

#include <limits>
#include <optional>

#include "base/config.h"
#include "stream/device.h"
#include "transport/shm/arena.h"

namespace tandem {
namespace {

using shm::Arena;

constexpr uint32_t kHostOwner = std::numeric_limits<uint32_t>::max();
constexpr size_t kUnit = 32;

Result<size_t> ChargedBytes(size_t bytes, bool guard) {
  if (bytes > std::numeric_limits<size_t>::max() - 2 * kUnit) {
    return Status::Error(Code::kInvalidArgument, "size %zu is too large to be rounded up", bytes);
  }
  return (bytes + kUnit - 1) / kUnit * kUnit + (guard ? kUnit : 0);
}

Status NotOwned(const void* data, const char* expected) {
  return Status::Error(Code::kInvalidValue, "%p is not %s", data, expected);
}

// Frees the block if it belongs to the right kind of memory.
Result<Arena::Block> FreeBlock(void* data, bool host) {
  const char* expected = host ? "the start of memory from aclrtMallocHost that is still allocated"
                              : "the start of memory from aclrtMalloc that is still allocated";
  Arena* arena = Arena::ProcessOrNull();
  const std::optional<Arena::Block> block = arena == nullptr ? std::nullopt : arena->Find(data);
  if (!block || block->data != data) return NotOwned(data, expected);
  if ((block->owner == kHostOwner) != host) {
    return Status::Error(Code::kInvalidValue, "%p is %s memory; free it with %s", data,
                         host ? "device" : "host", host ? "aclrtFree" : "aclrtFreeHost");
  }
  return arena->Free(data);
}

}  // namespace

Result<void*> AllocateDeviceMemory(int32_t device, size_t bytes, bool guard) {
  const Result<size_t> charged = ChargedBytes(bytes, guard);
  if (!charged) return charged.status();
  const Result<Arena*> arena = Arena::Process();
  if (!arena) return arena.status();
  if (const Result<uint64_t> capacity = config::DeviceMemoryBytes(); !capacity) return capacity.status();
  Device& owner = Device::Get(device);
  if (!owner.TakeMemory(*charged)) {
    return Status::Error(
        Code::kOutOfMemory,
        "%zu bytes were asked for; device %d has %llu of %llu bytes free (TANDEM_DEVICE_MEMORY sets the "
        "capacity)",
        bytes, UserIdOfDevice(device), static_cast<unsigned long long>(DeviceMemoryInfo(device).free_bytes),
        static_cast<unsigned long long>(Device::MemoryCapacity()));
  }
  Result<void*> data = (*arena)->Allocate(*charged, 1, static_cast<uint32_t>(device));
  if (!data) owner.ReturnMemory(*charged);
  return data;
}

Status FreeDeviceMemory(void* data) {
  const Result<Arena::Block> block = FreeBlock(data, false);
  if (!block) return block.status();
  Device::Get(static_cast<int32_t>(block->owner)).ReturnMemory(block->bytes);
  return Status::Ok();
}

Result<void*> AllocateHostMemory(size_t bytes) {
  const Result<size_t> charged = ChargedBytes(bytes, false);
  if (!charged) return charged.status();
  const Result<Arena*> arena = Arena::Process();
  if (!arena) return arena.status();
  return (*arena)->Allocate(*charged, 1, kHostOwner);
}

Status FreeHostMemory(void* data) { return FreeBlock(data, true).status(); }

MemoryLocation Locate(const void* address) {
  const Arena* arena = Arena::ProcessOrNull();
  if (arena == nullptr) return {};
  const std::optional<Arena::Block> block = arena->Find(address);
  if (!block) return {};
  if (block->owner == kHostOwner) return {MemoryPlace::kPinned, -1, block->bytes};
  return {MemoryPlace::kDevice, static_cast<int32_t>(block->owner), block->bytes};
}

MemoryInfo DeviceMemoryInfo(int32_t device) {
  const uint64_t total = Device::MemoryCapacity();
  const uint64_t used = Device::Get(device).memory_used();
  return {total - used, total};
}

}  // namespace tandem
