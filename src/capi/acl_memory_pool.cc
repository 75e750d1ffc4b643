// SPDX-License-Identifier: Apache-2.0
#include <acl/acl_rt_memory_soma.h>

#include <cstring>

#include "capi/enter.h"
#include "capi/handles.h"
#include "stream/context.h"
#include "stream/device.h"
#include "stream/memory_pool.h"

namespace tandem::capi {
namespace {

Result<int32_t> CheckProperties(const aclrtMemPoolProps& props) {
  if (props.allocType != ACL_MEM_ALLOCATION_TYPE_PINNED || props.handleType != ACL_MEM_HANDLE_TYPE_NONE) {
    return Status::Error(Code::kInvalidValue,
                         "poolProps->allocType is %d and handleType %d, expected PINNED (0) and NONE (0)",
                         static_cast<int>(props.allocType), static_cast<int>(props.handleType));
  }
  if (props.location.type != ACL_MEM_LOCATION_TYPE_DEVICE) {
    return Status::Error(Code::kInvalidValue, "poolProps->location.type is %d, expected DEVICE (1)",
                         static_cast<int>(props.location.type));
  }
  for (const unsigned char byte : props.reserved) {
    if (byte != 0) return Status::Error(Code::kInvalidValue, "poolProps->reserved is not all zero");
  }
  return ResolveDevice(static_cast<int32_t>(props.location.id), "poolProps->location.id");
}

Status Create(aclrtMemPool* out, const aclrtMemPoolProps* props) {
  TANDEM_RETURN_IF_ERROR(CheckNotNull(out, "memPool"));
  TANDEM_RETURN_IF_ERROR(CheckNotNull(props, "poolProps"));
  const Result<int32_t> device = CheckProperties(*props);
  if (!device) return device.status();
  const uint64_t limit = props->maxSize == 0 ? Device::MemoryCapacity() : props->maxSize;
  const Result<void*> handle = MemoryPool::Create(*device, limit);
  if (!handle) return handle.status();
  *out = *handle;
  return Status::Ok();
}

Result<std::shared_ptr<MemoryPool>> ResolvePool(const void* handle) {
  TANDEM_RETURN_IF_ERROR(CheckNotNull(handle, "memPool"));
  std::shared_ptr<MemoryPool> pool = MemoryPool::Find(handle);
  if (pool == nullptr) return BadHandle(HandleKind::kMemoryPool, handle, "memPool");
  return pool;
}

Status UnknownAttribute(aclrtMemPoolAttr attribute) {
  return Status::Error(Code::kInvalidValue, "attr is %d, expected 1 to 8", static_cast<int>(attribute));
}

template <typename Value>
Value Read(const void* from) {
  Value value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

size_t FlagIndex(aclrtMemPoolAttr attribute) {
  return static_cast<size_t>(attribute - ACL_RT_MEM_POOL_REUSE_FOLLOW_EVENT_DEPENDENCIES);
}

Status CheckReset(aclrtMemPoolAttr attribute, const void* value) {
  const auto wanted = Read<uint64_t>(value);
  if (wanted == 0) return Status::Ok();
  return Status::Error(Code::kInvalidValue, "*value is %llu, but attr %d can only be set to 0",
                       static_cast<unsigned long long>(wanted), static_cast<int>(attribute));
}

Status SetAttribute(MemoryPool& pool, aclrtMemPoolAttr attribute, const void* value) {
  switch (attribute) {
    case ACL_RT_MEM_POOL_REUSE_FOLLOW_EVENT_DEPENDENCIES:
    case ACL_RT_MEM_POOL_REUSE_ALLOW_OPPORTUNISTIC:
    case ACL_RT_MEM_POOL_REUSE_ALLOW_INTERNAL_DEPENDENCIES: {
      const auto flag = Read<int32_t>(value);
      if (flag != 0 && flag != 1)
        return Status::Error(Code::kInvalidValue, "*value is %d, expected 0 or 1", flag);
      pool.SetFlag(FlagIndex(attribute), flag);
      return Status::Ok();
    }
    case ACL_RT_MEM_POOL_ATTR_RELEASE_THRESHOLD:
      pool.SetThreshold(Read<uint64_t>(value));
      return Status::Ok();
    case ACL_RT_MEM_POOL_ATTR_RESERVED_MEM_HIGH:
      TANDEM_RETURN_IF_ERROR(CheckReset(attribute, value));
      pool.ResetMostReserved();
      return Status::Ok();
    case ACL_RT_MEM_POOL_ATTR_USED_MEM_HIGH:
      TANDEM_RETURN_IF_ERROR(CheckReset(attribute, value));
      pool.ResetMostUsed();
      return Status::Ok();
    case ACL_RT_MEM_POOL_ATTR_RESERVED_MEM_CURRENT:
    case ACL_RT_MEM_POOL_ATTR_USED_MEM_CURRENT:
      return Status::Error(Code::kInvalidValue, "attr %d can only be read", static_cast<int>(attribute));
  }
  return UnknownAttribute(attribute);
}

Result<uint64_t> ReadBytes(const MemoryPool& pool, aclrtMemPoolAttr attribute) {
  switch (attribute) {
    case ACL_RT_MEM_POOL_ATTR_RELEASE_THRESHOLD:
      return pool.threshold();
    case ACL_RT_MEM_POOL_ATTR_RESERVED_MEM_CURRENT:
      return pool.counts().reserved;
    case ACL_RT_MEM_POOL_ATTR_RESERVED_MEM_HIGH:
      return pool.counts().most_reserved;
    case ACL_RT_MEM_POOL_ATTR_USED_MEM_CURRENT:
      return pool.counts().used;
    case ACL_RT_MEM_POOL_ATTR_USED_MEM_HIGH:
      return pool.counts().most_used;
    default:
      return UnknownAttribute(attribute);
  }
}

Status GetAttribute(const MemoryPool& pool, aclrtMemPoolAttr attribute, void* value) {
  if (attribute >= ACL_RT_MEM_POOL_REUSE_FOLLOW_EVENT_DEPENDENCIES &&
      attribute <= ACL_RT_MEM_POOL_REUSE_ALLOW_INTERNAL_DEPENDENCIES) {
    const int32_t flag = pool.flag(FlagIndex(attribute));
    std::memcpy(value, &flag, sizeof flag);
    return Status::Ok();
  }
  const Result<uint64_t> bytes = ReadBytes(pool, attribute);
  if (!bytes) return bytes.status();
  std::memcpy(value, &*bytes, sizeof *bytes);
  return Status::Ok();
}

Status Take(void** out, size_t bytes, aclrtMemPool handle, aclrtStream stream_handle) {
  TANDEM_RETURN_IF_ERROR(CheckNotNull(out, "ptr"));
  TANDEM_RETURN_IF_ERROR(CheckNotNull(stream_handle, "stream"));
  const Result<std::shared_ptr<MemoryPool>> pool = ResolvePool(handle);
  if (!pool) return pool.status();
  const Result<ManagedStream*> stream = ResolveStream(stream_handle);
  if (!stream) return stream.status();
  TANDEM_RETURN_IF_ERROR(CheckSubmission(**stream));
  if (const int32_t device = (*stream)->context()->device(); device != (*pool)->device()) {
    return Status::Error(Code::kInvalidValue, "memPool is a pool of device %d, stream is one of device %d",
                         UserIdOfDevice((*pool)->device()), UserIdOfDevice(device));
  }
  if (bytes == 0) {
    *out = nullptr;
    return Status::Ok();
  }
  const Result<void*> data = (*pool)->Take(bytes, **stream);
  if (!data) return data.status();
  *out = *data;
  return Status::Ok();
}

Status GiveBack(void* data, aclrtStream stream_handle) {
  TANDEM_RETURN_IF_ERROR(CheckNotNull(data, "ptr"));
  TANDEM_RETURN_IF_ERROR(CheckNotNull(stream_handle, "stream"));
  const Result<ManagedStream*> stream = ResolveStream(stream_handle);
  if (!stream) return stream.status();
  const std::shared_ptr<MemoryPool> pool = MemoryPool::OwnerOf(data);
  if (pool == nullptr) {
    return Status::Error(Code::kInvalidValue, "ptr is %p, which is not the start of memory from a pool",
                         data);
  }
  return pool->GiveBack(data, **stream);
}

}  // namespace
}  // namespace tandem::capi

using namespace tandem;        // NOLINT(google-build-using-namespace): the functions below are outside every
                               // namespace
using namespace tandem::capi;  // NOLINT(google-build-using-namespace)

extern "C" aclError aclrtMemPoolCreate(aclrtMemPool* memPool, const aclrtMemPoolProps* poolProps) {
  return EnterAcl("aclrtMemPoolCreate", [&] { return Create(memPool, poolProps); });
}

extern "C" aclError aclrtMemPoolDestroy(const aclrtMemPool memPool) {
  return EnterAcl("aclrtMemPoolDestroy", [&]() -> Status {
    TANDEM_RETURN_IF_ERROR(ResolvePool(memPool).status());
    return MemoryPool::Destroy(memPool);
  });
}

extern "C" aclError aclrtMemPoolSetAttr(aclrtMemPool memPool, aclrtMemPoolAttr attr, void* value) {
  return EnterAcl("aclrtMemPoolSetAttr", [&]() -> Status {
    TANDEM_RETURN_IF_ERROR(CheckNotNull(value, "value"));
    const Result<std::shared_ptr<MemoryPool>> pool = ResolvePool(memPool);
    return pool ? SetAttribute(**pool, attr, value) : pool.status();
  });
}

extern "C" aclError aclrtMemPoolGetAttr(aclrtMemPool memPool, aclrtMemPoolAttr attr, void* value) {
  return EnterAcl("aclrtMemPoolGetAttr", [&]() -> Status {
    TANDEM_RETURN_IF_ERROR(CheckNotNull(value, "value"));
    const Result<std::shared_ptr<MemoryPool>> pool = ResolvePool(memPool);
    return pool ? GetAttribute(**pool, attr, value) : pool.status();
  });
}

extern "C" aclError aclrtMemPoolMallocAsync(void** ptr, size_t size, aclrtMemPool memPool,
                                            aclrtStream stream) {
  return EnterAcl("aclrtMemPoolMallocAsync", [&] { return Take(ptr, size, memPool, stream); });
}

extern "C" aclError aclrtMemPoolFreeAsync(void* ptr, aclrtStream stream) {
  return EnterAcl("aclrtMemPoolFreeAsync", [&] { return GiveBack(ptr, stream); });
}

extern "C" aclError aclrtMemPoolTrimTo(aclrtMemPool memPool, size_t minBytesToKeep) {
  return EnterAcl("aclrtMemPoolTrimTo", [&]() -> Status {
    const Result<std::shared_ptr<MemoryPool>> pool = ResolvePool(memPool);
    if (!pool) return pool.status();
    (*pool)->TrimTo(minBytesToKeep);
    return Status::Ok();
  });
}
