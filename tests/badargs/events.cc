// SPDX-License-Identifier: Apache-2.0
#include "badargs/own_event.h"
#include "badargs/rows.h"

// Some of the calls are deprecated, and exist all the same.
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

namespace tandem::test::badargs {
namespace {

Rows EventCreationRows() {
  Rows rows = {
      {"aclrtCreateEvent",
       "event null",
       [](World&) { return aclrtCreateEvent(nullptr); },
       ACL_ERROR_INVALID_PARAM,
       {"event is null"}},
      {"aclrtCreateEvent", "no context",
       [](World&) {
         aclrtEvent event = nullptr;
         return aclrtCreateEvent(&event);
       },
       ACL_ERROR_RT_CONTEXT_NULL, kNoContext, Thread::kBare},
  };
  using Create = aclError (*)(aclrtEvent*, uint32_t);
  for (const auto& [name, create] :
       {std::pair<const char*, Create>{"aclrtCreateEventWithFlag", &aclrtCreateEventWithFlag},
        {"aclrtCreateEventExWithFlag", &aclrtCreateEventExWithFlag}}) {
    rows.push_back({name,
                    "event null",
                    [create = create](World&) { return create(nullptr, ACL_EVENT_SYNC); },
                    ACL_ERROR_INVALID_PARAM,
                    {"event is null"}});
    rows.push_back({name, "no context",
                    [create = create](World&) {
                      aclrtEvent event = nullptr;
                      return create(&event, ACL_EVENT_SYNC);
                    },
                    ACL_ERROR_RT_CONTEXT_NULL, kNoContext, Thread::kBare});
    for (const uint32_t flag : {0U, 0x80U, 0xFFFFFFFFU, ACL_EVENT_SYNC | ACL_EVENT_IPC}) {
      rows.push_back({name,
                      "flag",
                      [create = create, flag](World&) {
                        aclrtEvent event = nullptr;
                        return create(&event, flag);
                      },
                      ACL_ERROR_RT_PARAM_INVALID,
                      {"flag is 0x", "ACL_EVENT_SYNC"}});
    }
  }
  return rows;
}

Rows RecordRows() {
  Rows rows = {
      {"aclrtDestroyEvent",
       "event null",
       [](World&) { return aclrtDestroyEvent(nullptr); },
       ACL_ERROR_INVALID_PARAM,
       {"event is null"}},
      {"aclrtRecordEvent",
       "event null",
       [](World& w) { return aclrtRecordEvent(nullptr, w.stream); },
       ACL_ERROR_INVALID_PARAM,
       {"event is null"}},
      {"aclrtRecordEvent",
       "event of another device",
       [](World& w) {
         aclrtEvent event = nullptr;
         static_cast<void>(aclrtSetDevice(1));
         static_cast<void>(aclrtCreateEvent(&event));
         static_cast<void>(aclrtSetDevice(0));
         const aclError result = aclrtRecordEvent(event, w.stream);
         static_cast<void>(aclrtDestroyEvent(event));
         static_cast<void>(aclrtResetDevice(1));
         static_cast<void>(aclrtResetDevice(0));
         return result;
       },
       ACL_ERROR_RT_PARAM_INVALID,
       {"event belongs to device 1", "device 0"}},
      {"aclrtRecordEvent",
       "event that the host cannot record",
       WithEvent(&aclrtCreateEventWithFlag, ACL_EVENT_DEVICE_USE_ONLY,
                 [](World& w, aclrtEvent e) { return aclrtRecordEvent(e, w.stream); }),
       ACL_ERROR_RT_PARAM_INVALID,
       {"ACL_EVENT_DEVICE_USE_ONLY"}},
      {"aclrtRecordEventWithFlag",
       "event null",
       [](World& w) { return aclrtRecordEventWithFlag(nullptr, w.stream, 0); },
       ACL_ERROR_INVALID_PARAM,
       {"event is null"}},
      {"aclrtRecordEventWithFlag",
       "flag 2",
       [](World& w) { return aclrtRecordEventWithFlag(w.event, w.stream, 2); },
       ACL_ERROR_INVALID_PARAM,
       {"flag is 2", "expected 0 or 1"}},
      {"aclrtRecordEventWithFlag",
       "not capturing",
       [](World& w) { return aclrtRecordEventWithFlag(w.event, w.stream, ACL_EVENT_RECORD_EXTERNAL); },
       ACL_ERROR_RT_STREAM_NOT_CAPTURED,
       {"ACL_EVENT_RECORD_EXTERNAL", "not capturing"}},
      {"aclrtResetEvent",
       "event null",
       [](World& w) { return aclrtResetEvent(nullptr, w.stream); },
       ACL_ERROR_INVALID_PARAM,
       {"event is null"}},
      {"aclrtResetEvent",
       "event of the new mode",
       WithEvent(&aclrtCreateEventExWithFlag, ACL_EVENT_SYNC,
                 [](World& w, aclrtEvent e) { return aclrtResetEvent(e, w.stream); }),
       ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
       {"can be reset", "flags 0x1"}},
      {"aclrtResetEvent",
       "event without SYNC",
       WithEvent(&aclrtCreateEventWithFlag, ACL_EVENT_TIME_LINE,
                 [](World& w, aclrtEvent e) { return aclrtResetEvent(e, w.stream); }),
       ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
       {"can be reset", "flags 0x8"}},
  };
  Append(rows, BadEvents("aclrtDestroyEvent", "event", [](World&, void* e) { return aclrtDestroyEvent(e); }));
  Append(rows, BadEvents("aclrtRecordEvent", "event",
                         [](World& w, void* e) { return aclrtRecordEvent(e, w.stream); }));
  Append(rows, BadStreamsToSubmit("aclrtRecordEvent",
                                  [](World& w, void* s) { return aclrtRecordEvent(w.event, s); }));
  for (const uint32_t flag : {0U, 1U}) {
    Append(rows, BadEvents("aclrtRecordEventWithFlag", "event", [flag](World& w, void* e) {
             return aclrtRecordEventWithFlag(e, w.stream, flag);
           }));
    Append(rows, BadStreamsToSubmit("aclrtRecordEventWithFlag", [flag](World& w, void* s) {
             return aclrtRecordEventWithFlag(w.event, s, flag);
           }));
  }
  Append(rows, BadEvents("aclrtResetEvent", "event",
                         [](World& w, void* e) { return aclrtResetEvent(e, w.stream); }));
  Append(rows, BadStreamsToSubmit("aclrtResetEvent",
                                  [](World& w, void* s) { return aclrtResetEvent(w.event, s); }));
  return rows;
}

Rows WaitRows() {
  Rows rows = {
      {"aclrtStreamWaitEvent",
       "event null",
       [](World& w) { return aclrtStreamWaitEvent(w.stream, nullptr); },
       ACL_ERROR_INVALID_PARAM,
       {"event is null"}},
      {"aclrtStreamWaitEvent",
       "event never recorded",
       [](World& w) { return aclrtStreamWaitEvent(w.stream, w.event); },
       ACL_ERROR_RT_PARAM_INVALID,
       {"event was never recorded", "aclrtRecordEvent"}},
      {"aclrtStreamWaitEvent",
       "event without SYNC",
       WithEvent(&aclrtCreateEventWithFlag, ACL_EVENT_TIME_LINE,
                 [](World& w, aclrtEvent e) { return aclrtStreamWaitEvent(w.stream, e); }),
       ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
       {"ACL_EVENT_SYNC", "flags 0x8"}},
      {"aclrtStreamWaitEventWithTimeout",
       "event null",
       [](World& w) { return aclrtStreamWaitEventWithTimeout(w.stream, nullptr, 1); },
       ACL_ERROR_RT_PARAM_INVALID,
       {"event is null"}},
      {"aclrtStreamWaitEventWithTimeout",
       "timeout -1",
       [](World& w) { return aclrtStreamWaitEventWithTimeout(w.stream, w.event, -1); },
       ACL_ERROR_RT_PARAM_INVALID,
       {"timeout is -1", "seconds"}},
      {"aclrtStreamWaitEventWithFlag",
       "event null",
       [](World& w) { return aclrtStreamWaitEventWithFlag(w.stream, nullptr, 0, 0); },
       ACL_ERROR_INVALID_PARAM,
       {"event is null"}},
      {"aclrtStreamWaitEventWithFlag",
       "flag 2",
       [](World& w) { return aclrtStreamWaitEventWithFlag(w.stream, w.event, 0, 2); },
       ACL_ERROR_INVALID_PARAM,
       {"flag is 2", "expected 0 or 1"}},
      {"aclrtStreamWaitEventWithFlag",
       "flag 1 with a timeout",
       [](World& w) { return aclrtStreamWaitEventWithFlag(w.stream, w.event, 7, 1); },
       ACL_ERROR_INVALID_PARAM,
       {"timeout is 7", "ACL_EVENT_WAIT_EXTERNAL"}},
      {"aclrtSetOpWaitTimeout",
       "cannot fail: any number of seconds is one",
       [](World&) {
         const aclError most = aclrtSetOpWaitTimeout(UINT32_MAX);
         return most == ACL_SUCCESS ? aclrtSetOpWaitTimeout(0) : most;
       },
       ACL_SUCCESS,
       {""}},
  };
  Append(rows, BadEvents("aclrtStreamWaitEvent", "event",
                         [](World& w, void* e) { return aclrtStreamWaitEvent(w.stream, e); }));
  Append(rows, BadStreamsToSubmit("aclrtStreamWaitEvent",
                                  [](World& w, void* s) { return aclrtStreamWaitEvent(s, w.event); }));
  Append(rows, BadEvents("aclrtStreamWaitEventWithTimeout", "event",
                         [](World& w, void* e) { return aclrtStreamWaitEventWithTimeout(w.stream, e, 1); }));
  Append(rows, BadStreamsToSubmit("aclrtStreamWaitEventWithTimeout", [](World& w, void* s) {
           return aclrtStreamWaitEventWithTimeout(s, w.event, 1);
         }));
  Append(rows, BadEvents("aclrtStreamWaitEventWithFlag", "event",
                         [](World& w, void* e) { return aclrtStreamWaitEventWithFlag(w.stream, e, 1, 0); }));
  Append(rows, BadStreamsToSubmit("aclrtStreamWaitEventWithFlag", [](World& w, void* s) {
           return aclrtStreamWaitEventWithFlag(s, w.event, 1, 0);
         }));
  return rows;
}

}  // namespace

Rows EventRows() {
  Rows rows = EventCreationRows();
  Append(rows, RecordRows());
  Append(rows, WaitRows());
  return rows;
}

}  // namespace tandem::test::badargs
