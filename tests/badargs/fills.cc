// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "badargs/rows.h"

namespace tandem::test::badargs {
namespace {

constexpr size_t kFillBytes = World::kBytes;
// What an allocation of kFillBytes has with its padding.
constexpr size_t kFillPadded = kFillBytes + 32;

// Ordinary memory, which these calls do not take.
std::array<char, 2 * kFillPadded> fill_host_memory;

using Fill = std::function<int64_t(World&, void*, size_t, size_t)>;

Rows NullRows(const char* function, const std::string& argument, const Fill& fill) {
  return {
      {function,
       "null",
       [fill](World& w) { return fill(w, nullptr, 8, 8); },
       ACL_ERROR_INVALID_PARAM,
       {argument + " is null"}},
      {function, "no context", [fill](World& w) { return fill(w, w.device_memory, 8, 1); },
       ACL_ERROR_RT_CONTEXT_NULL, kNoContext, Thread::kBare},
  };
}

// aclrtMemset and aclrtMemsetD32 differ in their codes.
Rows ExtentRows(const char* function, const std::string& argument, int64_t code, size_t unit,
                const Fill& fill) {
  return {
      {function,
       "more than fits",
       [=](World& w) { return fill(w, w.device_memory, 2 * unit, 3); },
       code,
       {" is 3, more"}},
      {function,
       "ordinary memory",
       [=](World& w) { return fill(w, fill_host_memory.data(), 64, 1); },
       code,
       {argument + " is 0x"}},
      {function,
       "freed memory",
       [=](World& w) { return fill(w, w.freed_memory, 64, 1); },
       code,
       {argument + " is 0x"}},
      {function,
       "leaves the allocation",
       [=](World& w) { return fill(w, w.device_memory, SIZE_MAX, kFillPadded / unit + 1); },
       code,
       {argument + " is 0x", "allocation of " + std::to_string(kFillPadded)}},
      {function,
       "wraps around",
       [=](World& w) { return fill(w, w.device_memory, SIZE_MAX, SIZE_MAX / unit); },
       code,
       {argument + " is 0x", "allocation of " + std::to_string(kFillPadded)}},
  };
}

}  // namespace

Rows FillRows() {
  const Fill set = [](World&, void* p, size_t room, size_t n) { return aclrtMemset(p, room, 1, n); };
  const Fill set_async = [](World& w, void* p, size_t room, size_t n) {
    return aclrtMemsetAsync(p, room, 1, n, w.stream);
  };
  const Fill words = [](World&, void* p, size_t room, size_t n) { return aclrtMemsetD32(p, room, 1, n); };
  const Fill words_async = [](World& w, void* p, size_t room, size_t n) {
    return aclrtMemsetD32Async(p, room, 1, n, w.stream);
  };
  Rows rows;
  for (const auto& [name, fill] : {std::pair("aclrtMemset", set), std::pair("aclrtMemsetAsync", set_async)}) {
    Append(rows, NullRows(name, "devPtr", fill));
    Append(rows, ExtentRows(name, "devPtr", ACL_ERROR_RT_PARAM_INVALID, 1, fill));
    rows.push_back(
        {name, "count 0", [fill = fill](World& w) { return fill(w, nullptr, 0, 0); }, ACL_SUCCESS, {""}});
  }
  for (const auto& [name, fill] :
       {std::pair("aclrtMemsetD32", words), std::pair("aclrtMemsetD32Async", words_async)}) {
    Append(rows, NullRows(name, "ptr", fill));
    Append(rows, ExtentRows(name, "ptr", ACL_ERROR_INVALID_PARAM, 4, fill));
    rows.push_back(
        {name,
         "not aligned",
         [fill = fill](World& w) { return fill(w, static_cast<char*>(w.device_memory) + 2, 64, 1); },
         ACL_ERROR_INVALID_PARAM,
         {"ptr is 0x", "multiple of 4"}});
  }
  Append(rows, BadStreamsToSubmit("aclrtMemsetAsync", [](World& w, void* s) {
           return aclrtMemsetAsync(w.device_memory, 8, 0, 8, s);
         }));
  Append(rows, BadStreamsToSubmit("aclrtMemsetD32Async", [](World& w, void* s) {
           return aclrtMemsetD32Async(w.device_memory, 8, 0, 2, s);
         }));
  return rows;
}

}  // namespace tandem::test::badargs
