// SPDX-License-Identifier: Apache-2.0
// Ranges of addresses and physical memory, joined and parted by the program.
#include <acl/acl_rt.h>

#include <memory>
#include <utility>

#include "capi/enter.h"
#include "capi/handles.h"
#include "capi/physical_properties.h"
#include "stream/device.h"
#include "stream/memory.h"
#include "stream/physical_memory.h"
#include "stream/virtual_memory.h"

namespace tandem::capi {
namespace {

// More than a host has devices and NUMA nodes: such a count is a mistake, and reading the descriptions would
// leave their memory.
constexpr size_t kMostDescriptions = 4096;

Status CheckZero(uint64_t value, const char* argument) {
  if (value == 0) return Status::Ok();
  return Status::Error(Code::kInvalidArgument, "%s is %llu, expected 0", argument,
                       static_cast<unsigned long long>(value));
}

Status CheckNotZero(uint64_t value, const char* argument) {
  if (value != 0) return Status::Ok();
  return Status::Error(Code::kInvalidArgument, "%s is 0, expected at least 1", argument);
}

Result<AccessPlace> ReadPlace(const aclrtMemLocation& location) {
  switch (location.type) {
    case ACL_MEM_LOCATION_TYPE_DEVICE:
      TANDEM_RETURN_IF_ERROR(ResolveDevice(static_cast<int32_t>(location.id), "location.id").status());
      return AccessPlace{false, location.id};
    case ACL_MEM_LOCATION_TYPE_HOST:
      return AccessPlace{true, 0};
    case ACL_MEM_LOCATION_TYPE_HOST_NUMA:
      return AccessPlace{true, location.id};
    default:
      return Status::Error(Code::kInvalidArgument,
                           "location.type is %d, expected DEVICE (1), HOST (0) or HOST_NUMA (4)",
                           static_cast<int>(location.type));
  }
}

Status CheckDescription(const aclrtMemAccessDesc& description, size_t index) {
  switch (description.flags) {
    case ACL_RT_MEM_ACCESS_FLAGS_NONE:
    case ACL_RT_MEM_ACCESS_FLAGS_READ:
    case ACL_RT_MEM_ACCESS_FLAGS_READWRITE:
      break;
    default:
      return Status::Error(Code::kInvalidArgument, "desc[%zu].flags is %d, expected 0, 1 or 3", index,
                           static_cast<int>(description.flags));
  }
  for (const uint8_t byte : description.rsv) {
    if (byte != 0) return Status::Error(Code::kInvalidArgument, "desc[%zu].rsv is not all zero", index);
  }
  return ReadPlace(description.location).status();
}

Result<std::shared_ptr<PhysicalMemory>> ResolvePhysical(aclrtDrvMemHandle handle) {
  TANDEM_RETURN_IF_ERROR(CheckNotNull(handle, "handle"));
  std::shared_ptr<PhysicalMemory> memory = FindPhysical(handle);
  if (memory == nullptr) return BadHandle(HandleKind::kPhysicalMemory, handle, "handle");
  return memory;
}

Status Reserve(void** out, size_t bytes, size_t alignment, void* wish, uint64_t flags) {
  TANDEM_RETURN_IF_ERROR(CheckNotNull(out, "virPtr"));
  TANDEM_RETURN_IF_ERROR(CheckNotZero(bytes, "size"));
  TANDEM_RETURN_IF_ERROR(CheckZero(alignment, "alignment"));
  if (flags > 1) {
    return Status::Error(Code::kInvalidArgument, "flags is %llu, expected 0 or 1 (huge pages)",
                         static_cast<unsigned long long>(flags));
  }
  const Result<void*> at = ReserveAddresses(bytes, wish, flags == 1);
  if (!at) return at.status();
  *out = *at;
  return Status::Ok();
}

Status Allocate(aclrtDrvMemHandle* out, size_t bytes, const aclrtPhysicalMemProp* prop, uint64_t flags) {
  TANDEM_RETURN_IF_ERROR(CheckNotNull(out, "handle"));
  TANDEM_RETURN_IF_ERROR(CheckNotZero(bytes, "size"));
  TANDEM_RETURN_IF_ERROR(CheckNotNull(prop, "prop"));
  TANDEM_RETURN_IF_ERROR(CheckZero(flags, "flags"));
  const Result<PhysicalProperties> wanted = ReadProperties(*prop);
  if (!wanted) return wanted.status();
  if (bytes % wanted->granularity != 0) {
    return Status::Error(Code::kInvalidValue,
                         "size is %zu, expected a multiple of %zu (aclrtMemGetAllocationGranularity)", bytes,
                         wanted->granularity);
  }
  const Result<std::shared_ptr<PhysicalMemory>> memory =
      PhysicalMemory::Allocate(wanted->place, wanted->device, bytes);
  if (!memory) return memory.status();
  const Result<void*> handle = RetainPhysical(*memory);
  if (!handle) return handle.status();
  *out = *handle;
  return Status::Ok();
}

Status Map(void* at, size_t bytes, size_t offset, aclrtDrvMemHandle handle, uint64_t flags) {
  TANDEM_RETURN_IF_ERROR(CheckNotNull(at, "virPtr"));
  TANDEM_RETURN_IF_ERROR(CheckNotZero(bytes, "size"));
  TANDEM_RETURN_IF_ERROR(CheckZero(offset, "offset"));
  TANDEM_RETURN_IF_ERROR(CheckZero(flags, "flags"));
  Result<std::shared_ptr<PhysicalMemory>> memory = ResolvePhysical(handle);
  if (!memory) return memory.status();
  return MapPhysical(at, bytes, std::move(*memory));
}

// All descriptions are checked before the first has an effect.
Status SetAccessOf(void* at, size_t bytes, const aclrtMemAccessDesc* descriptions, size_t count) {
  for (size_t i = 0; i < count; ++i) TANDEM_RETURN_IF_ERROR(CheckDescription(descriptions[i], i));
  for (size_t i = 0; i < count; ++i) {
    const Result<AccessPlace> place = ReadPlace(descriptions[i].location);
    if (!place) return place.status();
    TANDEM_RETURN_IF_ERROR(SetAccess(at, bytes, *place, static_cast<uint32_t>(descriptions[i].flags)));
  }
  return Status::Ok();
}

}  // namespace
}  // namespace tandem::capi

