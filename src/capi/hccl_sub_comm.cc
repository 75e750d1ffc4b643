// SPDX-License-Identifier: Apache-2.0
// HcclCreateSubCommConfig.
#include <hccl/hccl_comm.h>

#include <utility>
#include <vector>

#include "base/config.h"
#include "capi/comm_config.h"
#include "capi/communicators.h"
#include "capi/enter.h"
#include "capi/handles.h"

namespace tandem::capi {
namespace {

// What a rank passes that is outside of the new communicator. Source: HCCL sources (spec hccl.md 3.1).
constexpr uint64_t kNoSubComm = 0xFFFFFFFF;

struct Request {
  HcclComm* comm;
  uint32_t rank_count;
  const uint32_t* ranks;
  uint64_t id;
  uint32_t rank;
  const HcclCommConfig* config;
};

// The order of the checks is that of the device's library.
Status CheckRequest(const Request& request) {
  if ((request.ranks == nullptr) != (request.id == kNoSubComm)) {
    return Status::Error(
        Code::kInvalidArgument,
        "rankIds is %s and subCommId is %llu; ranks outside pass null and 0xFFFFFFFF, members "
        "pass neither",
        request.ranks == nullptr ? "null" : "not null", static_cast<unsigned long long>(request.id));
  }
  if (request.ranks == nullptr) return Status::Ok();
  if (request.rank_count == 0)
    return Status::Error(Code::kInvalidArgument, "rankNum is 0, expected at least 1");
  if (request.rank >= request.rank_count) {
    return Status::Error(Code::kInvalidArgument,
                         "subCommRankId is %u, expected less than rankNum, which is %u", request.rank,
                         request.rank_count);
  }
  TANDEM_RETURN_IF_ERROR(CheckNotNull(request.config, "config"));
  TANDEM_RETURN_IF_ERROR(CheckNotNull(request.comm, "comm"));
  return CheckNotNull(*request.comm, "*comm");
}

Result<std::vector<uint32_t>> CheckRanks(const Request& request, const Communicator& parent) {
  if (parent.is_part()) {
    return Status::Error(Code::kInvalidArgument,
                         "*comm is \"%s\", which is itself a part of another communicator; pass that one",
                         parent.name().c_str());
  }
  if (request.rank_count > parent.size()) {
    return Status::Error(Code::kInvalidArgument,
                         "rankNum is %u, expected at most the number of ranks of *comm, which is %u",
                         request.rank_count, parent.size());
  }
  std::vector<uint32_t> ranks;
  for (uint32_t i = 0; i < request.rank_count; ++i) {
    const uint32_t rank = request.ranks[i];
    if (rank >= parent.size()) {
      return Status::Error(Code::kInvalidArgument,
                           "rankIds[%u] is %u, expected less than the number of ranks of *comm, which is %u",
                           i, rank, parent.size());
    }
    if (!ranks.empty() && rank <= ranks.back()) {
      return Status::Error(Code::kInvalidArgument,
                           "rankIds[%u] is %u after %u, expected ranks in ascending order, each once", i,
                           rank, ranks.back());
    }
    ranks.push_back(rank);
  }
  if (ranks[request.rank] != parent.rank()) {
    return Status::Error(
        Code::kInvalidArgument,
        "rankIds[subCommRankId] is rankIds[%u], rank %u of *comm, but the calling rank is %u", request.rank,
        ranks[request.rank], parent.rank());
  }
  return ranks;
}

Status CreateSubComm(const Request& request, HcclComm* sub) {
  Result<std::shared_ptr<Communicator>> parent = ResolveCommunicator(*request.comm);
  if (!parent) return std::move(parent).status();
  Result<std::vector<uint32_t>> ranks = CheckRanks(request, **parent);
  if (!ranks) return std::move(ranks).status();
  TANDEM_RETURN_IF_ERROR(config::CheckCommunicatorSettings());
  Result<Communicator::Options> options = LoadCommConfig(request.config);
  if (!options) return std::move(options).status();
  if (options->name.empty()) options->name = (*parent)->name() + "_sub_" + std::to_string(request.id);
  Result<NameClaim> name = NameClaim::Take((*parent)->device(), options->name);
  if (!name) return std::move(name).status();
  Result<HcclComm> handle = AddCommunicator(
      Communicator::Split(*parent, *ranks, request.rank, request.id, *options), std::move(*name));
  if (!handle) return std::move(handle).status();
  *sub = *handle;
  return Status::Ok();
}

}  // namespace
}  // namespace tandem::capi

namespace capi = tandem::capi;

extern "C" HcclResult HcclCreateSubCommConfig(HcclComm* comm, uint32_t rankNum, uint32_t* rankIds,
                                              uint64_t subCommId, uint32_t subCommRankId,
                                              HcclCommConfig* config, HcclComm* subComm) {
  return capi::EnterHccl("HcclCreateSubCommConfig", [&]() -> tandem::Status {
    TANDEM_RETURN_IF_ERROR(capi::CheckNotNull(subComm, "subComm"));
    const capi::Request request{comm, rankNum, rankIds, subCommId, subCommRankId, config};
    TANDEM_RETURN_IF_ERROR(capi::CheckRequest(request));
    if (rankIds == nullptr) return tandem::Status::Ok();
    return capi::CreateSubComm(request, subComm);
  });
}
