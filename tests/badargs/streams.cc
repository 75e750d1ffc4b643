// SPDX-License-Identifier: Apache-2.0
#include "badargs/rows.h"

namespace tandem::test::badargs {
namespace {

Rows StreamCreationRows() {
  return {
      {"aclrtCreateStream",
       "stream null",
       [](World&) { return aclrtCreateStream(nullptr); },
       ACL_ERROR_INVALID_PARAM,
       {"stream is null"}},
      {"aclrtCreateStream", "no context",
       [](World&) {
         aclrtStream stream = nullptr;
         return aclrtCreateStream(&stream);
       },
       ACL_ERROR_RT_CONTEXT_NULL, kNoContext, Thread::kBare},
      {"aclrtCreateStreamWithConfig",
       "stream null",
       [](World&) { return aclrtCreateStreamWithConfig(nullptr, 0, 0); },
       ACL_ERROR_INVALID_PARAM,
       {"stream is null"}},
      {"aclrtCreateStreamWithConfig", "no context",
       [](World&) {
         aclrtStream stream = nullptr;
         return aclrtCreateStreamWithConfig(&stream, 99, 0xFFFFFFFF);
       },
       ACL_ERROR_RT_CONTEXT_NULL, kNoContext, Thread::kBare},
      {"aclrtCreateStreamWithConfig",
       "unknown priority and flags are cut",
       [](World&) -> int64_t {
         aclrtStream stream = nullptr;
         uint32_t priority = 0;
         uint32_t flags = 0;
         if (aclrtCreateStreamWithConfig(&stream, 99, 0xFFFFFFC0) != ACL_SUCCESS) return -1;
         static_cast<void>(aclrtStreamGetPriority(stream, &priority));
         static_cast<void>(aclrtStreamGetFlags(stream, &flags));
         static_cast<void>(aclrtDestroyStream(stream));
         return priority * 100 + flags;
       },
       700,
       {""}},
  };
}

Rows StreamConfigRows() {
  Rows rows = {
      {"aclrtCreateStreamConfigHandle",
       "no arguments",
       [](World&) -> int64_t {
         aclrtStreamConfigHandle* config = aclrtCreateStreamConfigHandle();
         return config == nullptr ? -1 : aclrtDestroyStreamConfigHandle(config);
       },
       ACL_SUCCESS,
       {""}},
      {"aclrtDestroyStreamConfigHandle",
       "handle null",
       [](World&) { return aclrtDestroyStreamConfigHandle(nullptr); },
       ACL_ERROR_INVALID_PARAM,
       {"handle is null"}},
      {"aclrtSetStreamConfigOpt",
       "handle null",
       [](World&) {
         uint32_t value = 0;
         return aclrtSetStreamConfigOpt(nullptr, ACL_RT_STREAM_FLAG, &value, sizeof(value));
       },
       ACL_ERROR_INVALID_PARAM,
       {"handle is null"}},
      {"aclrtCreateStreamV2",
       "stream null",
       [](World&) { return aclrtCreateStreamV2(nullptr, nullptr); },
       ACL_ERROR_INVALID_PARAM,
       {"stream is null"}},
      {"aclrtCreateStreamV2",
       "handle null",
       [](World&) {
         aclrtStream stream = nullptr;
         return aclrtCreateStreamV2(&stream, nullptr);
       },
       ACL_ERROR_INVALID_PARAM,
       {"handle is null"}},
  };
  const auto with_config = [&rows](const char* function, const char* bad, auto call, int64_t code,
                                   std::vector<std::string> words) {
    rows.push_back({function, bad,
                    [call](World&) -> int64_t {
                      aclrtStreamConfigHandle* config = aclrtCreateStreamConfigHandle();
                      const int64_t result = call(config);
                      static_cast<void>(aclrtDestroyStreamConfigHandle(config));
                      return result;
                    },
                    code, std::move(words)});
  };
  using Config = aclrtStreamConfigHandle;
  const auto after_destroy = [&rows](const char* function, const char* bad, auto call,
                                     std::vector<std::string> words) {
    rows.push_back({function, bad,
                    [call](World&) -> int64_t {
                      aclrtStreamConfigHandle* config = aclrtCreateStreamConfigHandle();
                      static_cast<void>(aclrtDestroyStreamConfigHandle(config));
                      return call(config);
                    },
                    ACL_ERROR_RT_INVALID_HANDLE, std::move(words)});
  };
  with_config("aclrtSetStreamConfigOpt", "attrValue null",
              [](Config* c) { return aclrtSetStreamConfigOpt(c, ACL_RT_STREAM_FLAG, nullptr, 4); },
              ACL_ERROR_INVALID_PARAM, {"attrValue is null"});
  with_config("aclrtSetStreamConfigOpt", "unknown attribute",
              [](Config* c) {
                uint64_t value = 0;
                return aclrtSetStreamConfigOpt(c, AnyValue<aclrtStreamConfigAttr>(9), &value, 8);
              },
              ACL_ERROR_INVALID_PARAM, {"attr is 9", "expected 0 to 3"});
  for (const size_t bytes : {size_t{0}, size_t{3}, size_t{8}, SIZE_MAX}) {
    with_config("aclrtSetStreamConfigOpt", "wrong size of a priority",
                [bytes](Config* c) {
                  uint64_t value = 0;
                  return aclrtSetStreamConfigOpt(c, ACL_RT_STREAM_PRIORITY, &value, bytes);
                },
                ACL_ERROR_INVALID_PARAM, {"valueSize is " + std::to_string(bytes), "attr 3"});
  }
  after_destroy("aclrtDestroyStreamConfigHandle", "destroyed twice",
                [](Config* c) { return aclrtDestroyStreamConfigHandle(c); },
                {"handle is 0x", "no live object"});
  after_destroy("aclrtSetStreamConfigOpt", "handle was destroyed",
                [](Config* c) {
                  uint32_t value = 0;
                  return aclrtSetStreamConfigOpt(c, ACL_RT_STREAM_PRIORITY, &value, 4);
                },
                {"handle is 0x", "aclrtCreateStreamConfigHandle"});
  after_destroy("aclrtCreateStreamV2", "handle was destroyed",
                [](Config* c) {
                  aclrtStream stream = nullptr;
                  return aclrtCreateStreamV2(&stream, c);
                },
                {"handle is 0x", "aclrtCreateStreamConfigHandle"});
  rows.push_back({"aclrtDestroyStreamConfigHandle",
                  "garbage",
                  [](World&) { return aclrtDestroyStreamConfigHandle(static_cast<Config*>(Garbage())); },
                  ACL_ERROR_RT_INVALID_HANDLE,
                  {"handle is 0x"}});
  return rows;
}

Rows DestroyRows() {
  Rows rows;
  using Destroy = aclError (*)(aclrtStream);
  for (const auto& [name, destroy] :
       {std::pair<const char*, Destroy>{"aclrtDestroyStream", &aclrtDestroyStream},
        {"aclrtDestroyStreamForce", &aclrtDestroyStreamForce}}) {
    rows.push_back({name,
                    "stream null",
                    [destroy = destroy](World&) { return destroy(nullptr); },
                    ACL_ERROR_INVALID_PARAM,
                    {"stream is null", "default stream"}});
    rows.push_back({name,
                    "default stream",
                    [destroy = destroy](World&) {
                      aclrtStream stream = nullptr;
                      static_cast<void>(aclrtCtxGetCurrentDefaultStream(&stream));
                      return destroy(stream);
                    },
                    ACL_ERROR_RT_PARAM_INVALID,
                    {"stream is the default stream"}});
    rows.push_back({name,
                    "destroyed twice",
                    [destroy = destroy](World&) {
                      aclrtStream stream = nullptr;
                      static_cast<void>(aclrtCreateStream(&stream));
                      static_cast<void>(destroy(stream));
                      return destroy(stream);
                    },
                    ACL_ERROR_RT_INVALID_HANDLE,
                    {"stream is", "destroyed already"}});
    const WithHandle with = [destroy = destroy](World&, void* s) { return destroy(s); };
    Append(rows, BadStreams(name, with));
    Append(rows, StreamsOfOthers(name, with));
  }
  Append(rows, BadStreamsToSubmit("aclrtStreamAbort", [](World&, void* s) { return aclrtStreamAbort(s); }));
  return rows;
}

}  // namespace

Rows StreamRows() {
  Rows rows = StreamCreationRows();
  Append(rows, StreamConfigRows());
  Append(rows, DestroyRows());
  return rows;
}

}  // namespace tandem::test::badargs
