// SPDX-License-Identifier: Apache-2.0
#include <acl/acl_rt.h>

#include <memory>

#include "capi/enter.h"
#include "capi/handles.h"
#include "stream/context.h"
#include "stream/host_func.h"

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
