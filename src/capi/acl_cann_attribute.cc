// SPDX-License-Identifier: Apache-2.0
#include <acl/acl_base.h>

#include <array>

#include "capi/enter.h"
#include "capi/handles.h"

using namespace tandem;        // NOLINT(google-build-using-namespace): the functions below are outside every
                               // namespace
using namespace tandem::capi;  // NOLINT(google-build-using-namespace)

extern "C" aclError aclGetCannAttributeList(const aclCannAttr** cannAttrList, size_t* num) {
  static constexpr std::array kAttributes = {ACL_CANN_ATTR_INF_NAN, ACL_CANN_ATTR_BF16,
                                             ACL_CANN_ATTR_JIT_COMPILE};
  return EnterAcl("aclGetCannAttributeList", [&]() -> Status {
    TANDEM_RETURN_IF_ERROR(CheckNotNull(cannAttrList, "cannAttrList"));
    TANDEM_RETURN_IF_ERROR(CheckNotNull(num, "num"));
    *cannAttrList = kAttributes.data();
    *num = kAttributes.size();
    return Status::Ok();
  });
}

extern "C" aclError aclGetCannAttribute(aclCannAttr cannAttr, int32_t* value) {
  return EnterAcl("aclGetCannAttribute", [&]() -> Status {
    TANDEM_RETURN_IF_ERROR(CheckNotNull(value, "value"));
    switch (cannAttr) {
      case ACL_CANN_ATTR_INF_NAN:
      case ACL_CANN_ATTR_BF16:
        *value = 1;
        return Status::Ok();
      case ACL_CANN_ATTR_JIT_COMPILE:
        // There are no operators to compile.
        *value = 0;
        return Status::Ok();
      default:
        return Status::Error(Code::kInvalidArgument, "cannAttr is %d, expected 0 to 2",
                             static_cast<int>(cannAttr));
    }
  });
}
