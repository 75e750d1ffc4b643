// SPDX-License-Identifier: Apache-2.0
// Announcements of memory for zero-copy transfers: HcclCommSetMemoryRange and the like. Checked and kept in a
// book; nothing depends on them here.
#include <hccl/hccl_comm.h>

#include <utility>

#include "capi/communicators.h"
#include "capi/enter.h"
#include "capi/handles.h"
#include "stream/physical_memory.h"

namespace tandem::capi {
namespace {

Status CheckZero(const char* name, uint64_t value) {
  if (value == 0) return Status::Ok();
  return Status::Error(Code::kInvalidArgument, "%s is %llu, expected 0", name,
                       static_cast<unsigned long long>(value));
}

// Resolves, checks the pointer, and leaves the rest to `act`.
template <typename Act>
Status OnRanges(HcclComm comm, const void* pointer, const char* name, Act&& act) {
  Result<std::shared_ptr<Communicator>> communicator = ResolveCommunicator(comm);
  if (!communicator) return std::move(communicator).status();
  TANDEM_RETURN_IF_ERROR(CheckNotNull(pointer, name));
  return act((*communicator)->memory_ranges(), reinterpret_cast<uintptr_t>(pointer));
}

}  // namespace
}  // namespace tandem::capi

using tandem::MemoryRanges;
using tandem::Status;
namespace capi = tandem::capi;

extern "C" {

HcclResult HcclCommSetMemoryRange(HcclComm comm, void* baseVirPtr, size_t size, size_t alignment,
                                  uint64_t flags) {
  return capi::EnterHccl("HcclCommSetMemoryRange", [&] {
    return capi::OnRanges(comm, baseVirPtr, "baseVirPtr",
                          [&](MemoryRanges& ranges, uintptr_t base) -> Status {
                            TANDEM_RETURN_IF_ERROR(capi::CheckZero("alignment", alignment));
                            TANDEM_RETURN_IF_ERROR(capi::CheckZero("flags", flags));
                            return ranges.Set(base, size);
                          });
  });
}

HcclResult HcclCommUnsetMemoryRange(HcclComm comm, void* baseVirPtr) {
  return capi::EnterHccl("HcclCommUnsetMemoryRange", [&] {
    return capi::OnRanges(comm, baseVirPtr, "baseVirPtr",
                          [](MemoryRanges& ranges, uintptr_t base) { return ranges.Unset(base); });
  });
}

HcclResult HcclCommActivateCommMemory(HcclComm comm, void* virPtr, size_t size, size_t offset,
                                      aclrtDrvMemHandle handle, uint64_t flags) {
  return capi::EnterHccl("HcclCommActivateCommMemory", [&] {
    return capi::OnRanges(comm, virPtr, "virPtr", [&](MemoryRanges& ranges, uintptr_t address) -> Status {
      TANDEM_RETURN_IF_ERROR(capi::CheckNotNull(handle, "handle"));
      if (tandem::FindPhysical(handle) == nullptr)
        return capi::BadHandle(tandem::HandleKind::kPhysicalMemory, handle, "handle");
      TANDEM_RETURN_IF_ERROR(capi::CheckZero("offset", offset));
      TANDEM_RETURN_IF_ERROR(capi::CheckZero("flags", flags));
      return ranges.Activate(address, size);
    });
  });
}

HcclResult HcclCommDeactivateCommMemory(HcclComm comm, void* virPtr) {
  return capi::EnterHccl("HcclCommDeactivateCommMemory", [&] {
    return capi::OnRanges(comm, virPtr, "virPtr",
                          [](MemoryRanges& ranges, uintptr_t address) { return ranges.Deactivate(address); });
  });
}

}  // extern "C"
