// SPDX-License-Identifier: Apache-2.0
// Waiting for events, and what can be asked of them.
#include "badargs/own_event.h"
#include "badargs/rows.h"

// Some of the calls are deprecated, and exist all the same.
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

namespace tandem::test::badargs {
namespace {

Rows EventStateAskRows() {
  Rows rows = {
      {"aclrtQueryEvent",
       "status null",
       [](World& w) { return aclrtQueryEvent(w.event, nullptr); },
       ACL_ERROR_INVALID_PARAM,
       {"status is null"}},
      {"aclrtQueryEvent",
       "event null",
       [](World&) {
         aclrtEventStatus status{};
         return aclrtQueryEvent(nullptr, &status);
       },
       ACL_ERROR_INVALID_PARAM,
       {"event is null"}},
      {"aclrtQueryEvent",
       "event of the new mode",
       WithEvent(&aclrtCreateEventExWithFlag, ACL_EVENT_SYNC,
                 [](World&, aclrtEvent e) {
                   aclrtEventStatus status{};
                   return aclrtQueryEvent(e, &status);
                 }),
       ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
       {"aclrtQueryEventStatus"}},
      {"aclrtQueryEventStatus",
       "status null",
       [](World& w) { return aclrtQueryEventStatus(w.event, nullptr); },
       ACL_ERROR_INVALID_PARAM,
       {"status is null"}},
      {"aclrtQueryEventStatus",
       "event null",
       [](World&) {
         aclrtEventRecordedStatus status{};
         return aclrtQueryEventStatus(nullptr, &status);
       },
       ACL_ERROR_INVALID_PARAM,
       {"event is null"}},
      {"aclrtQueryEventWaitStatus",
       "status null",
       [](World& w) { return aclrtQueryEventWaitStatus(w.event, nullptr); },
       ACL_ERROR_INVALID_PARAM,
       {"status is null"}},
      {"aclrtQueryEventWaitStatus",
       "event null",
       [](World&) {
         aclrtEventWaitStatus status{};
         return aclrtQueryEventWaitStatus(nullptr, &status);
       },
       ACL_ERROR_INVALID_PARAM,
       {"event is null"}},
      {"aclrtQueryEventWaitStatus",
       "event of the new mode",
       WithEvent(&aclrtCreateEventExWithFlag, ACL_EVENT_SYNC,
                 [](World&, aclrtEvent e) {
                   aclrtEventWaitStatus status{};
                   return aclrtQueryEventWaitStatus(e, &status);
                 }),
       ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
       {"aclrtCreateEventExWithFlag"}},
      {"aclrtSynchronizeEvent",
       "event null",
       [](World&) { return aclrtSynchronizeEvent(nullptr); },
       ACL_ERROR_INVALID_PARAM,
       {"event is null"}},
      {"aclrtSynchronizeEventWithTimeout",
       "event null",
       [](World&) { return aclrtSynchronizeEventWithTimeout(nullptr, 1); },
       ACL_ERROR_INVALID_PARAM,
       {"event is null"}},
      {"aclrtSynchronizeEventWithTimeout",
       "timeout 0",
       [](World& w) { return aclrtSynchronizeEventWithTimeout(w.event, 0); },
       ACL_ERROR_RT_PARAM_INVALID,
       {"timeout is 0", "milliseconds"}},
      {"aclrtSynchronizeEventWithTimeout",
       "timeout -2, before the event",
       [](World&) { return aclrtSynchronizeEventWithTimeout(nullptr, -2); },
       ACL_ERROR_RT_PARAM_INVALID,
       {"timeout is -2"}},
      {"aclrtSynchronizeEvent",
       "needs no context",
       [](World& w) { return aclrtSynchronizeEvent(w.event); },
       ACL_SUCCESS,
       {""},
       Thread::kBare},
      {"aclrtGetEventAvailNum",
       "eventCount null",
       [](World&) { return aclrtGetEventAvailNum(nullptr); },
       ACL_ERROR_INVALID_PARAM,
       {"eventCount is null"}},
      {"aclrtGetEventAvailNum", "no context",
       [](World&) {
         uint32_t count = 0;
         return aclrtGetEventAvailNum(&count);
       },
       ACL_ERROR_RT_CONTEXT_NULL, kNoContext, Thread::kBare},
  };
  Append(rows, BadEvents("aclrtQueryEvent", "event", [](World&, void* e) {
           aclrtEventStatus status{};
           return aclrtQueryEvent(e, &status);
         }));
  Append(rows, BadEvents("aclrtQueryEventStatus", "event", [](World&, void* e) {
           aclrtEventRecordedStatus status{};
           return aclrtQueryEventStatus(e, &status);
         }));
  Append(rows, BadEvents("aclrtQueryEventWaitStatus", "event", [](World&, void* e) {
           aclrtEventWaitStatus status{};
           return aclrtQueryEventWaitStatus(e, &status);
         }));
  Append(rows, BadEvents("aclrtSynchronizeEvent", "event",
                         [](World&, void* e) { return aclrtSynchronizeEvent(e); }));
  Append(rows, BadEvents("aclrtSynchronizeEventWithTimeout", "event",
                         [](World&, void* e) { return aclrtSynchronizeEventWithTimeout(e, -1); }));
  return rows;
}

int64_t Elapsed(aclrtEvent start, aclrtEvent end) {
  float ms = 0;
  return aclrtEventElapsedTime(&ms, start, end);
}

int64_t Timestamp(aclrtEvent event) {
  uint64_t time = 0;
  return aclrtEventGetTimestamp(event, &time);
}

int64_t EventId(aclrtEvent event) {
  uint32_t id = 0;
  return aclrtGetEventId(event, &id);
}

Rows TimeRows() {
  Rows rows = {
      {"aclrtEventElapsedTime",
       "ms null",
       [](World& w) { return aclrtEventElapsedTime(nullptr, w.event, w.event); },
       ACL_ERROR_INVALID_PARAM,
       {"ms is null"}},
      {"aclrtEventElapsedTime",
       "startEvent null",
       [](World& w) { return Elapsed(nullptr, w.event); },
       ACL_ERROR_INVALID_PARAM,
       {"startEvent is null"}},
      {"aclrtEventElapsedTime",
       "endEvent null",
       [](World& w) { return Elapsed(w.event, nullptr); },
       ACL_ERROR_INVALID_PARAM,
       {"endEvent is null"}},
      {"aclrtEventElapsedTime",
       "never recorded",
       [](World& w) { return Elapsed(w.event, w.event); },
       ACL_ERROR_RT_INTERNAL_ERROR,
       {"startEvent", "never recorded"}},
      {"aclrtEventElapsedTime",
       "no TIME_LINE",
       WithEvent(&aclrtCreateEventWithFlag, ACL_EVENT_SYNC,
                 [](World& w, aclrtEvent e) {
                   static_cast<void>(aclrtRecordEvent(e, w.stream));
                   static_cast<void>(aclrtSynchronizeStream(w.stream));
                   return Elapsed(e, e);
                 }),
       ACL_ERROR_RT_EVENT_TIMESTAMP_INVALID,
       {"startEvent", "ACL_EVENT_TIME_LINE", "flags 0x1"}},
      {"aclrtEventElapsedTime",
       "event of another process",
       WithEvent(&aclrtCreateEventExWithFlag, ACL_EVENT_IPC,
                 [](World&, aclrtEvent e) { return Elapsed(e, e); }),
       ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
       {"startEvent", "ACL_EVENT_IPC"}},
      {"aclrtEventGetTimestamp",
       "timestamp null",
       [](World& w) { return aclrtEventGetTimestamp(w.event, nullptr); },
       ACL_ERROR_INVALID_PARAM,
       {"timestamp is null"}},
      {"aclrtEventGetTimestamp",
       "event null",
       [](World&) { return Timestamp(nullptr); },
       ACL_ERROR_INVALID_PARAM,
       {"event is null"}},
      {"aclrtEventGetTimestamp",
       "never recorded",
       [](World& w) { return Timestamp(w.event); },
       ACL_ERROR_RT_INTERNAL_ERROR,
       {"event was never recorded"}},
      {"aclrtGetEventId",
       "eventId null",
       [](World& w) { return aclrtGetEventId(w.event, nullptr); },
       ACL_ERROR_INVALID_PARAM,
       {"eventId is null"}},
      {"aclrtGetEventId",
       "event null",
       [](World&) { return EventId(nullptr); },
       ACL_ERROR_INVALID_PARAM,
       {"event is null"}},
      {"aclrtGetEventId",
       "never recorded",
       [](World& w) { return EventId(w.event); },
       ACL_ERROR_RT_INTERNAL_ERROR,
       {"event was never recorded"}},
      {"aclrtGetEventId",
       "event of another process",
       WithEvent(&aclrtCreateEventExWithFlag, ACL_EVENT_IPC, [](World&, aclrtEvent e) { return EventId(e); }),
       ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
       {"ACL_EVENT_IPC"}},
  };
  Append(rows, BadEvents("aclrtEventElapsedTime", "startEvent",
                         [](World& w, void* e) { return Elapsed(e, w.event); }));
  Append(rows, BadEvents("aclrtEventElapsedTime", "endEvent",
                         [](World& w, void* e) { return Elapsed(w.event, e); }));
  Append(rows, BadEvents("aclrtEventGetTimestamp", "event", [](World&, void* e) { return Timestamp(e); }));
  Append(rows, BadEvents("aclrtGetEventId", "event", [](World&, void* e) { return EventId(e); }));
  return rows;
}

}  // namespace

Rows EventStateRows() {
  Rows rows = EventStateAskRows();
  Append(rows, TimeRows());
  return rows;
}

}  // namespace tandem::test::badargs
