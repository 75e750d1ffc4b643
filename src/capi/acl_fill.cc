// SPDX-License-Identifier: Apache-2.0
// Setting memory to a value.
#include <acl/acl_rt.h>

#include <cstdint>
#include <memory>
#include <string>

#include "capi/enter.h"
#include "capi/handles.h"
#include "stream/context.h"
#include "stream/copy_task.h"
#include "stream/memory.h"

namespace tandem::capi {
namespace {

// REQUIRES: count is not 0
Result<FillShape> BytesToFill(void* data, size_t room, int32_t value, size_t count) {
  TANDEM_RETURN_IF_ERROR(CheckNotNull(data, "devPtr"));
  if (count > room)
    return Status::Error(Code::kInvalidValue, "count is %zu, more than maxCount (%zu)", count, room);
  if (Locate(data).place == MemoryPlace::kPageable) {
    return Status::Error(Code::kInvalidValue,
                         "devPtr is %p, which is neither device memory nor page-locked host memory "
                         "(use memset for ordinary memory)",
                         data);
  }
  TANDEM_RETURN_IF_ERROR(CheckExtent(data, count, "devPtr"));
  return FillShape{static_cast<std::byte*>(data), count, static_cast<uint32_t>(value & 0xFF) * 0x01010101U};
}

Result<FillShape> WordsToFill(void* data, size_t room, uint32_t value, size_t count) {
  TANDEM_RETURN_IF_ERROR(CheckNotNull(data, "ptr"));
  if (reinterpret_cast<uintptr_t>(data) % sizeof(uint32_t) != 0) {
    return Status::Error(Code::kInvalidArgument, "ptr is %p, expected a multiple of 4", data);
  }
  if (count > room / sizeof(uint32_t)) {
    return Status::Error(Code::kInvalidArgument, "N is %zu, more 32-bit words than memSize (%zu bytes) holds",
                         count, room);
  }
  if (Locate(data).place == MemoryPlace::kPageable) {
    return Status::Error(Code::kInvalidArgument,
                         "ptr is %p, expected memory of aclrtMalloc or aclrtMallocHost", data);
  }
  if (Status extent = CheckExtent(data, count * sizeof(uint32_t), "ptr"); !extent.ok()) {
    return Status::Error(Code::kInvalidArgument, "%s", std::string(extent.text()).c_str());
  }
  return FillShape{static_cast<std::byte*>(data), count * sizeof(uint32_t), value};
}

Status Fill(const Result<FillShape>& shape) {
  if (!shape) return shape.status();
  TANDEM_RETURN_IF_ERROR(CheckCurrentDevice());
  FillNow(*shape);
  return Status::Ok();
}

Status QueueFill(const Result<FillShape>& shape, aclrtStream handle) {
  if (!shape) return shape.status();
  const Result<ManagedStream*> stream = ResolveStream(handle);
  if (!stream) return stream.status();
  if (shape->bytes == 0) return Status::Ok();
  return SubmitTask(**stream, std::make_unique<FillTask>(*shape));
}

}  // namespace
}  // namespace tandem::capi

using namespace tandem;        // NOLINT(google-build-using-namespace): the functions below are outside every
                               // namespace
using namespace tandem::capi;  // NOLINT(google-build-using-namespace)

extern "C" aclError aclrtMemset(void* devPtr, size_t maxCount, int32_t value, size_t count) {
  return EnterAcl("aclrtMemset", [&]() -> Status {
    if (count == 0) return Status::Ok();
    return Fill(BytesToFill(devPtr, maxCount, value, count));
  });
}

extern "C" aclError aclrtMemsetAsync(void* devPtr, size_t maxCount, int32_t value, size_t count,
                                     aclrtStream stream) {
  return EnterAcl("aclrtMemsetAsync", [&]() -> Status {
    if (count == 0) return Status::Ok();
    return QueueFill(BytesToFill(devPtr, maxCount, value, count), stream);
  });
}

extern "C" aclError aclrtMemsetD32(void* ptr, size_t memSize, uint32_t value, size_t N) {
  return EnterAcl("aclrtMemsetD32", [&] { return Fill(WordsToFill(ptr, memSize, value, N)); });
}

extern "C" aclError aclrtMemsetD32Async(void* ptr, size_t memSize, uint32_t value, size_t N,
                                        aclrtStream stream) {
  return EnterAcl("aclrtMemsetD32Async",
                  [&] { return QueueFill(WordsToFill(ptr, memSize, value, N), stream); });
}
