// SPDX-License-Identifier: Apache-2.0
// HcclGroupStart, HcclGroupEnd, HcclGroupStatusGet.
#include <hccl/hccl_comm.h>

#include "capi/enter.h"
#include "capi/group.h"
#include "capi/handles.h"

using tandem::Status;
namespace capi = tandem::capi;

extern "C" {

HcclResult HcclGroupStart(void) {
  return capi::EnterHccl("HcclGroupStart", [] { return capi::StartGroup(); });
}

HcclResult HcclGroupEnd(void) {
  return capi::EnterHccl("HcclGroupEnd", [] { return capi::EndGroup(); });
}

HcclResult HcclGroupStatusGet(bool* isGroupEnabled) {
  return capi::EnterHccl("HcclGroupStatusGet", [&]() -> Status {
    TANDEM_RETURN_IF_ERROR(capi::CheckNotNull(isGroupEnabled, "isGroupEnabled"));
    *isGroupEnabled = capi::InGroup();
    return Status::Ok();
  });
}

}  // extern "C"
