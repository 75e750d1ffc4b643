// SPDX-License-Identifier: Apache-2.0
// Allocating and freeing memory, and asking about it.
#include <acl/acl_rt.h>

#include "capi/enter.h"
#include "capi/handles.h"
#include "stream/context.h"
#include "stream/device.h"
#include "stream/memory.h"

namespace tandem::capi {
namespace {

Status CheckRequest(const void* out, const char* argument, size_t bytes, const aclrtMallocConfig* config) {
  TANDEM_RETURN_IF_ERROR(CheckNotNull(out, argument));
  if (bytes == 0) return Status::Error(Code::kInvalidArgument, "size is 0, expected at least 1");
  if (config != nullptr && config->attrs == nullptr && config->numAttrs != 0) {
    return Status::Error(Code::kInvalidArgument, "cfg->attrs is null although cfg->numAttrs is %zu",
                         config->numAttrs);
  }
  return Status::Ok();
}

Status AllocateDevice(void** out, size_t bytes, bool guard, const aclrtMallocConfig* config) {
  TANDEM_RETURN_IF_ERROR(CheckRequest(out, "devPtr", bytes, config));
  const Result<int32_t> device = CurrentDevice();
  if (!device) return device.status();
  const Result<void*> data = AllocateDeviceMemory(*device, bytes, guard);
  if (!data) return data.status();
  *out = *data;
  return Status::Ok();
}

Status AllocateHost(void** out, const char* argument, size_t bytes, const aclrtMallocConfig* config) {
  TANDEM_RETURN_IF_ERROR(CheckRequest(out, argument, bytes, config));
  TANDEM_RETURN_IF_ERROR(CurrentContext().status());
  const Result<void*> data = AllocateHostMemory(bytes);
  if (!data) return data.status();
  *out = *data;
  return Status::Ok();
}

Status SynchronizeCurrent() {
  const Result<Context*> context = CurrentContext();
  if (!context) return context.status();
  return (*context)->Synchronize(kNever);
}

constexpr uint32_t kPage = 4096;
constexpr uint32_t kHugePage = 2U << 20;

}  // namespace
}  // namespace tandem::capi

using namespace tandem;        // NOLINT(google-build-using-namespace): the functions below are outside every
                               // namespace
using namespace tandem::capi;  // NOLINT(google-build-using-namespace)

// All policies are served from the same arena: huge pages are a property of the host here.

extern "C" aclError aclrtMalloc(void** devPtr, size_t size, aclrtMemMallocPolicy /*policy*/) {
  return EnterAcl("aclrtMalloc", [&] { return AllocateDevice(devPtr, size, true, nullptr); });
}

extern "C" aclError aclrtMallocAlign32(void** devPtr, size_t size, aclrtMemMallocPolicy /*policy*/) {
  return EnterAcl("aclrtMallocAlign32", [&] { return AllocateDevice(devPtr, size, false, nullptr); });
}

extern "C" aclError aclrtMallocCached(void** devPtr, size_t size, aclrtMemMallocPolicy /*policy*/) {
  return EnterAcl("aclrtMallocCached", [&] { return AllocateDevice(devPtr, size, true, nullptr); });
}

extern "C" aclError aclrtMallocWithCfg(void** devPtr, size_t size, aclrtMemMallocPolicy /*policy*/,
                                       aclrtMallocConfig* cfg) {
  return EnterAcl("aclrtMallocWithCfg", [&] { return AllocateDevice(devPtr, size, true, cfg); });
}

extern "C" aclError aclrtMallocForTaskScheduler(void** devPtr, size_t size, aclrtMemMallocPolicy /*policy*/,
                                                aclrtMallocConfig* cfg) {
  return EnterAcl("aclrtMallocForTaskScheduler", [&] { return AllocateDevice(devPtr, size, true, cfg); });
}

extern "C" aclError aclrtFree(void* devPtr) {
  return EnterAcl("aclrtFree", [&]() -> Status {
    TANDEM_RETURN_IF_ERROR(CheckNotNull(devPtr, "devPtr"));
    return FreeDeviceMemory(devPtr).Annotate("devPtr");
  });
}

