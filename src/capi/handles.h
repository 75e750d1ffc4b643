// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <acl/acl_rt.h>

#include "base/handle_table.h"
#include "base/result.h"
#include "stream/context.h"
#include "stream/event.h"

namespace tandem::capi {

// kInvalidHandle with a text that says what the value is instead. `argument` is the parameter's name.
Status BadHandle(HandleKind expected, const void* handle, const char* argument);

// The live object behind a handle of this kind. For objects whose owner is elsewhere, such as communicators:
// T is what was given to HandleTable::Add.
template <typename T>
Result<T*> Resolve(HandleKind kind, const void* handle, const char* argument) {
  if (auto* object = static_cast<T*>(HandleTable::Process().Find(kind, handle))) [[likely]]
    return object;
  return BadHandle(kind, handle, argument);
}

// The stream of a live handle, else null.
inline ManagedStream* FindStream(aclrtStream stream) {
  return static_cast<ManagedStream*>(HandleTable::Process().Find(HandleKind::kStream, stream));
}

// For submissions: the stream, or the default stream of the current context for null. kNoContext without a
// current context, kWrongContext for a stream of another one.
Result<ManagedStream*> ResolveStream(aclrtStream stream);

// For synchronize: any live stream, but the thread needs some context.
Result<ManagedStream*> ResolveStreamOfAnyContext(aclrtStream stream);

// For queries: any live stream; a context is needed only for null.
Result<ManagedStream*> ResolveStreamToQuery(aclrtStream stream);

// kNullPointer for null.
Result<Event*> ResolveEvent(aclrtEvent event);
Result<Context*> ResolveContext(aclrtContext context);

// The device's number on this host; kInvalidDevice with the argument's name.
Result<int32_t> ResolveDevice(int32_t user_id, const char* argument);

// kNullPointer with the argument's name when it is null.
Status CheckNotNull(const void* pointer, const char* argument);

// The list "pid" of processes that may import something; `argument` is the name of its length. kNullPointer,
// or kInvalidValue for a length or process id that cannot be right.
Status CheckPids(const int32_t* pids, size_t count, const char* argument);

}  // namespace tandem::capi
