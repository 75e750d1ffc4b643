// SPDX-License-Identifier: Apache-2.0
#include <acl/acl_rt.h>

#include <atomic>
#include <chrono>

#include "capi/deadline.h"
#include "capi/enter.h"
#include "capi/handles.h"
#include "stream/context.h"
#include "stream/device.h"
#include "stream/event.h"

namespace tandem::capi {
namespace {

constexpr uint32_t kInternalFlag = 0x4;  // known to CANN's runtime, without a public name
constexpr uint32_t kCombinable =
    ACL_EVENT_SYNC | ACL_EVENT_CAPTURE_STREAM_PROGRESS | kInternalFlag | ACL_EVENT_TIME_LINE;

// aclrtSetOpWaitTimeout, in seconds; 0: none.
std::atomic<uint32_t> default_wait_limit{0};

bool AreFlagsLegal(Event::Kind kind, uint32_t flags) {
  if (flags == 0) return false;
  if ((flags & ~kCombinable) == 0) return true;
  if (kind == Event::Kind::kNewMode) return flags == ACL_EVENT_IPC;
  return flags == ACL_EVENT_DEVICE_USE_ONLY || flags == ACL_EVENT_EXTERNAL;
}

Status Create(aclrtEvent* event, Event::Kind kind, uint32_t flags) {
  TANDEM_RETURN_IF_ERROR(CheckNotNull(event, "event"));
  if (kind != Event::Kind::kPlain && !AreFlagsLegal(kind, flags)) {
    return Status::Error(
        Code::kInvalidValue,
        "flag is 0x%x, expected an OR of ACL_EVENT_SYNC, "
        "ACL_EVENT_CAPTURE_STREAM_PROGRESS and ACL_EVENT_TIME_LINE, or %s alone",
        flags,
        kind == Event::Kind::kNewMode ? "ACL_EVENT_IPC" : "ACL_EVENT_DEVICE_USE_ONLY or ACL_EVENT_EXTERNAL");
  }
  const Result<Context*> context = CurrentContext();
  if (!context) return context.status();
  const Result<void*> made = Event::Create(**context, kind, flags);
  if (!made) return made.status();
  *event = *made;
  return Status::Ok();
}

// Event and stream of a call that queues something.
struct Pair {
  Event* event;
  ManagedStream* stream;
};

Result<Pair> ResolvePair(aclrtEvent event, aclrtStream stream) {
  const Result<Event*> found_event = ResolveEvent(event);
  if (!found_event) return found_event.status();
  const Result<ManagedStream*> found_stream = ResolveStream(stream);
  if (!found_stream) return found_stream.status();
  return Pair{*found_event, *found_stream};
}

Status Record(aclrtEvent event, aclrtStream stream) {
  const Result<Pair> pair = ResolvePair(event, stream);
  if (!pair) return pair.status();
  return pair->event->Record(*pair->stream);
}

Status Wait(aclrtStream stream, aclrtEvent event, uint32_t limit) {
  const Result<Pair> pair = ResolvePair(event, stream);
  if (!pair) return pair.status();
  return pair->event->WaitOn(*pair->stream, std::chrono::seconds(limit));
}

Result<bool> IsComplete(aclrtEvent event) {
  const Result<Event*> found = ResolveEvent(event);
  if (!found) return found.status();
  return (*found)->IsComplete();
}

Status Synchronize(aclrtEvent event, Deadline deadline) {
  const Result<Event*> found = ResolveEvent(event);
  if (!found) return found.status();
  return (*found)->Synchronize(deadline);
}

}  // namespace
}  // namespace tandem::capi

using namespace tandem;        // NOLINT(google-build-using-namespace): the functions below are outside every
                               // namespace
using namespace tandem::capi;  // NOLINT(google-build-using-namespace)

extern "C" aclError aclrtCreateEvent(aclrtEvent* event) {
  return EnterAcl("aclrtCreateEvent", [&] { return Create(event, Event::Kind::kPlain, 0); });
}

extern "C" aclError aclrtCreateEventWithFlag(aclrtEvent* event, uint32_t flag) {
  return EnterAcl("aclrtCreateEventWithFlag", [&] { return Create(event, Event::Kind::kFlagged, flag); });
}

extern "C" aclError aclrtCreateEventExWithFlag(aclrtEvent* event, uint32_t flag) {
  return EnterAcl("aclrtCreateEventExWithFlag", [&] { return Create(event, Event::Kind::kNewMode, flag); });
}

