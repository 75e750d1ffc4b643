// SPDX-License-Identifier: Apache-2.0
// Many copies with one call.
#include <acl/acl_rt.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "capi/enter.h"
#include "capi/handles.h"
#include "stream/context.h"
#include "stream/copy_task.h"
#include "stream/memory.h"

namespace tandem::capi {
namespace {

struct CopyBatch {
  void** dsts;
  size_t* dest_maxs;
  void** srcs;
  size_t* sizes;
  size_t count;
  aclrtMemcpyBatchAttr* attributes;
  size_t* attribute_indexes;
  size_t attribute_count;
};

Status CheckAttributes(const CopyBatch& batch) {
  for (size_t i = 0; i < batch.attribute_count; ++i) {
    for (const uint8_t byte : batch.attributes[i].rsv) {
      if (byte != 0) return Status::Error(Code::kInvalidArgument, "attrs[%zu].rsv is not all zero", i);
    }
    const size_t first = batch.attribute_indexes[i];
    if (first >= batch.count || (i > 0 && first <= batch.attribute_indexes[i - 1])) {
      return Status::Error(Code::kInvalidArgument,
                           "attrsIndexes[%zu] is %zu, expected ascending numbers below %zu", i, first,
                           batch.count);
    }
  }
  return Status::Ok();
}

Status CheckArrays(const CopyBatch& batch) {
  if (batch.count == 0) return Status::Error(Code::kInvalidArgument, "numBatches is 0, expected at least 1");
  TANDEM_RETURN_IF_ERROR(CheckNotNull(batch.dsts, "dsts"));
  TANDEM_RETURN_IF_ERROR(CheckNotNull(batch.dest_maxs, "destMaxs"));
  TANDEM_RETURN_IF_ERROR(CheckNotNull(batch.srcs, "srcs"));
  TANDEM_RETURN_IF_ERROR(CheckNotNull(batch.sizes, "sizes"));
  TANDEM_RETURN_IF_ERROR(CheckNotNull(batch.attributes, "attrs"));
  TANDEM_RETURN_IF_ERROR(CheckNotNull(batch.attribute_indexes, "attrsIndexes"));
  if (batch.attribute_count == 0 || batch.attribute_count > batch.count) {
    return Status::Error(Code::kInvalidArgument, "numAttrs is %zu, expected 1 to numBatches (%zu)",
                         batch.attribute_count, batch.count);
  }
  return CheckAttributes(batch);
}

// The item as a copy. Exactly one end must be device memory.
Result<CopyShape> CheckItem(const CopyBatch& batch, size_t i) {
  if (batch.dsts[i] == nullptr || batch.srcs[i] == nullptr) {
    return Status::Error(Code::kNullPointer, "%s[%zu] is null", batch.dsts[i] == nullptr ? "dsts" : "srcs",
                         i);
  }
  if (batch.dest_maxs[i] < batch.sizes[i]) {
    return Status::Error(Code::kInvalidArgument, "sizes[%zu] is %zu, more than destMaxs[%zu] (%zu)", i,
                         batch.sizes[i], i, batch.dest_maxs[i]);
  }
  const bool to_device = Locate(batch.dsts[i]).place == MemoryPlace::kDevice;
  const bool from_device = Locate(batch.srcs[i]).place == MemoryPlace::kDevice;
  if (batch.sizes[i] != 0 && to_device == from_device) {
    return Status::Error(Code::kInvalidValue,
                         "item %zu is a copy from %s to %s; only host to device and device to host "
                         "are possible in a batch",
                         i, from_device ? "device" : "host", to_device ? "device" : "host");
  }
  TANDEM_RETURN_IF_ERROR(
      CheckExtent(batch.dsts[i], batch.sizes[i], "dsts[i]").Annotate("item " + std::to_string(i)));
  TANDEM_RETURN_IF_ERROR(
      CheckExtent(batch.srcs[i], batch.sizes[i], "srcs[i]").Annotate("item " + std::to_string(i)));
  return CopyShape{.to = static_cast<std::byte*>(batch.dsts[i]),
                   .from = static_cast<const std::byte*>(batch.srcs[i]),
                   .bytes = batch.sizes[i]};
}

// All items that move something. `fail_index`, when not null: the item that is wrong.
Result<std::vector<CopyShape>> CheckBatch(const CopyBatch& batch, size_t* fail_index) {
  if (fail_index != nullptr) *fail_index = SIZE_MAX;
  TANDEM_RETURN_IF_ERROR(CheckArrays(batch));
  std::vector<CopyShape> shapes;
  for (size_t i = 0; i < batch.count; ++i) {
    const Result<CopyShape> shape = CheckItem(batch, i);
    if (!shape) {
      if (fail_index != nullptr) *fail_index = i;
      return shape.status();
    }
    if (shape->bytes != 0) shapes.push_back(*shape);
  }
  return shapes;
}

Status CopyBatchNow(const CopyBatch& batch, size_t* fail_index) {
  const Result<std::vector<CopyShape>> shapes = CheckBatch(batch, fail_index);
  if (!shapes) return shapes.status();
  if (shapes->empty()) return Status::Ok();
  TANDEM_RETURN_IF_ERROR(CheckCurrentDevice());
  for (const CopyShape& shape : *shapes) CopyNow(shape);
  return Status::Ok();
}

Status QueueBatch(const CopyBatch& batch, size_t* fail_index, aclrtStream handle) {
  Result<std::vector<CopyShape>> shapes = CheckBatch(batch, fail_index);
  if (!shapes) return shapes.status();
  if (shapes->empty()) return Status::Ok();
  const Result<ManagedStream*> stream = ResolveStream(handle);
  if (!stream) return stream.status();
  bool pageable = false;
  for (const CopyShape& shape : *shapes) {
    pageable |= Locate(shape.to).place == MemoryPlace::kPageable ||
                Locate(shape.from).place == MemoryPlace::kPageable;
  }
  auto task = std::make_unique<CopyTask>(std::move(*shapes));
  // As for single copies: ordinary memory is done with when the call returns.
  return pageable ? SubmitAndWait(**stream, std::move(task)) : SubmitTask(**stream, std::move(task));
}

}  // namespace
}  // namespace tandem::capi

