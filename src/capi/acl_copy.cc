// SPDX-License-Identifier: Apache-2.0
// Copies of one piece and of rows.
#include <acl/acl_rt.h>

#include "capi/copy_request.h"
#include "capi/enter.h"
#include "capi/handles.h"
#include "stream/context.h"
#include "stream/copy_task.h"
#include "stream/memory.h"

namespace tandem::capi {
namespace {

constexpr size_t kMostWidth = 5'000'000;
constexpr size_t kMostHeight = size_t{5} << 20;

Status CheckRoom(size_t room, size_t count) {
  if (room == 0)
    return Status::Error(Code::kInvalidValue, "destMax is 0, expected the size of the destination");
  if (count <= room) return Status::Ok();
  return Status::Error(Code::kInvalidValue, "count is %zu, more than destMax (%zu)", count, room);
}

CopyShape Piece(void* dst, const void* src, size_t bytes) {
  return {.to = static_cast<std::byte*>(dst), .from = static_cast<const std::byte*>(src), .bytes = bytes};
}

struct Rows {
  void* dst;
  size_t dpitch;
  const void* src;
  size_t spitch;
  size_t width;
  size_t height;

  CopyShape Shape() const {
    CopyShape shape = Piece(dst, src, width);
    shape.rows = height;
    shape.to_pitch = dpitch;
    shape.from_pitch = spitch;
    return shape;
  }
};

Status CheckExtents(const void* dst, const void* src, size_t bytes) {
  TANDEM_RETURN_IF_ERROR(CheckExtent(dst, bytes, "dst"));
  return CheckExtent(src, bytes, "src");
}

// From the first byte of the first row to the last of the last one. REQUIRES: rows and width are not 0
Status CheckRowExtent(const void* data, size_t pitch, size_t width, size_t rows, const char* argument) {
  size_t span = 0;
  if (__builtin_mul_overflow(pitch, rows - 1, &span) || __builtin_add_overflow(span, width, &span)) {
    return Status::Error(Code::kInvalidValue, "%s is %p, from where %zu rows at a pitch of %zu do not fit",
                         argument, data, rows, pitch);
  }
  return CheckExtent(data, span, argument);
}

// REQUIRES: width and height are not 0
Status CheckRows(const Rows& rows, aclrtMemcpyKind kind) {
  TANDEM_RETURN_IF_ERROR(CheckNotNull(rows.dst, "dst"));
  TANDEM_RETURN_IF_ERROR(CheckNotNull(rows.src, "src"));
  if (rows.width > rows.dpitch || rows.width > rows.spitch) {
    return Status::Error(Code::kInvalidArgument, "width is %zu, more than a pitch (dpitch %zu, spitch %zu)",
                         rows.width, rows.dpitch, rows.spitch);
  }
  if (kind < ACL_MEMCPY_HOST_TO_HOST || kind > ACL_MEMCPY_DEFAULT) {
    return Status::Error(Code::kInvalidValue, "kind is %d, expected 1 to 4", static_cast<int>(kind));
  }
  if (rows.width > kMostWidth || rows.height > kMostHeight) {
    return Status::Error(Code::kInvalidValue, "width is %zu and height %zu, expected at most %zu and %zu",
                         rows.width, rows.height, kMostWidth, kMostHeight);
  }
  TANDEM_RETURN_IF_ERROR(CheckRowExtent(rows.dst, rows.dpitch, rows.width, rows.height, "dst"));
  return CheckRowExtent(rows.src, rows.spitch, rows.width, rows.height, "src");
}

Status CopyAsync(void* dst, size_t room, const void* src, size_t count, aclrtMemcpyKind kind,
                 aclrtStream stream) {
  if (count == 0) return Status::Ok();
  TANDEM_RETURN_IF_ERROR(CheckCopyArguments(dst, src, kind));
  TANDEM_RETURN_IF_ERROR(CheckRoom(room, count));
  TANDEM_RETURN_IF_ERROR(ResolveStream(stream).status());
  TANDEM_RETURN_IF_ERROR(CheckExtents(dst, src, count));
  const CopyPlan plan = PlanCopy(Locate(dst).place, Locate(src).place, kind);
  const bool capture = kind == ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE && plan.mode == CopyMode::kQueued;
  return QueueCopy(Piece(dst, src, count), plan, capture, stream);
}

}  // namespace
}  // namespace tandem::capi