extern "C" aclError aclrtDestroyEvent(aclrtEvent event) {
  return EnterAcl("aclrtDestroyEvent", [&]() -> Status {
    TANDEM_RETURN_IF_ERROR(CheckNotNull(event, "event"));
    return Event::Destroy(event) ? Status::Ok() : BadHandle(HandleKind::kEvent, event, "event");
  });
}

extern "C" aclError aclrtRecordEvent(aclrtEvent event, aclrtStream stream) {
  return EnterAcl("aclrtRecordEvent", [&] { return Record(event, stream); });
}

extern "C" aclError aclrtRecordEventWithFlag(aclrtEvent event, aclrtStream stream, uint32_t flag) {
  return EnterAcl("aclrtRecordEventWithFlag", [&]() -> Status {
    if (flag == ACL_EVENT_RECORD_DEFAULT) return Record(event, stream);
    TANDEM_RETURN_IF_ERROR(CheckNotNull(event, "event"));
    if (flag > ACL_EVENT_RECORD_EXTERNAL)
      return Status::Error(Code::kInvalidArgument, "flag is %u, expected 0 or 1", flag);
    TANDEM_RETURN_IF_ERROR(ResolvePair(event, stream).status());
    return Status::Error(Code::kNotCapturing,
                         "flag is ACL_EVENT_RECORD_EXTERNAL (1), which is for graph capture, and the "
                         "stream is not capturing");
  });
}

extern "C" aclError aclrtResetEvent(aclrtEvent event, aclrtStream stream) {
  return EnterAcl("aclrtResetEvent", [&]() -> Status {
    const Result<Pair> pair = ResolvePair(event, stream);
    if (!pair) return pair.status();
    return pair->event->Reset(*pair->stream);
  });
}

extern "C" aclError aclrtStreamWaitEvent(aclrtStream stream, aclrtEvent event) {
  return EnterAcl("aclrtStreamWaitEvent",
                  [&] { return Wait(stream, event, default_wait_limit.load(std::memory_order_relaxed)); });
}

extern "C" aclError aclrtStreamWaitEventWithTimeout(aclrtStream stream, aclrtEvent event, int32_t timeout) {
  return EnterAcl("aclrtStreamWaitEventWithTimeout", [&]() -> Status {
    if (timeout < 0) {
      return Status::Error(Code::kInvalidValue, "timeout is %d, expected seconds, 0 for none", timeout)
          .WithId("EH0001");
    }
    if (event == nullptr) return Status::Error(Code::kInvalidValue, "event is null");
    return Wait(stream, event, static_cast<uint32_t>(timeout));
  });
}

extern "C" aclError aclrtStreamWaitEventWithFlag(aclrtStream stream, aclrtEvent event, uint32_t timeout,
                                                 uint32_t flag) {
  return EnterAcl("aclrtStreamWaitEventWithFlag", [&]() -> Status {
    TANDEM_RETURN_IF_ERROR(CheckNotNull(event, "event"));
    if (flag > ACL_EVENT_WAIT_EXTERNAL)
      return Status::Error(Code::kInvalidArgument, "flag is %u, expected 0 or 1", flag);
    if (flag == ACL_EVENT_WAIT_EXTERNAL && timeout != 0) {
      return Status::Error(Code::kInvalidArgument, "timeout is %u, expected 0 with ACL_EVENT_WAIT_EXTERNAL",
                           timeout);
    }
    return Wait(stream, event, timeout);
  });
}

extern "C" aclError aclrtSetOpWaitTimeout(uint32_t timeout) {
  default_wait_limit.store(timeout, std::memory_order_relaxed);
  return ACL_SUCCESS;
}

extern "C" aclError aclrtQueryEvent(aclrtEvent event, aclrtEventStatus* status) {
  return EnterAcl("aclrtQueryEvent", [&]() -> Status {
    TANDEM_RETURN_IF_ERROR(CheckNotNull(status, "status"));
    const Result<Event*> found = ResolveEvent(event);
    if (!found) return found.status();
    if ((*found)->kind() == Event::Kind::kNewMode) {
      return Status::Error(Code::kNotSupported,
                           "events of aclrtCreateEventExWithFlag are asked with "
                           "aclrtQueryEventStatus");
    }
    const Result<bool> complete = (*found)->IsComplete();
    if (!complete) return complete.status();
    *status = *complete ? ACL_EVENT_STATUS_COMPLETE : ACL_EVENT_STATUS_NOT_READY;
    return Status::Ok();
  });
}

