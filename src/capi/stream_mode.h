// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <acl/acl_rt.h>

#include <cstdint>

#include "base/status.h"

namespace tandem::capi {

// Priorities of streams go from 0, the highest, to this.
constexpr uint32_t kLeastPriority = 7;

// What aclrtSetStreamFailureMode does; aclrtSetStreamAttribute is a second way to it.
Status SetFailureMode(aclrtStream handle, uint64_t mode);

}  // namespace tandem::capi
