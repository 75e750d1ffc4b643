// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <acl/acl_base.h>
#include <hccl/hccl_types.h>

#include <exception>
#include <new>

#include "base/fork_guard.h"
#include "base/status.h"

namespace tandem::capi {

// Turns a status into the code of the API, and leaves its text for aclGetRecentErrMsg and the log. `call` is
// the name of the function that the application called.
aclError ReportAcl(const char* call, const Status& status) noexcept;
HcclResult ReportHccl(const char* call, const Status& status) noexcept;

// For functions that exist so that programs link, and are outside what Tandem does.
aclError AclNotSupported(const char* call) noexcept;
HcclResult HcclNotSupported(const char* call) noexcept;

Status FromException(const std::exception* error) noexcept;

// Runs the body and lets no exception out. Refused in a child of a process that used the library.
template <typename Body>
Status RunGuarded(Body&& body) noexcept {
  try {
    if (InForkedChild()) [[unlikely]]
      return ForkedChildStatus();
    return body();
  } catch (const std::exception& error) {
    return FromException(&error);
  } catch (...) {
    return FromException(nullptr);
  }
}

// The one boundary between C and C++: runs the body and reports what failed.
template <typename Body>
aclError EnterAcl(const char* call, Body&& body) noexcept {
  const Status status = RunGuarded(body);
  return status.ok() ? ACL_SUCCESS : ReportAcl(call, status);
}

template <typename Body>
HcclResult EnterHccl(const char* call, Body&& body) noexcept {
  const Status status = RunGuarded(body);
  return status.ok() ? HCCL_SUCCESS : ReportHccl(call, status);
}

}  // namespace tandem::capi