using namespace tandem;        // NOLINT(google-build-using-namespace): the functions below are outside every
                               // namespace
using namespace tandem::capi;  // NOLINT(google-build-using-namespace)

extern "C" aclError aclrtMemcpyBatch(void** dsts, size_t* destMaxs, void** srcs, size_t* sizes,
                                     size_t numBatches, aclrtMemcpyBatchAttr* attrs, size_t* attrsIndexes,
                                     size_t numAttrs, size_t* failIndex) {
  return EnterAcl("aclrtMemcpyBatch", [&]() -> Status {
    TANDEM_RETURN_IF_ERROR(CheckNotNull(failIndex, "failIndex"));
    return CopyBatchNow({dsts, destMaxs, srcs, sizes, numBatches, attrs, attrsIndexes, numAttrs}, failIndex);
  });
}

extern "C" aclError aclrtMemcpyBatchAsync(void** dsts, size_t* destMaxs, void** srcs, size_t* sizes,
                                          size_t numBatches, aclrtMemcpyBatchAttr* attrs,
                                          size_t* attrsIndexes, size_t numAttrs, size_t* failIndex,
                                          aclrtStream stream) {
  return EnterAcl("aclrtMemcpyBatchAsync", [&]() -> Status {
    TANDEM_RETURN_IF_ERROR(CheckNotNull(failIndex, "failIndex"));
    return QueueBatch({dsts, destMaxs, srcs, sizes, numBatches, attrs, attrsIndexes, numAttrs}, failIndex,
                      stream);
  });
}

extern "C" aclError aclrtMemcpyBatchV2(void** dsts, size_t* destMaxs, void** srcs, size_t* sizes,
                                       size_t numBatches, aclrtMemcpyBatchAttr* attrs, size_t* attrsIndexes,
                                       size_t numAttrs) {
  return EnterAcl("aclrtMemcpyBatchV2", [&] {
    return CopyBatchNow({dsts, destMaxs, srcs, sizes, numBatches, attrs, attrsIndexes, numAttrs}, nullptr);
  });
}

extern "C" aclError aclrtMemcpyBatchAsyncV2(void** dsts, size_t* destMaxs, void** srcs, size_t* sizes,
                                            size_t numBatches, aclrtMemcpyBatchAttr* attrs,
                                            size_t* attrsIndexes, size_t numAttrs, aclrtStream stream) {
  return EnterAcl("aclrtMemcpyBatchAsyncV2", [&] {
    return QueueBatch({dsts, destMaxs, srcs, sizes, numBatches, attrs, attrsIndexes, numAttrs}, nullptr,
                      stream);
  });
}
