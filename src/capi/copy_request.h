// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <acl/acl_rt.h>

#include <cstddef>

#include "base/status.h"
#include "stream/copy_task.h"
#include "stream/memory.h"

namespace tandem::capi {

// kNullPointer or kInvalidArgument for a null end or a kind that copies do not take.
Status CheckCopyArguments(const void* dst, const void* src, aclrtMemcpyKind kind);

// Whether an asynchronous copy of this kind is allowed between these places, and how it is done.
enum class CopyMode { kQueued, kAtOnce };
struct CopyPlan {
  CopyMode mode = CopyMode::kQueued;
  Status valid;
};
CopyPlan PlanCopy(MemoryPlace to, MemoryPlace from, aclrtMemcpyKind kind);

// Queues the copy in the stream as the plan says. `capture`: the content of the source is taken now.
Status QueueCopy(const CopyShape& shape, const CopyPlan& plan, bool capture, aclrtStream handle);

}  // namespace tandem::capi
