// SPDX-License-Identifier: Apache-2.0
// Device memory of another process, by key.
#include <acl/acl_rt.h>

#include <cstring>
#include <string>

#include "capi/enter.h"
#include "capi/handles.h"
#include "stream/context.h"
#include "stream/ipc_memory.h"

namespace tandem::capi {
namespace {

Result<shm::OfferKey> ReadKey(const char* key) {
  TANDEM_RETURN_IF_ERROR(CheckNotNull(key, "key"));
  return shm::OfferKey::FromText(shm::OfferKind::kMemory, key);
}

Status Unknown() {
  return Status::Error(Code::kInvalidValue,
                       "key is not known here: it was closed, or made by another process");
}

Status GetExportKey(void* data, size_t bytes, char* key, size_t room, uint64_t flags) {
  TANDEM_RETURN_IF_ERROR(CheckNotNull(data, "devPtr"));
  TANDEM_RETURN_IF_ERROR(CheckNotNull(key, "key"));
  if (bytes == 0) return Status::Error(Code::kInvalidValue, "size is 0, expected at least 1");
  if (room <= shm::OfferKey::kTextLength) {
    return Status::Error(Code::kInvalidValue, "len is %zu, expected 65", room);
  }
  if (flags != ACL_RT_IPC_MEM_EXPORT_FLAG_DEFAULT &&
      flags != ACL_RT_IPC_MEM_EXPORT_FLAG_DISABLE_PID_VALIDATION) {
    return Status::Error(
        Code::kInvalidValue,
        "flags is 0x%llx, expected 0 or ACL_RT_IPC_MEM_EXPORT_FLAG_DISABLE_PID_VALIDATION (1)",
        static_cast<unsigned long long>(flags));
  }
  TANDEM_RETURN_IF_ERROR(CurrentContext().status());
  const Result<shm::OfferKey> made =
      ExportDeviceMemory(data, bytes, flags == ACL_RT_IPC_MEM_EXPORT_FLAG_DISABLE_PID_VALIDATION);
  if (!made) return made.status();
  const std::string text = made->ToText();
  std::memcpy(key, text.c_str(), text.size() + 1);
  return Status::Ok();
}

}  // namespace
}  // namespace tandem::capi

using namespace tandem;        // NOLINT(google-build-using-namespace): the functions below are outside every
                               // namespace
using namespace tandem::capi;  // NOLINT(google-build-using-namespace)

extern "C" aclError aclrtIpcMemGetExportKey(void* devPtr, size_t size, char* key, size_t len,
                                            uint64_t flags) {
  return EnterAcl("aclrtIpcMemGetExportKey", [&] { return GetExportKey(devPtr, size, key, len, flags); });
}

extern "C" aclError aclrtIpcMemSetImportPid(const char* key, int32_t* pid, size_t num) {
  return EnterAcl("aclrtIpcMemSetImportPid", [&]() -> Status {
    const Result<shm::OfferKey> read = ReadKey(key);
    if (!read) return read.status();
    TANDEM_RETURN_IF_ERROR(CheckPids(pid, num, "num"));
    return shm::AllowOffer(*read, {pid, num}) ? Status::Ok() : Unknown();
  });
}

extern "C" aclError aclrtIpcMemImportByKey(void** devPtr, const char* key, uint64_t flags) {
  return EnterAcl("aclrtIpcMemImportByKey", [&]() -> Status {
    TANDEM_RETURN_IF_ERROR(CheckNotNull(devPtr, "devPtr"));
    TANDEM_RETURN_IF_ERROR(CheckNotNull(key, "key"));
    if (flags != ACL_RT_IPC_MEM_IMPORT_FLAG_DEFAULT &&
        flags != ACL_RT_IPC_MEM_IMPORT_FLAG_ENABLE_PEER_ACCESS) {
      return Status::Error(Code::kInvalidValue,
                           "flags is 0x%llx, expected 0 or ACL_RT_IPC_MEM_IMPORT_FLAG_ENABLE_PEER_ACCESS (1)",
                           static_cast<unsigned long long>(flags));
    }
    const Result<shm::OfferKey> read = ReadKey(key);
    if (!read) return read.status();
    const Result<void*> mapped = ImportDeviceMemory(*read);
    if (!mapped) return mapped.status();
    *devPtr = *mapped;
    return Status::Ok();
  });
}

extern "C" aclError aclrtIpcMemClose(const char* key) {
  return EnterAcl("aclrtIpcMemClose", [&]() -> Status {
    const Result<shm::OfferKey> read = ReadKey(key);
    if (!read) return read.status();
    return CloseDeviceMemoryKey(*read);
  });
}

// Which link a device would use makes no difference here.
extern "C" aclError aclrtIpcMemSetAttr(const char* key, aclrtIpcMemAttrType type, uint64_t attr) {
  return EnterAcl("aclrtIpcMemSetAttr", [&]() -> Status {
    const Result<shm::OfferKey> read = ReadKey(key);
    if (!read) return read.status();
    if (static_cast<int>(type) != ACL_RT_IPC_MEM_ATTR_ACCESS_LINK) {
      return Status::Error(Code::kInvalidValue, "type is %d, expected ACL_RT_IPC_MEM_ATTR_ACCESS_LINK (0)",
                           static_cast<int>(type));
    }
    if (attr != ACL_RT_IPC_MEM_ATTR_ACCESS_LINK_SIO && attr != ACL_RT_IPC_MEM_ATTR_ACCESS_LINK_HCCS) {
      return Status::Error(Code::kInvalidValue, "attr is %llu, expected 0 or 1",
                           static_cast<unsigned long long>(attr));
    }
    return KnowsDeviceMemoryKey(*read) ? Status::Ok() : Unknown();
  });
}
