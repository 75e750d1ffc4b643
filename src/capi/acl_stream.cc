// SPDX-License-Identifier: Apache-2.0
// Creating, destroying and waiting for streams.
#include <acl/acl_rt.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <utility>

#include "capi/deadline.h"
#include "capi/enter.h"
#include "capi/handles.h"
#include "capi/live_objects.h"
#include "capi/named_callbacks.h"
#include "capi/stream_mode.h"
#include "stream/context.h"
#include "stream/device.h"
#include "stream/memory_pool.h"

namespace tandem::capi {
namespace {

constexpr uint32_t kKnownFlags = ACL_STREAM_FAST_LAUNCH | ACL_STREAM_FAST_SYNC | ACL_STREAM_PERSISTENT |
                                 ACL_STREAM_HUGE | ACL_STREAM_CPU_SCHEDULE | ACL_STREAM_DEVICE_USE_ONLY;
constexpr uint32_t kNeverWaitedFor =
    ACL_STREAM_PERSISTENT | ACL_STREAM_CPU_SCHEDULE | ACL_STREAM_DEVICE_USE_ONLY;
// How long an abort may take: a copy under way ends in milliseconds, a host function may take its time.
constexpr std::chrono::seconds kAbortLimit{60};

using StreamStateCallback = void(aclrtStream, aclrtStreamState, void*);

NamedCallbacks<StreamStateCallback>& StreamStateCallbacks() {
  static auto* const callbacks = new NamedCallbacks<StreamStateCallback>;
  return *callbacks;
}

void Tell(ManagedStream& stream, StreamState state) {
  const aclrtStreamState named =
      state == StreamState::kCreated ? ACL_RT_STREAM_STATE_CREATE_POST : ACL_RT_STREAM_STATE_DESTROY_PRE;
  for (const auto& entry : StreamStateCallbacks().Entries())
    entry.function(stream.handle(), named, entry.argument);
}

Status Create(aclrtStream* stream, uint32_t priority, uint32_t flags) {
  TANDEM_RETURN_IF_ERROR(CheckNotNull(stream, "stream"));
  const Result<Context*> context = CurrentContext();
  if (!context) return context.status();
  const Result<ManagedStream*> made = (*context)->CreateStream(
      {.priority = std::min(priority, kLeastPriority), .flags = flags & kKnownFlags});
  if (!made) return made.status();
  *stream = (*made)->handle();
  return Status::Ok();
}

Status Destroy(aclrtStream handle, bool drop) {
  if (handle == nullptr) {
    return Status::Error(Code::kNullPointer,
                         "stream is null; the default stream lives as long as its context");
  }
  const Result<ManagedStream*> stream = ResolveStream(handle);
  if (!stream) return stream.status();
  if ((*stream)->traits().is_default) {
    return Status::Error(Code::kInvalidValue,
                         "stream is the default stream, which lives as long as its context");
  }
  return (*stream)->context()->DestroyStream(**stream, drop);
}

Status SynchronizeStream(aclrtStream handle, Deadline deadline) {
  Context* const current = CurrentContextOrNull();
  ManagedStream* const found = current == nullptr  ? nullptr
                               : handle == nullptr ? &current->default_stream()
                                                   : FindStream(handle);
  if (found == nullptr) [[unlikely]]
    return ResolveStreamOfAnyContext(handle).status();
  ManagedStream& stream = *found;
  const Context& context = *stream.context();
  TANDEM_RETURN_IF_ERROR(Device::CheckNotAborting(context.device()));
  const uint64_t aborts = Device::AbortsSoFar();
  if (context.HasFailed()) return context.Failure();
  if ((stream.traits().flags & kNeverWaitedFor) != 0) return Status::Ok();
  Status waited = stream.Wait(stream.submitted(), deadline);
  if (Device::WasAborted(context.device(), aborts)) return AbortedByDevice();
  if (context.HasFailed()) return context.Failure();
  if (!waited.ok()) return waited;
  MemoryPool::OnSynchronized(context.device());
  return stream.HasError() ? stream.TakeError() : Status::Ok();
}

}  // namespace

Status SetFailureMode(aclrtStream handle, uint64_t mode) {
  const Result<ManagedStream*> found = ResolveStream(handle);
  if (!found) return found.status();
  ManagedStream& stream = **found;
  const bool stop = (mode & ACL_STOP_ON_FAILURE) != 0;
  if (stream.context()->HasFailed()) {
    return Status::Error(Code::kNotSupported,
                         "the context has stopped at a failure; its failure mode is fixed now");
  }
  if (stop == stream.stops_on_failure.load(std::memory_order_relaxed)) return Status::Ok();
  if (!stop) {
    return Status::Error(Code::kNotSupported,
                         "a stream in mode ACL_STOP_ON_FAILURE cannot go back to "
                         "ACL_CONTINUE_ON_FAILURE");
  }
  stream.stops_on_failure.store(true, std::memory_order_relaxed);
  stream.context()->StopOnFailure();
  return Status::Ok();
}

namespace {

Status AbortStream(aclrtStream handle) {
  const Result<ManagedStream*> stream = ResolveStream(handle);
  if (!stream) return stream.status();
  const Status why = Status::Error(Code::kStreamAborted, "the stream was aborted by aclrtStreamAbort");
  Status aborted = (*stream)->Abort(why, Clock::now() + kAbortLimit);
  if (aborted.ok()) return aborted;
  return Status::Error(Code::kWaitTimeout, "%s", std::string(aborted.text()).c_str());
}

LiveObjects<aclrtStreamConfigHandle>& Configs() {
  static auto* const configs = new LiveObjects<aclrtStreamConfigHandle>;
  return *configs;
}

Status NoConfig(const aclrtStreamConfigHandle* config) {
  return NotLive("handle", config, "one of aclrtCreateStreamConfigHandle that was not destroyed");
}

template <typename Value>
bool ReadValue(const void* from, size_t bytes, Value& value) {
  if (bytes != sizeof(Value)) return false;
  std::memcpy(&value, from, sizeof(Value));
  return true;
}

bool ReadSize(const void* from, size_t bytes, size_t& value) {
  uint32_t narrow = 0;
  if (!ReadValue(from, bytes, narrow)) return ReadValue(from, bytes, value);
  value = narrow;
  return true;
}

Status SetOption(aclrtStreamConfigHandle& config, aclrtStreamConfigAttr attribute, const void* value,
                 size_t bytes) {
  bool fits = false;
  switch (attribute) {
    case ACL_RT_STREAM_WORK_ADDR_PTR:
      fits = ReadValue(value, bytes, config.workptr);
      break;
    case ACL_RT_STREAM_WORK_SIZE:
      fits = ReadSize(value, bytes, config.workSize);
      break;
    case ACL_RT_STREAM_FLAG:
      fits = ReadSize(value, bytes, config.flag);
      break;
    case ACL_RT_STREAM_PRIORITY:
      fits = ReadValue(value, bytes, config.priority);
      break;
    default:
      return Status::Error(Code::kInvalidArgument, "attr is %d, expected 0 to 3",
                           static_cast<int>(attribute));
  }
  if (fits) return Status::Ok();
  return Status::Error(Code::kInvalidArgument,
                       "valueSize is %zu, which is not the size of a value for attr %d", bytes,
                       static_cast<int>(attribute));
}

}  // namespace
}  // namespace tandem::capi

