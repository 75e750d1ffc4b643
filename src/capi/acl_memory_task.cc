// SPDX-License-Identifier: Apache-2.0
// Tasks of a stream that write, watch or combine memory.
#include <acl/acl_rt.h>

#include <cstdint>
#include <memory>

#include "capi/enter.h"
#include "capi/handles.h"
#include "capi/reduction.h"
#include "stream/context.h"
#include "stream/memory.h"
#include "stream/reduce_task.h"
#include "stream/value_task.h"

namespace tandem::capi {
namespace {

Result<uint64_t*> CheckValueAddress(void* address) {
  if (Locate(address).place != MemoryPlace::kDevice) {
    return Status::Error(Code::kInvalidValue, "devAddr is %p, expected device memory (aclrtMalloc)", address);
  }
  if (reinterpret_cast<uintptr_t>(address) % sizeof(uint64_t) != 0) {
    return Status::Error(Code::kInvalidValue, "devAddr is %p, expected a multiple of 8", address);
  }
  return static_cast<uint64_t*>(address);
}

Status QueueValueWrite(void* address, uint64_t value, uint32_t flag, aclrtStream handle) {
  TANDEM_RETURN_IF_ERROR(CheckNotNull(address, "devAddr"));
  if (flag != 0) return Status::Error(Code::kInvalidValue, "flag is %u, expected 0", flag);
  const Result<uint64_t*> at = CheckValueAddress(address);
  if (!at) return at.status();
  const Result<ManagedStream*> stream = ResolveStream(handle);
  if (!stream) return stream.status();
  return SubmitTask(**stream, std::make_unique<ValueWriteTask>(*at, value));
}

Status QueueValueWait(void* address, uint64_t value, uint32_t flag, aclrtStream handle) {
  using Condition = ValueWaitTask::Condition;
  static_assert(static_cast<uint32_t>(Condition::kAtLeast) == ACL_STREAM_WAIT_VALUE_GEQ &&
                static_cast<uint32_t>(Condition::kEqual) == ACL_STREAM_WAIT_VALUE_EQ &&
                static_cast<uint32_t>(Condition::kAnd) == ACL_STREAM_WAIT_VALUE_AND &&
                static_cast<uint32_t>(Condition::kNor) == ACL_STREAM_WAIT_VALUE_NOR);
  TANDEM_RETURN_IF_ERROR(CheckNotNull(address, "devAddr"));
  if (flag > ACL_STREAM_WAIT_VALUE_NOR) {
    return Status::Error(Code::kInvalidValue, "flag is %u, expected ACL_STREAM_WAIT_VALUE_GEQ (0) to NOR (3)",
                         flag);
  }
  const Result<uint64_t*> at = CheckValueAddress(address);
  if (!at) return at.status();
  const Result<ManagedStream*> stream = ResolveStream(handle);
  if (!stream) return stream.status();
  return SubmitTask(**stream, std::make_unique<ValueWaitTask>(*at, value, static_cast<Condition>(flag)));
}

Status CheckReduceMemory(const void* address, uint64_t bytes, const char* argument) {
  if (Locate(address).place != MemoryPlace::kPageable) return CheckExtent(address, bytes, argument);
  return Status::Error(Code::kInvalidValue,
                       "%s is %p, which is neither device memory nor page-locked host memory", argument,
                       address);
}

Status CheckReduceArguments(const void* dst, const void* src, aclDataType type, const void* reserve) {
  TANDEM_RETURN_IF_ERROR(CheckNotNull(dst, "dst"));
  TANDEM_RETURN_IF_ERROR(CheckNotNull(src, "src"));
  if (reserve != nullptr) {
    return Status::Error(Code::kInvalidArgument, "reserve is %p, expected null", reserve);
  }
  if (IsReducible(type)) return Status::Ok();
  return Status::Error(
      Code::kInvalidArgument,
      "type is %d, expected a float, half, bfloat16 or double, or an integer of 8, 16, 32 or "
      "64 bits",
      static_cast<int>(type));
}

Status QueueReduce(void* dst, const void* src, uint64_t bytes, aclrtReduceKind kind, aclDataType type,
                   aclrtStream handle) {
  const Result<TypedReduction> found = FindReduction(kind, type);
  if (!found) return found.status();
  if (bytes == 0 || bytes % found->element_bytes != 0) {
    return Status::Error(Code::kInvalidValue,
                         "count is %llu bytes, expected a multiple of the element's %zu bytes, above 0",
                         static_cast<unsigned long long>(bytes), found->element_bytes);
  }
  TANDEM_RETURN_IF_ERROR(CheckReduceMemory(dst, bytes, "dst"));
  TANDEM_RETURN_IF_ERROR(CheckReduceMemory(src, bytes, "src"));
  const Result<ManagedStream*> stream = ResolveStream(handle);
  if (!stream) return stream.status();
  return SubmitTask(**stream, std::make_unique<ReduceTask>(ReduceShape{
                                  static_cast<std::byte*>(dst), static_cast<const std::byte*>(src),
                                  bytes / found->element_bytes, found->element_bytes, found->reduction}));
}

}  // namespace
}  // namespace tandem::capi

using namespace tandem;        // NOLINT(google-build-using-namespace): the functions below are outside every
                               // namespace
using namespace tandem::capi;  // NOLINT(google-build-using-namespace)

extern "C" aclError aclrtValueWrite(void* devAddr, uint64_t value, uint32_t flag, aclrtStream stream) {
  return EnterAcl("aclrtValueWrite", [&] { return QueueValueWrite(devAddr, value, flag, stream); });
}

extern "C" aclError aclrtValueWait(void* devAddr, uint64_t value, uint32_t flag, aclrtStream stream) {
  return EnterAcl("aclrtValueWait", [&] { return QueueValueWait(devAddr, value, flag, stream); });
}

extern "C" aclError aclrtReduceAsync(void* dst, const void* src, uint64_t count, aclrtReduceKind kind,
                                     aclDataType type, aclrtStream stream, void* reserve) {
  return EnterAcl("aclrtReduceAsync", [&]() -> Status {
    TANDEM_RETURN_IF_ERROR(CheckReduceArguments(dst, src, type, reserve));
    return QueueReduce(dst, src, count, kind, type, stream);
  });
}