using namespace tandem;        // NOLINT(google-build-using-namespace): the functions below are outside every
                               // namespace
using namespace tandem::capi;  // NOLINT(google-build-using-namespace)

extern "C" aclError aclrtMemcpy(void* dst, size_t destMax, const void* src, size_t count,
                                aclrtMemcpyKind kind) {
  return EnterAcl("aclrtMemcpy", [&]() -> Status {
    if (count == 0) return Status::Ok();
    TANDEM_RETURN_IF_ERROR(CheckCopyArguments(dst, src, kind));
    TANDEM_RETURN_IF_ERROR(CheckRoom(destMax, count));
    if (dst == src) return Status::Ok();
    TANDEM_RETURN_IF_ERROR(CheckCurrentDevice());
    TANDEM_RETURN_IF_ERROR(CheckExtents(dst, src, count));
    CopyNow(Piece(dst, src, count));
    return Status::Ok();
  });
}

extern "C" aclError aclrtMemcpyAsync(void* dst, size_t destMax, const void* src, size_t count,
                                     aclrtMemcpyKind kind, aclrtStream stream) {
  return EnterAcl("aclrtMemcpyAsync", [&] { return CopyAsync(dst, destMax, src, count, kind, stream); });
}

// Deprecated; the same as aclrtMemcpyAsync.
extern "C" aclError aclrtMemcpyAsyncWithCondition(void* dst, size_t destMax, const void* src, size_t count,
                                                  aclrtMemcpyKind kind, aclrtStream stream) {
  return EnterAcl("aclrtMemcpyAsyncWithCondition",
                  [&] { return CopyAsync(dst, destMax, src, count, kind, stream); });
}

extern "C" aclError aclrtMemcpy2d(void* dst, size_t dpitch, const void* src, size_t spitch, size_t width,
                                  size_t height, aclrtMemcpyKind kind) {
  return EnterAcl("aclrtMemcpy2d", [&]() -> Status {
    if (width == 0 || height == 0) return Status::Ok();
    const Rows rows{dst, dpitch, src, spitch, width, height};
    TANDEM_RETURN_IF_ERROR(CheckRows(rows, kind));
    if (kind != ACL_MEMCPY_HOST_TO_DEVICE && kind != ACL_MEMCPY_DEVICE_TO_HOST) {
      return Status::Error(Code::kNotSupported,
                           "kind is %d, expected 1 (host to device) or 2 (device to host)",
                           static_cast<int>(kind));
    }
    TANDEM_RETURN_IF_ERROR(CheckCurrentDevice());
    CopyNow(rows.Shape());
    return Status::Ok();
  });
}

extern "C" aclError aclrtMemcpy2dAsync(void* dst, size_t dpitch, const void* src, size_t spitch, size_t width,
                                       size_t height, aclrtMemcpyKind kind, aclrtStream stream) {
  return EnterAcl("aclrtMemcpy2dAsync", [&]() -> Status {
    if (width == 0 || height == 0) return Status::Ok();
    const Rows rows{dst, dpitch, src, spitch, width, height};
    TANDEM_RETURN_IF_ERROR(CheckRows(rows, kind));
    if (kind == ACL_MEMCPY_HOST_TO_HOST) {
      return Status::Error(Code::kNotSupported, "kind is 0 (host to host), expected 1 to 4");
    }
    return QueueCopy(rows.Shape(), PlanCopy(Locate(dst).place, Locate(src).place, kind), false, stream);
  });
}
