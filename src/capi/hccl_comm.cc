// SPDX-License-Identifier: Apache-2.0
// Communicator functions of hccl/hccl_comm.h.
#include <hccl/hccl_comm.h>

#include <algorithm>
#include <cstring>
#include <set>
#include <thread>
#include <utility>
#include <vector>

#include "base/config.h"
#include "capi/comm_config.h"
#include "capi/comm_state.h"
#include "capi/communicators.h"
#include "capi/enter.h"
#include "capi/group.h"
#include "capi/handles.h"
#include "capi/status_map.h"
#include "comm/bootstrap/bootstrap.h"
#include "stream/context.h"
#include "stream/device.h"

namespace tandem::capi {
namespace {

static_assert(sizeof(HcclRootInfo) == bootstrap::kRootInfoBytes);

Result<std::shared_ptr<Communicator>> Join(const bootstrap::RootInfoBytes& root_info, uint32_t rank_count,
                                           uint32_t rank, int32_t device,
                                           const Communicator::Options& options) {
  TANDEM_RETURN_IF_ERROR(config::CheckCommunicatorSettings());
  Result<std::chrono::nanoseconds> limit = config::RootExchangeTimeout();
  if (!limit) return std::move(limit).status();
  return Communicator::Join(root_info, rank_count, rank, device, options, Clock::now() + *limit);
}

Status CheckRootInfoArguments(uint32_t rank_count, const HcclRootInfo* root_info, uint32_t rank,
                              const HcclComm* comm) {
  if (rank_count == 0) return Status::Error(Code::kInvalidArgument, "nRanks is 0, expected at least 1");
  if (rank >= rank_count) {
    return Status::Error(Code::kInvalidArgument, "rank is %u, expected less than nRanks, which is %u", rank,
                         rank_count);
  }
  TANDEM_RETURN_IF_ERROR(CheckNotNull(comm, "comm"));
  TANDEM_RETURN_IF_ERROR(CheckNotNull(root_info, "rootInfo"));
  return config::CheckCommunicatorSettings();
}

// The name that the communicator will have, kept for it.
Result<NameClaim> ClaimName(const bootstrap::RootInfoBytes& root_info, int32_t device,
                            const Communicator::Options& options) {
  if (!options.name.empty()) return NameClaim::Take(device, options.name);
  Result<std::string> name = bootstrap::NameIn(root_info);
  if (!name) return std::move(name).status();
  return NameClaim::Take(device, *name);
}

Status JoinAndAdd(uint32_t rank_count, const bootstrap::RootInfoBytes& bytes, uint32_t rank, int32_t device,
                  const Communicator::Options& options, HcclComm* comm) {
  Result<NameClaim> name = ClaimName(bytes, device, options);
  if (!name) return std::move(name).status();
  Result<std::shared_ptr<Communicator>> communicator = Join(bytes, rank_count, rank, device, options);
  if (!communicator) return std::move(communicator).status();
  Result<HcclComm> handle = AddCommunicator(std::move(*communicator), std::move(*name));
  if (!handle) return std::move(handle).status();
  *comm = *handle;
  return Status::Ok();
}

Status InitFromRootInfo(const char* call, uint32_t rank_count, const HcclRootInfo& root_info, uint32_t rank,
                        const Communicator::Options& options, HcclComm* comm) {
  Result<int32_t> device = CurrentDevice();
  if (!device) return std::move(device).status();
  bootstrap::RootInfoBytes bytes;
  std::memcpy(bytes.data(), root_info.internal, bytes.size());
  const auto join = [=, device = *device] {
    return JoinAndAdd(rank_count, bytes, rank, device, options, comm);
  };
  return InGroup() ? QueueInGroup(call, join) : join();
}

Status Destroy(HcclComm comm) {
  Result<std::shared_ptr<Communicator>> communicator = ResolveCommunicator(comm);
  if (!communicator) return std::move(communicator).status();
  TellCommState(comm, HCCL_COMM_STATE_PHASE_DESTROY_PRE);
  TANDEM_RETURN_IF_ERROR((*communicator)->Destroy());
  RemoveCommunicator(comm);
  TellCommState(comm, HCCL_COMM_STATE_PHASE_DESTROY_POST);
  return Status::Ok();
}

Result<std::vector<int32_t>> PhysicalDevices(const int32_t* devices, uint32_t count) {
  std::vector<int32_t> ids;
  std::set<int32_t> seen;
  for (uint32_t i = 0; i < count; ++i) {
    if (!seen.insert(devices[i]).second) {
      return Status::Error(Code::kInvalidArgument, "devices[%u] is %d, which is in the list already", i,
                           devices[i]);
    }
    Result<int32_t> id = DeviceOfUserId(devices[i]);
    if (!id) {
      return Status::Error(Code::kInvalidArgument, "devices[%u] is %d: %s", i, devices[i],
                           std::string(id.status().text()).c_str());
    }
    ids.push_back(*id);
  }
  return ids;
}

// One thread for each device, since each waits for all others.
Status JoinAll(const std::vector<int32_t>& devices,
               std::vector<std::shared_ptr<Communicator>>& communicators) {
  Result<Communicator::Options> options = DefaultCommOptions();
  if (!options) return std::move(options).status();
  Result<bootstrap::RootInfoBytes> root_info = bootstrap::StartRoot(devices[0]);
  if (!root_info) return std::move(root_info).status();
  const auto count = static_cast<uint32_t>(devices.size());
  std::vector<Status> statuses(count);
  communicators.resize(count);
  std::vector<std::thread> threads;
  threads.reserve(count);
  for (uint32_t rank = 0; rank < count; ++rank) {
    threads.emplace_back([&, rank] {
      Result<std::shared_ptr<Communicator>> joined = Join(*root_info, count, rank, devices[rank], *options);
      if (joined) {
        communicators[rank] = std::move(*joined);
      } else {
        statuses[rank] = std::move(joined).status();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  const auto failed = std::find_if(statuses.begin(), statuses.end(), [](const Status& s) { return !s.ok(); });
  return failed == statuses.end() ? Status::Ok() : *failed;
}

// Asks a communicator one thing and writes the answer through `out`.
template <typename T, typename Get>
HcclResult Query(const char* call, HcclComm comm, T* out, const char* out_name, Get&& get) {
  return EnterHccl(call, [&]() -> Status {
    Result<std::shared_ptr<Communicator>> communicator = ResolveCommunicator(comm);
    if (!communicator) return std::move(communicator).status();
    TANDEM_RETURN_IF_ERROR(CheckNotNull(out, out_name));
    get(**communicator);
    return Status::Ok();
  });
}

}  // namespace
}  // namespace tandem::capi

using tandem::Code;
using tandem::Communicator;
using tandem::Result;
using tandem::Status;
namespace capi = tandem::capi;

extern "C" {

HcclResult HcclGetRootInfo(HcclRootInfo* rootInfo) {
  return capi::EnterHccl("HcclGetRootInfo", [&]() -> Status {
    Result<int32_t> device = tandem::CurrentDevice();
    if (!device) return std::move(device).status();
    TANDEM_RETURN_IF_ERROR(capi::CheckNotNull(rootInfo, "rootInfo"));
    TANDEM_RETURN_IF_ERROR(tandem::config::CheckCommunicatorSettings());
    Result<tandem::bootstrap::RootInfoBytes> bytes = tandem::bootstrap::StartRoot(*device);
    if (!bytes) return std::move(bytes).status();
    std::memcpy(rootInfo->internal, bytes->data(), bytes->size());
    return Status::Ok();
  });
}

HcclResult HcclCommInitRootInfo(uint32_t nRanks, const HcclRootInfo* rootInfo, uint32_t rank,
                                HcclComm* comm) {
  return capi::EnterHccl("HcclCommInitRootInfo", [&]() -> Status {
    TANDEM_RETURN_IF_ERROR(capi::CheckRootInfoArguments(nRanks, rootInfo, rank, comm));
    Result<Communicator::Options> options = capi::DefaultCommOptions();
    if (!options) return std::move(options).status();
    return capi::InitFromRootInfo("HcclCommInitRootInfo", nRanks, *rootInfo, rank, *options, comm);
  });
}

HcclResult HcclCommInitRootInfoConfig(uint32_t nRanks, const HcclRootInfo* rootInfo, uint32_t rank,
                                      const HcclCommConfig* config, HcclComm* comm) {
  return capi::EnterHccl("HcclCommInitRootInfoConfig", [&]() -> Status {
    TANDEM_RETURN_IF_ERROR(capi::CheckRootInfoArguments(nRanks, rootInfo, rank, comm));
    Result<Communicator::Options> options = capi::LoadCommConfig(config);
    if (!options) return std::move(options).status();
    return capi::InitFromRootInfo("HcclCommInitRootInfoConfig", nRanks, *rootInfo, rank, *options, comm);
  });
}

HcclResult HcclCommInitAll(uint32_t ndev, int32_t* devices, HcclComm* comms) {
  return capi::EnterHccl("HcclCommInitAll", [&]() -> Status {
    if (ndev == 0) return Status::Error(Code::kInvalidArgument, "ndev is 0, expected at least 1");
    TANDEM_RETURN_IF_ERROR(capi::CheckNotNull(comms, "comms"));
    TANDEM_RETURN_IF_ERROR(capi::CheckNotNull(devices, "devices"));
    // Each device once, so more than there are cannot be right, and the arrays are hardly that long.
    Result<uint32_t> visible = tandem::VisibleDeviceCount();
    if (!visible) return std::move(visible).status();
    if (ndev > *visible) {
      return Status::Error(Code::kInvalidArgument, "ndev is %u, expected at most %u, the number of devices",
                           ndev, *visible);
    }
    std::fill_n(comms, ndev, nullptr);
    Result<std::vector<int32_t>> ids = capi::PhysicalDevices(devices, ndev);
    if (!ids) return std::move(ids).status();
    std::vector<std::shared_ptr<Communicator>> communicators;
    TANDEM_RETURN_IF_ERROR(capi::JoinAll(*ids, communicators));
    for (uint32_t i = 0; i < ndev; ++i) {
      const std::string name = communicators[i]->name();
      Result<capi::NameClaim> claim = capi::NameClaim::Take((*ids)[i], name);
      Result<HcclComm> handle = claim ? capi::AddCommunicator(std::move(communicators[i]), std::move(*claim))
                                      : std::move(claim).status();
      if (!handle) {
        while (i > 0) capi::RemoveCommunicator(std::exchange(comms[--i], nullptr));
        return std::move(handle).status();
      }
      comms[i] = *handle;
    }
    return Status::Ok();
  });
}

HcclResult HcclCommDestroy(HcclComm comm) {
  if (comm == nullptr) return HCCL_SUCCESS;
  return capi::EnterHccl("HcclCommDestroy", [&]() -> Status {
    if (!capi::InGroup()) return capi::Destroy(comm);
    const Result<std::shared_ptr<Communicator>> live = capi::ResolveCommunicator(comm);
    if (!live) return live.status();
    return capi::QueueInGroup("HcclCommDestroy", [comm] { return capi::Destroy(comm); });
  });
}

HcclResult HcclGetRankSize(HcclComm comm, uint32_t* rankSize) {
  return capi::Query("HcclGetRankSize", comm, rankSize, "rankSize",
                     [&](Communicator& communicator) { *rankSize = communicator.size(); });
}

HcclResult HcclGetRankId(HcclComm comm, uint32_t* rank) {
  return capi::Query("HcclGetRankId", comm, rank, "rank",
                     [&](Communicator& communicator) { *rank = communicator.rank(); });
}

HcclResult HcclGetCommName(HcclComm comm, char* commName) {
  return capi::Query("HcclGetCommName", comm, commName, "commName", [&](Communicator& communicator) {
    const std::string name = communicator.name().substr(0, COMM_NAME_MAX_LENGTH - 1);
    std::memcpy(commName, name.c_str(), name.size() + 1);
  });
}

HcclResult HcclCommGetHandleWithName(const char* commName, HcclComm* comm) {
  return capi::EnterHccl("HcclCommGetHandleWithName", [&]() -> Status {
    TANDEM_RETURN_IF_ERROR(capi::CheckNotNull(commName, "commName"));
    TANDEM_RETURN_IF_ERROR(capi::CheckNotNull(comm, "comm"));
    Result<HcclComm> found = capi::FindCommunicatorHere(commName, "commName");
    if (!found) return std::move(found).status();
    *comm = *found;
    return Status::Ok();
  });
}

HcclResult HcclGetCommAsyncError(HcclComm comm, HcclResult* asyncError) {
  return capi::Query("HcclGetCommAsyncError", comm, asyncError, "asyncError",
                     [&](Communicator& communicator) {
                       *asyncError = capi::MapCode(communicator.AsyncError().code()).hccl;
                     });
}

uint32_t HcclGetCommConfigCapability(void) { return HCCL_COMM_CONFIG_RESERVED; }

}  // extern "C"
