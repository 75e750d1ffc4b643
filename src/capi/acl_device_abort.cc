// SPDX-License-Identifier: Apache-2.0
// Dropping all work of a device.
#include <acl/acl_rt.h>

#include <chrono>

#include "capi/enter.h"
#include "capi/handles.h"
#include "capi/named_callbacks.h"
#include "stream/context.h"
#include "stream/device.h"

namespace tandem::capi {
namespace {

constexpr uint32_t kLongestTimeout = 2'160'000;

using AbortCallback = int32_t(int32_t, aclrtDeviceTaskAbortStage, uint32_t, void*);

NamedCallbacks<AbortCallback>& AbortCallbacks() {
  static auto* const callbacks = new NamedCallbacks<AbortCallback>;
  return *callbacks;
}

Status Tell(int32_t device_id, aclrtDeviceTaskAbortStage stage, uint32_t timeout) {
  for (const auto& entry : AbortCallbacks().Entries()) {
    if (const int32_t result = entry.function(device_id, stage, timeout, entry.argument); result != 0) {
      return Status::Error(Code::kUnavailable, "callback \"%s\" returned %d", entry.name.c_str(), result);
    }
  }
  return Status::Ok();
}

Status AbortDevice(int32_t device_id, uint32_t timeout) {
  const Result<int32_t> found = ResolveDevice(device_id, "deviceId");
  if (!found) return found.status();
  if (timeout > kLongestTimeout) {
    return Status::Error(Code::kInvalidValue, "timeout is %u ms, expected 0 (no limit) to %u", timeout,
                         kLongestTimeout);
  }
  TANDEM_RETURN_IF_ERROR(Tell(device_id, ACL_RT_DEVICE_TASK_ABORT_PRE, timeout));
  const Deadline deadline = timeout == 0 ? kNever : Clock::now() + std::chrono::milliseconds(timeout);
  Device& device = Device::Get(*found);
  if (!device.BeginAbort()) {
    return Status::Error(Code::kDeviceAborting, "another thread is dropping the tasks of device %d already",
                         device_id);
  }
  const Status aborted = RunGuarded([&] { return Context::AbortAll(*found, deadline); });
  device.EndAbort(aborted.ok());
  TANDEM_RETURN_IF_ERROR(aborted);
  return Tell(device_id, ACL_RT_DEVICE_TASK_ABORT_POST, timeout);
}

}  // namespace
}  // namespace tandem::capi

using namespace tandem;        // NOLINT(google-build-using-namespace): the functions below are outside every
                               // namespace
using namespace tandem::capi;  // NOLINT(google-build-using-namespace)

extern "C" aclError aclrtDeviceTaskAbort(int32_t deviceId, uint32_t timeout) {
  return EnterAcl("aclrtDeviceTaskAbort", [&] { return AbortDevice(deviceId, timeout); });
}

extern "C" aclError aclrtSetDeviceTaskAbortCallback(const char* regName,
                                                    aclrtDeviceTaskAbortCallback callback, void* args) {
  return EnterAcl("aclrtSetDeviceTaskAbortCallback",
                  [&] { return AbortCallbacks().Set(regName, callback, args); });
}
