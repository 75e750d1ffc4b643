// SPDX-License-Identifier: Apache-2.0

// Calls of ACL that are within the scope of Tandem and not yet implemented. They say that they are not
// supported here; a call leaves this file when it gets an implementation.

#include <acl/acl.h>
#include <acl/acl_rt_memory_soma.h>

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
NOT_SUPPORTED(aclGetCannAttributeList, const aclCannAttr**, size_t*)
NOT_SUPPORTED(aclGetCannAttribute, aclCannAttr, int32_t*)

// acl/acl_rt_ext.h: events of another process.
NOT_SUPPORTED(aclrtIpcGetEventHandle, aclrtEvent, aclrtIpcEventHandle*)
NOT_SUPPORTED(aclrtIpcOpenEventHandle, aclrtIpcEventHandle, aclrtEvent*)

// acl/acl_rt_ext.h: virtual memory: ranges of addresses and physical memory, joined and parted by the
// program.
NOT_SUPPORTED(aclrtReserveMemAddress, void**, size_t, size_t, void*, uint64_t)
NOT_SUPPORTED(aclrtReleaseMemAddress, void*)
NOT_SUPPORTED(aclrtMallocPhysical, aclrtDrvMemHandle*, size_t, const aclrtPhysicalMemProp*, uint64_t)
NOT_SUPPORTED(aclrtFreePhysical, aclrtDrvMemHandle)
NOT_SUPPORTED(aclrtMapMem, void*, size_t, size_t, aclrtDrvMemHandle, uint64_t)
NOT_SUPPORTED(aclrtUnmapMem, void*)
NOT_SUPPORTED(aclrtMemSetAccess, void*, size_t, aclrtMemAccessDesc*, size_t)
NOT_SUPPORTED(aclrtMemGetAccess, void*, aclrtMemLocation*, uint64_t*)
NOT_SUPPORTED(aclrtMemGetAllocationGranularity, aclrtPhysicalMemProp*, aclrtMemGranularityOptions, size_t*)
NOT_SUPPORTED(aclrtMemExportToShareableHandle, aclrtDrvMemHandle, aclrtMemHandleType, uint64_t, uint64_t*)
NOT_SUPPORTED(aclrtMemImportFromShareableHandle, uint64_t, int32_t, aclrtDrvMemHandle*)
NOT_SUPPORTED(aclrtMemSetPidToShareableHandle, uint64_t, int32_t*, size_t)
NOT_SUPPORTED(aclrtMemRetainAllocationHandle, void*, aclrtDrvMemHandle*)
NOT_SUPPORTED(aclrtMemGetAddressRange, void*, void**, size_t*)

// acl/acl_rt_ext.h: stopping a device.
NOT_SUPPORTED(aclrtDeviceTaskAbort, int32_t, uint32_t)
NOT_SUPPORTED(aclrtSetDeviceTaskAbortCallback, const char*, aclrtDeviceTaskAbortCallback, void*)

// acl/acl_rt_allocator.h: A user's allocator.
NO_OBJECT(aclrtAllocatorDesc, aclrtAllocatorCreateDesc, void)
NOT_SUPPORTED(aclrtAllocatorDestroyDesc, aclrtAllocatorDesc)
NOT_SUPPORTED(aclrtAllocatorSetObjToDesc, aclrtAllocatorDesc, aclrtAllocator)
NOT_SUPPORTED(aclrtAllocatorSetAllocFuncToDesc, aclrtAllocatorDesc, aclrtAllocatorAllocFunc)
NOT_SUPPORTED(aclrtAllocatorSetFreeFuncToDesc, aclrtAllocatorDesc, aclrtAllocatorFreeFunc)
NOT_SUPPORTED(aclrtAllocatorSetAllocAdviseFuncToDesc, aclrtAllocatorDesc, aclrtAllocatorAllocAdviseFunc)
NOT_SUPPORTED(aclrtAllocatorSetGetAddrFromBlockFuncToDesc, aclrtAllocatorDesc,
              aclrtAllocatorGetAddrFromBlockFunc)
NOT_SUPPORTED(aclrtAllocatorRegister, aclrtStream, aclrtAllocatorDesc)
NOT_SUPPORTED(aclrtAllocatorGetByStream, aclrtStream, aclrtAllocatorDesc*, aclrtAllocator*,
              aclrtAllocatorAllocFunc*, aclrtAllocatorFreeFunc*, aclrtAllocatorAllocAdviseFunc*,
              aclrtAllocatorGetAddrFromBlockFunc*)
NOT_SUPPORTED(aclrtAllocatorUnregister, aclrtStream)

// acl/acl_rt_memory_soma.h: memory pools.
NOT_SUPPORTED(aclrtMemPoolCreate, aclrtMemPool*, const aclrtMemPoolProps*)
NOT_SUPPORTED(aclrtMemPoolDestroy, const aclrtMemPool)
NOT_SUPPORTED(aclrtMemPoolSetAttr, aclrtMemPool, aclrtMemPoolAttr, void*)
NOT_SUPPORTED(aclrtMemPoolGetAttr, aclrtMemPool, aclrtMemPoolAttr, void*)
NOT_SUPPORTED(aclrtMemPoolMallocAsync, void**, size_t, aclrtMemPool, aclrtStream)
NOT_SUPPORTED(aclrtMemPoolFreeAsync, void*, aclrtStream)
NOT_SUPPORTED(aclrtMemPoolTrimTo, aclrtMemPool, size_t)