using namespace tandem;        // NOLINT(google-build-using-namespace): the functions below are outside every
                               // namespace
using namespace tandem::capi;  // NOLINT(google-build-using-namespace)

extern "C" aclError aclrtReserveMemAddress(void** virPtr, size_t size, size_t alignment, void* expectPtr,
                                           uint64_t flags) {
  return EnterAcl("aclrtReserveMemAddress",
                  [&] { return Reserve(virPtr, size, alignment, expectPtr, flags); });
}

extern "C" aclError aclrtReleaseMemAddress(void* virPtr) {
  return EnterAcl("aclrtReleaseMemAddress", [&]() -> Status {
    TANDEM_RETURN_IF_ERROR(CheckNotNull(virPtr, "virPtr"));
    return ReleaseAddresses(virPtr);
  });
}

extern "C" aclError aclrtMallocPhysical(aclrtDrvMemHandle* handle, size_t size,
                                        const aclrtPhysicalMemProp* prop, uint64_t flags) {
  return EnterAcl("aclrtMallocPhysical", [&] { return Allocate(handle, size, prop, flags); });
}

extern "C" aclError aclrtFreePhysical(aclrtDrvMemHandle handle) {
  return EnterAcl("aclrtFreePhysical", [&]() -> Status {
    TANDEM_RETURN_IF_ERROR(CheckNotNull(handle, "handle"));
    return ReleasePhysical(handle) ? Status::Ok() : BadHandle(HandleKind::kPhysicalMemory, handle, "handle");
  });
}

extern "C" aclError aclrtMapMem(void* virPtr, size_t size, size_t offset, aclrtDrvMemHandle handle,
                                uint64_t flags) {
  return EnterAcl("aclrtMapMem", [&] { return Map(virPtr, size, offset, handle, flags); });
}

extern "C" aclError aclrtUnmapMem(void* virPtr) {
  return EnterAcl("aclrtUnmapMem", [&]() -> Status {
    TANDEM_RETURN_IF_ERROR(CheckNotNull(virPtr, "virPtr"));
    return UnmapPhysical(virPtr);
  });
}