using namespace tandem;        // NOLINT(google-build-using-namespace): the functions below are outside every
                               // namespace
using namespace tandem::capi;  // NOLINT(google-build-using-namespace)

extern "C" aclError aclrtCreateStream(aclrtStream* stream) {
  return EnterAcl("aclrtCreateStream", [&] { return Create(stream, 0, 0); });
}

extern "C" aclError aclrtCreateStreamWithConfig(aclrtStream* stream, uint32_t priority, uint32_t flag) {
  return EnterAcl("aclrtCreateStreamWithConfig", [&] { return Create(stream, priority, flag); });
}

extern "C" aclrtStreamConfigHandle* aclrtCreateStreamConfigHandle(void) { return Configs().Add({}); }

extern "C" aclError aclrtDestroyStreamConfigHandle(aclrtStreamConfigHandle* handle) {
  return EnterAcl("aclrtDestroyStreamConfigHandle", [&]() -> Status {
    TANDEM_RETURN_IF_ERROR(CheckNotNull(handle, "handle"));
    return Configs().Remove(handle) ? Status::Ok() : NoConfig(handle);
  });
}

extern "C" aclError aclrtSetStreamConfigOpt(aclrtStreamConfigHandle* handle, aclrtStreamConfigAttr attr,
                                            const void* attrValue, size_t valueSize) {
  return EnterAcl("aclrtSetStreamConfigOpt", [&]() -> Status {
    TANDEM_RETURN_IF_ERROR(CheckNotNull(handle, "handle"));
    TANDEM_RETURN_IF_ERROR(CheckNotNull(attrValue, "attrValue"));
    Status set;
    const bool live = Configs().With(handle, [&](aclrtStreamConfigHandle& config) {
      set = SetOption(config, attr, attrValue, valueSize);
    });
    return live ? std::move(set) : NoConfig(handle);
  });
}

extern "C" aclError aclrtCreateStreamV2(aclrtStream* stream, const aclrtStreamConfigHandle* handle) {
  return EnterAcl("aclrtCreateStreamV2", [&]() -> Status {
    TANDEM_RETURN_IF_ERROR(CheckNotNull(stream, "stream"));
    TANDEM_RETURN_IF_ERROR(CheckNotNull(handle, "handle"));
    aclrtStreamConfigHandle config{};
    if (!Configs().With(handle, [&](const aclrtStreamConfigHandle& found) { config = found; }))
      return NoConfig(handle);
    return Create(stream, config.priority, static_cast<uint32_t>(config.flag));
  });
}

