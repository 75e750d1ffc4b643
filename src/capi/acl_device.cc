// SPDX-License-Identifier: Apache-2.0
// Selecting, counting and resetting devices.
#include <acl/acl_rt.h>

#include "capi/deadline.h"
#include "capi/enter.h"
#include "capi/handles.h"
#include "capi/named_callbacks.h"
#include "stream/context.h"
#include "stream/device.h"
#include "stream/memory_pool.h"

namespace tandem::capi {
namespace {

using DeviceStateCallback = void(int32_t, aclrtDeviceState, void*);

NamedCallbacks<DeviceStateCallback>& DeviceStateCallbacks() {
  static auto* const callbacks = new NamedCallbacks<DeviceStateCallback>;
  return *callbacks;
}

void Tell(int32_t device_id, aclrtDeviceState state) {
  for (const auto& entry : DeviceStateCallbacks().Entries()) entry.function(device_id, state, entry.argument);
}

Status ResetAndTell(int32_t device_id, bool force) {
  // A device that does not exist is no news.
  TANDEM_RETURN_IF_ERROR(ResolveDevice(device_id, "deviceId").status());
  Tell(device_id, ACL_RT_DEVICE_STATE_RESET_PRE);
  TANDEM_RETURN_IF_ERROR(ResetDevice(device_id, force));
  Tell(device_id, ACL_RT_DEVICE_STATE_RESET_POST);
  return Status::Ok();
}

Status SynchronizeCurrent(Deadline deadline) {
  const Result<Context*> context = CurrentContext();
  if (!context) return context.status();
  TANDEM_RETURN_IF_ERROR((*context)->Synchronize(deadline));
  MemoryPool::OnSynchronized((*context)->device());
  return Status::Ok();
}

}  // namespace
}  // namespace tandem::capi

using namespace tandem;        // NOLINT(google-build-using-namespace): the functions below are outside every
                               // namespace
using namespace tandem::capi;  // NOLINT(google-build-using-namespace)

extern "C" aclError aclrtSetDevice(int32_t deviceId) {
  return EnterAcl("aclrtSetDevice", [&]() -> Status {
    TANDEM_RETURN_IF_ERROR(ResolveDevice(deviceId, "deviceId").status());
    Tell(deviceId, ACL_RT_DEVICE_STATE_SET_PRE);
    TANDEM_RETURN_IF_ERROR(SetDevice(deviceId));
    Tell(deviceId, ACL_RT_DEVICE_STATE_SET_POST);
    return Status::Ok();
  });
}

extern "C" aclError aclrtResetDevice(int32_t deviceId) {
  return EnterAcl("aclrtResetDevice", [&] { return ResetAndTell(deviceId, false); });
}

extern "C" aclError aclrtResetDeviceForce(int32_t deviceId) {
  return EnterAcl("aclrtResetDeviceForce", [&] { return ResetAndTell(deviceId, true); });
}

extern "C" aclError aclrtGetDevice(int32_t* deviceId) {
  return EnterAcl("aclrtGetDevice", [&]() -> Status {
    TANDEM_RETURN_IF_ERROR(CheckNotNull(deviceId, "deviceId"));
    const Result<int32_t> device = CurrentDevice();
    // Asking whether there is one is no failure that the thread should remember.
    if (!device) return Status(device.status()).WithId("EH0001");
    *deviceId = UserIdOfDevice(*device);
    return Status::Ok();
  });
}

extern "C" aclError aclrtGetDeviceCount(uint32_t* count) {
  return EnterAcl("aclrtGetDeviceCount", [&]() -> Status {
    TANDEM_RETURN_IF_ERROR(CheckNotNull(count, "count"));
    const Result<uint32_t> visible = VisibleDeviceCount();
    if (!visible) return visible.status();
    *count = *visible;
    return Status::Ok();
  });
}

extern "C" aclError aclrtGetRunMode(aclrtRunMode* runMode) {
  return EnterAcl("aclrtGetRunMode", [&]() -> Status {
    TANDEM_RETURN_IF_ERROR(CheckNotNull(runMode, "runMode"));
    *runMode = ACL_HOST;
    return Status::Ok();
  });
}

extern "C" aclError aclrtSynchronizeDevice(void) {
  return EnterAcl("aclrtSynchronizeDevice", [] { return SynchronizeCurrent(kNever); });
}

extern "C" aclError aclrtSynchronizeDeviceWithTimeout(int32_t timeout) {
  return EnterAcl("aclrtSynchronizeDeviceWithTimeout", [&]() -> Status {
    const Result<Deadline> deadline = DeadlineAfter(timeout);
    if (!deadline) return deadline.status();
    return SynchronizeCurrent(*deadline);
  });
}

extern "C" aclError aclrtGetPrimaryCtxState(int32_t deviceId, uint32_t* flags, int32_t* active) {
  return EnterAcl("aclrtGetPrimaryCtxState", [&]() -> Status {
    if (flags != nullptr) return Status::Error(Code::kInvalidArgument, "flags is not null; it is reserved");
    TANDEM_RETURN_IF_ERROR(CheckNotNull(active, "active"));
    const Result<int32_t> device = ResolveDevice(deviceId, "deviceId");
    if (!device) return device.status();
    *active = PrimaryContextActive(*device) ? 1 : 0;
    return Status::Ok();
  });
}

extern "C" aclError aclrtRegDeviceStateCallback(const char* regName, aclrtDeviceStateCallback callback,
                                                void* args) {
  return EnterAcl("aclrtRegDeviceStateCallback",
                  [&] { return DeviceStateCallbacks().Set(regName, callback, args); });
}
