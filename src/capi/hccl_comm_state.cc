// SPDX-License-Identifier: Apache-2.0
// HcclCommSuspend, HcclCommResume, HcclCommGetStatus, HcclCommRegCommStateCallback, HcclCommWorkingDevNicSet.
#include <hccl/hccl_comm.h>

#include <cstring>
#include <type_traits>
#include <utility>

#include "base/log.h"
#include "capi/comm_state.h"
#include "capi/communicators.h"
#include "capi/enter.h"
#include "capi/handles.h"
#include "capi/named_callbacks.h"
#include "stream/context.h"

namespace tandem::capi {
namespace {

// Source: spec hccl.md 3.4: fewer than 160 characters.
constexpr size_t kMostCallbackName = 159;

using StateFunction = std::remove_pointer_t<HcclCommStateCallback>;

NamedCallbacks<StateFunction>& StateCallbacks() {
  static auto* const callbacks = new NamedCallbacks<StateFunction>;
  return *callbacks;
}

Status SetSuspended(HcclComm comm, bool suspended) {
  Result<std::shared_ptr<Communicator>> communicator = ResolveCommunicator(comm);
  if (!communicator) return std::move(communicator).status();
  if (!suspended) TellCommState(comm, HCCL_COMM_STATE_PHASE_RESUME_PRE);
  (*communicator)->SetSuspended(suspended);
  if (!suspended) TellCommState(comm, HCCL_COMM_STATE_PHASE_RESUME_POST);
  return Status::Ok();
}

Status GetStatus(const char* name, HcclCommStatus* status) {
  TANDEM_RETURN_IF_ERROR(CheckNotNull(name, "commId"));
  TANDEM_RETURN_IF_ERROR(CheckNotNull(status, "status"));
  *status = HCCL_COMM_STATUS_INVALID;
  Result<HcclComm> found = FindCommunicatorHere(name, "commId");
  if (!found) return std::move(found).status();
  Result<std::shared_ptr<Communicator>> communicator = ResolveCommunicator(*found);
  if (!communicator) return std::move(communicator).status();
  *status = (*communicator)->suspended() ? HCCL_COMM_STATUS_SUSPENDING : HCCL_COMM_STATUS_READY;
  return Status::Ok();
}

}  // namespace

void TellCommState(HcclComm comm, HcclCommStatePhase phase) {
  for (const auto& entry : StateCallbacks().Entries()) {
    const HcclResult result = entry.function(comm, phase, entry.argument);
    if (result == HCCL_SUCCESS) continue;
    TANDEM_LOG(kWarn, "the state callback \"%s\" returned %d in phase %d; nothing follows from it",
               entry.name.c_str(), static_cast<int>(result), static_cast<int>(phase));
  }
}

}  // namespace tandem::capi

using tandem::Code;
using tandem::Status;
namespace capi = tandem::capi;

extern "C" {

HcclResult HcclCommSuspend(HcclComm comm) {
  return capi::EnterHccl("HcclCommSuspend", [&] { return capi::SetSuspended(comm, true); });
}

HcclResult HcclCommResume(HcclComm comm) {
  return capi::EnterHccl("HcclCommResume", [&] { return capi::SetSuspended(comm, false); });
}

HcclResult HcclCommGetStatus(const char* commId, HcclCommStatus* status) {
  return capi::EnterHccl("HcclCommGetStatus", [&] { return capi::GetStatus(commId, status); });
}

HcclResult HcclCommRegCommStateCallback(const char* regName, HcclCommStateCallback cb, void* args) {
  return capi::EnterHccl("HcclCommRegCommStateCallback", [&]() -> Status {
    TANDEM_RETURN_IF_ERROR(capi::CheckNotNull(regName, "regName"));
    const size_t length = strnlen(regName, capi::kMostCallbackName + 1);
    if (length == 0 || length > capi::kMostCallbackName) {
      return Status::Error(Code::kInvalidArgument, "regName has %s characters, expected 1 to %zu",
                           length == 0 ? "no" : "too many", capi::kMostCallbackName);
    }
    return capi::StateCallbacks().Set(regName, cb, args);
  });
}

HcclResult HcclCommWorkingDevNicSet(HcclComm comm, uint32_t* ranks, bool* useBackup, uint32_t nRanks) {
  return capi::EnterHccl("HcclCommWorkingDevNicSet", [&]() -> Status {
    auto communicator = capi::ResolveCommunicator(comm);
    if (!communicator) return std::move(communicator).status();
    TANDEM_RETURN_IF_ERROR(capi::CheckNotNull(ranks, "ranks"));
    TANDEM_RETURN_IF_ERROR(capi::CheckNotNull(useBackup, "useBackup"));
    if (nRanks > (*communicator)->size()) {
      return Status::Error(Code::kInvalidArgument,
                           "nRanks is %u, expected at most the number of ranks, which is %u", nRanks,
                           (*communicator)->size());
    }
    for (uint32_t i = 0; i < nRanks; ++i) {
      if (ranks[i] < (*communicator)->size()) continue;
      return Status::Error(Code::kInvalidArgument,
                           "ranks[%u] is %u, expected less than the number of ranks, which is %u", i,
                           ranks[i], (*communicator)->size());
    }
    return Status::Error(
        Code::kNotSupported,
        "it chooses between the two network ports of an A3 device; devices of this host have "
        "none, and ranks reach each other through memory");
  });
}

}  // extern "C"
