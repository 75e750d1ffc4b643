// SPDX-License-Identifier: Apache-2.0
#include "capi/copy_request.h"

#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "capi/handles.h"

namespace tandem::capi {
namespace {

const char* PlaceName(MemoryPlace place) {
  switch (place) {
    case MemoryPlace::kPageable:
      return "ordinary host memory";
    case MemoryPlace::kPinned:
      return "page-locked host memory";
    case MemoryPlace::kDevice:
      return "device memory";
  }
  return "unknown memory";
}

bool IsOneOf(aclrtMemcpyKind kind, aclrtMemcpyKind first, aclrtMemcpyKind second) {
  return kind == first || kind == second || kind == ACL_MEMCPY_DEFAULT;
}

// Which kinds may be named when at least one end is ordinary host memory.
bool FitsPageable(MemoryPlace to, MemoryPlace from, aclrtMemcpyKind kind) {
  if (to == from) return true;
  if (to == MemoryPlace::kDevice) {
    return IsOneOf(kind, ACL_MEMCPY_HOST_TO_DEVICE, ACL_MEMCPY_DEVICE_TO_DEVICE) ||
           kind == ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE;
  }
  if (from == MemoryPlace::kDevice)
    return IsOneOf(kind, ACL_MEMCPY_DEVICE_TO_HOST, ACL_MEMCPY_DEVICE_TO_DEVICE);
  if (from == MemoryPlace::kPinned) return IsOneOf(kind, ACL_MEMCPY_HOST_TO_HOST, ACL_MEMCPY_HOST_TO_DEVICE);
  return IsOneOf(kind, ACL_MEMCPY_HOST_TO_HOST, ACL_MEMCPY_DEVICE_TO_HOST);
}

}  // namespace

Status CheckCopyArguments(const void* dst, const void* src, aclrtMemcpyKind kind) {
  TANDEM_RETURN_IF_ERROR(CheckNotNull(dst, "dst"));
  TANDEM_RETURN_IF_ERROR(CheckNotNull(src, "src"));
  if (kind < ACL_MEMCPY_HOST_TO_HOST || kind > ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE) {
    return Status::Error(Code::kInvalidArgument, "kind is %d, expected 0 to 5", static_cast<int>(kind));
  }
  return Status::Ok();
}

CopyPlan PlanCopy(MemoryPlace to, MemoryPlace from, aclrtMemcpyKind kind) {
  if (to != MemoryPlace::kPageable && from != MemoryPlace::kPageable) {
    if (to == MemoryPlace::kPinned && from == MemoryPlace::kPinned) {
      return {CopyMode::kQueued, Status::Error(Code::kNotSupported,
                                               "both ends are page-locked host memory; queued copies "
                                               "need device memory at one end (use memcpy)")};
    }
    return {};
  }
  if (!FitsPageable(to, from, kind)) {
    return {CopyMode::kAtOnce,
            Status::Error(Code::kInvalidValue, "kind is %d, which does not fit a copy from %s to %s",
                          static_cast<int>(kind), PlaceName(from), PlaceName(to))};
  }
  // Ordinary memory may be gone when the call returns, so its content is taken or filled before.
  const bool capture = kind == ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE && from == MemoryPlace::kPageable &&
                       to == MemoryPlace::kDevice;
  return {capture ? CopyMode::kQueued : CopyMode::kAtOnce, Status::Ok()};
}

Status QueueCopy(const CopyShape& shape, const CopyPlan& plan, bool capture, aclrtStream handle) {
  const Result<ManagedStream*> stream = ResolveStream(handle);
  if (!stream) return stream.status();
  TANDEM_RETURN_IF_ERROR(plan.valid);
  if (shape.to == shape.from) return Status::Ok();
  std::vector<std::byte> captured;
  if (capture) captured.assign(shape.from, shape.from + shape.bytes);
  auto task = std::make_unique<CopyTask>(std::vector<CopyShape>{shape}, std::move(captured));
  return plan.mode == CopyMode::kAtOnce ? SubmitAndWait(**stream, std::move(task))
                                        : SubmitTask(**stream, std::move(task));
}

}  // namespace tandem::capi
