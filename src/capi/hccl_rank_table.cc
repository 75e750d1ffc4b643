// SPDX-License-Identifier: Apache-2.0
// HcclCommInitClusterInfo and HcclCommInitClusterInfoConfig.
#include <hccl/hccl_comm.h>

#include <utility>

#include "base/config.h"
#include "capi/comm_config.h"
#include "capi/communicators.h"
#include "capi/enter.h"
#include "capi/group.h"
#include "capi/handles.h"
#include "comm/rank_table/rank_table.h"
#include "stream/device.h"

namespace tandem::capi {
namespace {

// Source: HCCL sources, names of the world communicator (spec hccl.md 3.1).
constexpr const char* kWorldName = "hccl_world_group";
// How long a table may say that it is not complete. Source: spec hccl.md 6.4.
constexpr auto kTableTime = std::chrono::minutes(30);

Result<Deadline> TableDeadline() {
  // Whoever wants shorter waits wants this one shorter too.
  if (!SettingText("TANDEM_CONNECT_TIMEOUT")) return Clock::now() + kTableTime;
  Result<std::chrono::nanoseconds> limit = config::ConnectTimeout();
  if (!limit) return std::move(limit).status();
  return Clock::now() + *limit;
}

Result<rank_table::Table> ReadTable(rank_table::Document document) {
  Result<Deadline> deadline = TableDeadline();
  if (!deadline) return std::move(deadline).status();
  Result<rank_table::Document> complete = rank_table::AwaitCompleted(std::move(document), *deadline);
  if (!complete) return std::move(complete).status();
  Result<uint32_t> devices = config::DeviceCount();
  if (!devices) return std::move(devices).status();
  return rank_table::Interpret(*complete, *devices);
}

// Rank 0 is the same entry in the tables of all ranks, even where they differ elsewhere. Runs of the launcher
// keep apart.
bootstrap::MeetingPlace PlaceOf(const rank_table::Table& table) {
  const rank_table::Entry& first = table.entries.front();
  std::string key = SettingText("TANDEM_RUN_DIR").value_or("") + "\n" + first.server + "\n" +
                    std::to_string(first.device) + "\n" + std::to_string(first.device_port);
  for (const std::string& address : first.device_ips) key += "\n" + address;
  return bootstrap::PlaceFor(key, rank_table::Facts(table), static_cast<uint32_t>(table.entries.size()));
}

Status InitFromTable(const std::string& path, uint32_t rank, int32_t device, Communicator::Options options,
                     HcclComm* comm) {
  Result<rank_table::Document> document = rank_table::Load(path);
  if (!document) return std::move(document).status();
  if (options.name.empty()) options.name = kWorldName;
  Result<NameClaim> name = NameClaim::Take(device, options.name, NameClaim::Origin::kRankTable);
  if (!name) return std::move(name).status();
  Result<rank_table::Table> table = ReadTable(std::move(*document));
  if (!table) return std::move(table).status();
  TANDEM_RETURN_IF_ERROR(rank_table::CheckOwnEntry(*table, rank, device));
  Result<std::chrono::nanoseconds> limit = config::RootExchangeTimeout();
  if (!limit) return std::move(limit).status();
  Result<std::shared_ptr<Communicator>> communicator =
      Communicator::JoinAt(PlaceOf(*table), rank, device, options, Clock::now() + *limit);
  if (!communicator) return std::move(communicator).status();
  Result<HcclComm> handle = AddCommunicator(std::move(*communicator), std::move(*name));
  if (!handle) return std::move(handle).status();
  *comm = *handle;
  return Status::Ok();
}

Status InitOrQueue(const char* call, const std::string& path, uint32_t rank, int32_t device,
                   const Communicator::Options& options, HcclComm* comm) {
  const auto init = [=] { return InitFromTable(path, rank, device, options, comm); };
  return InGroup() ? QueueInGroup(call, init) : init();
}

}  // namespace
}  // namespace tandem::capi

using tandem::Communicator;
using tandem::Result;
using tandem::Status;
namespace capi = tandem::capi;

extern "C" {

HcclResult HcclCommInitClusterInfo(const char* clusterInfo, uint32_t rank, HcclComm* comm) {
  return capi::EnterHccl("HcclCommInitClusterInfo", [&]() -> Status {
    Result<int32_t> device = tandem::CurrentDevice();
    if (!device) return std::move(device).status();
    TANDEM_RETURN_IF_ERROR(capi::CheckNotNull(clusterInfo, "clusterInfo"));
    TANDEM_RETURN_IF_ERROR(capi::CheckNotNull(comm, "comm"));
    TANDEM_RETURN_IF_ERROR(tandem::config::CheckCommunicatorSettings());
    Result<Communicator::Options> options = capi::DefaultCommOptions();
    if (!options) return std::move(options).status();
    return capi::InitOrQueue("HcclCommInitClusterInfo", clusterInfo, rank, *device, *options, comm);
  });
}

HcclResult HcclCommInitClusterInfoConfig(const char* clusterInfo, uint32_t rank, HcclCommConfig* config,
                                         HcclComm* comm) {
  return capi::EnterHccl("HcclCommInitClusterInfoConfig", [&]() -> Status {
    Result<int32_t> device = tandem::CurrentDevice();
    if (!device) return std::move(device).status();
    TANDEM_RETURN_IF_ERROR(capi::CheckNotNull(clusterInfo, "clusterInfo"));
    TANDEM_RETURN_IF_ERROR(capi::CheckNotNull(comm, "comm"));
    TANDEM_RETURN_IF_ERROR(capi::CheckNotNull(config, "config"));
    TANDEM_RETURN_IF_ERROR(tandem::config::CheckCommunicatorSettings());
    Result<Communicator::Options> options = capi::LoadCommConfig(config);
    if (!options) return std::move(options).status();
    return capi::InitOrQueue("HcclCommInitClusterInfoConfig", clusterInfo, rank, *device, *options, comm);
  });
}

}  // extern "C"
