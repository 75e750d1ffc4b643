// SPDX-License-Identifier: Apache-2.0
#include "capi/handles.h"

#include <string>

#include "stream/device.h"

namespace tandem::capi {

Status BadHandle(HandleKind expected, const void* handle, const char* argument) {
  const std::optional<HandleKind> claimed = HandleTable::ClaimedKind(handle);
  if (claimed == expected) {
    return Status::Error(Code::kInvalidHandle,
                         "%s is %p, a %s that was destroyed already, or whose device was reset", argument,
                         handle, HandleKindName(expected));
  }
  if (claimed) {
    return Status::Error(Code::kInvalidHandle, "%s is %p, a handle of kind %s; expected a %s", argument,
                         handle, HandleKindName(*claimed), HandleKindName(expected));
  }
  return Status::Error(Code::kInvalidHandle, "%s is %p, which is no handle of this library; expected a %s",
                       argument, handle, HandleKindName(expected));
}

Result<ManagedStream*> ResolveStream(aclrtStream stream) {
  Context* current = CurrentContextOrNull();
  if (current == nullptr) [[unlikely]]
    return CurrentContext().status();
  if (stream == nullptr) return &current->default_stream();
  Result<ManagedStream*> found = Resolve<ManagedStream>(HandleKind::kStream, stream, "stream");
  if (found && (*found)->context() != current) [[unlikely]] {
    const Context* owner = (*found)->context();
    return Status::Error(
        Code::kWrongContext,
        "stream %p belongs to another context (device %d) than this thread's current one (device %d); "
        "select its context with aclrtSetDevice or aclrtSetCurrentContext first",
        stream, owner->device(), current->device());
  }
  return found;
}

Result<ManagedStream*> ResolveStreamOfAnyContext(aclrtStream stream) {
  const Result<Context*> current = CurrentContext();
  if (!current) return current.status();
  if (stream == nullptr) return &(*current)->default_stream();
  return Resolve<ManagedStream>(HandleKind::kStream, stream, "stream");
}

Result<ManagedStream*> ResolveStreamToQuery(aclrtStream stream) {
  if (stream == nullptr) return ResolveStreamOfAnyContext(nullptr);
  return Resolve<ManagedStream>(HandleKind::kStream, stream, "stream");
}

Result<Event*> ResolveEvent(aclrtEvent event) {
  TANDEM_RETURN_IF_ERROR(CheckNotNull(event, "event"));
  return Resolve<Event>(HandleKind::kEvent, event, "event");
}

Result<Context*> ResolveContext(aclrtContext context) {
  TANDEM_RETURN_IF_ERROR(CheckNotNull(context, "context"));
  return Resolve<Context>(HandleKind::kContext, context, "context");
}

Result<int32_t> ResolveDevice(int32_t user_id, const char* argument) {
  Result<int32_t> device = DeviceOfUserId(user_id);
  if (!device)
    return Status(device.status()).Annotate(std::string(argument) + " is " + std::to_string(user_id));
  return device;
}

Status CheckNotNull(const void* pointer, const char* argument) {
  if (pointer != nullptr) [[likely]]
    return Status::Ok();
  return Status::Error(Code::kNullPointer, "%s is null", argument);
}

Status CheckPids(const int32_t* pids, size_t count, const char* argument) {
  // More than a host can run: such a length is a mistake, and reading the list would leave its memory.
  constexpr size_t kMostPids = size_t{1} << 22;
  TANDEM_RETURN_IF_ERROR(CheckNotNull(pids, "pid"));
  if (count == 0 || count > kMostPids) {
    return Status::Error(Code::kInvalidValue, "%s is %zu, expected 1 to %zu", argument, count, kMostPids);
  }
  for (size_t i = 0; i < count; ++i) {
    if (pids[i] > 0) continue;
    return Status::Error(Code::kInvalidValue,
                         "pid[%zu] is %d, expected a process id (aclrtDeviceGetBareTgid)", i, pids[i]);
  }
  return Status::Ok();
}

}  // namespace tandem::capi
