// SPDX-License-Identifier: Apache-2.0

// Calls of ACL that need an NPU, its compiler or its models. They exist so that programs link, and say
// that they are not supported here.

#include <acl/acl.h>

#include "capi/enter.h"

// One definition per line: name, types of the parameters. The prototype in the header checks the line.
#define NOT_SUPPORTED(name, ...) \
  extern "C" aclError name(__VA_ARGS__) { return tandem::capi::AclNotSupported(#name); }

// The same for calls that return a handle: null, with the text of the missing support left for
// aclGetRecentErrMsg.
#define NO_OBJECT(type, name, ...)              \
  extern "C" type name(__VA_ARGS__) {           \
    (void)tandem::capi::AclNotSupported(#name); \
    return nullptr;                             \
  }

// acl/acl_base_rt.h: base.
NOT_SUPPORTED(aclGetDeviceCapability, uint32_t, aclDeviceInfo, int64_t*)

// acl/acl_rt_unsupported.h: kernels.
NO_OBJECT(aclrtBinary, aclrtCreateBinary, const void*, size_t)
NOT_SUPPORTED(aclrtDestroyBinary, aclrtBinary)
NOT_SUPPORTED(aclrtBinaryLoad, const aclrtBinary, aclrtBinHandle*)
NOT_SUPPORTED(aclrtBinaryLoadFromFile, const char*, aclrtBinaryLoadOptions*, aclrtBinHandle*)
NOT_SUPPORTED(aclrtBinaryLoadFromData, const void*, size_t, const aclrtBinaryLoadOptions*, aclrtBinHandle*)
NOT_SUPPORTED(aclrtBinaryUnLoad, aclrtBinHandle)
NOT_SUPPORTED(aclrtBinaryGetFunction, const aclrtBinHandle, const char*, aclrtFuncHandle*)
NOT_SUPPORTED(aclrtBinaryGetFunctionByEntry, aclrtBinHandle, uint64_t, aclrtFuncHandle*)
NOT_SUPPORTED(aclrtBinaryGetDevAddress, const aclrtBinHandle, void**, size_t*)
NOT_SUPPORTED(aclrtBinaryGetGlobal, aclrtBinHandle, const char*, void**, size_t*)
NOT_SUPPORTED(aclrtBinarySetExceptionCallback, aclrtBinHandle, aclrtOpExceptionCallback, void*)
NOT_SUPPORTED(aclrtRegisterCpuFunc, const aclrtBinHandle, const char*, const char*, aclrtFuncHandle*)
NOT_SUPPORTED(aclrtGetFunctionAddr, aclrtFuncHandle, void**, void**)
NOT_SUPPORTED(aclrtGetFunctionSize, aclrtFuncHandle, size_t*, size_t*)
NOT_SUPPORTED(aclrtGetFunctionName, aclrtFuncHandle, uint32_t, char*)
NOT_SUPPORTED(aclrtGetFunctionAttribute, aclrtFuncHandle, aclrtFuncAttribute, int64_t*)
NOT_SUPPORTED(aclrtGetFuncBySymbol, const void*, aclrtFuncHandle*)
NOT_SUPPORTED(aclrtFunctionGetBinary, const aclrtFuncHandle, aclrtBinHandle*)
NOT_SUPPORTED(aclrtFunctionGetParamCount, const void*, size_t*)
NOT_SUPPORTED(aclrtFunctionGetParamInfo, const void*, size_t, size_t*, size_t*)
NOT_SUPPORTED(aclrtKernelArgsGetHandleMemSize, aclrtFuncHandle, size_t*)
NOT_SUPPORTED(aclrtKernelArgsGetMemSize, aclrtFuncHandle, size_t, size_t*)
NOT_SUPPORTED(aclrtKernelArgsInit, aclrtFuncHandle, aclrtArgsHandle*)
NOT_SUPPORTED(aclrtKernelArgsInitByUserMem, aclrtFuncHandle, aclrtArgsHandle, void*, size_t)
NOT_SUPPORTED(aclrtKernelArgsAppend, aclrtArgsHandle, void*, size_t, aclrtParamHandle*)
NOT_SUPPORTED(aclrtKernelArgsAppendPlaceHolder, aclrtArgsHandle, aclrtParamHandle*)
NOT_SUPPORTED(aclrtKernelArgsGetPlaceHolderBuffer, aclrtArgsHandle, aclrtParamHandle, size_t, void**)
NOT_SUPPORTED(aclrtKernelArgsParaUpdate, aclrtArgsHandle, aclrtParamHandle, void*, size_t)
NOT_SUPPORTED(aclrtKernelArgsFinalize, aclrtArgsHandle)
NOT_SUPPORTED(aclrtLaunchKernel, aclrtFuncHandle, uint32_t, const void*, size_t, aclrtStream)
NOT_SUPPORTED(aclrtLaunchKernelV2, aclrtFuncHandle, uint32_t, const void*, size_t, aclrtLaunchKernelCfg*,
              aclrtStream)
NOT_SUPPORTED(aclrtLaunchKernelWithConfig, aclrtFuncHandle, uint32_t, aclrtStream, aclrtLaunchKernelCfg*,
              aclrtArgsHandle, void*)
NOT_SUPPORTED(aclrtLaunchKernelWithHostArgs, aclrtFuncHandle, uint32_t, aclrtStream, aclrtLaunchKernelCfg*,
              void*, size_t, aclrtPlaceHolderInfo*, size_t)
NOT_SUPPORTED(aclrtLaunchKernelWithArgsArray, void*, uint32_t, aclrtStream, aclrtLaunchKernelCfg*, void**)
NOT_SUPPORTED(aclrtLaunchSIMTKernelWithHostArgs, void*, dim3, dim3, size_t, aclrtStream,
              aclrtLaunchKernelCfg*, void*, size_t, aclrtPlaceHolderInfo*, size_t)
NOT_SUPPORTED(aclrtLaunchSIMTKernelWithArgsArray, void*, dim3, dim3, size_t, aclrtStream,
              aclrtLaunchKernelCfg*, void**)
NOT_SUPPORTED(aclrtGetSymbolAddress, const void*, void**)
NOT_SUPPORTED(aclrtGetSymbolSize, const void*, size_t*)
NOT_SUPPORTED(aclrtMemcpyFromSymbol, void*, size_t, const void*, size_t, size_t, aclrtMemcpyKind)
NOT_SUPPORTED(aclrtMemcpyFromSymbolAsync, void*, size_t, const void*, size_t, size_t, aclrtMemcpyKind,
              aclrtStream)
NOT_SUPPORTED(aclrtMemcpyToSymbol, const void*, const void*, size_t, size_t, aclrtMemcpyKind)
NOT_SUPPORTED(aclrtMemcpyToSymbolAsync, const void*, const void*, size_t, size_t, aclrtMemcpyKind,
              aclrtStream)
NOT_SUPPORTED(aclrtTaskUpdateAsync, aclrtStream, uint32_t, aclrtTaskUpdateInfo*, aclrtStream)
NOT_SUPPORTED(aclrtRandomNumAsync, const aclrtRandomNumTaskInfo*, const aclrtStream, void*)
NOT_SUPPORTED(aclrtGetArgsFromExceptionInfo, const aclrtExceptionInfo*, void**, uint32_t*)
NOT_SUPPORTED(aclrtGetFuncHandleFromExceptionInfo, const aclrtExceptionInfo*, aclrtFuncHandle*)

// acl/acl_rt_unsupported.h: host functions for the CPU operators of one embedded chip.
NOT_SUPPORTED(aclrtSubscribeHostFunc, uint64_t, aclrtStream)
NOT_SUPPORTED(aclrtProcessHostFunc, int32_t)
NOT_SUPPORTED(aclrtUnSubscribeHostFunc, uint64_t, aclrtStream)

// acl/acl_rt_unsupported.h: captured graphs and model instances.
NOT_SUPPORTED(aclmdlRICaptureBegin, aclrtStream, aclmdlRICaptureMode)
NOT_SUPPORTED(aclmdlRICaptureEnd, aclrtStream, aclmdlRI*)
NOT_SUPPORTED(aclmdlRICaptureToModelRIBegin, aclrtStream, aclmdlRI, aclmdlRICaptureMode)
NOT_SUPPORTED(aclmdlRICaptureThreadExchangeMode, aclmdlRICaptureMode*)
NOT_SUPPORTED(aclmdlRICaptureTaskGrpBegin, aclrtStream)
NOT_SUPPORTED(aclmdlRICaptureTaskGrpEnd, aclrtStream, aclrtTaskGrp*)
NOT_SUPPORTED(aclmdlRICaptureTaskUpdateBegin, aclrtStream, aclrtTaskGrp)
NOT_SUPPORTED(aclmdlRICaptureTaskUpdateEnd, aclrtStream)
NOT_SUPPORTED(aclmdlRIDebugPrint, aclmdlRI)
NOT_SUPPORTED(aclmdlRIDebugJsonPrint, aclmdlRI, const char*, uint32_t)
NOT_SUPPORTED(aclmdlRIBuildBegin, aclmdlRI*, uint32_t)
NOT_SUPPORTED(aclmdlRIBindStream, aclmdlRI, aclrtStream, uint32_t)
NOT_SUPPORTED(aclmdlRIUnbindStream, aclmdlRI, aclrtStream)
NOT_SUPPORTED(aclmdlRIEndTask, aclmdlRI, aclrtStream)
NOT_SUPPORTED(aclmdlRIBuildEnd, aclmdlRI, void*)
NOT_SUPPORTED(aclmdlRIExecute, aclmdlRI, int32_t)
NOT_SUPPORTED(aclmdlRIExecuteAsync, aclmdlRI, aclrtStream)
NOT_SUPPORTED(aclmdlRIAbort, aclmdlRI)
NOT_SUPPORTED(aclmdlRIDestroy, aclmdlRI)
NOT_SUPPORTED(aclmdlRIDestroyRegisterCallback, aclmdlRI, aclrtCallback, void*)
NOT_SUPPORTED(aclmdlRIDestroyUnregisterCallback, aclmdlRI, aclrtCallback)
NOT_SUPPORTED(aclmdlRISetName, aclmdlRI, const char*)
NOT_SUPPORTED(aclmdlRIGetName, aclmdlRI, uint32_t, char*)
NOT_SUPPORTED(aclmdlRIGetId, aclmdlRI, uint32_t*)
NOT_SUPPORTED(aclmdlRIGetStreams, aclmdlRI, aclrtStream*, uint32_t*)
NOT_SUPPORTED(aclmdlRIGetTasksByStream, aclrtStream, aclmdlRITask*, uint32_t*)
NOT_SUPPORTED(aclmdlRITaskGetSeqId, aclmdlRITask, uint32_t*)
NOT_SUPPORTED(aclmdlRITaskGetType, aclmdlRITask, aclmdlRITaskType*)
NOT_SUPPORTED(aclmdlRITaskGetParams, aclmdlRITask, aclmdlRITaskParams*)
NOT_SUPPORTED(aclmdlRITaskSetParams, aclmdlRITask, aclmdlRITaskParams*)
NOT_SUPPORTED(aclmdlRIKernelTaskGetAttribute, aclmdlRITask, aclrtLaunchKernelAttrId,
              aclrtLaunchKernelAttrValue*)
NOT_SUPPORTED(aclmdlRITaskDisable, aclmdlRITask)
NOT_SUPPORTED(aclmdlRIUpdate, aclmdlRI)
NOT_SUPPORTED(aclmdlRICondHandleCreate, aclmdlRI, uint32_t, aclmdlRICondHandleFlag, aclmdlRICondHandle*)
NOT_SUPPORTED(aclmdlRICondHandleGetCondPtr, aclmdlRICondHandle, uint64_t**)
NOT_SUPPORTED(aclmdlRIAddCondTask, aclmdlRICondTaskParams, aclrtStream, uint32_t)
NOT_SUPPORTED(aclmdlInitDump, void)
NOT_SUPPORTED(aclmdlSetDump, const char*)
NOT_SUPPORTED(aclmdlFinalizeDump, void)

// acl/acl_rt_unsupported.h: labels and switches between streams.
NOT_SUPPORTED(aclrtCreateLabel, aclrtLabel*)
NOT_SUPPORTED(aclrtSetLabel, aclrtLabel, aclrtStream)
NOT_SUPPORTED(aclrtDestroyLabel, aclrtLabel)
NOT_SUPPORTED(aclrtCreateLabelList, aclrtLabel*, size_t, aclrtLabelList*)
NOT_SUPPORTED(aclrtDestroyLabelList, aclrtLabelList)
NOT_SUPPORTED(aclrtSwitchLabelByIndex, void*, uint32_t, aclrtLabelList, aclrtStream)
NOT_SUPPORTED(aclrtActiveStream, aclrtStream, aclrtStream)
NOT_SUPPORTED(aclrtSwitchStream, void*, aclrtCondition, void*, aclrtCompareDataType, aclrtStream, aclrtStream,
              aclrtStream)
NOT_SUPPORTED(aclrtPersistentTaskClean, aclrtStream)
NOT_SUPPORTED(aclrtCacheLastTaskOpInfo, const void* const, const size_t)
NOT_SUPPORTED(aclrtCacheLastTaskExtendInfo, const char* const, const size_t)

// acl/acl_rt_unsupported.h: caches.
NOT_SUPPORTED(aclrtCmoAsync, void*, size_t, aclrtCmoType, aclrtStream)
NOT_SUPPORTED(aclrtCmoAsyncWithBarrier, void*, size_t, aclrtCmoType, uint32_t, aclrtStream)
NOT_SUPPORTED(aclrtCmoWaitBarrier, aclrtBarrierTaskInfo*, aclrtStream, uint32_t)
NOT_SUPPORTED(aclrtCmoGetDescSize, size_t*)
NOT_SUPPORTED(aclrtCmoSetDesc, void*, void*, size_t)
NOT_SUPPORTED(aclrtCmoAsyncWithDesc, void*, aclrtCmoType, aclrtStream, const void*)
NOT_SUPPORTED(aclrtMemFlush, void*, size_t)
NOT_SUPPORTED(aclrtMemInvalidate, void*, size_t)

// acl/acl_rt_unsupported.h: copies by descriptor or offset, managed memory.
NOT_SUPPORTED(aclrtGetMemcpyDescSize, aclrtMemcpyKind, size_t*)
NOT_SUPPORTED(aclrtSetMemcpyDesc, void*, aclrtMemcpyKind, void*, void*, size_t, void*)
NOT_SUPPORTED(aclrtMemcpyAsyncWithDesc, void*, aclrtMemcpyKind, aclrtStream)
NOT_SUPPORTED(aclrtMemcpyAsyncWithOffset, void**, size_t, size_t, const void**, size_t, size_t,
              aclrtMemcpyKind, aclrtStream)
NOT_SUPPORTED(aclrtMemAllocManaged, void**, uint64_t, uint32_t)
NOT_SUPPORTED(aclrtMemManagedAdvise, const void* const, uint64_t, aclrtMemManagedAdviseType,
              aclrtMemManagedLocation)
NOT_SUPPORTED(aclrtMemManagedGetAttr, aclrtMemManagedRangeAttribute, const void*, size_t, void*, size_t)
NOT_SUPPORTED(aclrtMemManagedGetAttrs, aclrtMemManagedRangeAttribute*, size_t, const void*, size_t, void**,
              size_t*)
NOT_SUPPORTED(aclrtMemManagedPrefetchAsync, const void*, size_t, aclrtMemManagedLocation, uint32_t,
              aclrtStream)
NOT_SUPPORTED(aclrtMemManagedPrefetchBatchAsync, const void**, size_t*, size_t, aclrtMemManagedLocation*,
              size_t*, size_t, uint64_t, aclrtStream)

// acl/acl_rt_unsupported.h: groups of cores, message buffers, snapshots.
NOT_SUPPORTED(aclrtSetGroup, int32_t)
NOT_SUPPORTED(aclrtGetGroupCount, uint32_t*)
NO_OBJECT(aclrtGroupInfo*, aclrtCreateGroupInfo, void)
NOT_SUPPORTED(aclrtDestroyGroupInfo, aclrtGroupInfo*)
NOT_SUPPORTED(aclrtGetAllGroupInfo, aclrtGroupInfo*)
NOT_SUPPORTED(aclrtGetGroupInfoDetail, const aclrtGroupInfo*, int32_t, aclrtGroupAttr, void*, size_t, size_t*)
NOT_SUPPORTED(aclrtAllocBuf, aclrtMbuf*, size_t)
NOT_SUPPORTED(aclrtFreeBuf, aclrtMbuf)
NOT_SUPPORTED(aclrtSetBufDataLen, aclrtMbuf, size_t)
NOT_SUPPORTED(aclrtGetBufDataLen, aclrtMbuf, size_t*)
NOT_SUPPORTED(aclrtGetBufData, const aclrtMbuf, void**, size_t*)
NOT_SUPPORTED(aclrtSetBufUserData, aclrtMbuf, const void*, size_t, size_t)
NOT_SUPPORTED(aclrtGetBufUserData, const aclrtMbuf, void*, size_t, size_t)
NOT_SUPPORTED(aclrtCopyBufRef, const aclrtMbuf, aclrtMbuf*)
NOT_SUPPORTED(aclrtAppendBufChain, aclrtMbuf, aclrtMbuf)
NOT_SUPPORTED(aclrtGetBufChainNum, aclrtMbuf, uint32_t*)
NOT_SUPPORTED(aclrtGetBufFromChain, aclrtMbuf, uint32_t, aclrtMbuf*)
NOT_SUPPORTED(aclrtSnapShotProcessLock, int, void*)
NOT_SUPPORTED(aclrtSnapShotProcessUnlock, int, void*)
NOT_SUPPORTED(aclrtSnapShotProcessBackup, int, aclrtSnapShotBackupArgs*)
NOT_SUPPORTED(aclrtSnapShotProcessRestore, int, aclrtSnapShotRestoreArgs*)
NOT_SUPPORTED(aclrtSnapShotCallbackRegister, aclrtSnapShotStage, aclrtSnapShotCallBack, void*)
NOT_SUPPORTED(aclrtSnapShotCallbackUnregister, aclrtSnapShotStage, aclrtSnapShotCallBack)

// acl/acl_rt_unsupported.h: overflow of arithmetic, faults of hardware.
NOT_SUPPORTED(aclrtSetStreamOverflowSwitch, aclrtStream, uint32_t)
NOT_SUPPORTED(aclrtGetStreamOverflowSwitch, aclrtStream, uint32_t*)
NOT_SUPPORTED(aclrtSetDeviceSatMode, aclrtFloatOverflowMode)
NOT_SUPPORTED(aclrtGetDeviceSatMode, aclrtFloatOverflowMode*)
NOT_SUPPORTED(aclrtGetOverflowStatus, void*, size_t, aclrtStream)
NOT_SUPPORTED(aclrtResetOverflowStatus, aclrtStream)
NOT_SUPPORTED(aclrtCtxGetFloatOverflowAddr, void**)
NOT_SUPPORTED(aclrtGetFloatOverflowStatus, void*, uint64_t, aclrtStream)
NOT_SUPPORTED(aclrtResetFloatOverflowStatus, aclrtStream)
NOT_SUPPORTED(aclrtNpuGetFloatOverFlowStatus, void*, uint64_t, uint32_t, aclrtStream)
NOT_SUPPORTED(aclrtNpuClearFloatOverFlowStatus, uint32_t, aclrtStream)
NOT_SUPPORTED(aclrtGetMemUceInfo, int32_t, aclrtMemUceInfo*, size_t, size_t*)
NOT_SUPPORTED(aclrtMemUceRepair, int32_t, aclrtMemUceInfo*, size_t)
NOT_SUPPORTED(aclrtRepairError, int32_t, const aclrtErrorInfo*)
NOT_SUPPORTED(aclrtGetHardwareSyncAddr, void**)
NOT_SUPPORTED(aclrtProfTrace, void*, int32_t, aclrtStream)
NOT_SUPPORTED(aclrtSetTsDevice, aclrtTsId)

// acl/acl_rt_unsupported.h: limits of kernels.
NOT_SUPPORTED(aclrtSetOpExecuteTimeOut, uint32_t)
NOT_SUPPORTED(aclrtSetOpExecuteTimeOutWithMs, uint32_t)
NOT_SUPPORTED(aclrtSetOpExecuteTimeOutV2, uint64_t, uint64_t*)
NOT_SUPPORTED(aclrtGetOpExecuteTimeout, uint32_t* const)
NOT_SUPPORTED(aclrtGetOpTimeOutInterval, uint64_t*)
NOT_SUPPORTED(aclrtGetStreamResLimit, aclrtStream, aclrtDevResLimitType, uint32_t*)
NOT_SUPPORTED(aclrtSetStreamResLimit, aclrtStream, aclrtDevResLimitType, uint32_t)
NOT_SUPPORTED(aclrtResetStreamResLimit, aclrtStream)
NOT_SUPPORTED(aclrtUseStreamResInCurrentThread, aclrtStream)
NOT_SUPPORTED(aclrtUnuseStreamResInCurrentThread, aclrtStream)
NOT_SUPPORTED(aclrtDeviceSetLimit, aclrtDeviceLimit, size_t)
NOT_SUPPORTED(aclrtDeviceGetLimit, aclrtDeviceLimit, size_t*)

// acl/acl_rt_unsupported.h: the rest.
NOT_SUPPORTED(aclrtCheckMemType, void**, uint32_t, uint32_t, uint32_t*, uint32_t)
NOT_SUPPORTED(aclrtDeviceGetHostAtomicCapabilities, uint32_t*, const aclrtAtomicOperation*, const uint32_t,
              int32_t)
NOT_SUPPORTED(aclrtDeviceGetP2PAtomicCapabilities, uint32_t*, const aclrtAtomicOperation*, const uint32_t,
              int32_t, int32_t)
NOT_SUPPORTED(aclrtHostMemMapCapabilities, uint32_t, aclrtHacType, aclrtHostMemMapCapability*)
NOT_SUPPORTED(aclrtMemMapSelectedLink, void*, size_t, void*, uint32_t)
NOT_SUPPORTED(aclrtMemP2PMap, void*, size_t, int32_t, uint64_t)
NOT_SUPPORTED(aclrtReserveMemAddressNoUCMemory, void**, size_t, size_t, void*, uint64_t)
NOT_SUPPORTED(aclrtGetMemUsageInfo, int32_t, aclrtMemUsageInfo*, size_t, size_t*)
NOT_SUPPORTED(aclrtMemGetAllocationPropertiesFromHandle, aclrtDrvMemHandle, aclrtPhysicalMemProp*)
NOT_SUPPORTED(aclrtNotifySetImportPidInterServer, aclrtNotify, aclrtServerPid*, size_t)
NOT_SUPPORTED(aclrtIpcMemImportPidInterServer, const char*, aclrtServerPid*, size_t)
NOT_SUPPORTED(aclrtMemExportToShareableHandleV2, aclrtDrvMemHandle, uint64_t, aclrtMemSharedHandleType, void*)
NOT_SUPPORTED(aclrtMemImportFromShareableHandleV2, void*, aclrtMemSharedHandleType, uint64_t,
              aclrtDrvMemHandle*)
NOT_SUPPORTED(aclrtMemSetPidToShareableHandleV2, void*, aclrtMemSharedHandleType, int32_t*, size_t)

#undef NOT_SUPPORTED
#undef NO_OBJECT