extern "C" aclError aclrtQueryEventStatus(aclrtEvent event, aclrtEventRecordedStatus* status) {
  return EnterAcl("aclrtQueryEventStatus", [&]() -> Status {
    TANDEM_RETURN_IF_ERROR(CheckNotNull(status, "status"));
    const Result<bool> complete = IsComplete(event);
    if (!complete) return complete.status();
    *status = *complete ? ACL_EVENT_RECORDED_STATUS_COMPLETE : ACL_EVENT_RECORDED_STATUS_NOT_READY;
    return Status::Ok();
  });
}

extern "C" aclError aclrtQueryEventWaitStatus(aclrtEvent event, aclrtEventWaitStatus* status) {
  return EnterAcl("aclrtQueryEventWaitStatus", [&]() -> Status {
    TANDEM_RETURN_IF_ERROR(CheckNotNull(status, "status"));
    const Result<Event*> found = ResolveEvent(event);
    if (!found) return found.status();
    const Result<bool> done = (*found)->AreWaitsDone();
    if (!done) return done.status();
    *status = *done ? ACL_EVENT_WAIT_STATUS_COMPLETE : ACL_EVENT_WAIT_STATUS_NOT_READY;
    return Status::Ok();
  });
}

extern "C" aclError aclrtSynchronizeEvent(aclrtEvent event) {
  return EnterAcl("aclrtSynchronizeEvent", [&] { return Synchronize(event, kNever); });
}

extern "C" aclError aclrtSynchronizeEventWithTimeout(aclrtEvent event, int32_t timeout) {
  return EnterAcl("aclrtSynchronizeEventWithTimeout", [&]() -> Status {
    const Result<Deadline> deadline = DeadlineAfter(timeout);
    if (!deadline) return deadline.status();
    return Synchronize(event, *deadline);
  });
}

extern "C" aclError aclrtEventElapsedTime(float* ms, aclrtEvent startEvent, aclrtEvent endEvent) {
  return EnterAcl("aclrtEventElapsedTime", [&]() -> Status {
    TANDEM_RETURN_IF_ERROR(CheckNotNull(ms, "ms"));
    TANDEM_RETURN_IF_ERROR(CheckNotNull(startEvent, "startEvent"));
    TANDEM_RETURN_IF_ERROR(CheckNotNull(endEvent, "endEvent"));
    const Result<Event*> start = Resolve<Event>(HandleKind::kEvent, startEvent, "startEvent");
    if (!start) return start.status();
    const Result<Event*> end = Resolve<Event>(HandleKind::kEvent, endEvent, "endEvent");
    if (!end) return end.status();
    const Result<std::chrono::nanoseconds> start_time = (*start)->Time();
    if (!start_time) return Status(start_time.status()).Annotate("startEvent");
    const Result<std::chrono::nanoseconds> end_time = (*end)->Time();
    if (!end_time) return Status(end_time.status()).Annotate("endEvent");
    *ms = std::chrono::duration<float, std::milli>(*end_time - *start_time).count();
    return Status::Ok();
  });
}

extern "C" aclError aclrtEventGetTimestamp(aclrtEvent event, uint64_t* timestamp) {
  return EnterAcl("aclrtEventGetTimestamp", [&]() -> Status {
    TANDEM_RETURN_IF_ERROR(CheckNotNull(timestamp, "timestamp"));
    const Result<Event*> found = ResolveEvent(event);
    if (!found) return found.status();
    const Result<std::chrono::nanoseconds> time = (*found)->Time();
    if (!time) return time.status();
    *timestamp = static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::microseconds>(*time).count());
    return Status::Ok();
  });
}

extern "C" aclError aclrtGetEventId(aclrtEvent event, uint32_t* eventId) {
  return EnterAcl("aclrtGetEventId", [&]() -> Status {
    TANDEM_RETURN_IF_ERROR(CheckNotNull(eventId, "eventId"));
    const Result<Event*> found = ResolveEvent(event);
    if (!found) return found.status();
    const Result<uint32_t> id = (*found)->Id();
    if (!id) return id.status();
    *eventId = *id;
    return Status::Ok();
  });
}

extern "C" aclError aclrtGetEventAvailNum(uint32_t* eventCount) {
  return EnterAcl("aclrtGetEventAvailNum", [&]() -> Status {
    TANDEM_RETURN_IF_ERROR(CheckNotNull(eventCount, "eventCount"));
    const Result<int32_t> device = CurrentDevice();
    if (!device) return device.status();
    *eventCount = Device::Get(*device).event_ids().Available();
    return Status::Ok();
  });
}
