// SPDX-License-Identifier: Apache-2.0
// Functions outside what the library does: whatever their arguments are, they say so.
#include "badargs/rows.h"

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

namespace tandem::test::badargs {
namespace {

template <typename Function>
void Add(Rows& rows, const char* name, Function function, int64_t code) {
  for (const Thread thread : {Thread::kWithDevice, Thread::kBare}) {
    rows.push_back({name, "all zero", WithZeros(function), code, {"not supported"}, thread});
    rows.push_back({name, "garbage", WithGarbage(function), code, {"not supported"}, thread});
  }
}

#define ACL_CALL(name) Add(rows, #name, &(name), ACL_ERROR_RT_FEATURE_NOT_SUPPORT)
#define ACL_OBJECT(name) Add(rows, #name, &(name), 0)
#define HCCL_CALL(name) Add(rows, #name, &(name), HCCL_E_NOT_SUPPORT)

void AddAclCalls(Rows& rows) {
  ACL_CALL(aclGetDeviceCapability);
  ACL_OBJECT(aclrtCreateBinary);
  ACL_CALL(aclrtDestroyBinary);
  ACL_CALL(aclrtBinaryLoad);
  ACL_CALL(aclrtBinaryLoadFromFile);
  ACL_CALL(aclrtBinaryLoadFromData);
  ACL_CALL(aclrtBinaryUnLoad);
  ACL_CALL(aclrtBinaryGetFunction);
  ACL_CALL(aclrtBinaryGetFunctionByEntry);
  ACL_CALL(aclrtBinaryGetDevAddress);
  ACL_CALL(aclrtBinaryGetGlobal);
  ACL_CALL(aclrtBinarySetExceptionCallback);
  ACL_CALL(aclrtRegisterCpuFunc);
  ACL_CALL(aclrtGetFunctionAddr);
  ACL_CALL(aclrtGetFunctionSize);
  ACL_CALL(aclrtGetFunctionName);
  ACL_CALL(aclrtGetFunctionAttribute);
  ACL_CALL(aclrtGetFuncBySymbol);
  ACL_CALL(aclrtFunctionGetBinary);
  ACL_CALL(aclrtFunctionGetParamCount);
  ACL_CALL(aclrtFunctionGetParamInfo);
  ACL_CALL(aclrtKernelArgsGetHandleMemSize);
  ACL_CALL(aclrtKernelArgsGetMemSize);
  ACL_CALL(aclrtKernelArgsInit);
  ACL_CALL(aclrtKernelArgsInitByUserMem);
  ACL_CALL(aclrtKernelArgsAppend);
  ACL_CALL(aclrtKernelArgsAppendPlaceHolder);
  ACL_CALL(aclrtKernelArgsGetPlaceHolderBuffer);
  ACL_CALL(aclrtKernelArgsParaUpdate);
  ACL_CALL(aclrtKernelArgsFinalize);
  ACL_CALL(aclrtLaunchKernel);
  ACL_CALL(aclrtLaunchKernelV2);
  ACL_CALL(aclrtLaunchKernelWithConfig);
  ACL_CALL(aclrtLaunchKernelWithHostArgs);
  ACL_CALL(aclrtLaunchKernelWithArgsArray);
  ACL_CALL(aclrtLaunchSIMTKernelWithHostArgs);
  ACL_CALL(aclrtLaunchSIMTKernelWithArgsArray);
  ACL_CALL(aclrtGetSymbolAddress);
  ACL_CALL(aclrtGetSymbolSize);
  ACL_CALL(aclrtMemcpyFromSymbol);
  ACL_CALL(aclrtMemcpyFromSymbolAsync);
  ACL_CALL(aclrtMemcpyToSymbol);
  ACL_CALL(aclrtMemcpyToSymbolAsync);
  ACL_CALL(aclrtTaskUpdateAsync);
  ACL_CALL(aclrtRandomNumAsync);
  ACL_CALL(aclrtGetArgsFromExceptionInfo);
  ACL_CALL(aclrtGetFuncHandleFromExceptionInfo);
  ACL_CALL(aclrtSubscribeHostFunc);
  ACL_CALL(aclrtProcessHostFunc);
  ACL_CALL(aclrtUnSubscribeHostFunc);
  ACL_CALL(aclmdlRICaptureBegin);
  ACL_CALL(aclmdlRICaptureEnd);
  ACL_CALL(aclmdlRICaptureToModelRIBegin);
  ACL_CALL(aclmdlRICaptureThreadExchangeMode);
  ACL_CALL(aclmdlRICaptureTaskGrpBegin);
  ACL_CALL(aclmdlRICaptureTaskGrpEnd);
  ACL_CALL(aclmdlRICaptureTaskUpdateBegin);
  ACL_CALL(aclmdlRICaptureTaskUpdateEnd);
  ACL_CALL(aclmdlRIDebugPrint);
  ACL_CALL(aclmdlRIDebugJsonPrint);
  ACL_CALL(aclmdlRIBuildBegin);
  ACL_CALL(aclmdlRIBindStream);
  ACL_CALL(aclmdlRIUnbindStream);
  ACL_CALL(aclmdlRIEndTask);
  ACL_CALL(aclmdlRIBuildEnd);
  ACL_CALL(aclmdlRIExecute);
  ACL_CALL(aclmdlRIExecuteAsync);
  ACL_CALL(aclmdlRIAbort);
  ACL_CALL(aclmdlRIDestroy);
  ACL_CALL(aclmdlRIDestroyRegisterCallback);
  ACL_CALL(aclmdlRIDestroyUnregisterCallback);
  ACL_CALL(aclmdlRISetName);
  ACL_CALL(aclmdlRIGetName);
  ACL_CALL(aclmdlRIGetId);
  ACL_CALL(aclmdlRIGetStreams);
  ACL_CALL(aclmdlRIGetTasksByStream);
  ACL_CALL(aclmdlRITaskGetSeqId);
  ACL_CALL(aclmdlRITaskGetType);
  ACL_CALL(aclmdlRITaskGetParams);
  ACL_CALL(aclmdlRITaskSetParams);
  ACL_CALL(aclmdlRIKernelTaskGetAttribute);
  ACL_CALL(aclmdlRITaskDisable);
  ACL_CALL(aclmdlRIUpdate);
  ACL_CALL(aclmdlRICondHandleCreate);
  ACL_CALL(aclmdlRICondHandleGetCondPtr);
  ACL_CALL(aclmdlRIAddCondTask);
  ACL_CALL(aclmdlInitDump);
  ACL_CALL(aclmdlSetDump);
  ACL_CALL(aclmdlFinalizeDump);
  ACL_CALL(aclrtCreateLabel);
  ACL_CALL(aclrtSetLabel);
  ACL_CALL(aclrtDestroyLabel);
  ACL_CALL(aclrtCreateLabelList);
  ACL_CALL(aclrtDestroyLabelList);
  ACL_CALL(aclrtSwitchLabelByIndex);
  ACL_CALL(aclrtActiveStream);
  ACL_CALL(aclrtSwitchStream);
  ACL_CALL(aclrtPersistentTaskClean);
  ACL_CALL(aclrtCacheLastTaskOpInfo);
  ACL_CALL(aclrtCacheLastTaskExtendInfo);
  ACL_CALL(aclrtCmoAsync);
  ACL_CALL(aclrtCmoAsyncWithBarrier);
  ACL_CALL(aclrtCmoWaitBarrier);
  ACL_CALL(aclrtCmoGetDescSize);
  ACL_CALL(aclrtCmoSetDesc);
  ACL_CALL(aclrtCmoAsyncWithDesc);
  ACL_CALL(aclrtMemFlush);
  ACL_CALL(aclrtMemInvalidate);
  ACL_CALL(aclrtGetMemcpyDescSize);
  ACL_CALL(aclrtSetMemcpyDesc);
  ACL_CALL(aclrtMemcpyAsyncWithDesc);
  ACL_CALL(aclrtMemcpyAsyncWithOffset);
  ACL_CALL(aclrtMemAllocManaged);
  ACL_CALL(aclrtMemManagedAdvise);
  ACL_CALL(aclrtMemManagedGetAttr);
  ACL_CALL(aclrtMemManagedGetAttrs);
  ACL_CALL(aclrtMemManagedPrefetchAsync);
  ACL_CALL(aclrtMemManagedPrefetchBatchAsync);
  ACL_CALL(aclrtSetGroup);
  ACL_CALL(aclrtGetGroupCount);
  ACL_OBJECT(aclrtCreateGroupInfo);
  ACL_CALL(aclrtDestroyGroupInfo);
  ACL_CALL(aclrtGetAllGroupInfo);
  ACL_CALL(aclrtGetGroupInfoDetail);
  ACL_CALL(aclrtAllocBuf);
  ACL_CALL(aclrtFreeBuf);
  ACL_CALL(aclrtSetBufDataLen);
  ACL_CALL(aclrtGetBufDataLen);
  ACL_CALL(aclrtGetBufData);
  ACL_CALL(aclrtSetBufUserData);
  ACL_CALL(aclrtGetBufUserData);
  ACL_CALL(aclrtCopyBufRef);
  ACL_CALL(aclrtAppendBufChain);
  ACL_CALL(aclrtGetBufChainNum);
  ACL_CALL(aclrtGetBufFromChain);
  ACL_CALL(aclrtSnapShotProcessLock);
  ACL_CALL(aclrtSnapShotProcessUnlock);
  ACL_CALL(aclrtSnapShotProcessBackup);
  ACL_CALL(aclrtSnapShotProcessRestore);
  ACL_CALL(aclrtSnapShotCallbackRegister);
  ACL_CALL(aclrtSnapShotCallbackUnregister);
  ACL_CALL(aclrtSetStreamOverflowSwitch);
  ACL_CALL(aclrtGetStreamOverflowSwitch);
  ACL_CALL(aclrtSetDeviceSatMode);
  ACL_CALL(aclrtGetDeviceSatMode);
  ACL_CALL(aclrtGetOverflowStatus);
  ACL_CALL(aclrtResetOverflowStatus);
  ACL_CALL(aclrtCtxGetFloatOverflowAddr);
  ACL_CALL(aclrtGetFloatOverflowStatus);
  ACL_CALL(aclrtResetFloatOverflowStatus);
  ACL_CALL(aclrtNpuGetFloatOverFlowStatus);
  ACL_CALL(aclrtNpuClearFloatOverFlowStatus);
  ACL_CALL(aclrtGetMemUceInfo);
  ACL_CALL(aclrtMemUceRepair);
  ACL_CALL(aclrtRepairError);
  ACL_CALL(aclrtGetHardwareSyncAddr);
  ACL_CALL(aclrtProfTrace);
  ACL_CALL(aclrtSetTsDevice);
  ACL_CALL(aclrtSetOpExecuteTimeOut);
  ACL_CALL(aclrtSetOpExecuteTimeOutWithMs);
  ACL_CALL(aclrtSetOpExecuteTimeOutV2);
  ACL_CALL(aclrtGetOpExecuteTimeout);
  ACL_CALL(aclrtGetOpTimeOutInterval);
  ACL_CALL(aclrtGetStreamResLimit);
  ACL_CALL(aclrtSetStreamResLimit);
  ACL_CALL(aclrtResetStreamResLimit);
  ACL_CALL(aclrtUseStreamResInCurrentThread);
  ACL_CALL(aclrtUnuseStreamResInCurrentThread);
  ACL_CALL(aclrtDeviceSetLimit);
  ACL_CALL(aclrtDeviceGetLimit);
  ACL_CALL(aclrtCheckMemType);
  ACL_CALL(aclrtDeviceGetHostAtomicCapabilities);
  ACL_CALL(aclrtDeviceGetP2PAtomicCapabilities);
  ACL_CALL(aclrtHostMemMapCapabilities);
  ACL_CALL(aclrtMemMapSelectedLink);
  ACL_CALL(aclrtMemP2PMap);
  ACL_CALL(aclrtReserveMemAddressNoUCMemory);
  ACL_CALL(aclrtGetMemUsageInfo);
  ACL_CALL(aclrtMemGetAllocationPropertiesFromHandle);
  ACL_CALL(aclrtNotifySetImportPidInterServer);
  ACL_CALL(aclrtIpcMemImportPidInterServer);
  ACL_CALL(aclrtMemExportToShareableHandleV2);
  ACL_CALL(aclrtMemImportFromShareableHandleV2);
  ACL_CALL(aclrtMemSetPidToShareableHandleV2);
}

void AddHcclCalls(Rows& rows) {
  HCCL_CALL(HcclCommRegister);
  HCCL_CALL(HcclCommDeregister);
  HCCL_CALL(HcclCommExchangeMem);
  HCCL_CALL(HcclCommSymWinRegister);
  HCCL_CALL(HcclCommSymWinDeregister);
  HCCL_CALL(HcclCommSymWinGet);
  HCCL_CALL(HcclAllReduce);
  HCCL_CALL(HcclBroadcast);
  HCCL_CALL(HcclReduceScatter);
  HCCL_CALL(HcclReduceScatterV);
  HCCL_CALL(HcclScatter);
  HCCL_CALL(HcclAllGather);
  HCCL_CALL(HcclAllGatherV);
  HCCL_CALL(HcclAlltoAllVC);
  HCCL_CALL(HcclAlltoAllV);
  HCCL_CALL(HcclAlltoAll);
  HCCL_CALL(HcclReduce);
}

}  // namespace

Rows UnsupportedRows() {
  Rows rows;
  AddAclCalls(rows);
  AddHcclCalls(rows);
  return rows;
}

}  // namespace tandem::test::badargs
