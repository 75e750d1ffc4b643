// SPDX-License-Identifier: Apache-2.0
#include "capi/comm_config.h"

#include <hccl/hccl_comm.h>

#include <algorithm>
#include <cstring>

#include "base/config.h"
#include "base/log.h"

namespace tandem::capi {
namespace {

// The hidden head of HcclCommConfig, in its `reserved` bytes.
struct ConfigHead {
  uint64_t size;
  uint32_t magic;
  uint32_t version;
  uint64_t reserved;
};
static_assert(sizeof(ConfigHead) == HCCL_COMM_CONFIG_INFO_BYTES);

constexpr uint32_t kVersionOfName = 2;
constexpr uint32_t kVersionOfZeroCopy = 7;
constexpr uint32_t kVersionOfExecTimeout = 8;

Status CheckValues(const HcclCommConfig& config, uint32_t version) {
  if (config.hcclBufferSize < 1) {
    return Status::Error(Code::kInvalidArgument, "config->hcclBufferSize is %u MB, expected at least 1",
                         config.hcclBufferSize);
  }
  if (config.hcclDeterministic > 2 && config.hcclDeterministic != HCCL_COMM_DETERMINISTIC_CONFIG_NOT_SET) {
    return Status::Error(Code::kInvalidArgument, "config->hcclDeterministic is %u, expected 0, 1 or 2",
                         config.hcclDeterministic);
  }
  if (version >= kVersionOfZeroCopy && config.aclGraphZeroCopyEnable > 1) {
    return Status::Error(Code::kInvalidArgument, "config->aclGraphZeroCopyEnable is %u, expected 0 or 1",
                         config.aclGraphZeroCopyEnable);
  }
  return Status::Ok();
}

std::string BoundedText(const char* text, size_t capacity) {
  return std::string(text, strnlen(text, capacity));
}

}  // namespace

Result<Communicator::Options> DefaultCommOptions() {
  Result<std::optional<std::chrono::nanoseconds>> limit = config::ExecTimeout();
  if (!limit) return std::move(limit).status();
  Communicator::Options options;
  options.exec_timeout = *limit;
  return options;
}

Result<Communicator::Options> LoadCommConfig(const HcclCommConfig* given) {
  if (given == nullptr) {
    return Status::Error(Code::kInvalidArgument, "config is null, expected one made by HcclCommConfigInit");
  }
  ConfigHead head{};
  std::memcpy(&head, given, sizeof(head));
  if (head.magic != HCCL_COMM_CONFIG_MAGIC_WORD) {
    return Status::Error(Code::kInvalidArgument,
                         "config has the magic word 0x%x, expected 0x%x: call HcclCommConfigInit on it first",
                         head.magic, HCCL_COMM_CONFIG_MAGIC_WORD);
  }
  if (head.size < sizeof(head) || head.version < 1) {
    return Status::Error(Code::kInvalidArgument, "config declares %llu bytes and version %u: it is damaged",
                         static_cast<unsigned long long>(head.size), head.version);
  }
  if (head.size > sizeof(HcclCommConfig)) {
    TANDEM_LOG(kWarn, "config declares %llu bytes, this library knows %zu: the rest is ignored",
               static_cast<unsigned long long>(head.size), sizeof(HcclCommConfig));
  }
  HcclCommConfig config;
  HcclCommConfigInit(&config);
  std::memcpy(&config, given, std::min<size_t>(head.size, sizeof(config)));
  TANDEM_RETURN_IF_ERROR(CheckValues(config, head.version));

  Result<Communicator::Options> options = DefaultCommOptions();
  if (!options) return options;
  if (head.version >= kVersionOfName) options->name = BoundedText(config.hcclCommName, COMM_NAME_MAX_LENGTH);
  if (options->name.size() >= COMM_NAME_MAX_LENGTH) {
    return Status::Error(Code::kInvalidArgument,
                         "config->hcclCommName has no terminating zero in its %u bytes",
                         COMM_NAME_MAX_LENGTH);
  }
  if (head.version >= kVersionOfExecTimeout &&
      config.hcclExecTimeOut != HCCL_COMM_EXECTIMEOUT_CONFIG_NOT_SET) {
    if (config.hcclExecTimeOut < 0) {
      TANDEM_LOG(kWarn, "config->hcclExecTimeOut is %d, expected 0 or more seconds: ignored",
                 config.hcclExecTimeOut);
    } else if (config.hcclExecTimeOut == 0) {
      options->exec_timeout.reset();
    } else {
      options->exec_timeout = std::chrono::seconds(config.hcclExecTimeOut);
    }
  }
  return options;
}

}  // namespace tandem::capi
