// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/result.h"
#include "capi/error_message.h"

namespace tandem::capi {

// What aclInit's JSON file says.
struct InitConfig {
  std::string text;  // the file as it is; "" without one
  std::optional<int32_t> default_device;
  MessageScope message_scope = MessageScope::kThread;
};

// `path` null or "": the defaults. kInvalidFile when it cannot be read, kParseFile when it is not JSON or too
// deep, kFailure for a default device that does not exist, kInvalidArgument for another wrong value.
Result<InitConfig> ReadInitConfig(const char* path);

}  // namespace tandem::capi