extern "C" aclError aclrtFreeWithDevSync(void* devPtr) {
  return EnterAcl("aclrtFreeWithDevSync", [&]() -> Status {
    TANDEM_RETURN_IF_ERROR(CheckNotNull(devPtr, "devPtr"));
    TANDEM_RETURN_IF_ERROR(SynchronizeCurrent());
    return FreeDeviceMemory(devPtr).Annotate("devPtr");
  });
}

extern "C" aclError aclrtMallocHost(void** hostPtr, size_t size) {
  return EnterAcl("aclrtMallocHost", [&] { return AllocateHost(hostPtr, "hostPtr", size, nullptr); });
}

extern "C" aclError aclrtMallocHostWithCfg(void** ptr, uint64_t size, aclrtMallocConfig* cfg) {
  return EnterAcl("aclrtMallocHostWithCfg", [&] { return AllocateHost(ptr, "ptr", size, cfg); });
}

extern "C" aclError aclrtFreeHost(void* hostPtr) {
  return EnterAcl("aclrtFreeHost", [&]() -> Status {
    TANDEM_RETURN_IF_ERROR(CheckNotNull(hostPtr, "hostPtr"));
    return FreeHostMemory(hostPtr).Annotate("hostPtr");
  });
}

extern "C" aclError aclrtFreeHostWithDevSync(void* hostPtr) {
  return EnterAcl("aclrtFreeHostWithDevSync", [&]() -> Status {
    TANDEM_RETURN_IF_ERROR(CheckNotNull(hostPtr, "hostPtr"));
    TANDEM_RETURN_IF_ERROR(SynchronizeCurrent());
    return FreeHostMemory(hostPtr).Annotate("hostPtr");
  });
}

extern "C" aclError aclrtGetMemInfo(aclrtMemAttr attr, size_t* free, size_t* total) {
  return EnterAcl("aclrtGetMemInfo", [&]() -> Status {
    TANDEM_RETURN_IF_ERROR(CheckNotNull(free, "free"));
    TANDEM_RETURN_IF_ERROR(CheckNotNull(total, "total"));
    if (attr < ACL_DDR_MEM || attr > ACL_MEM_P2P_HUGE1G) {
      return Status::Error(Code::kInvalidMemoryType, "attr is %d, expected 0 to %d", static_cast<int>(attr),
                           static_cast<int>(ACL_MEM_P2P_HUGE1G));
    }
    const Result<int32_t> device = CurrentDevice();
    if (!device) return device.status();
    // A device has one memory here, whatever it is called.
    const MemoryInfo info = DeviceMemoryInfo(*device);
    *free = info.free_bytes;
    *total = info.total_bytes;
    return Status::Ok();
  });
}

extern "C" aclError aclrtPointerGetAttributes(const void* ptr, aclrtPtrAttributes* attributes) {
  return EnterAcl("aclrtPointerGetAttributes", [&]() -> Status {
    TANDEM_RETURN_IF_ERROR(CheckNotNull(ptr, "ptr"));
    TANDEM_RETURN_IF_ERROR(CheckNotNull(attributes, "attributes"));
    const MemoryLocation location = Locate(ptr);
    *attributes = {};
    attributes->pageSize = location.block_bytes >= kHugePage ? kHugePage : kPage;
    switch (location.place) {
      case MemoryPlace::kPageable:
        attributes->location.type = ACL_MEM_LOCATION_TYPE_UNREGISTERED;
        break;
      case MemoryPlace::kPinned:
        attributes->location.type = ACL_MEM_LOCATION_TYPE_HOST;
        break;
      case MemoryPlace::kDevice:
        attributes->location.type = ACL_MEM_LOCATION_TYPE_DEVICE;
        attributes->location.id = static_cast<uint32_t>(UserIdOfDevice(location.device));
        break;
    }
    return Status::Ok();
  });
}
