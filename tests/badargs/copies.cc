// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "badargs/rows.h"

// One of the calls is deprecated, and exists all the same.
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

namespace tandem::test::badargs {
namespace {

constexpr size_t kCopieBytes = World::kBytes;
// What an allocation of kCopieBytes has with its padding.
constexpr size_t kCopiePadded = kCopieBytes + 32;

// Enough host memory for every copy that is not refused in time.
std::array<char, 2 * kCopiePadded> copie_host_memory;

using Copy = std::function<int64_t(World&, void*, size_t, const void*, size_t, aclrtMemcpyKind)>;

Rows PieceRows(const char* function, const Copy& copy) {
  const auto to = ACL_MEMCPY_HOST_TO_DEVICE;
  const auto from = ACL_MEMCPY_DEVICE_TO_HOST;
  void* host = copie_host_memory.data();
  return {
      {function,
       "count 0 before everything",
       [copy](World& w) { return copy(w, nullptr, 0, nullptr, 0, AnyValue<aclrtMemcpyKind>(99)); },
       ACL_SUCCESS,
       {""}},
      {function,
       "dst null",
       [=](World& w) { return copy(w, nullptr, 8, host, 8, to); },
       ACL_ERROR_INVALID_PARAM,
       {"dst is null"}},
      {function,
       "src null",
       [=](World& w) { return copy(w, w.device_memory, 8, nullptr, 8, to); },
       ACL_ERROR_INVALID_PARAM,
       {"src is null"}},
      {function,
       "kind 6",
       [=](World& w) { return copy(w, w.device_memory, 8, host, 8, AnyValue<aclrtMemcpyKind>(6)); },
       ACL_ERROR_INVALID_PARAM,
       {"kind is 6", "expected 0 to 5"}},
      {function,
       "kind -1",
       [=](World& w) { return copy(w, w.device_memory, 8, host, 8, AnyValue<aclrtMemcpyKind>(-1)); },
       ACL_ERROR_INVALID_PARAM,
       {"kind is -1"}},
      {function,
       "destMax 0",
       [=](World& w) { return copy(w, w.device_memory, 0, host, 8, to); },
       ACL_ERROR_RT_PARAM_INVALID,
       {"destMax is 0"}},
      {function,
       "count above destMax",
       [=](World& w) { return copy(w, w.device_memory, 8, host, 9, to); },
       ACL_ERROR_RT_PARAM_INVALID,
       {"count is 9", "destMax (8)"}},
      {function,
       "destination too small",
       [=](World& w) { return copy(w, w.device_memory, kCopiePadded + 1, host, kCopiePadded + 1, to); },
       ACL_ERROR_RT_PARAM_INVALID,
       {"dst is 0x", std::to_string(kCopiePadded + 1), "allocation of " + std::to_string(kCopiePadded)}},
      {function,
       "source too small",
       [=](World& w) { return copy(w, host, kCopiePadded + 1, w.device_memory, kCopiePadded + 1, from); },
       ACL_ERROR_RT_PARAM_INVALID,
       {"src is 0x", std::to_string(kCopiePadded + 1), "allocation of " + std::to_string(kCopiePadded)}},
      {function,
       "destination too small from its middle",
       [=](World& w) {
         return copy(w, static_cast<char*>(w.device_memory) + kCopieBytes - 8, kCopieBytes, host, kCopieBytes,
                     to);
       },
       ACL_ERROR_RT_PARAM_INVALID,
       {"dst is 0x", "ends 40 bytes from there"}},
      {function,
       "count that wraps around",
       [=](World& w) { return copy(w, w.device_memory, SIZE_MAX, host, SIZE_MAX, to); },
       ACL_ERROR_RT_PARAM_INVALID,
       {"dst is 0x", std::to_string(SIZE_MAX)}},
      {function,
       "count that wraps around on the host",
       [=](World& w) { return copy(w, host, SIZE_MAX, w.device_memory, SIZE_MAX, from); },
       ACL_ERROR_RT_PARAM_INVALID,
       {"dst is 0x", "address space"}},
      {function,
       "freed destination",
       [=](World& w) { return copy(w, w.freed_memory, 8, host, 8, to); },
       ACL_ERROR_RT_PARAM_INVALID,
       {"dst is 0x", "not allocated"}},
      {function,
       "freed source",
       [=](World& w) { return copy(w, host, 8, w.freed_memory, 8, from); },
       ACL_ERROR_RT_PARAM_INVALID,
       {"src is 0x", "not allocated"}},
      {function, "no context", [=](World& w) { return copy(w, w.device_memory, 8, host, 8, to); },
       ACL_ERROR_RT_CONTEXT_NULL, kNoContext, Thread::kBare},
  };
}

using Copy2d =
    std::function<int64_t(World&, void*, size_t, const void*, size_t, size_t, size_t, aclrtMemcpyKind)>;

Rows TwoDimensionRows(const char* function, const Copy2d& copy) {
  const auto to = ACL_MEMCPY_HOST_TO_DEVICE;
  void* host = copie_host_memory.data();
  return {
      {function,
       "width 0 before everything",
       [copy](World& w) { return copy(w, nullptr, 0, nullptr, 0, 0, 7, to); },
       ACL_SUCCESS,
       {""}},
      {function,
       "dst null",
       [=](World& w) { return copy(w, nullptr, 8, host, 8, 8, 2, to); },
       ACL_ERROR_INVALID_PARAM,
       {"dst is null"}},
      {function,
       "src null",
       [=](World& w) { return copy(w, w.device_memory, 8, nullptr, 8, 8, 2, to); },
       ACL_ERROR_INVALID_PARAM,
       {"src is null"}},
      {function,
       "width above dpitch",
       [=](World& w) { return copy(w, w.device_memory, 7, host, 8, 8, 2, to); },
       ACL_ERROR_INVALID_PARAM,
       {"width is 8", "dpitch 7"}},
      {function,
       "width above spitch",
       [=](World& w) { return copy(w, w.device_memory, 8, host, 7, 8, 2, to); },
       ACL_ERROR_INVALID_PARAM,
       {"width is 8", "spitch 7"}},
      {function,
       "kind 5",
       [=](World& w) { return copy(w, w.device_memory, 8, host, 8, 8, 2, ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE); },
       ACL_ERROR_RT_PARAM_INVALID,
       {"kind is 5"}},
      {function,
       "host to host",
       [=](World& w) { return copy(w, w.device_memory, 8, host, 8, 8, 2, ACL_MEMCPY_HOST_TO_HOST); },
       ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
       {"kind is 0"}},
      {function,
       "too wide",
       [=](World& w) { return copy(w, w.device_memory, 6000000, host, 6000000, 5000001, 1, to); },
       ACL_ERROR_RT_PARAM_INVALID,
       {"width is 5000001", "at most 5000000"}},
      {function,
       "too high",
       [=](World& w) { return copy(w, w.device_memory, 8, host, 8, 8, 5242881, to); },
       ACL_ERROR_RT_PARAM_INVALID,
       {"height 5242881", "5242880"}},
      {function,
       "pitch that wraps around",
       [=](World& w) { return copy(w, w.device_memory, SIZE_MAX, host, 8, 8, 3, to); },
       ACL_ERROR_RT_PARAM_INVALID,
       {"dst is 0x", "3 rows", std::to_string(SIZE_MAX)}},
      {function,
       "rows leave the allocation",
       [=](World& w) { return copy(w, w.device_memory, kCopieBytes, host, 8, 8, 3, to); },
       ACL_ERROR_RT_PARAM_INVALID,
       {"dst is 0x", "allocation of " + std::to_string(kCopiePadded)}},
      {function,
       "freed destination",
       [=](World& w) { return copy(w, w.freed_memory, 8, host, 8, 8, 1, to); },
       ACL_ERROR_RT_PARAM_INVALID,
       {"dst is 0x", "not allocated"}},
      {function, "no context", [=](World& w) { return copy(w, w.device_memory, 8, host, 8, 8, 2, to); },
       ACL_ERROR_RT_CONTEXT_NULL, kNoContext, Thread::kBare},
  };
}

Rows QueuedRows() {
  Rows rows;
  Append(rows, BadStreamsToSubmit("aclrtMemcpyAsync", [](World& w, void* s) {
           return aclrtMemcpyAsync(w.device_memory, 8, copie_host_memory.data(), 8, ACL_MEMCPY_HOST_TO_DEVICE,
                                   s);
         }));
  Append(rows, BadStreamsToSubmit("aclrtMemcpy2dAsync", [](World& w, void* s) {
           return aclrtMemcpy2dAsync(w.device_memory, 8, copie_host_memory.data(), 8, 8, 2,
                                     ACL_MEMCPY_HOST_TO_DEVICE, s);
         }));
  Append(rows, BadStreamsToSubmit("aclrtMemcpyAsyncWithCondition", [](World& w, void* s) {
           return aclrtMemcpyAsyncWithCondition(w.device_memory, 8, copie_host_memory.data(), 8,
                                                ACL_MEMCPY_HOST_TO_DEVICE, s);
         }));
  rows.push_back({"aclrtMemcpyAsync",
                  "both ends page-locked",
                  [](World& w) {
                    return aclrtMemcpyAsync(w.pinned_memory, 8, static_cast<char*>(w.pinned_memory) + 64, 8,
                                            ACL_MEMCPY_HOST_TO_HOST, w.stream);
                  },
                  ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
                  {"page-locked host memory"}});
  rows.push_back({"aclrtMemcpyAsync",
                  "kind does not fit",
                  [](World& w) {
                    return aclrtMemcpyAsync(w.device_memory, 8, copie_host_memory.data(), 8,
                                            ACL_MEMCPY_DEVICE_TO_HOST, w.stream);
                  },
                  ACL_ERROR_RT_PARAM_INVALID,
                  {"kind is 2", "device memory", "ordinary host memory"}});
  return rows;
}

}  // namespace

Rows CopyRows() {
  Rows rows = PieceRows("aclrtMemcpy", [](World&, void* d, size_t room, const void* s, size_t n,
                                          aclrtMemcpyKind kind) { return aclrtMemcpy(d, room, s, n, kind); });
  Append(rows, PieceRows("aclrtMemcpyAsync",
                         [](World& w, void* d, size_t room, const void* s, size_t n, aclrtMemcpyKind kind) {
                           return aclrtMemcpyAsync(d, room, s, n, kind, w.stream);
                         }));
  Append(rows, PieceRows("aclrtMemcpyAsyncWithCondition",
                         [](World& w, void* d, size_t room, const void* s, size_t n, aclrtMemcpyKind kind) {
                           return aclrtMemcpyAsyncWithCondition(d, room, s, n, kind, w.stream);
                         }));
  Append(rows, TwoDimensionRows("aclrtMemcpy2d", [](World&, void* d, size_t dp, const void* s, size_t sp,
                                                    size_t width, size_t height, aclrtMemcpyKind kind) {
           return aclrtMemcpy2d(d, dp, s, sp, width, height, kind);
         }));
  Append(rows,
         TwoDimensionRows("aclrtMemcpy2dAsync", [](World& w, void* d, size_t dp, const void* s, size_t sp,
                                                   size_t width, size_t height, aclrtMemcpyKind kind) {
           return aclrtMemcpy2dAsync(d, dp, s, sp, width, height, kind, w.stream);
         }));
  Append(rows, QueuedRows());
  return rows;
}

}  // namespace tandem::test::badargs
