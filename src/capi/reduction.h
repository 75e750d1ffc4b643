// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <acl/acl_rt.h>

#include <cstddef>

#include "base/result.h"
#include "stream/reduce_task.h"

namespace tandem::capi {

struct TypedReduction {
  Reduction reduction = nullptr;
  size_t element_bytes = 0;
};

// Whether elements of the type can be reduced.
bool IsReducible(aclDataType type);

// kInvalidValue for an unknown kind. REQUIRES: IsReducible(type)
Result<TypedReduction> FindReduction(aclrtReduceKind kind, aclDataType type);

}  // namespace tandem::capi
