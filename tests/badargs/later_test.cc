// SPDX-License-Identifier: Apache-2.0
// Whatever the arguments are, these return, and with an error where the arguments cannot be right. Exact
// codes are pinned by the tests of each family.
#include <acl/acl_rt_memory_soma.h>

#include "badargs/rows.h"

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

namespace tandem::test::badargs {
namespace {

template <typename Function>
void Add(Rows& rows, const char* name, Function function, int64_t with_zeros, int64_t with_garbage) {
  for (const Thread thread : {Thread::kWithDevice, Thread::kBare}) {
    rows.push_back({name, "all zero", WithZeros(function), with_zeros, {}, thread});
    rows.push_back({name, "garbage", WithGarbage(function), with_garbage, {}, thread});
  }
}

#define REFUSES(name) Add(rows, #name, &(name), kSomeError, kSomeError)
// Zeros are good arguments.
#define TAKES_ZEROS(name) Add(rows, #name, &(name), kAnything, kSomeError)
// No argument can be wrong.
#define TAKES_ALL(name) Add(rows, #name, &(name), kAnything, kAnything)

void AddCalls(Rows& rows) {
  REFUSES(aclGetCannAttributeList);
  REFUSES(aclGetCannAttribute);
  TAKES_ZEROS(aclrtSubscribeReport);
  REFUSES(aclrtLaunchCallback);
  REFUSES(aclrtProcessReport);
  TAKES_ZEROS(aclrtUnSubscribeReport);
  TAKES_ALL(aclrtSetExceptionInfoCallback);
  REFUSES(aclrtGetTaskIdFromExceptionInfo);
  REFUSES(aclrtGetStreamIdFromExceptionInfo);
  REFUSES(aclrtGetThreadIdFromExceptionInfo);
  REFUSES(aclrtGetDeviceIdFromExceptionInfo);
  REFUSES(aclrtGetErrorCodeFromExceptionInfo);
  REFUSES(aclrtCreateNotify);
  REFUSES(aclrtDestroyNotify);
  REFUSES(aclrtRecordNotify);
  REFUSES(aclrtWaitAndResetNotify);
  REFUSES(aclrtGetNotifyId);
  REFUSES(aclrtNotifyBatchReset);
  REFUSES(aclrtNotifyGetExportKey);
  REFUSES(aclrtNotifyImportByKey);
  REFUSES(aclrtNotifySetImportPid);
  REFUSES(aclrtCntNotifyCreate);
  REFUSES(aclrtCntNotifyDestroy);
  REFUSES(aclrtCntNotifyRecord);
  REFUSES(aclrtCntNotifyWaitWithTimeout);
  REFUSES(aclrtCntNotifyReset);
  REFUSES(aclrtCntNotifyGetId);
  REFUSES(aclrtIpcMemGetExportKey);
  REFUSES(aclrtIpcMemSetImportPid);
  REFUSES(aclrtIpcMemImportByKey);
  REFUSES(aclrtIpcMemClose);
  REFUSES(aclrtIpcMemSetAttr);
  REFUSES(aclrtIpcGetEventHandle);
  REFUSES(aclrtIpcOpenEventHandle);
  REFUSES(aclrtReserveMemAddress);
  REFUSES(aclrtReleaseMemAddress);
  REFUSES(aclrtMallocPhysical);
  REFUSES(aclrtFreePhysical);
  REFUSES(aclrtMapMem);
  REFUSES(aclrtUnmapMem);
  REFUSES(aclrtMemSetAccess);
  REFUSES(aclrtMemGetAccess);
  REFUSES(aclrtMemGetAllocationGranularity);
  REFUSES(aclrtMemExportToShareableHandle);
  REFUSES(aclrtMemImportFromShareableHandle);
  REFUSES(aclrtMemSetPidToShareableHandle);
  REFUSES(aclrtMemRetainAllocationHandle);
  REFUSES(aclrtMemGetAddressRange);
  REFUSES(aclrtHostRegister);
  REFUSES(aclrtHostRegisterV2);
  REFUSES(aclrtHostUnregister);
  REFUSES(aclrtHostGetDevicePointer);
  REFUSES(aclrtValueWrite);
  REFUSES(aclrtValueWait);
  REFUSES(aclrtReduceAsync);
  REFUSES(aclrtSetStreamAttribute);
  REFUSES(aclrtGetStreamAttribute);
  TAKES_ZEROS(aclrtDeviceTaskAbort);
  REFUSES(aclrtSetDeviceTaskAbortCallback);
  TAKES_ALL(aclrtAllocatorCreateDesc);
  REFUSES(aclrtAllocatorDestroyDesc);
  REFUSES(aclrtAllocatorSetObjToDesc);
  REFUSES(aclrtAllocatorSetAllocFuncToDesc);
  REFUSES(aclrtAllocatorSetFreeFuncToDesc);
  REFUSES(aclrtAllocatorSetAllocAdviseFuncToDesc);
  REFUSES(aclrtAllocatorSetGetAddrFromBlockFuncToDesc);
  REFUSES(aclrtAllocatorRegister);
  REFUSES(aclrtAllocatorGetByStream);
  REFUSES(aclrtAllocatorUnregister);
  REFUSES(aclrtMemPoolCreate);
  REFUSES(aclrtMemPoolDestroy);
  REFUSES(aclrtMemPoolSetAttr);
  REFUSES(aclrtMemPoolGetAttr);
  REFUSES(aclrtMemPoolMallocAsync);
  REFUSES(aclrtMemPoolFreeAsync);
  REFUSES(aclrtMemPoolTrimTo);
  REFUSES(HcclCommInitClusterInfo);
  REFUSES(HcclCommInitClusterInfoConfig);
  REFUSES(HcclCreateSubCommConfig);
  REFUSES(HcclCommGetHandleWithName);
  REFUSES(HcclCommGetStatus);
  REFUSES(HcclConfigGetInfo);
  TAKES_ALL(HcclGroupStart);
  TAKES_ALL(HcclGroupEnd);
  REFUSES(HcclGroupStatusGet);
  TAKES_ALL(HcclSetConfig);
  REFUSES(HcclGetConfig);
  REFUSES(HcclSetCommConfig);
  REFUSES(HcclGetCommConfig);
  REFUSES(HcclCommSuspend);
  REFUSES(HcclCommResume);
  REFUSES(HcclCommRegCommStateCallback);
  REFUSES(HcclCommWorkingDevNicSet);
  REFUSES(HcclCommSetMemoryRange);
  REFUSES(HcclCommUnsetMemoryRange);
  REFUSES(HcclCommActivateCommMemory);
  REFUSES(HcclCommDeactivateCommMemory);
}

}  // namespace

Rows LaterRows() {
  Rows rows;
  AddCalls(rows);
  return rows;
}

}  // namespace tandem::test::badargs
