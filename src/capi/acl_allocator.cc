// SPDX-License-Identifier: Apache-2.0
// A user's allocator, remembered for a stream. Nothing here is ever called by the library.
#include <acl/acl_rt.h>
#include <acl/acl_rt_allocator.h>

#include <map>
#include <utility>

#include "base/mutex.h"
#include "capi/enter.h"
#include "capi/handles.h"

namespace tandem::capi {
namespace {

struct Description {
  aclrtAllocator object = nullptr;
  aclrtAllocatorAllocFunc allocate = nullptr;
  aclrtAllocatorFreeFunc free = nullptr;
  aclrtAllocatorAllocAdviseFunc allocate_at = nullptr;
  aclrtAllocatorGetAddrFromBlockFunc address_of = nullptr;
};

struct Registered {
  aclrtAllocatorDesc handle = nullptr;
  Description description;
};

// What the entries of the handle table point to: the handle says everything, the content is below, under the
// lock.
int placeholder = 0;

struct Store {
  Mutex mutex;
  std::map<const void*, Description> descriptions TANDEM_GUARDED_BY(mutex);
  // By the stream's handle, which no later stream gets again.
  std::map<const void*, Registered> streams TANDEM_GUARDED_BY(mutex);
};

Store& Process() {
  static Store* const store = new Store;
  return *store;
}

template <typename Field>
Status SetField(aclrtAllocatorDesc handle, Field Description::*field, Field value, const char* argument) {
  TANDEM_RETURN_IF_ERROR(CheckNotNull(handle, "allocatorDesc"));
  if (value == nullptr) return Status::Error(Code::kNullPointer, "%s is null", argument);
  MutexLock lock(Process().mutex);
  const auto found = Process().descriptions.find(handle);
  if (found == Process().descriptions.end())
    return BadHandle(HandleKind::kAllocator, handle, "allocatorDesc");
  found->second.*field = value;
  return Status::Ok();
}

Status CheckComplete(const Description& description) {
  const char* missing = description.object == nullptr       ? "aclrtAllocatorSetObjToDesc"
                        : description.allocate == nullptr   ? "aclrtAllocatorSetAllocFuncToDesc"
                        : description.free == nullptr       ? "aclrtAllocatorSetFreeFuncToDesc"
                        : description.address_of == nullptr ? "aclrtAllocatorSetGetAddrFromBlockFuncToDesc"
                                                            : nullptr;
  if (missing == nullptr) return Status::Ok();
  return Status::Error(Code::kInvalidArgument, "allocatorDesc is not complete: call %s first", missing);
}

Status Register(aclrtStream stream, aclrtAllocatorDesc handle) {
  TANDEM_RETURN_IF_ERROR(CheckNotNull(stream, "stream"));
  TANDEM_RETURN_IF_ERROR(CheckNotNull(handle, "allocatorDesc"));
  TANDEM_RETURN_IF_ERROR(ResolveStreamToQuery(stream).status());
  MutexLock lock(Process().mutex);
  const auto found = Process().descriptions.find(handle);
  if (found == Process().descriptions.end())
    return BadHandle(HandleKind::kAllocator, handle, "allocatorDesc");
  TANDEM_RETURN_IF_ERROR(CheckComplete(found->second));
  // Streams that ended take their entries with them, at the latest now.
  std::erase_if(Process().streams, [](const auto& entry) {
    return HandleTable::Process().Find(HandleKind::kStream, entry.first) == nullptr;
  });
  Process().streams[stream] = {handle, found->second};
  return Status::Ok();
}

Result<Registered> FindRegistered(aclrtStream stream) {
  TANDEM_RETURN_IF_ERROR(CheckNotNull(stream, "stream"));
  TANDEM_RETURN_IF_ERROR(ResolveStreamToQuery(stream).status());
  MutexLock lock(Process().mutex);
  const auto found = Process().streams.find(stream);
  if (found != Process().streams.end()) return found->second;
  return Status::Error(Code::kInvalidArgument,
                       "nothing was registered for stream %p (aclrtAllocatorRegister)", stream);
}

}  // namespace
}  // namespace tandem::capi

using namespace tandem;        // NOLINT(google-build-using-namespace): the functions below are outside every
                               // namespace
using namespace tandem::capi;  // NOLINT(google-build-using-namespace)

extern "C" aclrtAllocatorDesc aclrtAllocatorCreateDesc(void) {
  aclrtAllocatorDesc made = nullptr;
  static_cast<void>(EnterAcl("aclrtAllocatorCreateDesc", [&]() -> Status {
    const Result<void*> handle = HandleTable::Process().Add(HandleKind::kAllocator, &placeholder);
    if (!handle) return handle.status();
    MutexLock lock(Process().mutex);
    Process().descriptions.emplace(*handle, Description());
    made = *handle;
    return Status::Ok();
  }));
  return made;
}