extern "C" aclError aclrtMemSetAccess(void* virPtr, size_t size, aclrtMemAccessDesc* desc, size_t count) {
  return EnterAcl("aclrtMemSetAccess", [&]() -> Status {
    TANDEM_RETURN_IF_ERROR(CheckNotNull(virPtr, "virPtr"));
    TANDEM_RETURN_IF_ERROR(CheckNotZero(size, "size"));
    TANDEM_RETURN_IF_ERROR(CheckNotNull(desc, "desc"));
    if (count == 0 || count > kMostDescriptions) {
      return Status::Error(Code::kInvalidArgument, "count is %zu, expected 1 to %zu", count,
                           kMostDescriptions);
    }
    return SetAccessOf(virPtr, size, desc, count);
  });
}

extern "C" aclError aclrtMemGetAccess(void* virPtr, aclrtMemLocation* location, uint64_t* flag) {
  return EnterAcl("aclrtMemGetAccess", [&]() -> Status {
    TANDEM_RETURN_IF_ERROR(CheckNotNull(virPtr, "virPtr"));
    TANDEM_RETURN_IF_ERROR(CheckNotNull(location, "location"));
    TANDEM_RETURN_IF_ERROR(CheckNotNull(flag, "flag"));
    const Result<AccessPlace> place = ReadPlace(*location);
    if (!place) return place.status();
    const Result<uint32_t> access = GetAccess(virPtr, *place, ACL_RT_MEM_ACCESS_FLAGS_READWRITE);
    if (!access) return access.status();
    *flag = *access;
    return Status::Ok();
  });
}

extern "C" aclError aclrtMemGetAllocationGranularity(aclrtPhysicalMemProp* prop,
                                                     aclrtMemGranularityOptions option, size_t* granularity) {
  return EnterAcl("aclrtMemGetAllocationGranularity", [&]() -> Status {
    TANDEM_RETURN_IF_ERROR(CheckNotNull(prop, "prop"));
    TANDEM_RETURN_IF_ERROR(CheckNotNull(granularity, "granularity"));
    if (option != ACL_RT_MEM_ALLOC_GRANULARITY_MINIMUM &&
        option != ACL_RT_MEM_ALLOC_GRANULARITY_RECOMMENDED) {
      return Status::Error(Code::kInvalidArgument, "option is %d, expected 0 (minimum) or 1 (recommended)",
                           static_cast<int>(option));
    }
    const Result<PhysicalProperties> wanted = ReadProperties(*prop);
    if (!wanted) return wanted.status();
    *granularity = wanted->granularity;
    return Status::Ok();
  });
}

extern "C" aclError aclrtMemRetainAllocationHandle(void* virPtr, aclrtDrvMemHandle* handle) {
  return EnterAcl("aclrtMemRetainAllocationHandle", [&]() -> Status {
    TANDEM_RETURN_IF_ERROR(CheckNotNull(virPtr, "virPtr"));
    TANDEM_RETURN_IF_ERROR(CheckNotNull(handle, "handle"));
    const std::shared_ptr<PhysicalMemory> memory = PhysicalAt(virPtr);
    if (memory == nullptr)
      return Status::Error(Code::kInvalidValue, "nothing is mapped at %p (aclrtMapMem)", virPtr);
    const Result<void*> retained = RetainPhysical(memory);
    if (!retained) return retained.status();
    *handle = *retained;
    return Status::Ok();
  });
}

extern "C" aclError aclrtMemGetAddressRange(void* ptr, void** pbase, size_t* psize) {
  return EnterAcl("aclrtMemGetAddressRange", [&]() -> Status {
    TANDEM_RETURN_IF_ERROR(CheckNotNull(ptr, "ptr"));
    const MemoryLocation location = Locate(ptr);
    if (location.place == MemoryPlace::kPageable) {
      return Status::Error(Code::kInvalidValue, "ptr is %p, which lies in no allocation and no mapping", ptr);
    }
    // A caller that wants only one of them gives null for the other.
    if (pbase != nullptr) *pbase = const_cast<void*>(location.block);
    if (psize != nullptr) *psize = location.block_bytes;
    return Status::Ok();
  });
}
