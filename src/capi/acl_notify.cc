// SPDX-License-Identifier: Apache-2.0
// Notifies: flags on a device that one stream sets and another waits for.
#include <acl/acl_rt.h>

#include <cstring>
#include <limits>
#include <span>
#include <string>

#include "capi/enter.h"
#include "capi/handles.h"
#include "stream/context.h"
#include "stream/device.h"
#include "stream/notify.h"

namespace tandem::capi {
namespace {

constexpr size_t kLeastKeyRoom = 65;

Result<Notify*> ResolveNotify(aclrtNotify notify) {
  TANDEM_RETURN_IF_ERROR(CheckNotNull(notify, "notify"));
  return Resolve<Notify>(HandleKind::kNotify, notify, "notify");
}

Status Create(void** out, const char* argument, uint64_t flag, Notify::Kind kind) {
  TANDEM_RETURN_IF_ERROR(CheckNotNull(out, argument));
  if (flag != ACL_NOTIFY_DEFAULT && flag != ACL_NOTIFY_DEVICE_USE_ONLY) {
    return Status::Error(Code::kInvalidValue,
                         "flag is 0x%llx, expected ACL_NOTIFY_DEFAULT (0) or ACL_NOTIFY_DEVICE_USE_ONLY (1)",
                         static_cast<unsigned long long>(flag));
  }
  const Result<Context*> context = CurrentContext();
  if (!context) return context.status();
  const Result<void*> made = Notify::Create(**context, kind);
  if (!made) return made.status();
  *out = *made;
  return Status::Ok();
}

// 0 and all ones mean for ever.
std::chrono::seconds LimitOf(uint32_t timeout) {
  return std::chrono::seconds(timeout == std::numeric_limits<uint32_t>::max() ? 0 : timeout);
}

Status WaitForNotify(aclrtNotify handle, aclrtStream stream, uint32_t timeout) {
  const Result<Notify*> notify = ResolveNotify(handle);
  if (!notify) return notify.status();
  const Result<ManagedStream*> found = ResolveStream(stream);
  if (!found) return found.status();
  const Result<int32_t> made_on = (*notify)->Device();
  if (!made_on) return made_on.status();
  const int32_t device = (*found)->context()->device();
  if (*made_on >= 0 && *made_on != device) {
    return Status::Error(
        Code::kInvalidValue,
        "the notify was created on device %d and the stream belongs to device %d; wait for it "
        "on its own device",
        UserIdOfDevice(*made_on), UserIdOfDevice(device));
  }
  return (*notify)->Wait(**found, NotifyCondition{}, LimitOf(timeout));
}

Status GetExportKey(aclrtNotify handle, char* key, size_t room, uint64_t flags) {
  const Result<Notify*> notify = ResolveNotify(handle);
  if (!notify) return notify.status();
  TANDEM_RETURN_IF_ERROR(CheckNotNull(key, "key"));
  if (room < kLeastKeyRoom) {
    return Status::Error(Code::kInvalidValue, "len is %zu, expected at least %zu", room, kLeastKeyRoom);
  }
  if (flags != ACL_RT_NOTIFY_EXPORT_FLAG_DEFAULT &&
      flags != ACL_RT_NOTIFY_EXPORT_FLAG_DISABLE_PID_VALIDATION) {
    return Status::Error(
        Code::kInvalidValue,
        "flags is 0x%llx, expected 0 or ACL_RT_NOTIFY_EXPORT_FLAG_DISABLE_PID_VALIDATION (2)",
        static_cast<unsigned long long>(flags));
  }
  const Result<shm::OfferKey> made =
      (*notify)->Export(flags == ACL_RT_NOTIFY_EXPORT_FLAG_DISABLE_PID_VALIDATION);
  if (!made) return made.status();
  const std::string text = made->ToText();
  std::memcpy(key, text.c_str(), text.size() + 1);
  return Status::Ok();
}

Status ImportByKey(aclrtNotify* out, const char* text, uint64_t flags) {
  TANDEM_RETURN_IF_ERROR(CheckNotNull(out, "notify"));
  TANDEM_RETURN_IF_ERROR(CheckNotNull(text, "key"));
  if (flags != ACL_RT_NOTIFY_IMPORT_FLAG_DEFAULT && flags != ACL_RT_NOTIFY_IMPORT_FLAG_ENABLE_PEER_ACCESS) {
    return Status::Error(Code::kInvalidValue,
                         "flags is 0x%llx, expected 0 or ACL_RT_NOTIFY_IMPORT_FLAG_ENABLE_PEER_ACCESS (2)",
                         static_cast<unsigned long long>(flags));
  }
  const Result<shm::OfferKey> key = shm::OfferKey::FromText(shm::OfferKind::kNotify, text);
  if (!key) return key.status();
  const Result<Context*> context = CurrentContext();
  if (!context) return context.status();
  const Result<void*> made = Notify::Import(**context, *key);
  if (!made) return made.status();
  *out = *made;
  return Status::Ok();
}

}  // namespace
}  // namespace tandem::capi

