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

// The first version that has the field.
constexpr uint32_t kVersionOfBuffer = 1;  // and hcclDeterministic
constexpr uint32_t kVersionOfName = 2;
constexpr uint32_t kVersionOfUdi = 3;
constexpr uint32_t kVersionOfExpansion = 4;
constexpr uint32_t kVersionOfTraffic = 5;
constexpr uint32_t kVersionOfZeroCopy = 7;
constexpr uint32_t kVersionOfExecTimeout = 8;  // and hcclAlgo, hcclRetryEnable, hcclRetryParams
constexpr uint32_t kVersionOfBufferName = 9;
constexpr uint32_t kVersionOfQos = 10;

constexpr uint32_t kMostExpansion = 6;
constexpr uint32_t kMostTrafficClass = 255;
constexpr uint32_t kMostServiceLevel = 7;
constexpr uint32_t kMostQos = 7;

Status CheckValues(const HcclCommConfig& config, uint32_t version) {
  if (version >= kVersionOfBuffer && config.hcclBufferSize < 1) {
    return Status::Error(Code::kInvalidArgument, "config->hcclBufferSize is %u MB, expected at least 1",
                         config.hcclBufferSize);
  }
  if (version >= kVersionOfBuffer && config.hcclDeterministic > 2 &&
      config.hcclDeterministic != HCCL_COMM_DETERMINISTIC_CONFIG_NOT_SET) {
    return Status::Error(Code::kInvalidArgument, "config->hcclDeterministic is %u, expected 0, 1 or 2",
                         config.hcclDeterministic);
  }
  if (version >= kVersionOfZeroCopy && config.aclGraphZeroCopyEnable > 1) {
    return Status::Error(Code::kInvalidArgument, "config->aclGraphZeroCopyEnable is %u, expected 0 or 1",
                         config.aclGraphZeroCopyEnable);
  }
  return Status::Ok();
}

// Fields that say how a network card or a device works. There is none; a wrong value is worth a line all the
// same, since it would count elsewhere.
void WarnOfValues(const HcclCommConfig& config, uint32_t version) {
  const auto warn = [](const char* field, uint32_t value, const char* expected) {
    TANDEM_LOG(kWarn, "config->%s is %u, expected %s: ignored", field, value, expected);
  };
  if (version >= kVersionOfExpansion && config.hcclOpExpansionMode > kMostExpansion) {
    warn("hcclOpExpansionMode", config.hcclOpExpansionMode, "0 to 6");
  }
  if (version >= kVersionOfTraffic) {
    const uint32_t traffic = config.hcclRdmaTrafficClass;
    if (traffic != HCCL_COMM_TRAFFIC_CLASS_CONFIG_NOT_SET &&
        (traffic > kMostTrafficClass || traffic % 4 != 0)) {
      warn("hcclRdmaTrafficClass", traffic, "0 to 255, a multiple of 4");
    }
    const uint32_t level = config.hcclRdmaServiceLevel;
    if (level != HCCL_COMM_SERVICE_LEVEL_CONFIG_NOT_SET && level > kMostServiceLevel) {
      warn("hcclRdmaServiceLevel", level, "0 to 7");
    }
  }
  if (version >= kVersionOfQos && config.hcclQos != HCCL_COMM_QOS_CONFIG_NOT_SET &&
      config.hcclQos > kMostQos) {
    warn("hcclQos", config.hcclQos, "0 to 7");
  }
}

// kInvalidArgument when the text fills its field and has no end.
Result<std::string> FieldText(const char* name, const char* text, size_t capacity) {
  const size_t length = strnlen(text, capacity);
  if (length < capacity) return std::string(text, length);
  return Status::Error(Code::kInvalidArgument, "config->%s has no terminating zero in its %zu bytes", name,
                       capacity);
}

Status ReadTexts(const HcclCommConfig& config, uint32_t version, Communicator::Options& options) {
  std::string unused;
  struct Field {
    uint32_t version;
    const char* name;
    const char* text;
    size_t capacity;
    std::string* value;
  };
  const Field fields[] = {
      {kVersionOfName, "hcclCommName", config.hcclCommName, COMM_NAME_MAX_LENGTH, &options.name},
      {kVersionOfUdi, "hcclUdi", config.hcclUdi, UDI_MAX_LENGTH, &options.user_info},
      {kVersionOfExecTimeout, "hcclAlgo", config.hcclAlgo, HCCL_COMM_ALGO_MAX_LENGTH, &options.algorithm},
      {kVersionOfExecTimeout, "hcclRetryEnable", config.hcclRetryEnable, HCCL_COMM_RETRY_ENABLE_MAX_LENGTH,
       &unused},
      {kVersionOfExecTimeout, "hcclRetryParams", config.hcclRetryParams, HCCL_COMM_RETRY_PARAMS_MAX_LENGTH,
       &unused},
      {kVersionOfBufferName, "hcclBufferName", config.hcclBufferName, BUFFER_NAME_MAX_LENGTH, &unused},
  };
  for (const Field& field : fields) {
    if (version < field.version) continue;
    Result<std::string> text = FieldText(field.name, field.text, field.capacity);
    if (!text) return std::move(text).status();
    *field.value = std::move(*text);
  }
  return Status::Ok();
}

void ReadExecTimeout(const HcclCommConfig& config, Communicator::Options& options) {
  if (config.hcclExecTimeOut == HCCL_COMM_EXECTIMEOUT_CONFIG_NOT_SET) return;
  if (config.hcclExecTimeOut < 0) {
    TANDEM_LOG(kWarn, "config->hcclExecTimeOut is %d, expected 0 or more seconds: ignored",
               config.hcclExecTimeOut);
  } else if (config.hcclExecTimeOut == 0) {
    options.exec_timeout.reset();
  } else {
    options.exec_timeout = std::chrono::seconds(config.hcclExecTimeOut);
  }
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
  if (head.size < sizeof(head)) {
    return Status::Error(Code::kInvalidArgument,
                         "config declares %llu bytes, less than its own head: it is damaged",
                         static_cast<unsigned long long>(head.size));
  }
  if (head.size > sizeof(HcclCommConfig)) {
    TANDEM_LOG(kWarn, "config declares %llu bytes, this library knows %zu: the rest is ignored",
               static_cast<unsigned long long>(head.size), sizeof(HcclCommConfig));
  }
  if (head.version != HCCL_COMM_CONFIG_VERSION) {
    TANDEM_LOG(kWarn,
               "config has version %u, this library knows %u: fields that one of them lacks are ignored",
               head.version, HCCL_COMM_CONFIG_VERSION);
  }
  HcclCommConfig config;
  HcclCommConfigInit(&config);
  std::memcpy(&config, given, std::min<size_t>(head.size, sizeof(config)));
  TANDEM_RETURN_IF_ERROR(CheckValues(config, head.version));
  WarnOfValues(config, head.version);

  Result<Communicator::Options> options = DefaultCommOptions();
  if (!options) return options;
  TANDEM_RETURN_IF_ERROR(ReadTexts(config, head.version, *options));
  if (head.version >= kVersionOfExpansion && config.hcclOpExpansionMode <= kMostExpansion) {
    options->expansion_mode = config.hcclOpExpansionMode;
  }
  if (head.version >= kVersionOfExecTimeout) ReadExecTimeout(config, *options);
  if (!options->user_info.empty()) {
    TANDEM_LOG(kInfo, "config->hcclUdi: %s", options->user_info.c_str());
  }
  return options;
}

}  // namespace tandem::capi
