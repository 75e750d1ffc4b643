// SPDX-License-Identifier: Apache-2.0

// Calls of ACL that have a true answer although what they ask about is missing here.

#include <acl/acl.h>

#include "base/status.h"
#include "capi/enter.h"
#include "capi/handles.h"

// Nothing is ever captured here. Programs ask before they queue work, and a plain "no" lets them go on.
extern "C" aclError aclmdlRICaptureGetInfo(aclrtStream stream, aclmdlRICaptureStatus* status,
                                           aclmdlRI* modelRI) {
  return tandem::capi::EnterAcl("aclmdlRICaptureGetInfo", [&]() -> tandem::Status {
    if (status == nullptr) {
      return tandem::Status::Error(tandem::Code::kNullPointer,
                                   "status is null, expected an address for the answer");
    }
    TANDEM_RETURN_IF_ERROR(tandem::capi::ResolveStreamToQuery(stream).status());
    *status = ACL_MODEL_RI_CAPTURE_STATUS_NONE;
    if (modelRI != nullptr) *modelRI = nullptr;
    return tandem::Status::Ok();
  });
}
