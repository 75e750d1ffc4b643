// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <acl/acl_base.h>
#include <hccl/hccl_types.h>

#include <string_view>

#include "base/status.h"

namespace tandem::capi {

// What a Code is called at the API. The only table that knows both sides.
struct CodeMapping {
  HcclResult hccl;
  aclError acl;
  // Message ids under which CANN documents such a failure, for a status that brings none.
  std::string_view hccl_id;
  std::string_view acl_id;
};

const CodeMapping& MapCode(Code code);

// Whether the failure becomes the thread's last error. Those that the ACL layer finds itself do not (their
// message ids start with EH), nor do some codes of the runtime layer.
bool IsKeptAsLastError(aclError error, std::string_view message_id);

}  // namespace tandem::capi
