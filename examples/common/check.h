// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdio>

#include "acl/acl.h"
#include "hccl/hccl.h"

namespace example {

// The library keeps a longer text for the last failure of this thread; reading it empties the store.
inline void PrintFailure(const char* call, int code, const char* name, const char* file, int line) {
  const char* detail = aclGetRecentErrMsg();
  std::fprintf(stderr, "%s:%d: %s returned %d (%s)\n%s%s", file, line, call, code, name,
               detail != nullptr ? detail : "", detail != nullptr ? "\n" : "");
}

}  // namespace example

// Both leave the calling function with 1. They are macros because only a macro can return for its caller.
#define ACL_CHECK(call)                                                             \
  do {                                                                              \
    const aclError acl_check_code = (call);                                         \
    if (acl_check_code != ACL_SUCCESS) {                                            \
      example::PrintFailure(#call, acl_check_code, "aclError", __FILE__, __LINE__); \
      return 1;                                                                     \
    }                                                                               \
  } while (false)

#define HCCL_CHECK(call)                                                                                   \
  do {                                                                                                     \
    const HcclResult hccl_check_code = (call);                                                             \
    if (hccl_check_code != HCCL_SUCCESS) {                                                                 \
      example::PrintFailure(#call, static_cast<int>(hccl_check_code), HcclGetErrorString(hccl_check_code), \
                            __FILE__, __LINE__);                                                           \
      return 1;                                                                                            \
    }                                                                                                      \
  } while (false)