extern "C" aclError aclrtDestroyStream(aclrtStream stream) {
  return EnterAcl("aclrtDestroyStream", [&] { return Destroy(stream, false); });
}

extern "C" aclError aclrtDestroyStreamForce(aclrtStream stream) {
  return EnterAcl("aclrtDestroyStreamForce", [&] { return Destroy(stream, true); });
}

extern "C" aclError aclrtSynchronizeStream(aclrtStream stream) {
  return EnterAcl("aclrtSynchronizeStream", [&] { return SynchronizeStream(stream, kNever); });
}

extern "C" aclError aclrtSynchronizeStreamWithTimeout(aclrtStream stream, int32_t timeout) {
  return EnterAcl("aclrtSynchronizeStreamWithTimeout", [&]() -> Status {
    const Result<Deadline> deadline = DeadlineAfter(timeout);
    if (!deadline) return deadline.status();
    return SynchronizeStream(stream, *deadline);
  });
}

extern "C" aclError aclrtStreamQuery(aclrtStream stream, aclrtStreamStatus* status) {
  return EnterAcl("aclrtStreamQuery", [&]() -> Status {
    TANDEM_RETURN_IF_ERROR(CheckNotNull(status, "status"));
    const Result<ManagedStream*> found = ResolveStreamToQuery(stream);
    if (!found) return found.status();
    *status =
        (*found)->IsDone((*found)->submitted()) ? ACL_STREAM_STATUS_COMPLETE : ACL_STREAM_STATUS_NOT_READY;
    return Status::Ok();
  });
}

extern "C" aclError aclrtStreamGetId(aclrtStream stream, int32_t* streamId) {
  return EnterAcl("aclrtStreamGetId", [&]() -> Status {
    TANDEM_RETURN_IF_ERROR(CheckNotNull(streamId, "streamId"));
    const Result<ManagedStream*> found = ResolveStreamToQuery(stream);
    if (!found) return found.status();
    *streamId = static_cast<int32_t>((*found)->id());
    return Status::Ok();
  });
}

extern "C" aclError aclrtStreamGetPriority(aclrtStream stream, uint32_t* priority) {
  return EnterAcl("aclrtStreamGetPriority", [&]() -> Status {
    TANDEM_RETURN_IF_ERROR(CheckNotNull(priority, "priority"));
    const Result<ManagedStream*> found = ResolveStreamToQuery(stream);
    if (!found) return found.status();
    *priority = (*found)->priority.load(std::memory_order_relaxed);
    return Status::Ok();
  });
}

extern "C" aclError aclrtStreamGetFlags(aclrtStream stream, uint32_t* flags) {
  return EnterAcl("aclrtStreamGetFlags", [&]() -> Status {
    TANDEM_RETURN_IF_ERROR(CheckNotNull(flags, "flags"));
    const Result<ManagedStream*> found = ResolveStreamToQuery(stream);
    if (!found) return found.status();
    *flags = (*found)->traits().flags;
    return Status::Ok();
  });
}

extern "C" aclError aclrtGetStreamAvailableNum(uint32_t* streamCount) {
  return EnterAcl("aclrtGetStreamAvailableNum", [&]() -> Status {
    TANDEM_RETURN_IF_ERROR(CheckNotNull(streamCount, "streamCount"));
    const Result<int32_t> device = CurrentDevice();
    if (!device) return device.status();
    *streamCount = Device::Get(*device).stream_ids().Available();
    return Status::Ok();
  });
}

extern "C" aclError aclrtSetStreamFailureMode(aclrtStream stream, uint64_t mode) {
  return EnterAcl("aclrtSetStreamFailureMode", [&] { return SetFailureMode(stream, mode); });
}

extern "C" aclError aclrtStreamAbort(aclrtStream stream) {
  return EnterAcl("aclrtStreamAbort", [&] { return AbortStream(stream); });
}

extern "C" aclError aclrtStreamStop(aclrtStream stream) {
  return EnterAcl("aclrtStreamStop", [&]() -> Status {
    if (stream == nullptr) return Status::Error(Code::kInvalidValue, "stream is null");
    TANDEM_RETURN_IF_ERROR(ResolveStreamToQuery(stream).status());
    return Status::Error(Code::kNotSupported,
                         "stopping only the running task is not possible here; use aclrtStreamAbort");
  });
}

extern "C" aclError aclrtRegStreamStateCallback(const char* regName, aclrtStreamStateCallback callback,
                                                void* args) {
  return EnterAcl("aclrtRegStreamStateCallback", [&]() -> Status {
    TANDEM_RETURN_IF_ERROR(StreamStateCallbacks().Set(regName, callback, args));
    SetStreamStateHook(&Tell);
    return Status::Ok();
  });
}
