// SPDX-License-Identifier: Apache-2.0
#include "capi/status_map.h"

#include <acl/acl_rt.h>

#include <algorithm>
#include <array>

namespace tandem::capi {
namespace {

struct Entry {
  Code code;
  CodeMapping mapping;
};

// Sources: acl-runtime error tables of CANN runtime 9.1.0; HcclResult and EI ids of the HCCL guide. Where
// CANN has no such failure, the nearest code is Tandem's choice.
constexpr std::array kMappings = {
    Entry{Code::kOk, {HCCL_SUCCESS, ACL_SUCCESS, "", ""}},
    Entry{Code::kNullPointer, {HCCL_E_PTR, ACL_ERROR_INVALID_PARAM, "EI0003", "EH0002"}},
    Entry{Code::kInvalidArgument, {HCCL_E_PARA, ACL_ERROR_INVALID_PARAM, "EI0003", "EH0001"}},
    Entry{Code::kInvalidValue, {HCCL_E_PARA, ACL_ERROR_RT_PARAM_INVALID, "EI0003", "EE1001"}},
    Entry{Code::kInvalidDevice, {HCCL_E_PARA, ACL_ERROR_RT_INVALID_DEVICEID, "EI0003", "EE1001"}},
    Entry{Code::kNoContext, {HCCL_E_RUNTIME, ACL_ERROR_RT_CONTEXT_NULL, "EI9999", "EE1001"}},
    Entry{Code::kWrongContext, {HCCL_E_RUNTIME, ACL_ERROR_RT_STREAM_CONTEXT, "EI9999", "EE1001"}},
    Entry{Code::kInvalidHandle, {HCCL_E_PARA, ACL_ERROR_RT_INVALID_HANDLE, "EI0003", "EE1001"}},
    Entry{Code::kNotSupported, {HCCL_E_NOT_SUPPORT, ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "EI0003", "EE1006"}},
    Entry{Code::kNotPermitted, {HCCL_E_UNAVAIL, ACL_ERROR_RT_NO_PERMISSION, "EI9999", "EE1001"}},
    Entry{Code::kNotFound, {HCCL_E_NOT_FOUND, ACL_ERROR_RT_INTERNAL_ERROR, "EI9999", "EE9999"}},
    Entry{Code::kAlreadyInitialized, {HCCL_E_PARA, ACL_ERROR_REPEAT_INITIALIZE, "EI0003", "EH0001"}},
    Entry{Code::kAlreadyFinalized, {HCCL_E_PARA, ACL_ERROR_REPEAT_FINALIZE, "EI0003", "EH0001"}},
    Entry{Code::kContextReleased, {HCCL_E_RUNTIME, ACL_ERROR_RT_CONTEXT_RELEASE_ERROR, "EI9999", "EE1001"}},
    Entry{Code::kInvalidFile, {HCCL_E_INTERNAL, ACL_ERROR_INVALID_FILE, "EI0004", "EH0003"}},
    Entry{Code::kParseFile, {HCCL_E_INTERNAL, ACL_ERROR_PARSE_FILE, "EI0004", "EH0004"}},
    Entry{Code::kNoDevice, {HCCL_E_RUNTIME, ACL_ERROR_RT_NO_DEVICE, "EI0001", "EE1001"}},
    Entry{Code::kOptionNotSet, {HCCL_E_NOT_FOUND, ACL_ERROR_RT_SYSPARAMOPT_NOT_SET, "EI9999", "EE1001"}},
    Entry{Code::kInvalidMemoryType, {HCCL_E_PARA, ACL_ERROR_RT_INVALID_MEMORY_TYPE, "EI0003", "EE1001"}},
    Entry{Code::kFeatureUnsupported, {HCCL_E_NOT_SUPPORT, ACL_ERROR_FEATURE_UNSUPPORTED, "EI0003", "EH0001"}},
    Entry{Code::kStreamSubscribed, {HCCL_E_RUNTIME, ACL_ERROR_RT_STREAM_SUBSCRIBE, "EI9999", "EE1001"}},
    Entry{Code::kThreadSubscribed, {HCCL_E_RUNTIME, ACL_ERROR_RT_THREAD_SUBSCRIBE, "EI9999", "EE1001"}},
    Entry{Code::kNotSubscribed, {HCCL_E_RUNTIME, ACL_ERROR_RT_STREAM_NO_CB_REG, "EI9999", "EE1001"}},
    Entry{Code::kMemoryRegistered,
          {HCCL_E_PARA, ACL_ERROR_HOST_MEMORY_ALREADY_REGISTERED, "EI9999", "EE1001"}},
    Entry{Code::kMemoryNotRegistered,
          {HCCL_E_PARA, ACL_ERROR_HOST_MEMORY_NOT_REGISTERED, "EI9999", "EE1001"}},
    Entry{Code::kNotCapturing, {HCCL_E_RUNTIME, ACL_ERROR_RT_STREAM_NOT_CAPTURED, "EI9999", "EE1001"}},
    Entry{Code::kRefused, {HCCL_E_INTERNAL, ACL_ERROR_INTERNAL_ERROR, "EI9999", "EH9999"}},
    Entry{Code::kFailure, {HCCL_E_INTERNAL, ACL_ERROR_FAILURE, "EI9999", "EH0001"}},
    Entry{Code::kOutOfMemory, {HCCL_E_OOM, ACL_ERROR_RT_MEMORY_ALLOCATION, "EI0007", "EE1005"}},
    Entry{Code::kNoStreams, {HCCL_E_RUNTIME, ACL_ERROR_RT_NO_STREAM_RESOURCE, "EI0007", "EE1005"}},
    Entry{Code::kNoEvents, {HCCL_E_RUNTIME, ACL_ERROR_RT_NO_EVENT_RESOURCE, "EI0007", "EE1005"}},
    Entry{Code::kNoNotifies, {HCCL_E_RUNTIME, ACL_ERROR_RT_NO_NOTIFY_RESOURCE, "EI0007", "EE1005"}},
    Entry{Code::kResourceExhausted, {HCCL_E_MEMORY, ACL_ERROR_RT_RESOURCE_ALLOC_FAIL, "EI0007", "EE1005"}},
    Entry{Code::kUnavailable, {HCCL_E_UNAVAIL, ACL_ERROR_RT_INTERNAL_ERROR, "EI9999", "EE9999"}},
    Entry{Code::kAgain, {HCCL_E_AGAIN, ACL_ERROR_RT_INTERNAL_ERROR, "EI9999", "EE9999"}},
    Entry{Code::kSuspended, {HCCL_E_SUSPENDING, ACL_ERROR_RT_INTERNAL_ERROR, "EI9999", "EE9999"}},
    Entry{Code::kTimeout, {HCCL_E_TIMEOUT, ACL_ERROR_RT_TASK_TIMEOUT, "EI0006", "EI0006"}},
    Entry{Code::kReportTimeout, {HCCL_E_TIMEOUT, ACL_ERROR_RT_REPORT_TIMEOUT, "EI0002", "EE1002"}},
    Entry{Code::kStreamSyncTimeout, {HCCL_E_TIMEOUT, ACL_ERROR_RT_STREAM_SYNC_TIMEOUT, "EI0002", "EE1002"}},
    Entry{Code::kEventSyncTimeout, {HCCL_E_TIMEOUT, ACL_ERROR_RT_EVENT_SYNC_TIMEOUT, "EI0002", "EE1002"}},
    Entry{Code::kWaitTimeout, {HCCL_E_TIMEOUT, ACL_ERROR_RT_WAIT_TIMEOUT, "EI0002", "EE1002"}},
    Entry{Code::kTaskTimeout, {HCCL_E_TIMEOUT, ACL_ERROR_RT_TASK_TIMEOUT, "EI0002", "EE1002"}},
    Entry{Code::kStreamAborted, {HCCL_E_RUNTIME, ACL_ERROR_RT_STREAM_ABORT, "EI9999", "EE1001"}},
    Entry{Code::kDeviceAborting, {HCCL_E_RUNTIME, ACL_ERROR_RT_DEVICE_TASK_ABORT, "EI9999", "EE1001"}},
    Entry{Code::kEventNotRecorded, {HCCL_E_RUNTIME, ACL_ERROR_RT_INTERNAL_ERROR, "EI9999", "EE1001"}},
    Entry{Code::kEventTimestampInvalid,
          {HCCL_E_RUNTIME, ACL_ERROR_RT_EVENT_TIMESTAMP_INVALID, "EI9999", "EE1001"}},
    Entry{Code::kMismatch, {HCCL_E_INTERNAL, ACL_ERROR_RT_AICPU_EXCEPTION, "EI0005", "EI0005"}},
    Entry{Code::kPeerLost, {HCCL_E_REMOTE, ACL_ERROR_RT_SUSPECT_REMOTE_ERROR, "EI0012", "EI0012"}},
    Entry{Code::kConnect, {HCCL_E_TCP_CONNECT, ACL_ERROR_RT_SUSPECT_REMOTE_ERROR, "EI0006", "EI0006"}},
    Entry{Code::kNetwork, {HCCL_E_NETWORK, ACL_ERROR_RT_LINK_ERROR, "EI0009", "EI0009"}},
    Entry{Code::kCopyFailed, {HCCL_E_INTERNAL, ACL_ERROR_RT_SYS_DMA, "EI0012", "EI0012"}},
    Entry{Code::kTaskFailed, {HCCL_E_INTERNAL, ACL_ERROR_RT_TS_ERROR, "EI9999", "EE9999"}},
    Entry{Code::kSystem, {HCCL_E_SYSCALL, ACL_ERROR_RT_DRV_INTERNAL_ERROR, "EI9999", "EE9999"}},
    Entry{Code::kInternal, {HCCL_E_INTERNAL, ACL_ERROR_RT_INTERNAL_ERROR, "EI9999", "EE9999"}},
};

// MapCode finds an entry by its place.
constexpr bool InOrder() {
  for (size_t i = 0; i < kMappings.size(); ++i) {
    if (static_cast<size_t>(kMappings[i].code) != i) return false;
  }
  return kMappings.size() == static_cast<size_t>(Code::kInternal) + 1;
}
static_assert(InOrder(), "kMappings must list every Code, in the order of its definition");

}  // namespace

const CodeMapping& MapCode(Code code) { return kMappings[static_cast<size_t>(code)].mapping; }

bool IsKeptAsLastError(aclError error, std::string_view message_id) {
  if (message_id.starts_with("EH")) return false;
  // Source: acl-runtime error model of CANN runtime 9.1.0 (spec acl-runtime.md 2.1).
  constexpr std::array kPassed = {
      ACL_ERROR_RT_FEATURE_NOT_SUPPORT, ACL_ERROR_RT_END_OF_SEQUENCE,     ACL_ERROR_RT_MODEL_ABORT_NORMAL,
      ACL_ERROR_RT_AICORE_OVER_FLOW,    ACL_ERROR_RT_AIVEC_OVER_FLOW,     ACL_ERROR_RT_OVER_FLOW,
      ACL_ERROR_RT_SOCKET_CLOSE,        ACL_ERROR_RT_STREAM_NOT_COMPLETE, ACL_ERROR_RT_EVENT_NOT_COMPLETE};
  return std::find(kPassed.begin(), kPassed.end(), error) == kPassed.end();
}

}  // namespace tandem::capi
