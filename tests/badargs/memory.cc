// SPDX-License-Identifier: Apache-2.0
#include "badargs/rows.h"

namespace tandem::test::badargs {
namespace {

constexpr auto kPolicy = ACL_MEM_MALLOC_HUGE_FIRST;

using Allocate = std::function<int64_t(void**, size_t)>;

// What every allocation call refuses.
Rows MemoryAllocationRows(const char* function, const std::string& out, const Allocate& allocate) {
  const auto sized = [allocate](size_t bytes) {
    return [allocate, bytes](World&) {
      void* data = nullptr;
      return allocate(&data, bytes);
    };
  };
  return {
      {function,
       "out null",
       [allocate](World&) { return allocate(nullptr, 64); },
       ACL_ERROR_INVALID_PARAM,
       {out + " is null"}},
      {function, "size 0", sized(0), ACL_ERROR_INVALID_PARAM, {"size is 0", "at least 1"}},
      {function,
       "size that overflows",
       sized(SIZE_MAX),
       ACL_ERROR_INVALID_PARAM,
       {"size", std::to_string(SIZE_MAX)}},
      {function,
       "size that overflows once padded",
       sized(SIZE_MAX - 20),
       ACL_ERROR_INVALID_PARAM,
       {"size", std::to_string(SIZE_MAX - 20)}},
      {function,
       "more than there is",
       sized(SIZE_MAX / 2),
       ACL_ERROR_RT_MEMORY_ALLOCATION,
       {std::to_string(SIZE_MAX / 2).substr(0, 15), "bytes"}},
      {function, "no context", sized(64), ACL_ERROR_RT_CONTEXT_NULL, kNoContext, Thread::kBare},
  };
}

template <typename Function>
Call WithConfig(Function allocate) {
  return [allocate](World&) {
    void* data = nullptr;
    aclrtMallocConfig config{};
    config.numAttrs = 3;
    return allocate(&data, &config);
  };
}

// Without a configuration it is as if there were none to give.
Rows NoConfigRows() {
  Rows rows;
  const auto allow = [&rows](const char* function, aclError (*release)(void*), auto allocate) {
    Allow(rows, function, "cfg null", [release, allocate](World&) -> int64_t {
      void* data = nullptr;
      const aclError result = allocate(&data);
      return result == ACL_SUCCESS ? release(data) : result;
    });
  };
  allow("aclrtMallocWithCfg", &aclrtFree,
        [](void** out) { return aclrtMallocWithCfg(out, 64, kPolicy, nullptr); });
  allow("aclrtMallocForTaskScheduler", &aclrtFree,
        [](void** out) { return aclrtMallocForTaskScheduler(out, 64, kPolicy, nullptr); });
  allow("aclrtMallocHostWithCfg", &aclrtFreeHost,
        [](void** out) { return aclrtMallocHostWithCfg(out, 64, nullptr); });
  return rows;
}

Rows AllAllocationRows() {
  Rows rows = MemoryAllocationRows("aclrtMalloc", "devPtr",
                                   [](void** out, size_t bytes) { return aclrtMalloc(out, bytes, kPolicy); });
  Append(rows, MemoryAllocationRows("aclrtMalloc", "devPtr", [](void** out, size_t bytes) {
           return aclrtMalloc(out, bytes, AnyValue<aclrtMemMallocPolicy>(77));
         }));
  Append(rows, MemoryAllocationRows("aclrtMallocAlign32", "devPtr", [](void** out, size_t bytes) {
           return aclrtMallocAlign32(out, bytes, kPolicy);
         }));
  Append(rows, MemoryAllocationRows("aclrtMallocCached", "devPtr", [](void** out, size_t bytes) {
           return aclrtMallocCached(out, bytes, kPolicy);
         }));
  Append(rows, MemoryAllocationRows("aclrtMallocWithCfg", "devPtr", [](void** out, size_t bytes) {
           return aclrtMallocWithCfg(out, bytes, kPolicy, nullptr);
         }));
  Append(rows, MemoryAllocationRows("aclrtMallocHost", "hostPtr",
                                    [](void** out, size_t bytes) { return aclrtMallocHost(out, bytes); }));
  Append(rows, MemoryAllocationRows("aclrtMallocHostWithCfg", "ptr", [](void** out, size_t bytes) {
           return aclrtMallocHostWithCfg(out, bytes, nullptr);
         }));
  Rows scheduler = MemoryAllocationRows(
      "aclrtMallocForTaskScheduler", "devPtr",
      [](void** out, size_t bytes) { return aclrtMallocForTaskScheduler(out, bytes, kPolicy, nullptr); });
  Append(rows, std::move(scheduler));
  Append(rows, NoConfigRows());
  const std::vector<std::string> words = {"cfg->attrs is null", "cfg->numAttrs is 3"};
  rows.push_back({"aclrtMallocWithCfg", "attrs null", WithConfig([](void** out, aclrtMallocConfig* c) {
                    return aclrtMallocWithCfg(out, 64, kPolicy, c);
                  }),
                  ACL_ERROR_INVALID_PARAM, words});
  rows.push_back({"aclrtMallocHostWithCfg", "attrs null", WithConfig([](void** out, aclrtMallocConfig* c) {
                    return aclrtMallocHostWithCfg(out, 64, c);
                  }),
                  ACL_ERROR_INVALID_PARAM, words});
  rows.push_back({"aclrtMallocForTaskScheduler", "attrs null",
                  WithConfig([](void** out, aclrtMallocConfig* c) {
                    return aclrtMallocForTaskScheduler(out, 64, kPolicy, c);
                  }),
                  ACL_ERROR_INVALID_PARAM, words});
  return rows;
}

using Free = aclError (*)(void*);

Rows FreeRows(const char* function, const std::string& argument, Free release, bool host) {
  const auto own = [host](void** data) {
    return host ? aclrtMallocHost(data, 256) : aclrtMalloc(data, 256, kPolicy);
  };
  Rows rows = {
      {function,
       "null",
       [release](World&) { return release(nullptr); },
       ACL_ERROR_INVALID_PARAM,
       {argument + " is null"}},
      {function,
       "freed twice",
       [release, own](World&) {
         void* data = nullptr;
         static_cast<void>(own(&data));
         static_cast<void>(release(data));
         return release(data);
       },
       ACL_ERROR_RT_PARAM_INVALID,
       {argument, "0x", "still allocated"}},
      {function,
       "inside an allocation",
       [release, own](World&) {
         void* data = nullptr;
         static_cast<void>(own(&data));
         const aclError inside = release(static_cast<char*>(data) + 64);
         static_cast<void>(release(data));
         return inside;
       },
       ACL_ERROR_RT_PARAM_INVALID,
       {argument, "0x", "the start of memory"}},
      {function,
       "memory of malloc",
       [release](World&) {
         int local = 0;
         return release(&local);
       },
       ACL_ERROR_RT_PARAM_INVALID,
       {argument, "0x"}},
      {function,
       "garbage",
       [release](World&) { return release(Garbage()); },
       ACL_ERROR_RT_PARAM_INVALID,
       {argument, "0xbad0bad0bad0ba8"}},
      {function,
       "a handle",
       [release](World& w) { return release(w.stream); },
       ACL_ERROR_RT_PARAM_INVALID,
       {argument, "0x5a"}},
  };
  if (host) {
    rows.push_back({function,
                    "device memory",
                    [release](World& w) { return release(w.device_memory); },
                    ACL_ERROR_RT_PARAM_INVALID,
                    {argument, "device memory", "aclrtFree"}});
  } else {
    rows.push_back({function,
                    "host memory",
                    [release](World& w) { return release(w.pinned_memory); },
                    ACL_ERROR_RT_PARAM_INVALID,
                    {argument, "host memory", "aclrtFreeHost"}});
  }
  return rows;
}

Rows MemoryQuestionRows() {
  return {
      {"aclrtFreeWithDevSync", "no context", [](World& w) { return aclrtFreeWithDevSync(w.device_memory); },
       ACL_ERROR_RT_CONTEXT_NULL, kNoContext, Thread::kBare},
      {"aclrtFreeHostWithDevSync", "no context",
       [](World& w) { return aclrtFreeHostWithDevSync(w.pinned_memory); }, ACL_ERROR_RT_CONTEXT_NULL,
       kNoContext, Thread::kBare},
      {"aclrtGetMemInfo",
       "free null",
       [](World&) {
         size_t total = 0;
         return aclrtGetMemInfo(ACL_HBM_MEM, nullptr, &total);
       },
       ACL_ERROR_INVALID_PARAM,
       {"free is null"}},
      {"aclrtGetMemInfo",
       "total null",
       [](World&) {
         size_t free = 0;
         return aclrtGetMemInfo(ACL_HBM_MEM, &free, nullptr);
       },
       ACL_ERROR_INVALID_PARAM,
       {"total is null"}},
      {"aclrtGetMemInfo",
       "attr out of range",
       [](World&) {
         size_t free = 0;
         size_t total = 0;
         return aclrtGetMemInfo(AnyValue<aclrtMemAttr>(18), &free, &total);
       },
       ACL_ERROR_RT_INVALID_MEMORY_TYPE,
       {"attr is 18", "expected 0 to 17"}},
      {"aclrtGetMemInfo",
       "attr negative",
       [](World&) {
         size_t free = 0;
         size_t total = 0;
         return aclrtGetMemInfo(AnyValue<aclrtMemAttr>(-1), &free, &total);
       },
       ACL_ERROR_RT_INVALID_MEMORY_TYPE,
       {"attr is "}},
      {"aclrtGetMemInfo", "no context",
       [](World&) {
         size_t free = 0;
         size_t total = 0;
         return aclrtGetMemInfo(ACL_HBM_MEM, &free, &total);
       },
       ACL_ERROR_RT_CONTEXT_NULL, kNoContext, Thread::kBare},
      {"aclrtPointerGetAttributes",
       "ptr null",
       [](World&) {
         aclrtPtrAttributes attributes{};
         return aclrtPointerGetAttributes(nullptr, &attributes);
       },
       ACL_ERROR_INVALID_PARAM,
       {"ptr is null"}},
      {"aclrtPointerGetAttributes",
       "attributes null",
       [](World& w) { return aclrtPointerGetAttributes(w.device_memory, nullptr); },
       ACL_ERROR_INVALID_PARAM,
       {"attributes is null"}},
      {"aclrtPointerGetAttributes",
       "garbage is ordinary memory, which is no error",
       [](World&) -> int64_t {
         aclrtPtrAttributes attributes{};
         const aclError error = aclrtPointerGetAttributes(Garbage(), &attributes);
         return error != ACL_SUCCESS ? error : attributes.location.type;
       },
       ACL_MEM_LOCATION_TYPE_UNREGISTERED,
       {""}},
  };
}

}  // namespace

Rows MemoryRows() {
  Rows rows = AllAllocationRows();
  Append(rows, FreeRows("aclrtFree", "devPtr", &aclrtFree, false));
  Append(rows, FreeRows("aclrtFreeWithDevSync", "devPtr", &aclrtFreeWithDevSync, false));
  Append(rows, FreeRows("aclrtFreeHost", "hostPtr", &aclrtFreeHost, true));
  Append(rows, FreeRows("aclrtFreeHostWithDevSync", "hostPtr", &aclrtFreeHostWithDevSync, true));
  Append(rows, MemoryQuestionRows());
  return rows;
}

}  // namespace tandem::test::badargs
