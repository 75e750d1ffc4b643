// SPDX-License-Identifier: Apache-2.0
#include <acl/acl_rt.h>

#include "capi/enter.h"
#include "capi/handles.h"
#include "capi/stream_mode.h"
#include "stream/context.h"

namespace tandem::capi {
namespace {

Status CheckAttribute(aclrtStreamAttr attribute) {
  if (attribute >= ACL_STREAM_ATTR_FAILURE_MODE && attribute <= ACL_STREAM_ATTR_PRIORITY) return Status::Ok();
  return Status::Error(Code::kInvalidValue, "stmAttrType is %d, expected 1 to 5",
                       static_cast<int>(attribute));
}

Status StoreAttribute(std::atomic<uint32_t>& place, const char* field, uint32_t value, uint32_t most) {
  if (value > most)
    return Status::Error(Code::kInvalidValue, "value->%s is %u, expected 0 to %u", field, value, most);
  place.store(value, std::memory_order_relaxed);
  return Status::Ok();
}

Status SetAttribute(aclrtStream handle, aclrtStreamAttr attribute, const aclrtStreamAttrValue& value) {
  if (attribute == ACL_STREAM_ATTR_FAILURE_MODE) return SetFailureMode(handle, value.failureMode);
  const Result<ManagedStream*> found = ResolveStream(handle);
  if (!found) return found.status();
  ManagedStream& stream = **found;
  switch (attribute) {
    case ACL_STREAM_ATTR_FLOAT_OVERFLOW_CHECK:
      return StoreAttribute(stream.overflow_check, "overflowSwitch", value.overflowSwitch, 1);
    case ACL_STREAM_ATTR_USER_CUSTOM_TAG:
      return StoreAttribute(stream.user_tag, "userCustomTag", value.userCustomTag, UINT32_MAX);
    case ACL_STREAM_ATTR_CACHE_OP_INFO:
      return StoreAttribute(stream.cache_op_info, "cacheOpInfoSwitch", value.cacheOpInfoSwitch, 1);
    default:
      return StoreAttribute(stream.priority, "streamPriority", value.streamPriority, kLeastPriority);
  }
}

Status GetAttribute(aclrtStream handle, aclrtStreamAttr attribute, aclrtStreamAttrValue& value) {
  const Result<ManagedStream*> found = ResolveStreamToQuery(handle);
  if (!found) return found.status();
  const ManagedStream& stream = **found;
  value = {};
  switch (attribute) {
    case ACL_STREAM_ATTR_FAILURE_MODE:
      value.failureMode = stream.stops_on_failure.load(std::memory_order_relaxed) ? ACL_STOP_ON_FAILURE
                                                                                  : ACL_CONTINUE_ON_FAILURE;
      break;
    case ACL_STREAM_ATTR_FLOAT_OVERFLOW_CHECK:
      value.overflowSwitch = stream.overflow_check.load(std::memory_order_relaxed);
      break;
    case ACL_STREAM_ATTR_USER_CUSTOM_TAG:
      value.userCustomTag = stream.user_tag.load(std::memory_order_relaxed);
      break;
    case ACL_STREAM_ATTR_CACHE_OP_INFO:
      value.cacheOpInfoSwitch = stream.cache_op_info.load(std::memory_order_relaxed);
      break;
    default:
      value.streamPriority = stream.priority.load(std::memory_order_relaxed);
      break;
  }
  return Status::Ok();
}

}  // namespace
}  // namespace tandem::capi

using namespace tandem;        // NOLINT(google-build-using-namespace): the functions below are outside every
                               // namespace
using namespace tandem::capi;  // NOLINT(google-build-using-namespace)

extern "C" aclError aclrtSetStreamAttribute(aclrtStream stream, aclrtStreamAttr stmAttrType,
                                            aclrtStreamAttrValue* value) {
  return EnterAcl("aclrtSetStreamAttribute", [&]() -> Status {
    TANDEM_RETURN_IF_ERROR(CheckNotNull(value, "value"));
    TANDEM_RETURN_IF_ERROR(CheckAttribute(stmAttrType));
    return SetAttribute(stream, stmAttrType, *value);
  });
}

extern "C" aclError aclrtGetStreamAttribute(aclrtStream stream, aclrtStreamAttr stmAttrType,
                                            aclrtStreamAttrValue* value) {
  return EnterAcl("aclrtGetStreamAttribute", [&]() -> Status {
    TANDEM_RETURN_IF_ERROR(CheckNotNull(value, "value"));
    TANDEM_RETURN_IF_ERROR(CheckAttribute(stmAttrType));
    return GetAttribute(stream, stmAttrType, *value);
  });
}
