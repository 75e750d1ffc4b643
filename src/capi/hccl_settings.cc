// SPDX-License-Identifier: Apache-2.0
// HcclSetConfig, HcclGetConfig, HcclSetCommConfig, HcclGetCommConfig, HcclConfigGetInfo. None of them changes
// what a point-to-point operation does.
#include <hccl/hccl_comm.h>

#include <array>
#include <atomic>
#include <cstring>
#include <utility>

#include "base/config.h"
#include "base/log.h"
#include "capi/communicators.h"
#include "capi/enter.h"
#include "capi/handles.h"

namespace tandem::capi {
namespace {

// HCCL_ACCELERATOR of torch_npu's headers, which CANN's own lack.
constexpr int kAccelerator = 1;

std::atomic<int32_t> deterministic{0};

Status CheckDeterministic(int32_t value) {
  if (value >= 0 && value <= 2) return Status::Ok();
  return Status::Error(Code::kInvalidArgument, "configValue.value is %d, expected 0, 1 or 2", value);
}

Status SetConfig(HcclConfig config, HcclConfigValue value) {
  if (config != HCCL_DETERMINISTIC) {
    TANDEM_LOG(kInfo, "HcclSetConfig: config is %d, which sets nothing", static_cast<int>(config));
    return Status::Ok();
  }
  TANDEM_RETURN_IF_ERROR(CheckDeterministic(value.value));
  if (SettingText("HCCL_DETERMINISTIC")) {
    TANDEM_LOG(kWarn, "HcclSetConfig: HCCL_DETERMINISTIC is set in the environment, which goes first");
    return Status::Ok();
  }
  deterministic.store(value.value, std::memory_order_relaxed);
  return Status::Ok();
}

Status GetConfig(HcclConfig config, HcclConfigValue* value) {
  TANDEM_RETURN_IF_ERROR(CheckNotNull(value, "configValue"));
  if (config != HCCL_DETERMINISTIC) return Status::Ok();
  Result<std::optional<uint32_t>> environment = config::Deterministic();
  if (!environment) return std::move(environment).status();
  value->value =
      *environment ? static_cast<int32_t>(**environment) : deterministic.load(std::memory_order_relaxed);
  return Status::Ok();
}

Status CheckKey(int config) {
  if (config == HCCL_DETERMINISTIC || config == kAccelerator) return Status::Ok();
  return Status::Error(Code::kInvalidArgument,
                       "config is %d, expected HCCL_DETERMINISTIC (0) or HCCL_ACCELERATOR (1)", config);
}

Status SetCommConfig(HcclComm comm, HcclConfig config, HcclConfigValue value) {
  Result<std::shared_ptr<Communicator>> communicator = ResolveCommunicator(comm);
  if (!communicator) return std::move(communicator).status();
  TANDEM_RETURN_IF_ERROR(CheckKey(config));
  if (config == HCCL_DETERMINISTIC) TANDEM_RETURN_IF_ERROR(CheckDeterministic(value.value));
  (*communicator)->SetSetting(config, value.value);
  return Status::Ok();
}

Status GetCommConfig(HcclComm comm, HcclConfig config, HcclConfigValue* value) {
  Result<std::shared_ptr<Communicator>> communicator = ResolveCommunicator(comm);
  if (!communicator) return std::move(communicator).status();
  TANDEM_RETURN_IF_ERROR(CheckNotNull(value, "configValue"));
  TANDEM_RETURN_IF_ERROR(CheckKey(config));
  if (const std::optional<int32_t> own = (*communicator)->Setting(config)) {
    value->value = *own;
    return Status::Ok();
  }
  value->value = 0;
  return GetConfig(config, value);
}

// HcclCommConfig's numbers for the mode are others than those of HcclOpExpansionMode. What "default" means is
// taken from the A2 series. Source: spec hccl.md 2.4, 5.4.
constexpr std::array<HcclOpExpansionMode, 7> kExpansionModes = {
    HCCL_OP_EXPANSION_MODE_HOST,     HCCL_OP_EXPANSION_MODE_HOST, HCCL_OP_EXPANSION_MODE_AI_CPU,
    HCCL_OP_EXPANSION_MODE_AIV,      HCCL_OP_EXPANSION_AIV_ONLY,  HCCL_OP_EXPANSION_MODE_CCU_MS,
    HCCL_OP_EXPANSION_MODE_CCU_SCHED};

Status CheckLength(uint32_t given, size_t needed) {
  if (given >= needed) return Status::Ok();
  return Status::Error(Code::kInvalidArgument, "infoLen is %u, expected at least %zu for this cfgType", given,
                       needed);
}

Status GetInfo(HcclComm comm, HcclConfigType type, uint32_t length, void* info) {
  Result<std::shared_ptr<Communicator>> communicator = ResolveCommunicator(comm);
  if (!communicator) return std::move(communicator).status();
  TANDEM_RETURN_IF_ERROR(CheckNotNull(info, "info"));
  const Communicator::Options& options = (*communicator)->options();
  if (type == HCCL_CONFIG_TYPE_OP_EXPANSION_MODE) {
    const HcclOpExpansionMode mode = kExpansionModes[options.expansion_mode];
    TANDEM_RETURN_IF_ERROR(CheckLength(length, sizeof(mode)));
    std::memcpy(info, &mode, sizeof(mode));
    return Status::Ok();
  }
  if (type == HCCL_CONFIG_TYPE_HCCL_ALGO) {
    const size_t bytes = options.algorithm.size() + 1;
    TANDEM_RETURN_IF_ERROR(CheckLength(length, bytes));
    std::memcpy(info, options.algorithm.c_str(), bytes);
    return Status::Ok();
  }
  return Status::Error(Code::kInvalidArgument,
                       "cfgType is %d, expected HCCL_CONFIG_TYPE_OP_EXPANSION_MODE (0) or "
                       "HCCL_CONFIG_TYPE_HCCL_ALGO (1)",
                       static_cast<int>(type));
}

}  // namespace
}  // namespace tandem::capi

namespace capi = tandem::capi;

extern "C" {

HcclResult HcclSetConfig(HcclConfig config, HcclConfigValue configValue) {
  return capi::EnterHccl("HcclSetConfig", [&] { return capi::SetConfig(config, configValue); });
}

HcclResult HcclGetConfig(HcclConfig config, HcclConfigValue* configValue) {
  return capi::EnterHccl("HcclGetConfig", [&] { return capi::GetConfig(config, configValue); });
}

HcclResult HcclSetCommConfig(HcclComm comm, HcclConfig config, HcclConfigValue configValue) {
  return capi::EnterHccl("HcclSetCommConfig", [&] { return capi::SetCommConfig(comm, config, configValue); });
}

HcclResult HcclGetCommConfig(HcclComm comm, HcclConfig config, HcclConfigValue* configValue) {
  return capi::EnterHccl("HcclGetCommConfig", [&] { return capi::GetCommConfig(comm, config, configValue); });
}

HcclResult HcclConfigGetInfo(HcclComm comm, HcclConfigType cfgType, uint32_t infoLen, void* info) {
  return capi::EnterHccl("HcclConfigGetInfo", [&] { return capi::GetInfo(comm, cfgType, infoLen, info); });
}

}  // extern "C"
