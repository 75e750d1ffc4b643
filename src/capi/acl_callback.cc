// SPDX-License-Identifier: Apache-2.0
#include <acl/acl_rt.h>
#include <pthread.h>

#include <memory>

#include "capi/enter.h"
#include "capi/handles.h"
#include "stream/context.h"
#include "stream/host_func.h"
#include "stream/report.h"

using namespace tandem;        // NOLINT(google-build-using-namespace): the functions below are outside every
                               // namespace
using namespace tandem::capi;  // NOLINT(google-build-using-namespace)

extern "C" aclError aclrtLaunchHostFunc(aclrtStream stream, aclrtHostFunc fn, void* args) {
  return EnterAcl("aclrtLaunchHostFunc", [&]() -> Status {
    if (fn == nullptr) return Status::Error(Code::kInvalidValue, "fn is null");
    const Result<ManagedStream*> found = ResolveStream(stream);
    if (!found) return found.status();
    if (!(*found)->ClaimCallbacks(ManagedStream::Callbacks::kHostFunctions)) {
      return Status::Error(Code::kStreamSubscribed,
                           "a thread has subscribed to this stream with aclrtSubscribeReport; "
                           "use another stream for host functions");
    }
    HostFunctionThread& thread = (*found)->context()->host_functions();
    return SubmitTask(**found, std::make_unique<HostFunctionTask>(thread, fn, args));
  });
}

extern "C" aclError aclrtSubscribeReport(uint64_t threadId, aclrtStream stream) {
  return EnterAcl("aclrtSubscribeReport", [&]() -> Status {
    const Result<ManagedStream*> found = ResolveStream(stream);
    if (!found) return found.status();
    return Subscribe(threadId, **found);
  });
}

extern "C" aclError aclrtUnSubscribeReport(uint64_t threadId, aclrtStream stream) {
  return EnterAcl("aclrtUnSubscribeReport", [&]() -> Status {
    const Result<ManagedStream*> found = ResolveStream(stream);
    if (!found) return found.status();
    return Unsubscribe(threadId, **found);
  });
}

extern "C" aclError aclrtLaunchCallback(aclrtCallback fn, void* userData, aclrtCallbackBlockType blockType,
                                        aclrtStream stream) {
  return EnterAcl("aclrtLaunchCallback", [&]() -> Status {
    if (blockType != ACL_CALLBACK_NO_BLOCK && blockType != ACL_CALLBACK_BLOCK) {
      return Status::Error(Code::kInvalidArgument,
                           "blockType is %d, expected ACL_CALLBACK_NO_BLOCK (0) or ACL_CALLBACK_BLOCK (1)",
                           static_cast<int>(blockType));
    }
    if (fn == nullptr) return Status::Error(Code::kInvalidValue, "fn is null");
    const Result<ManagedStream*> found = ResolveStream(stream);
    if (!found) return found.status();
    return QueueReport(**found, fn, userData, blockType == ACL_CALLBACK_BLOCK);
  });
}

extern "C" aclError aclrtProcessReport(int32_t timeout) {
  return EnterAcl("aclrtProcessReport", [&]() -> Status {
    if (timeout == 0 || timeout < -1) {
      return Status::Error(Code::kInvalidArgument,
                           "timeout is %d, expected -1 (for ever) or a positive number of milliseconds",
                           timeout);
    }
    const Deadline deadline = timeout == -1 ? kNever : Clock::now() + std::chrono::milliseconds(timeout);
    return ProcessReports(static_cast<uint64_t>(pthread_self()), deadline);
  });
}
