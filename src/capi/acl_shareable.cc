// SPDX-License-Identifier: Apache-2.0
// Physical memory that another process opens.
#include <acl/acl_rt.h>

#include "capi/enter.h"
#include "capi/handles.h"
#include "stream/device.h"
#include "stream/shareable.h"

namespace tandem::capi {
namespace {

Status Export(aclrtDrvMemHandle handle, aclrtMemHandleType type, uint64_t flags, uint64_t* out) {
  TANDEM_RETURN_IF_ERROR(CheckNotNull(handle, "handle"));
  TANDEM_RETURN_IF_ERROR(CheckNotNull(out, "shareableHandle"));
  if (type != ACL_MEM_HANDLE_TYPE_NONE) {
    return Status::Error(Code::kInvalidArgument, "handleType is %d, expected ACL_MEM_HANDLE_TYPE_NONE (0)",
                         static_cast<int>(type));
  }
  if (flags > ACL_RT_VMM_EXPORT_FLAG_DISABLE_PID_VALIDATION) {
    return Status::Error(Code::kInvalidArgument, "flags is %llu, expected 0, or 1 (no check of the process)",
                         static_cast<unsigned long long>(flags));
  }
  const std::shared_ptr<PhysicalMemory> memory = FindPhysical(handle);
  if (memory == nullptr) return BadHandle(HandleKind::kPhysicalMemory, handle, "handle");
  const Result<uint64_t> number = ExportPhysical(memory, flags == ACL_RT_VMM_EXPORT_FLAG_DEFAULT);
  if (!number) return number.status();
  *out = *number;
  return Status::Ok();
}

Status Import(uint64_t number, int32_t device_id, aclrtDrvMemHandle* out) {
  TANDEM_RETURN_IF_ERROR(CheckNotNull(out, "handle"));
  const Result<int32_t> device = ResolveDevice(device_id, "deviceId");
  if (!device) return device.status();
  const Result<std::shared_ptr<PhysicalMemory>> memory = ImportPhysical(number, *device);
  if (!memory) return memory.status();
  const Result<void*> handle = RetainPhysical(*memory);
  if (!handle) return handle.status();
  *out = *handle;
  return Status::Ok();
}

Status SetPids(uint64_t number, const int32_t* pids, size_t count) {
  TANDEM_RETURN_IF_ERROR(CheckPids(pids, count, "pidNum"));
  return AllowImport(number, pids, count);
}

}  // namespace
}  // namespace tandem::capi

using namespace tandem;        // NOLINT(google-build-using-namespace): the functions below are outside every
                               // namespace
using namespace tandem::capi;  // NOLINT(google-build-using-namespace)

extern "C" aclError aclrtMemExportToShareableHandle(aclrtDrvMemHandle handle, aclrtMemHandleType handleType,
                                                    uint64_t flags, uint64_t* shareableHandle) {
  return EnterAcl("aclrtMemExportToShareableHandle",
                  [&] { return Export(handle, handleType, flags, shareableHandle); });
}

extern "C" aclError aclrtMemImportFromShareableHandle(uint64_t shareableHandle, int32_t deviceId,
                                                      aclrtDrvMemHandle* handle) {
  return EnterAcl("aclrtMemImportFromShareableHandle",
                  [&] { return Import(shareableHandle, deviceId, handle); });
}

extern "C" aclError aclrtMemSetPidToShareableHandle(uint64_t shareableHandle, int32_t* pid, size_t pidNum) {
  return EnterAcl("aclrtMemSetPidToShareableHandle", [&] { return SetPids(shareableHandle, pid, pidNum); });
}