using namespace tandem;        // NOLINT(google-build-using-namespace): the functions below are outside every
                               // namespace
using namespace tandem::capi;  // NOLINT(google-build-using-namespace)

extern "C" aclError aclrtCreateNotify(aclrtNotify* notify, uint64_t flag) {
  return EnterAcl("aclrtCreateNotify", [&] { return Create(notify, "notify", flag, Notify::Kind::kFlag); });
}

extern "C" aclError aclrtDestroyNotify(aclrtNotify notify) {
  return EnterAcl("aclrtDestroyNotify", [&]() -> Status {
    TANDEM_RETURN_IF_ERROR(CheckNotNull(notify, "notify"));
    return Notify::Destroy(notify) ? Status::Ok() : BadHandle(HandleKind::kNotify, notify, "notify");
  });
}

extern "C" aclError aclrtRecordNotify(aclrtNotify notify, aclrtStream stream) {
  return EnterAcl("aclrtRecordNotify", [&]() -> Status {
    const Result<Notify*> found = ResolveNotify(notify);
    if (!found) return found.status();
    const Result<ManagedStream*> on = ResolveStream(stream);
    if (!on) return on.status();
    return (*found)->Record(**on, NotifyChange{});
  });
}

extern "C" aclError aclrtWaitAndResetNotify(aclrtNotify notify, aclrtStream stream, uint32_t timeout) {
  return EnterAcl("aclrtWaitAndResetNotify", [&] { return WaitForNotify(notify, stream, timeout); });
}

extern "C" aclError aclrtGetNotifyId(aclrtNotify notify, uint32_t* notifyId) {
  return EnterAcl("aclrtGetNotifyId", [&]() -> Status {
    const Result<Notify*> found = ResolveNotify(notify);
    if (!found) return found.status();
    TANDEM_RETURN_IF_ERROR(CheckNotNull(notifyId, "notifyId"));
    const Result<uint32_t> id = (*found)->Id();
    if (!id) return id.status();
    *notifyId = *id;
    return Status::Ok();
  });
}

extern "C" aclError aclrtNotifyBatchReset(aclrtNotify* notifies, size_t num) {
  return EnterAcl("aclrtNotifyBatchReset", [&]() -> Status {
    TANDEM_RETURN_IF_ERROR(CheckNotNull(notifies, "notifies"));
    if (num == 0) return Status::Error(Code::kInvalidValue, "num is 0, expected at least 1");
    // All are checked before one is cleared.
    for (size_t i = 0; i < num; ++i) {
      const Result<Notify*> found = ResolveNotify(notifies[i]);
      if (!found) return Status(found.status()).Annotate("notifies[" + std::to_string(i) + "]");
    }
    for (size_t i = 0; i < num; ++i) {
      const Result<Notify*> found = ResolveNotify(notifies[i]);
      if (!found) return found.status();
      TANDEM_RETURN_IF_ERROR((*found)->Clear());
    }
    return Status::Ok();
  });
}

extern "C" aclError aclrtNotifyGetExportKey(aclrtNotify notify, char* key, size_t len, uint64_t flags) {
  return EnterAcl("aclrtNotifyGetExportKey", [&] { return GetExportKey(notify, key, len, flags); });
}

extern "C" aclError aclrtNotifyImportByKey(aclrtNotify* notify, const char* key, uint64_t flags) {
  return EnterAcl("aclrtNotifyImportByKey", [&] { return ImportByKey(notify, key, flags); });
}

extern "C" aclError aclrtNotifySetImportPid(aclrtNotify notify, int32_t* pid, size_t num) {
  return EnterAcl("aclrtNotifySetImportPid", [&]() -> Status {
    const Result<Notify*> found = ResolveNotify(notify);
    if (!found) return found.status();
    TANDEM_RETURN_IF_ERROR(CheckPids(pid, num, "num"));
    return (*found)->Allow(std::span<const int32_t>(pid, num));
  });
}

extern "C" aclError aclrtCntNotifyCreate(aclrtCntNotify* cntNotify, uint64_t flag) {
  return EnterAcl("aclrtCntNotifyCreate",
                  [&] { return Create(cntNotify, "cntNotify", flag, Notify::Kind::kCounter); });
}
