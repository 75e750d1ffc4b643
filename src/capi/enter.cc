// SPDX-License-Identifier: Apache-2.0
#include "capi/enter.h"

#include <string>
#include <string_view>

#include "base/error_catalogue.h"
#include "base/log.h"
#include "capi/error_message.h"
#include "capi/status_map.h"

namespace tandem::capi {
namespace {

// "aclrtMalloc: size is 0, expected more; returns ACL_ERROR_INVALID_PARAM (100000)"
std::string Describe(const char* call, std::string_view text, std::string_view name, int number) {
  std::string what(call);
  what += ": ";
  what += text;
  what += "; returns ";
  what += name.empty() ? std::string_view("error") : name;
  what += " (" + std::to_string(number) + ")";
  return what;
}

void Remember(Code code, std::string_view id, const std::string& what) {
  // Libraries that share a process call aclInit one after the other; that is no failure.
  const LogLevel level = code == Code::kAlreadyInitialized ? LogLevel::kInfo : LogLevel::kError;
  // In a forked child the log's lock may be held by a thread that does not exist there.
  if (!InForkedChild() && LogEnabled(level)) {
    LogLine(level, __FILE__, __LINE__, "%.*s: %s", static_cast<int>(id.size()), id.data(), what.c_str());
  }
  StoreMessage(FormatErrorMessage(id, what));
}

}  // namespace

aclError ReportAcl(const char* call, const Status& status) noexcept {
  const CodeMapping& mapping = MapCode(status.code());
  const std::string_view id = status.id().empty() ? mapping.acl_id : status.id();
  if (IsKeptAsLastError(mapping.acl, id)) SetLastError(mapping.acl);
  try {
    Remember(status.code(), id, Describe(call, status.text(), AclErrorName(mapping.acl), mapping.acl));
  } catch (...) {
    // No memory for a text: the code still says what happened.
  }
  return mapping.acl;
}

HcclResult ReportHccl(const char* call, const Status& status) noexcept {
  const CodeMapping& mapping = MapCode(status.code());
  const std::string_view id = status.id().empty() ? mapping.hccl_id : status.id();
  try {
    Remember(status.code(), id, Describe(call, status.text(), HcclResultName(mapping.hccl), mapping.hccl));
  } catch (...) {
    // As above.
  }
  return mapping.hccl;
}

aclError AclNotSupported(const char* call) noexcept {
  return EnterAcl(call, [] {
    return Status::Error(Code::kNotSupported,
                         "this function exists so that programs link; it is not supported");
  });
}

HcclResult HcclNotSupported(const char* call) noexcept {
  return EnterHccl(call, [] {
    return Status::Error(Code::kNotSupported,
                         "this function exists so that programs link; it is not supported");
  });
}

Status FromException(const std::exception* error) noexcept {
  try {
    if (dynamic_cast<const std::bad_alloc*>(error) != nullptr) {
      return Status::Error(Code::kOutOfMemory, "the host has no memory for an internal object");
    }
    return Status::Error(Code::kInternal, "unexpected exception: %s",
                         error != nullptr ? error->what() : "of unknown type");
  } catch (...) {
    // Not even memory for the text. Ending here is all that is left, and it is said what for.
    std::terminate();
  }
}

}  // namespace tandem::capi
