// SPDX-License-Identifier: Apache-2.0
// Asking what went wrong.
#include <acl/acl_rt.h>

#include "capi/enter.h"
#include "capi/error_message.h"
#include "capi/handles.h"
#include "stream/context.h"
#include "stream/device.h"
#include "stream/stream_pool.h"

using namespace tandem;        // NOLINT(google-build-using-namespace): the functions below are outside every
                               // namespace
using namespace tandem::capi;  // NOLINT(google-build-using-namespace)

namespace {

aclError BadLevel(const char* call, aclrtLastErrLevel level) {
  return EnterAcl(call, [level] {
    return Status::Error(Code::kInvalidArgument, "level is %d, expected ACL_RT_THREAD_LEVEL (0)",
                         static_cast<int>(level));
  });
}

}  // namespace

extern "C" aclError aclrtPeekAtLastError(aclrtLastErrLevel level) {
  return level == ACL_RT_THREAD_LEVEL ? PeekLastError() : BadLevel("aclrtPeekAtLastError", level);
}

extern "C" aclError aclrtGetLastError(aclrtLastErrLevel level) {
  return level == ACL_RT_THREAD_LEVEL ? TakeLastError() : BadLevel("aclrtGetLastError", level);
}

extern "C" const char* aclGetRecentErrMsg(void) {
  try {
    return TakeMessages();
  } catch (...) {
    return nullptr;  // no memory for the text
  }
}

extern "C" aclError aclrtGetErrorVerbose(int32_t deviceId, aclrtErrorInfo* errorInfo) {
  return EnterAcl("aclrtGetErrorVerbose", [&]() -> Status {
    TANDEM_RETURN_IF_ERROR(CheckNotNull(errorInfo, "errorInfo"));
    TANDEM_RETURN_IF_ERROR(ResolveDevice(deviceId, "deviceId").status());
    *errorInfo = {};
    errorInfo->errorType = ACL_RT_NO_ERROR;
    return Status::Ok();
  });
}

extern "C" aclError aclrtGetThreadLastTaskId(uint32_t* taskId) {
  return EnterAcl("aclrtGetThreadLastTaskId", [&]() -> Status {
    TANDEM_RETURN_IF_ERROR(CheckNotNull(taskId, "taskId"));
    TANDEM_RETURN_IF_ERROR(CurrentContext().status());
    *taskId = LastTaskId();
    return Status::Ok();
  });
}
