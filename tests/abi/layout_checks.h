/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Compile-time checks of the public headers, the same for C11 and C++: numbers, sizes and offsets that
 * programs built on an Ascend host have compiled into them. The numbers are for 64-bit Linux.
 */
#ifndef TANDEM_TESTS_ABI_LAYOUT_CHECKS_H_
#define TANDEM_TESTS_ABI_LAYOUT_CHECKS_H_

#include <assert.h>
#include <stddef.h>
#include <stdint.h>

#include <acl/acl.h>
#include <acl/acl_rt_memory_soma.h>
#include <hccl/hccl.h>

#define ABI_VALUE(name, value) static_assert((name) == (value), #name " is not " #value);
#include "abi_values.inc"
#undef ABI_VALUE

#define ABI_SIZE(type, bytes) static_assert(sizeof(type) == (bytes), "size of " #type " is not " #bytes);
#define ABI_OFFSET(type, field, bytes) \
  static_assert(offsetof(type, field) == (bytes), "offset of " #type "." #field " is not " #bytes);

/* Handles and simple types. */
ABI_SIZE(aclError, 4)
ABI_SIZE(aclFloat16, 2)
ABI_SIZE(aclrtStream, 8)
ABI_SIZE(HcclComm, 8)
ABI_SIZE(HcclCommSymWindow, 8)
ABI_SIZE(HcclConn, 8)

/* Enumerations are ints. */
ABI_SIZE(HcclResult, 4)
ABI_SIZE(HcclDataType, 4)
ABI_SIZE(HcclReduceOp, 4)
ABI_SIZE(HcclSendRecvType, 4)
ABI_SIZE(HcclCMDType, 4)
ABI_SIZE(HcclConfig, 4)
ABI_SIZE(HcclCommStatus, 4)
ABI_SIZE(HcclCommStatePhase, 4)
ABI_SIZE(HcclOpExpansionMode, 4)
ABI_SIZE(HcclConfigTypeOpExpansionMode, 4)
ABI_SIZE(HcclConfigType, 4)
ABI_SIZE(HcclCommConfigCapability, 4)
ABI_SIZE(aclDataType, 4)
ABI_SIZE(aclrtMemcpyKind, 4)
ABI_SIZE(aclrtMemMallocPolicy, 4)
ABI_SIZE(enum aclrtMemPgType, 4)
ABI_SIZE(enum aclrtMemType, 4)

ABI_SIZE(HcclRootInfo, 4108)
ABI_OFFSET(HcclRootInfo, internal, 0)
ABI_SIZE(union HcclConfigValue, 4)

ABI_SIZE(HcclSendRecvItem, 32)
ABI_OFFSET(HcclSendRecvItem, sendRecvType, 0)
ABI_OFFSET(HcclSendRecvItem, buf, 8)
ABI_OFFSET(HcclSendRecvItem, count, 16)
ABI_OFFSET(HcclSendRecvItem, dataType, 24)
ABI_OFFSET(HcclSendRecvItem, remoteRank, 28)

ABI_SIZE(HcclCommConfig, 2248)
ABI_OFFSET(HcclCommConfig, reserved, 0)
ABI_OFFSET(HcclCommConfig, hcclBufferSize, 24)
ABI_OFFSET(HcclCommConfig, hcclDeterministic, 28)
ABI_OFFSET(HcclCommConfig, hcclCommName, 32)
ABI_OFFSET(HcclCommConfig, hcclUdi, 160)
ABI_OFFSET(HcclCommConfig, hcclOpExpansionMode, 288)
ABI_OFFSET(HcclCommConfig, hcclRdmaTrafficClass, 292)
ABI_OFFSET(HcclCommConfig, hcclRdmaServiceLevel, 296)
ABI_OFFSET(HcclCommConfig, hcclWorldRankID, 300)
ABI_OFFSET(HcclCommConfig, hcclJobID, 304)
ABI_OFFSET(HcclCommConfig, aclGraphZeroCopyEnable, 312)
ABI_OFFSET(HcclCommConfig, hcclExecTimeOut, 316)
ABI_OFFSET(HcclCommConfig, hcclAlgo, 320)
ABI_OFFSET(HcclCommConfig, hcclRetryEnable, 1920)
ABI_OFFSET(HcclCommConfig, hcclRetryParams, 1970)
ABI_OFFSET(HcclCommConfig, hcclBufferName, 2098)
ABI_OFFSET(HcclCommConfig, hcclQos, 2228)
ABI_OFFSET(HcclCommConfig, hcclSymWinMaxMemSizePerRank, 2232)
ABI_OFFSET(HcclCommConfig, hcclChannelSqDepth, 2240)

ABI_SIZE(aclrtUuid, 16)
ABI_SIZE(aclrtUtilizationInfo, 24)
ABI_OFFSET(aclrtUtilizationInfo, utilizationExtend, 16)
ABI_SIZE(aclCANNPackageVersion, 512)
ABI_OFFSET(aclCANNPackageVersion, majorVersion, 128)
ABI_OFFSET(aclCANNPackageVersion, reserved, 384)

ABI_SIZE(aclrtStreamConfigHandle, 32)
ABI_OFFSET(aclrtStreamConfigHandle, workptr, 0)
ABI_OFFSET(aclrtStreamConfigHandle, workSize, 8)
ABI_OFFSET(aclrtStreamConfigHandle, flag, 16)
ABI_OFFSET(aclrtStreamConfigHandle, priority, 24)
ABI_SIZE(aclrtStreamAttrValue, 16)

ABI_SIZE(aclrtMallocAttrValue, 8)
ABI_SIZE(aclrtMallocAttribute, 12)
ABI_OFFSET(aclrtMallocAttribute, value, 4)
ABI_SIZE(aclrtMallocConfig, 16)
ABI_OFFSET(aclrtMallocConfig, numAttrs, 8)

ABI_SIZE(aclrtMemLocation, 8)
ABI_OFFSET(aclrtMemLocation, id, 0)
ABI_OFFSET(aclrtMemLocation, type, 4)
ABI_SIZE(aclrtPtrAttributes, 28)
ABI_OFFSET(aclrtPtrAttributes, location, 0)
ABI_OFFSET(aclrtPtrAttributes, pageSize, 8)
ABI_OFFSET(aclrtPtrAttributes, rsv, 12)
ABI_SIZE(aclrtMemcpyBatchAttr, 32)
ABI_OFFSET(aclrtMemcpyBatchAttr, dstLoc, 0)
ABI_OFFSET(aclrtMemcpyBatchAttr, srcLoc, 8)
ABI_OFFSET(aclrtMemcpyBatchAttr, rsv, 16)
ABI_SIZE(struct MemAttrMapping, 16)

ABI_SIZE(aclrtPhysicalMemProp, 32)
ABI_OFFSET(aclrtPhysicalMemProp, handleType, 0)
ABI_OFFSET(aclrtPhysicalMemProp, allocationType, 4)
ABI_OFFSET(aclrtPhysicalMemProp, memAttr, 8)
ABI_OFFSET(aclrtPhysicalMemProp, location, 12)
ABI_OFFSET(aclrtPhysicalMemProp, reserve, 24)
ABI_SIZE(aclrtMemAccessDesc, 24)
ABI_OFFSET(aclrtMemAccessDesc, flags, 0)
ABI_OFFSET(aclrtMemAccessDesc, location, 4)
ABI_OFFSET(aclrtMemAccessDesc, rsv, 12)
ABI_SIZE(aclrtMemPoolProps, 56)
ABI_OFFSET(aclrtMemPoolProps, location, 8)
ABI_OFFSET(aclrtMemPoolProps, maxSize, 16)
ABI_OFFSET(aclrtMemPoolProps, reserved, 24)
ABI_SIZE(aclrtIpcEventHandle, 64)

ABI_SIZE(aclrtCntNotifyRecordInfo, 8)
ABI_SIZE(aclrtCntNotifyWaitInfo, 16)
ABI_OFFSET(aclrtCntNotifyWaitInfo, timeout, 8)
ABI_OFFSET(aclrtCntNotifyWaitInfo, isClear, 12)

ABI_SIZE(aclrtMemUceInfo, 128)
ABI_SIZE(aclrtErrorInfo, 2576)
ABI_OFFSET(aclrtErrorInfo, tryRepair, 0)
ABI_OFFSET(aclrtErrorInfo, hasDetail, 1)
ABI_OFFSET(aclrtErrorInfo, reserved, 2)
ABI_OFFSET(aclrtErrorInfo, errorType, 4)
ABI_OFFSET(aclrtErrorInfo, detail, 8)

ABI_SIZE(dim3, 12)
ABI_SIZE(aclrtLaunchKernelAttr, 20)
ABI_SIZE(aclrtRandomParaInfo, 16)
ABI_SIZE(aclmdlRITaskParams, 200)
ABI_OFFSET(aclmdlRITaskParams, taskGrp, 16)
ABI_OFFSET(aclmdlRITaskParams, rsv2, 72)
ABI_OFFSET(aclmdlRITaskParams, kernelTaskParams, 72)
ABI_SIZE(aclrtMemFabricHandle, 128)

#undef ABI_SIZE
#undef ABI_OFFSET

#endif /* TANDEM_TESTS_ABI_LAYOUT_CHECKS_H_ */
