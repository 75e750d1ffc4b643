// SPDX-License-Identifier: Apache-2.0

// Calls of ACL that are within the scope of Tandem and not yet implemented. They say that they are not
// supported here; a call leaves this file when it gets an implementation.

#include <acl/acl.h>

#include "capi/enter.h"

// One definition per line: name, types of the parameters. The prototype in the header checks the line.
#define NOT_SUPPORTED(name, ...) \
  extern "C" aclError name(__VA_ARGS__) { return tandem::capi::AclNotSupported(#name); }

// acl/acl_rt_ext.h: events of another process.
NOT_SUPPORTED(aclrtIpcGetEventHandle, aclrtEvent, aclrtIpcEventHandle*)
NOT_SUPPORTED(aclrtIpcOpenEventHandle, aclrtIpcEventHandle, aclrtEvent*)
