// SPDX-License-Identifier: Apache-2.0
// Waiting for streams, and what can be asked of and set in them.
#include "badargs/rows.h"

namespace tandem::test::badargs {
namespace {

Rows SynchronizeRows() {
  Rows rows = {
      {"aclrtSynchronizeStream", "no context", [](World& w) { return aclrtSynchronizeStream(w.stream); },
       ACL_ERROR_RT_CONTEXT_NULL, kNoContext, Thread::kBare},
      {"aclrtSynchronizeStream", "null and no context",
       [](World&) { return aclrtSynchronizeStream(nullptr); }, ACL_ERROR_RT_CONTEXT_NULL, kNoContext,
       Thread::kBare},
      {"aclrtSynchronizeStreamWithTimeout", "no context",
       [](World& w) { return aclrtSynchronizeStreamWithTimeout(w.stream, 1); }, ACL_ERROR_RT_CONTEXT_NULL,
       kNoContext, Thread::kBare},
      {"aclrtSynchronizeStream",
       "another context is allowed",
       [](World& w) { return aclrtSynchronizeStream(w.stream_of_other_device); },
       ACL_SUCCESS,
       {""}},
  };
  for (const int32_t timeout : {0, -2, INT32_MIN}) {
    rows.push_back({"aclrtSynchronizeStreamWithTimeout",
                    "timeout",
                    [timeout](World& w) { return aclrtSynchronizeStreamWithTimeout(w.stream, timeout); },
                    ACL_ERROR_RT_PARAM_INVALID,
                    {"timeout is " + std::to_string(timeout), "milliseconds"}});
  }
  Append(rows, BadStreamsToQuery("aclrtSynchronizeStream",
                                 [](World&, void* s) { return aclrtSynchronizeStream(s); }));
  Append(rows, BadStreamsToQuery("aclrtSynchronizeStreamWithTimeout",
                                 [](World&, void* s) { return aclrtSynchronizeStreamWithTimeout(s, -1); }));
  return rows;
}

Rows StreamStateAskRows() {
  Rows rows = {
      {"aclrtStreamQuery",
       "status null",
       [](World& w) { return aclrtStreamQuery(w.stream, nullptr); },
       ACL_ERROR_INVALID_PARAM,
       {"status is null"}},
      {"aclrtStreamQuery", "null stream and no context",
       [](World&) {
         aclrtStreamStatus status{};
         return aclrtStreamQuery(nullptr, &status);
       },
       ACL_ERROR_RT_CONTEXT_NULL, kNoContext, Thread::kBare},
      {"aclrtStreamGetId",
       "streamId null",
       [](World& w) { return aclrtStreamGetId(w.stream, nullptr); },
       ACL_ERROR_INVALID_PARAM,
       {"streamId is null"}},
      {"aclrtStreamGetPriority",
       "priority null",
       [](World& w) { return aclrtStreamGetPriority(w.stream, nullptr); },
       ACL_ERROR_INVALID_PARAM,
       {"priority is null"}},
      {"aclrtStreamGetFlags",
       "flags null",
       [](World& w) { return aclrtStreamGetFlags(w.stream, nullptr); },
       ACL_ERROR_INVALID_PARAM,
       {"flags is null"}},
      {"aclrtGetStreamAvailableNum",
       "streamCount null",
       [](World&) { return aclrtGetStreamAvailableNum(nullptr); },
       ACL_ERROR_INVALID_PARAM,
       {"streamCount is null"}},
      {"aclrtGetStreamAvailableNum", "no context",
       [](World&) {
         uint32_t count = 0;
         return aclrtGetStreamAvailableNum(&count);
       },
       ACL_ERROR_RT_CONTEXT_NULL, kNoContext, Thread::kBare},
      {"aclrtStreamStop",
       "stream null",
       [](World&) { return aclrtStreamStop(nullptr); },
       ACL_ERROR_RT_PARAM_INVALID,
       {"stream is null"}},
      {"aclrtStreamStop",
       "not supported",
       [](World& w) { return aclrtStreamStop(w.stream); },
       ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
       {"aclrtStreamAbort"}},
      {"aclrtSetStreamFailureMode",
       "back to CONTINUE",
       [](World&) {
         aclrtContext context = nullptr;
         aclrtStream stream = nullptr;
         static_cast<void>(aclrtCreateContext(&context, 0));
         static_cast<void>(aclrtCreateStream(&stream));
         static_cast<void>(aclrtSetStreamFailureMode(stream, ACL_STOP_ON_FAILURE));
         const aclError back = aclrtSetStreamFailureMode(stream, ACL_CONTINUE_ON_FAILURE);
         static_cast<void>(aclrtDestroyContext(context));
         return back;
       },
       ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
       {"ACL_STOP_ON_FAILURE", "ACL_CONTINUE_ON_FAILURE"}},
  };
  Append(rows, BadStreamsToQuery("aclrtStreamQuery", [](World&, void* s) {
           aclrtStreamStatus status{};
           return aclrtStreamQuery(s, &status);
         }));
  Append(rows, BadStreamsToQuery("aclrtStreamGetId", [](World&, void* s) {
           int32_t id = 0;
           return aclrtStreamGetId(s, &id);
         }));
  Append(rows, BadStreamsToQuery("aclrtStreamGetPriority", [](World&, void* s) {
           uint32_t priority = 0;
           return aclrtStreamGetPriority(s, &priority);
         }));
  Append(rows, BadStreamsToQuery("aclrtStreamGetFlags", [](World&, void* s) {
           uint32_t flags = 0;
           return aclrtStreamGetFlags(s, &flags);
         }));
  Append(rows, BadStreams("aclrtStreamStop", [](World&, void* s) { return aclrtStreamStop(s); }));
  Append(rows, BadStreamsToSubmit("aclrtSetStreamFailureMode",
                                  [](World&, void* s) { return aclrtSetStreamFailureMode(s, 0); }));
  return rows;
}

using StreamAttribute = aclError (*)(aclrtStream, aclrtStreamAttr, aclrtStreamAttrValue*);

Rows StreamStateAttributeRows(const char* function, StreamAttribute call) {
  Rows rows;
  RefuseNull(rows, function, "value",
             [call](World& w) { return call(w.stream, ACL_STREAM_ATTR_PRIORITY, nullptr); });
  for (const int attribute : {-1, 0, 6, INT32_MAX}) {
    Refuse(rows, function, "stmAttrType",
           [call, attribute](World& w) {
             aclrtStreamAttrValue value{};
             return call(w.stream, AnyValue<aclrtStreamAttr>(attribute), &value);
           },
           ACL_ERROR_RT_PARAM_INVALID, {"stmAttrType is " + std::to_string(attribute), "expected 1 to 5"});
  }
  return rows;
}

Rows AllAttributeRows() {
  const char* set = "aclrtSetStreamAttribute";
  Rows rows = StreamStateAttributeRows(set, &aclrtSetStreamAttribute);
  Append(rows, StreamStateAttributeRows("aclrtGetStreamAttribute", &aclrtGetStreamAttribute));
  Append(rows, BadStreamsToQuery("aclrtGetStreamAttribute", [](World&, void* s) {
           aclrtStreamAttrValue value{};
           return aclrtGetStreamAttribute(s, ACL_STREAM_ATTR_PRIORITY, &value);
         }));
  for (const auto attribute : {ACL_STREAM_ATTR_FAILURE_MODE, ACL_STREAM_ATTR_PRIORITY}) {
    Append(rows, BadStreamsToSubmit(set, [attribute](World&, void* s) {
             aclrtStreamAttrValue value{};
             return aclrtSetStreamAttribute(s, attribute, &value);
           }));
  }
  const auto with = [](aclrtStreamAttr attribute, uint32_t aclrtStreamAttrValue::*field, uint32_t number) {
    return [=](World& w) {
      aclrtStreamAttrValue value{};
      value.*field = number;
      return aclrtSetStreamAttribute(w.stream, attribute, &value);
    };
  };
  using Value = aclrtStreamAttrValue;
  Refuse(rows, set, "priority 8", with(ACL_STREAM_ATTR_PRIORITY, &Value::streamPriority, 8),
         ACL_ERROR_RT_PARAM_INVALID, {"value->streamPriority is 8", "expected 0 to 7"});
  Refuse(rows, set, "overflow switch 2",
         with(ACL_STREAM_ATTR_FLOAT_OVERFLOW_CHECK, &Value::overflowSwitch, 2), ACL_ERROR_RT_PARAM_INVALID,
         {"value->overflowSwitch is 2", "expected 0 to 1"});
  Refuse(rows, set, "cache switch -1",
         with(ACL_STREAM_ATTR_CACHE_OP_INFO, &Value::cacheOpInfoSwitch, UINT32_MAX),
         ACL_ERROR_RT_PARAM_INVALID, {"value->cacheOpInfoSwitch is 4294967295", "expected 0 to 1"});
  return rows;
}

Rows CaptureRows() {
  const char* function = "aclmdlRICaptureGetInfo";
  Rows rows = BadStreamsToQuery(function, [](World&, void* s) {
    auto status = AnyValue<aclmdlRICaptureStatus>(9);
    return aclmdlRICaptureGetInfo(s, &status, nullptr);
  });
  RefuseNull(rows, function, "status",
             [](World& w) { return aclmdlRICaptureGetInfo(w.stream, nullptr, nullptr); });
  Allow(rows, function, "modelRI null, and nothing is ever captured", [](World& w) -> int64_t {
    auto status = AnyValue<aclmdlRICaptureStatus>(9);
    const aclError error = aclmdlRICaptureGetInfo(w.stream, &status, nullptr);
    return error != ACL_SUCCESS ? error : status;
  });
  return rows;
}

}  // namespace

Rows StreamStateRows() {
  Rows rows = SynchronizeRows();
  Append(rows, StreamStateAskRows());
  Append(rows, AllAttributeRows());
  Append(rows, CaptureRows());
  return rows;
}

}  // namespace tandem::test::badargs
