// SPDX-License-Identifier: Apache-2.0

// Calls of HCCL outside the scope of Tandem, which is point-to-point: collectives and one-sided windows. They
// exist so that programs link, and say that they are not supported here.

#include <hccl/hccl.h>

#include "capi/enter.h"

// One definition per line: name, types of the parameters. The prototype in the header checks the line.
#define NOT_SUPPORTED(name, ...) \
  extern "C" HcclResult name(__VA_ARGS__) { return tandem::capi::HcclNotSupported(#name); }

// hccl/hccl_comm.h: memory windows for one-sided access.
NOT_SUPPORTED(HcclCommRegister, HcclComm, void*, uint64_t, void**, uint32_t)
NOT_SUPPORTED(HcclCommDeregister, HcclComm, void*)
NOT_SUPPORTED(HcclCommExchangeMem, HcclComm, void*, uint32_t*, uint32_t)
NOT_SUPPORTED(HcclCommSymWinRegister, HcclComm, void*, uint64_t, HcclCommSymWindow*, uint32_t)
NOT_SUPPORTED(HcclCommSymWinDeregister, HcclCommSymWindow)
NOT_SUPPORTED(HcclCommSymWinGet, HcclComm, void*, size_t, HcclCommSymWindow*, size_t*)

// hccl/hccl.h: operations.
NOT_SUPPORTED(HcclAllReduce, void*, void*, uint64_t, HcclDataType, HcclReduceOp, HcclComm, aclrtStream)
NOT_SUPPORTED(HcclBroadcast, void*, uint64_t, HcclDataType, uint32_t, HcclComm, aclrtStream)
NOT_SUPPORTED(HcclReduceScatter, void*, void*, uint64_t, HcclDataType, HcclReduceOp, HcclComm, aclrtStream)
NOT_SUPPORTED(HcclReduceScatterV, void*, const void*, const void*, void*, uint64_t, HcclDataType,
              HcclReduceOp, HcclComm, aclrtStream)
NOT_SUPPORTED(HcclScatter, void*, void*, uint64_t, HcclDataType, uint32_t, HcclComm, aclrtStream)
NOT_SUPPORTED(HcclAllGather, void*, void*, uint64_t, HcclDataType, HcclComm, aclrtStream)
NOT_SUPPORTED(HcclAllGatherV, void*, uint64_t, void*, const void*, const void*, HcclDataType, HcclComm,
              aclrtStream)
NOT_SUPPORTED(HcclAlltoAllVC, const void*, const void*, HcclDataType, const void*, HcclDataType, HcclComm,
              aclrtStream)
NOT_SUPPORTED(HcclAlltoAllV, const void*, const void*, const void*, HcclDataType, const void*, const void*,
              const void*, HcclDataType, HcclComm, aclrtStream)
NOT_SUPPORTED(HcclAlltoAll, const void*, uint64_t, HcclDataType, const void*, uint64_t, HcclDataType,
              HcclComm, aclrtStream)
NOT_SUPPORTED(HcclReduce, void*, void*, uint64_t, HcclDataType, HcclReduceOp, uint32_t, HcclComm, aclrtStream)

#undef NOT_SUPPORTED