extern "C" aclError aclrtAllocatorDestroyDesc(aclrtAllocatorDesc allocatorDesc) {
  return EnterAcl("aclrtAllocatorDestroyDesc", [&]() -> Status {
    TANDEM_RETURN_IF_ERROR(CheckNotNull(allocatorDesc, "allocatorDesc"));
    MutexLock lock(Process().mutex);
    if (Process().descriptions.erase(allocatorDesc) == 0)
      return BadHandle(HandleKind::kAllocator, allocatorDesc, "allocatorDesc");
    HandleTable::Process().Remove(HandleKind::kAllocator, allocatorDesc);
    return Status::Ok();
  });
}

extern "C" aclError aclrtAllocatorSetObjToDesc(aclrtAllocatorDesc allocatorDesc, aclrtAllocator allocator) {
  return EnterAcl("aclrtAllocatorSetObjToDesc",
                  [&] { return SetField(allocatorDesc, &Description::object, allocator, "allocator"); });
}

extern "C" aclError aclrtAllocatorSetAllocFuncToDesc(aclrtAllocatorDesc allocatorDesc,
                                                     aclrtAllocatorAllocFunc func) {
  return EnterAcl("aclrtAllocatorSetAllocFuncToDesc",
                  [&] { return SetField(allocatorDesc, &Description::allocate, func, "func"); });
}

extern "C" aclError aclrtAllocatorSetFreeFuncToDesc(aclrtAllocatorDesc allocatorDesc,
                                                    aclrtAllocatorFreeFunc func) {
  return EnterAcl("aclrtAllocatorSetFreeFuncToDesc",
                  [&] { return SetField(allocatorDesc, &Description::free, func, "func"); });
}

extern "C" aclError aclrtAllocatorSetAllocAdviseFuncToDesc(aclrtAllocatorDesc allocatorDesc,
                                                           aclrtAllocatorAllocAdviseFunc func) {
  return EnterAcl("aclrtAllocatorSetAllocAdviseFuncToDesc",
                  [&] { return SetField(allocatorDesc, &Description::allocate_at, func, "func"); });
}

extern "C" aclError aclrtAllocatorSetGetAddrFromBlockFuncToDesc(aclrtAllocatorDesc allocatorDesc,
                                                                aclrtAllocatorGetAddrFromBlockFunc func) {
  return EnterAcl("aclrtAllocatorSetGetAddrFromBlockFuncToDesc",
                  [&] { return SetField(allocatorDesc, &Description::address_of, func, "func"); });
}

extern "C" aclError aclrtAllocatorRegister(aclrtStream stream, aclrtAllocatorDesc allocatorDesc) {
  return EnterAcl("aclrtAllocatorRegister", [&] { return Register(stream, allocatorDesc); });
}

extern "C" aclError aclrtAllocatorGetByStream(aclrtStream stream, aclrtAllocatorDesc* allocatorDesc,
                                              aclrtAllocator* allocator, aclrtAllocatorAllocFunc* allocFunc,
                                              aclrtAllocatorFreeFunc* freeFunc,
                                              aclrtAllocatorAllocAdviseFunc* allocAdviseFunc,
                                              aclrtAllocatorGetAddrFromBlockFunc* getAddrFromBlockFunc) {
  return EnterAcl("aclrtAllocatorGetByStream", [&]() -> Status {
    TANDEM_RETURN_IF_ERROR(CheckNotNull(allocatorDesc, "allocatorDesc"));
    TANDEM_RETURN_IF_ERROR(CheckNotNull(allocator, "allocator"));
    TANDEM_RETURN_IF_ERROR(CheckNotNull(allocFunc, "allocFunc"));
    TANDEM_RETURN_IF_ERROR(CheckNotNull(freeFunc, "freeFunc"));
    TANDEM_RETURN_IF_ERROR(CheckNotNull(allocAdviseFunc, "allocAdviseFunc"));
    TANDEM_RETURN_IF_ERROR(CheckNotNull(getAddrFromBlockFunc, "getAddrFromBlockFunc"));
    const Result<Registered> found = FindRegistered(stream);
    if (!found) return found.status();
    *allocatorDesc = found->handle;
    *allocator = found->description.object;
    *allocFunc = found->description.allocate;
    *freeFunc = found->description.free;
    *allocAdviseFunc = found->description.allocate_at;
    *getAddrFromBlockFunc = found->description.address_of;
    return Status::Ok();
  });
}

extern "C" aclError aclrtAllocatorUnregister(aclrtStream stream) {
  return EnterAcl("aclrtAllocatorUnregister", [&]() -> Status {
    TANDEM_RETURN_IF_ERROR(CheckNotNull(stream, "stream"));
    TANDEM_RETURN_IF_ERROR(ResolveStreamToQuery(stream).status());
    MutexLock lock(Process().mutex);
    Process().streams.erase(stream);
    return Status::Ok();
  });
}
