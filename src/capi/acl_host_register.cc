// SPDX-License-Identifier: Apache-2.0
// Host memory that the application allocated itself. Devices see host memory at its own address here.
#include <acl/acl_rt.h>

#include "capi/enter.h"
#include "capi/handles.h"
#include "stream/outside_memory.h"

namespace tandem::capi {
namespace {

constexpr uint32_t kTypeBits = ACL_HOST_REGISTER_IOMEMORY | ACL_HOST_REGISTER_READONLY;
constexpr uint32_t kFlagBits =
    ACL_HOST_REG_MAPPED | ACL_HOST_REG_IOMEMORY | ACL_HOST_REG_READONLY | ACL_HOST_REG_PINNED;

Status CheckRange(const void* data, const char* argument, uint64_t bytes) {
  TANDEM_RETURN_IF_ERROR(CheckNotNull(data, argument));
  if (bytes == 0) return Status::Error(Code::kInvalidArgument, "size is 0, expected at least 1");
  return Status::Ok();
}

}  // namespace
}  // namespace tandem::capi

using namespace tandem;        // NOLINT(google-build-using-namespace): the functions below are outside every
                               // namespace
using namespace tandem::capi;  // NOLINT(google-build-using-namespace)

extern "C" aclError aclrtHostRegister(void* ptr, uint64_t size, aclrtHostRegisterType type, void** devPtr) {
  return EnterAcl("aclrtHostRegister", [&]() -> Status {
    TANDEM_RETURN_IF_ERROR(CheckRange(ptr, "ptr", size));
    TANDEM_RETURN_IF_ERROR(CheckNotNull(devPtr, "devPtr"));
    if ((static_cast<uint32_t>(type) & ~kTypeBits) != 0) {
      return Status::Error(Code::kNotSupported,
                           "type is 0x%x, expected ACL_HOST_REGISTER_MAPPED (0), or an OR of "
                           "ACL_HOST_REGISTER_IOMEMORY (4) and ACL_HOST_REGISTER_READONLY (8)",
                           static_cast<unsigned>(type));
    }
    TANDEM_RETURN_IF_ERROR(RegisterHostMemory(ptr, size, true));
    *devPtr = ptr;
    return Status::Ok();
  });
}

extern "C" aclError aclrtHostRegisterV2(void* ptr, uint64_t size, uint32_t flag) {
  return EnterAcl("aclrtHostRegisterV2", [&]() -> Status {
    TANDEM_RETURN_IF_ERROR(CheckRange(ptr, "ptr", size));
    if (flag == 0 || (flag & ~kFlagBits) != 0) {
      return Status::Error(Code::kInvalidValue,
                           "flag is 0x%x, expected an OR of ACL_HOST_REG_MAPPED (0x2), "
                           "ACL_HOST_REG_IOMEMORY (0x4), ACL_HOST_REG_READONLY (0x8) and "
                           "ACL_HOST_REG_PINNED (0x10000000)",
                           flag);
    }
    return RegisterHostMemory(ptr, size, (flag & (ACL_HOST_REG_MAPPED | ACL_HOST_REG_PINNED)) != 0);
  });
}

extern "C" aclError aclrtHostUnregister(void* ptr) {
  return EnterAcl("aclrtHostUnregister", [&]() -> Status {
    TANDEM_RETURN_IF_ERROR(CheckNotNull(ptr, "ptr"));
    if (RemoveOutsideRange(ptr, true)) return Status::Ok();
    return Status::Error(Code::kMemoryNotRegistered,
                         "%p is not the start of registered memory (never registered, or unregistered "
                         "before)",
                         ptr);
  });
}

extern "C" aclError aclrtHostGetDevicePointer(void* pHost, void** pDevice, uint32_t flag) {
  return EnterAcl("aclrtHostGetDevicePointer", [&]() -> Status {
    TANDEM_RETURN_IF_ERROR(CheckNotNull(pHost, "pHost"));
    TANDEM_RETURN_IF_ERROR(CheckNotNull(pDevice, "pDevice"));
    if (flag != 0) return Status::Error(Code::kInvalidArgument, "flag is %u, expected 0", flag);
    const auto range = FindOutsideRange(pHost);
    if (!range || !range->registered) {
      return Status::Error(Code::kMemoryNotRegistered,
                           "%p is not in registered memory; call aclrtHostRegister first", pHost);
    }
    *pDevice = pHost;
    return Status::Ok();
  });
}
