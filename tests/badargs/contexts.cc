// SPDX-License-Identifier: Apache-2.0
#include "badargs/rows.h"

namespace tandem::test::badargs {
namespace {

int64_t CreateOn(int32_t device) {
  aclrtContext context = nullptr;
  return aclrtCreateContext(&context, device);
}

// The four calls on options refuse the same.
Rows OptionRows() {
  Rows rows;
  for (const int number : {-1, 3, INT32_MAX}) {
    const auto option = AnyValue<aclSysParamOpt>(number);
    const std::vector<std::string> words = {"opt is " + std::to_string(number), "expected 0 to 2"};
    rows.push_back({"aclrtCtxSetSysParamOpt", "unknown option",
                    [option](World&) { return aclrtCtxSetSysParamOpt(option, 1); }, ACL_ERROR_INVALID_PARAM,
                    words});
    rows.push_back({"aclrtSetSysParamOpt", "unknown option",
                    [option](World&) { return aclrtSetSysParamOpt(option, 1); }, ACL_ERROR_INVALID_PARAM,
                    words});
    rows.push_back({"aclrtCtxGetSysParamOpt", "unknown option",
                    [option](World&) {
                      int64_t value = 0;
                      return aclrtCtxGetSysParamOpt(option, &value);
                    },
                    ACL_ERROR_INVALID_PARAM, words});
    rows.push_back({"aclrtGetSysParamOpt", "unknown option",
                    [option](World&) {
                      int64_t value = 0;
                      return aclrtGetSysParamOpt(option, &value);
                    },
                    ACL_ERROR_INVALID_PARAM, words});
  }
  const auto option = AnyValue<aclSysParamOpt>(0);
  const auto unset = AnyValue<aclSysParamOpt>(2);
  Append(rows, {{"aclrtCtxGetSysParamOpt",
                 "value null",
                 [option](World&) { return aclrtCtxGetSysParamOpt(option, nullptr); },
                 ACL_ERROR_INVALID_PARAM,
                 {"value is null"}},
                {"aclrtGetSysParamOpt",
                 "value null",
                 [option](World&) { return aclrtGetSysParamOpt(option, nullptr); },
                 ACL_ERROR_INVALID_PARAM,
                 {"value is null"}},
                {"aclrtCtxGetSysParamOpt",
                 "never set",
                 [unset](World&) {
                   int64_t value = 0;
                   return aclrtCtxGetSysParamOpt(unset, &value);
                 },
                 ACL_ERROR_RT_SYSPARAMOPT_NOT_SET,
                 {"never set"}},
                {"aclrtGetSysParamOpt",
                 "never set",
                 [unset](World&) {
                   int64_t value = 0;
                   return aclrtGetSysParamOpt(unset, &value);
                 },
                 ACL_ERROR_RT_SYSPARAMOPT_NOT_SET,
                 {"never set"}},
                {"aclrtCtxSetSysParamOpt", "no context",
                 [option](World&) { return aclrtCtxSetSysParamOpt(option, 1); }, ACL_ERROR_RT_CONTEXT_NULL,
                 kNoContext, Thread::kBare},
                {"aclrtCtxGetSysParamOpt", "no context",
                 [option](World&) {
                   int64_t value = 0;
                   return aclrtCtxGetSysParamOpt(option, &value);
                 },
                 ACL_ERROR_RT_CONTEXT_NULL, kNoContext, Thread::kBare}});
  return rows;
}

// Unknown contexts have a code of their own for each call.
Rows HandleRows(const char* function, aclError (*call)(aclrtContext), int64_t code) {
  return {
      {function,
       "context null",
       [call](World&) { return call(nullptr); },
       ACL_ERROR_INVALID_PARAM,
       {"context is null"}},
      {function,
       "context was destroyed",
       [call](World& w) { return call(w.stale_context); },
       code,
       {"context is", "destroyed already"}},
      {function,
       "context is a stream",
       [call](World& w) { return call(w.stream); },
       code,
       {"context is", "kind stream", "expected a context"}},
      {function,
       "context is garbage",
       [call](World&) { return call(Garbage()); },
       code,
       {"context is", "no handle of this library"}},
  };
}

}  // namespace

Rows ContextRows() {
  Rows rows = {
      {"aclrtCreateContext",
       "context null",
       [](World&) { return aclrtCreateContext(nullptr, 0); },
       ACL_ERROR_INVALID_PARAM,
       {"context is null"}},
      {"aclrtDestroyContext",
       "primary context",
       [](World&) {
         aclrtContext primary = nullptr;
         static_cast<void>(aclrtGetCurrentContext(&primary));
         return aclrtDestroyContext(primary);
       },
       ACL_ERROR_RT_CONTEXT_NULL,
       {"primary context", "aclrtResetDevice"}},
      {"aclrtGetCurrentContext",
       "context null",
       [](World&) { return aclrtGetCurrentContext(nullptr); },
       ACL_ERROR_INVALID_PARAM,
       {"context is null"}},
      {"aclrtGetCurrentContext", "none",
       [](World&) {
         aclrtContext context = nullptr;
         return aclrtGetCurrentContext(&context);
       },
       ACL_ERROR_RT_CONTEXT_NULL, kNoContext, Thread::kBare},
      {"aclrtCtxGetCurrentDefaultStream",
       "stream null",
       [](World&) { return aclrtCtxGetCurrentDefaultStream(nullptr); },
       ACL_ERROR_INVALID_PARAM,
       {"stream is null"}},
      {"aclrtCtxGetCurrentDefaultStream", "no context",
       [](World&) {
         aclrtStream stream = nullptr;
         return aclrtCtxGetCurrentDefaultStream(&stream);
       },
       ACL_ERROR_RT_CONTEXT_NULL, kNoContext, Thread::kBare},
      {"aclrtCreateStream",
       "the selected context was destroyed",
       [](World&) {
         aclrtContext context = nullptr;
         aclrtStream stream = nullptr;
         static_cast<void>(aclrtCreateContext(&context, 0));
         static_cast<void>(aclrtDestroyContext(context));
         return aclrtCreateStream(&stream);
       },
       ACL_ERROR_RT_CONTEXT_NULL,
       {"was destroyed"}},
  };
  Append(rows, BadDevices("aclrtCreateContext", "deviceId", [](World&, int32_t id) { return CreateOn(id); }));
  Append(rows, HandleRows("aclrtDestroyContext", &aclrtDestroyContext, ACL_ERROR_RT_CONTEXT_NULL));
  Append(rows, HandleRows("aclrtSetCurrentContext", &aclrtSetCurrentContext, ACL_ERROR_RT_PARAM_INVALID));
  Append(rows, OptionRows());
  return rows;
}

}  // namespace tandem::test::badargs
