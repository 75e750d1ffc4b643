// SPDX-License-Identifier: Apache-2.0

// Calls of HCCL that are within the scope of Tandem and not yet implemented. They say that they are not
// supported here; a call leaves this file when it gets an implementation.

#include <hccl/hccl.h>

#include "capi/enter.h"

// One definition per line: name, types of the parameters. The prototype in the header checks the line.
#define NOT_SUPPORTED(name, ...) \
  extern "C" HcclResult name(__VA_ARGS__) { return tandem::capi::HcclNotSupported(#name); }

// hccl/hccl_comm.h: creation.
NOT_SUPPORTED(HcclCommInitClusterInfo, const char*, uint32_t, HcclComm*)
NOT_SUPPORTED(HcclCommInitClusterInfoConfig, const char*, uint32_t, HcclCommConfig*, HcclComm*)
NOT_SUPPORTED(HcclCreateSubCommConfig, HcclComm*, uint32_t, uint32_t*, uint64_t, uint32_t, HcclCommConfig*,
              HcclComm*)

// hccl/hccl_comm.h: questions.
NOT_SUPPORTED(HcclCommGetHandleWithName, const char*, HcclComm*)
NOT_SUPPORTED(HcclCommGetStatus, const char*, HcclCommStatus*)
NOT_SUPPORTED(HcclConfigGetInfo, HcclComm, HcclConfigType, uint32_t, void*)

// hccl/hccl_comm.h: groups of calls.
NOT_SUPPORTED(HcclGroupStart, void)
NOT_SUPPORTED(HcclGroupEnd, void)
NOT_SUPPORTED(HcclGroupStatusGet, bool*)

// hccl/hccl_comm.h: settings of the process.
NOT_SUPPORTED(HcclSetConfig, HcclConfig, HcclConfigValue)
NOT_SUPPORTED(HcclGetConfig, HcclConfig, HcclConfigValue*)
NOT_SUPPORTED(HcclSetCommConfig, HcclComm, HcclConfig, HcclConfigValue)
NOT_SUPPORTED(HcclGetCommConfig, HcclComm, HcclConfig, HcclConfigValue*)

// hccl/hccl_comm.h: faults.
NOT_SUPPORTED(HcclCommSuspend, HcclComm)
NOT_SUPPORTED(HcclCommResume, HcclComm)
NOT_SUPPORTED(HcclCommRegCommStateCallback, const char*, HcclCommStateCallback, void*)
NOT_SUPPORTED(HcclCommWorkingDevNicSet, HcclComm, uint32_t*, bool*, uint32_t)

// hccl/hccl_comm.h: memory hints; sizes in bytes.
NOT_SUPPORTED(HcclCommSetMemoryRange, HcclComm, void*, size_t, size_t, uint64_t)
NOT_SUPPORTED(HcclCommUnsetMemoryRange, HcclComm, void*)
NOT_SUPPORTED(HcclCommActivateCommMemory, HcclComm, void*, size_t, size_t, aclrtDrvMemHandle, uint64_t)
NOT_SUPPORTED(HcclCommDeactivateCommMemory, HcclComm, void*)
