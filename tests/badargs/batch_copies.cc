// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "badargs/rows.h"

namespace tandem::test::badargs {
namespace {

constexpr size_t kBatchCopieBytes = World::kBytes;
// What an allocation of kBatchCopieBytes has with its padding.
constexpr size_t kBatchCopiePadded = kBatchCopieBytes + 32;

// Enough host memory for every copy that is not refused in time.
std::array<char, 2 * kBatchCopiePadded> batch_copie_host_memory;

struct BatchArguments {
  explicit BatchArguments(World& w) : dsts{w.device_memory, w.device_memory} {}
  std::array<void*, 2> dsts;
  std::array<void*, 2> srcs{batch_copie_host_memory.data(), batch_copie_host_memory.data()};
  std::array<size_t, 2> rooms{8, 8};
  std::array<size_t, 2> sizes{8, 8};
  std::array<aclrtMemcpyBatchAttr, 1> attributes{};
  std::array<size_t, 1> indexes{0};
  size_t failed = 0;
};

using CopyBatch = std::function<int64_t(World&, void**, size_t*, void**, size_t*, size_t,
                                        aclrtMemcpyBatchAttr*, size_t*, size_t, size_t*)>;
using Spoil = std::function<void(World&, BatchArguments&)>;

Rows BatchRows(const char* function, const CopyBatch& copy) {
  const auto with = [copy](const Spoil& spoil, size_t count = 2, size_t attribute_count = 1) {
    return [copy, spoil, count, attribute_count](World& w) {
      BatchArguments a(w);
      spoil(w, a);
      return copy(w, a.dsts.data(), a.rooms.data(), a.srcs.data(), a.sizes.data(), count, a.attributes.data(),
                  a.indexes.data(), attribute_count, &a.failed);
    };
  };
  const Spoil none = [](World&, BatchArguments&) {};
  Rows rows = {
      {function, "numBatches 0", with(none, 0), ACL_ERROR_INVALID_PARAM, {"numBatches is 0"}},
      {function, "numAttrs 0", with(none, 2, 0), ACL_ERROR_INVALID_PARAM, {"numAttrs is 0"}},
      {function,
       "numAttrs too large",
       with(none, 2, SIZE_MAX),
       ACL_ERROR_INVALID_PARAM,
       {"numAttrs is " + std::to_string(SIZE_MAX)}},
      {function,
       "rsv",
       with([](World&, BatchArguments& a) { a.attributes[0].rsv[5] = 1; }),
       ACL_ERROR_INVALID_PARAM,
       {"attrs[0].rsv", "zero"}},
      {function,
       "index out of range",
       with([](World&, BatchArguments& a) { a.indexes[0] = 2; }),
       ACL_ERROR_INVALID_PARAM,
       {"attrsIndexes[0] is 2", "below 2"}},
      {function,
       "an item's dst null",
       with([](World&, BatchArguments& a) { a.dsts[1] = nullptr; }),
       ACL_ERROR_INVALID_PARAM,
       {"dsts[1] is null"}},
      {function,
       "an item's src null",
       with([](World&, BatchArguments& a) { a.srcs[1] = nullptr; }),
       ACL_ERROR_INVALID_PARAM,
       {"srcs[1] is null"}},
      {function,
       "size above destMax",
       with([](World&, BatchArguments& a) { a.sizes[1] = 9; }),
       ACL_ERROR_INVALID_PARAM,
       {"sizes[1] is 9", "destMaxs[1] (8)"}},
      {function,
       "host to host",
       with([](World&, BatchArguments& a) { a.dsts[1] = a.srcs[0]; }),
       ACL_ERROR_RT_PARAM_INVALID,
       {"item 1", "from host to host"}},
      {function,
       "device to device",
       with([](World& w, BatchArguments& a) { a.srcs[1] = w.device_memory; }),
       ACL_ERROR_RT_PARAM_INVALID,
       {"item 1", "from device to device"}},
      {function,
       "leaves the allocation",
       with([](World&, BatchArguments& a) { a.sizes[1] = a.rooms[1] = kBatchCopiePadded + 1; }),
       ACL_ERROR_RT_PARAM_INVALID,
       {"item 1", "dsts", "allocation of " + std::to_string(kBatchCopiePadded)}},
      {function, "no context", with(none), ACL_ERROR_RT_CONTEXT_NULL, kNoContext, Thread::kBare},
  };
  const std::array<const char*, 6> names = {"dsts", "destMaxs", "srcs", "sizes", "attrs", "attrsIndexes"};
  for (size_t null = 0; null < names.size(); ++null) {
    rows.push_back({function,
                    "an array null",
                    [copy, null](World& w) {
                      BatchArguments a(w);
                      return copy(w, null == 0 ? nullptr : a.dsts.data(),
                                  null == 1 ? nullptr : a.rooms.data(), null == 2 ? nullptr : a.srcs.data(),
                                  null == 3 ? nullptr : a.sizes.data(), 2,
                                  null == 4 ? nullptr : a.attributes.data(),
                                  null == 5 ? nullptr : a.indexes.data(), 1, &a.failed);
                    },
                    ACL_ERROR_INVALID_PARAM,
                    {std::string(names[null]) + " is null"}});
  }
  return rows;
}

}  // namespace

Rows BatchCopyRows() {
  Rows rows;
  Append(rows,
         BatchRows("aclrtMemcpyBatch", [](World&, void** d, size_t* r, void** s, size_t* n, size_t count,
                                          aclrtMemcpyBatchAttr* a, size_t* i, size_t attributes, size_t* f) {
           return aclrtMemcpyBatch(d, r, s, n, count, a, i, attributes, f);
         }));
  Append(rows, BatchRows("aclrtMemcpyBatchAsync",
                         [](World& w, void** d, size_t* r, void** s, size_t* n, size_t count,
                            aclrtMemcpyBatchAttr* a, size_t* i, size_t attributes, size_t* f) {
                           return aclrtMemcpyBatchAsync(d, r, s, n, count, a, i, attributes, f, w.stream);
                         }));
  Append(rows,
         BatchRows("aclrtMemcpyBatchV2", [](World&, void** d, size_t* r, void** s, size_t* n, size_t count,
                                            aclrtMemcpyBatchAttr* a, size_t* i, size_t attributes, size_t*) {
           return aclrtMemcpyBatchV2(d, r, s, n, count, a, i, attributes);
         }));
  Append(rows, BatchRows("aclrtMemcpyBatchAsyncV2",
                         [](World& w, void** d, size_t* r, void** s, size_t* n, size_t count,
                            aclrtMemcpyBatchAttr* a, size_t* i, size_t attributes, size_t*) {
                           return aclrtMemcpyBatchAsyncV2(d, r, s, n, count, a, i, attributes, w.stream);
                         }));
  Append(rows, BadStreamsToSubmit("aclrtMemcpyBatchAsync", [](World& w, void* stream) {
           BatchArguments a(w);
           return aclrtMemcpyBatchAsync(a.dsts.data(), a.rooms.data(), a.srcs.data(), a.sizes.data(), 2,
                                        a.attributes.data(), a.indexes.data(), 1, &a.failed, stream);
         }));
  Append(rows, BadStreamsToSubmit("aclrtMemcpyBatchAsyncV2", [](World& w, void* stream) {
           BatchArguments a(w);
           return aclrtMemcpyBatchAsyncV2(a.dsts.data(), a.rooms.data(), a.srcs.data(), a.sizes.data(), 2,
                                          a.attributes.data(), a.indexes.data(), 1, stream);
         }));
  rows.push_back({"aclrtMemcpyBatch",
                  "failIndex null",
                  [](World& w) {
                    BatchArguments a(w);
                    return aclrtMemcpyBatch(a.dsts.data(), a.rooms.data(), a.srcs.data(), a.sizes.data(), 2,
                                            a.attributes.data(), a.indexes.data(), 1, nullptr);
                  },
                  ACL_ERROR_INVALID_PARAM,
                  {"failIndex is null"}});
  rows.push_back({"aclrtMemcpyBatchAsync",
                  "failIndex null",
                  [](World& w) {
                    BatchArguments a(w);
                    return aclrtMemcpyBatchAsync(a.dsts.data(), a.rooms.data(), a.srcs.data(), a.sizes.data(),
                                                 2, a.attributes.data(), a.indexes.data(), 1, nullptr,
                                                 w.stream);
                  },
                  ACL_ERROR_INVALID_PARAM,
                  {"failIndex is null"}});
  return rows;
}

}  // namespace tandem::test::badargs
