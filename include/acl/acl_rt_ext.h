/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Second part of the ACL runtime: host callbacks, notifies, memory and events shared between processes,
 * virtual memory, host registration, peer access, memory tasks of streams. Included by acl_rt.h, whose rules
 * and codes hold here too.
 *
 * Calls that this version does not implement yet return 207000; their comments say what they are for and what
 * they will do.
 */
#ifndef ACL_ACL_RT_EXT_H_
#define ACL_ACL_RT_EXT_H_

#include "acl_rt_types.h"

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#pragma GCC visibility push(default)
#endif

/* Host callbacks. */

/**
 * Queue `fn(args)` on a stream; later tasks of the stream wait for its return.
 *
 * Effect    Runs on an internal thread. It must not call the runtime or wait for a stream, and cannot fail
 *           its stream.
 * Lifetime  args must stay valid until the stream has passed the call.
 * Returns   0; 107000 fn is null; 107002 no context; 107003 stream of another context; 107011 a thread
 *           subscribed to the stream with aclrtSubscribeReport; 107017 stale handle.
 */
aclError aclrtLaunchHostFunc(aclrtStream stream, aclrtHostFunc fn, void* args);

/**
 * Make a thread of the program the one that runs the callbacks of a stream, inside aclrtProcessReport.
 *
 * Args      threadId: the thread's pthread_self. One thread may serve many streams of one device.
 * Returns   0; 107011 the stream has a subscriber or was used with aclrtLaunchHostFunc; 107012 thread serves
 *           another device; 507000 more than 1024 threads; 107017 stale handle.
 */
aclError aclrtSubscribeReport(uint64_t threadId, aclrtStream stream);

/**
 * Queue `fn(userData)` for the thread that subscribed to the stream.
 *
 * Args      blockType: ACL_CALLBACK_BLOCK makes later tasks wait for the return, ACL_CALLBACK_NO_BLOCK does
 *           not.
 * Returns   0; 100000 unknown blockType; 107000 fn is null; 107002; 107003; 107011 stream used with
 *           aclrtLaunchHostFunc; 107015 nobody subscribed; 107017 stale handle.
 */
aclError aclrtLaunchCallback(aclrtCallback fn, void* userData, aclrtCallbackBlockType blockType,
                             aclrtStream stream);

/**
 * Wait for the first callback that is ready for this thread, run all that are, and return.
 *
 * Args      timeout in milliseconds; -1 waits forever.
 * Returns   0; 100000 timeout is 0 or below -1; 107012 this thread subscribed to nothing; 507012 nothing came
 *           in time.
 */
aclError aclrtProcessReport(int32_t timeout);

/**
 * Undo aclrtSubscribeReport. Returns 0; 107011 stream has no subscriber; 107012 another thread subscribed;
 * 107017 stale handle.
 */
aclError aclrtUnSubscribeReport(uint64_t threadId, aclrtStream stream);

/**
 * Have `callback` called from an internal thread whenever a task fails; null removes it. One per process.
 * Returns 0.
 */
aclError aclrtSetExceptionInfoCallback(aclrtExceptionInfoCallback callback);

/** Task of a failure. Returns its id; 0xFFFFFFFF info is null. */
uint32_t aclrtGetTaskIdFromExceptionInfo(const aclrtExceptionInfo* info);
/** Stream of a failure. Returns its id; 0xFFFFFFFF info is null. */
uint32_t aclrtGetStreamIdFromExceptionInfo(const aclrtExceptionInfo* info);
/** Thread that queued the failed task. Returns its id; 0xFFFFFFFF info is null. */
uint32_t aclrtGetThreadIdFromExceptionInfo(const aclrtExceptionInfo* info);
/** Device of a failure. Returns its id; 0xFFFFFFFF info is null. */
uint32_t aclrtGetDeviceIdFromExceptionInfo(const aclrtExceptionInfo* info);
/** Code of a failure. Returns the code; 0xFFFFFFFF info is null. */
uint32_t aclrtGetErrorCodeFromExceptionInfo(const aclrtExceptionInfo* info);

/* Notifies: flags on a device that one stream sets and another waits for. */

/**
 * Create a notify on the current device, not set.
 *
 * Args      flag ACL_NOTIFY_DEFAULT or ACL_NOTIFY_DEVICE_USE_ONLY.
 * Returns   0; 100000 notify is null; 107000 another flag; 107002 no context; 207009 too many.
 */
aclError aclrtCreateNotify(aclrtNotify* notify, uint64_t flag);

/** Destroy a notify, created or imported. Returns 0; 100000 notify is null; 107017 stale handle. */
aclError aclrtDestroyNotify(aclrtNotify notify);

/** Queue setting it. Twice before a wait counts once. Returns 0; 100000 null; 107002; 107003; 107017 stale
 * handle. */
aclError aclrtRecordNotify(aclrtNotify notify, aclrtStream stream);

/**
 * Queue a wait until it is set, which then clears it. Only on the device that created it.
 *
 * Args      timeout in seconds; 0 and 0xFFFFFFFF wait forever; running out fails the stream with 107020.
 * Returns   0; 100000 notify is null; 107000 wrong device; 107002; 107003; 107017 stale handle.
 */
aclError aclrtWaitAndResetNotify(aclrtNotify notify, aclrtStream stream, uint32_t timeout);

/** Id of a notify. Returns 0; 100000 an argument is null; 107017 stale handle. */
aclError aclrtGetNotifyId(aclrtNotify notify, uint32_t* notifyId);

/** Clear `num` notifies now. Returns 0; 100000 notifies is null; 107000 num is 0. */
aclError aclrtNotifyBatchReset(aclrtNotify* notifies, size_t num);

/**
 * Text by which another process can open a notify.
 *
 * Args      len at least 65, the room at key; flags ACL_RT_NOTIFY_EXPORT_FLAG_DEFAULT or
 *           _DISABLE_PID_VALIDATION.
 * Returns   0; 100000 a pointer is null; 107000 len too small or another flag; 107017 stale handle.
 */
aclError aclrtNotifyGetExportKey(aclrtNotify notify, char* key, size_t len, uint64_t flags);

/**
 * Open a notify of another process. Flags _DEFAULT or _ENABLE_PEER_ACCESS. Returns 0; 100000; 107000; 207006.
 */
aclError aclrtNotifyImportByKey(aclrtNotify* notify, const char* key, uint64_t flags);

/** Name the processes that may import it, `num` of them. Returns 0; 100000 null; 107000 num is 0 or a pid not
 * positive; 107017 stale handle. */
aclError aclrtNotifySetImportPid(aclrtNotify notify, int32_t* pid, size_t num);

/**
 * Create a notify that counts, from 0. Flag as aclrtCreateNotify. Returns 0; 100000 null; 107000; 107002;
 * 207009.
 */
aclError aclrtCntNotifyCreate(aclrtCntNotify* cntNotify, uint64_t flag);

/** Destroy a counting notify. Returns 0; 100000 null; 107017 stale handle. */
aclError aclrtCntNotifyDestroy(aclrtCntNotify cntNotify);

/**
 * Queue a change of the counter: set, add, or, and. Returns 0; 100000 null; 107000 unknown mode; 107002;
 * 107003; 107017 stale handle.
 */
aclError aclrtCntNotifyRecord(aclrtCntNotify cntNotify, aclrtStream stream, aclrtCntNotifyRecordInfo* info);

/**
 * Queue a wait for a condition of the counter. Returns 0; 100000 null; 107000 unknown mode; 107002; 107003;
 * 107017 stale handle.
 */
aclError aclrtCntNotifyWaitWithTimeout(aclrtCntNotify cntNotify, aclrtStream stream,
                                       aclrtCntNotifyWaitInfo* info);

/** Queue setting the counter to 0. Returns 0; 100000 null; 107002; 107003; 107017 stale handle. */
aclError aclrtCntNotifyReset(aclrtCntNotify cntNotify, aclrtStream stream);

/** Id of a counting notify. Returns 0; 100000 an argument is null; 107017 stale handle. */
aclError aclrtCntNotifyGetId(aclrtCntNotify cntNotify, uint32_t* notifyId);

/* Device memory of another process. */

/**
 * Text by which another process can map device memory of this one.
 *
 * Args      devPtr from aclrtMalloc, page aligned; size in bytes; len 65, the room at key; flags
 *           ACL_RT_IPC_MEM_EXPORT_FLAG_DEFAULT or _DISABLE_PID_VALIDATION.
 * Returns   0; 100000 a pointer is null; 107000 size or len is 0, another flag, or not such memory; 107002 no
 *           context.
 */
aclError aclrtIpcMemGetExportKey(void* devPtr, size_t size, char* key, size_t len, uint64_t flags);

/**
 * Name the processes (aclrtDeviceGetBareTgid) that may import it. Returns 0; 100000 null; 107000 num is
 * 0 or a pid not positive.
 */
aclError aclrtIpcMemSetImportPid(const char* key, int32_t* pid, size_t num);

/**
 * Map memory that another process exported. The address may differ from its own.
 *
 * Args      flags ACL_RT_IPC_MEM_IMPORT_FLAG_DEFAULT or _ENABLE_PEER_ACCESS.
 * Returns   0; 100000 a pointer is null; 107000 another flag or unknown key; 207006 this process may not.
 */
aclError aclrtIpcMemImportByKey(void** devPtr, const char* key, uint64_t flags);

/**
 * Unmap all imports of a key here, or withdraw the key when this process exported it. Returns 0; 100000;
 * 107000.
 */
aclError aclrtIpcMemClose(const char* key);

/** Set an attribute of an exported key. Returns 0; 100000 key is null; 107000 unknown attribute or value. */
aclError aclrtIpcMemSetAttr(const char* key, aclrtIpcMemAttrType type, uint64_t attr);

/* Events of another process. */

/**
 * Bytes by which another process can open an event of flag ACL_EVENT_IPC. Returns 0; 100000 null; 107000
 * event without that flag; 107017 not a live event.
 */
aclError aclrtIpcGetEventHandle(aclrtEvent event, aclrtIpcEventHandle* handle);

/**
 * Open such an event; both sides see the one latest record. End it with aclrtDestroyEvent. Returns 0; 100000
 * event is null; 107000 the bytes are no handle, or whoever made the event has destroyed it or ended; 107002
 * no current context.
 */
aclError aclrtIpcOpenEventHandle(aclrtIpcEventHandle handle, aclrtEvent* event);

/* Virtual memory: ranges of addresses and physical memory, joined and parted by the program. */

/**
 * Reserve addresses. Args: size in bytes above 0; alignment 0; expectPtr a wish or null; flags 0, or 1 for
 * huge pages.
 *
 * Returns   0; 100000 virPtr is null or an argument is not as above; 207001 no such range is free.
 */
aclError aclrtReserveMemAddress(void** virPtr, size_t size, size_t alignment, void* expectPtr,
                                uint64_t flags);

/** Release a reserved range that nothing is mapped to. Returns 0; 100000 null; 107000 not such a range. */
aclError aclrtReleaseMemAddress(void* virPtr);

/**
 * Allocate physical memory, a multiple of the granularity, without an address.
 *
 * Args      prop: handleType NONE, allocationType PINNED, location of type DEVICE, HOST or HOST_NUMA (these
 *           with attributes that do not name HBM); flags 0. Each allocation keeps one file descriptor open
 *           (Tandem).
 * Returns   0; 100000 a pointer is null, size is 0 or prop is not as above; 107000 size is no multiple of the
 *           granularity; 107001 no such device; 207001 no memory; 207005 no descriptor (`ulimit -n`).
 */
aclError aclrtMallocPhysical(aclrtDrvMemHandle* handle, size_t size, const aclrtPhysicalMemProp* prop,
                             uint64_t flags);

/**
 * Give back physical memory; it goes when it is unmapped everywhere. Returns 0; 100000 handle is null;
 * 107017.
 */
aclError aclrtFreePhysical(aclrtDrvMemHandle handle);

/**
 * Map physical memory at a reserved range, or at a part of it that begins at a multiple of 4096 bytes
 * (Tandem).
 *
 * Args      size in bytes, a multiple of 4096; offset 0; flags 0.
 * Returns   0; 100000 a pointer is null, size is 0, or offset or flags is not; 107000 it does not fit or
 *           something is mapped there; 107017 not such a handle.
 */
aclError aclrtMapMem(void* virPtr, size_t size, size_t offset, aclrtDrvMemHandle handle, uint64_t flags);

/**
 * Undo aclrtMapMem. Does not wait for work that uses it. Returns 0; 100000 null; 107000 nothing is mapped
 * there.
 */
aclError aclrtUnmapMem(void* virPtr);

/**
 * Say which places may read or write a mapped range, `count` of them. Remembered, not enforced (Tandem).
 *
 * Args      virPtr and size of one mapping; desc flags NONE, READ or READWRITE, rsv zero.
 * Returns   0; 100000 null, size or count 0, or desc is not as above; 107000 no such mapping; 107001.
 */
aclError aclrtMemSetAccess(void* virPtr, size_t size, aclrtMemAccessDesc* desc, size_t count);

/** Ask which access a place has: *flag is an aclrtMemAccessFlags value. Returns 0; 100000; 107000. */
aclError aclrtMemGetAccess(void* virPtr, aclrtMemLocation* location, uint64_t* flag);

/**
 * Bytes of which physical sizes must be multiples. Returns 0; 100000 a pointer is null or an unknown value.
 */
aclError aclrtMemGetAllocationGranularity(aclrtPhysicalMemProp* prop, aclrtMemGranularityOptions option,
                                          size_t* granularity);

/**
 * Number by which another process can open physical memory, while that is alive. handleType NONE; flags 0, or
 * 1 for no pid check.
 *
 * Returns   0; 100000 null or other values; 107017 not such a handle; 207000 the memory was imported.
 */
aclError aclrtMemExportToShareableHandle(aclrtDrvMemHandle handle, aclrtMemHandleType handleType,
                                         uint64_t flags, uint64_t* shareableHandle);

/**
 * Open physical memory of another process of this user. It is not counted against a device here (Tandem).
 *
 * Returns   0; 100000 null; 107000 unknown number; 107001; 107019 no answer; 207000 exported by this process;
 *           207006 this process may not.
 */
aclError aclrtMemImportFromShareableHandle(uint64_t shareableHandle, int32_t deviceId,
                                           aclrtDrvMemHandle* handle);

/**
 * Name the processes that may open it. Returns 0; 100000 pid is null; 107000 pidNum is 0 or unknown number.
 */
aclError aclrtMemSetPidToShareableHandle(uint64_t shareableHandle, int32_t* pid, size_t pidNum);

/**
 * The physical memory behind an address, with one more reference. Returns 0; 100000 null; 107000 not mapped.
 */
aclError aclrtMemRetainAllocationHandle(void* virPtr, aclrtDrvMemHandle* handle);

/** Start and bytes of the allocation that an address is in. Returns 0; 100000 ptr is null; 107000 unknown. */
aclError aclrtMemGetAddressRange(void* ptr, void** pbase, size_t* psize);

/* Host memory that the program allocated itself. */

/**
 * Register host memory and get the address by which devices see it.
 *
 * Args      ptr a multiple of 4096; size in bytes; type an OR of ACL_HOST_REGISTER_*.
 * Returns   0; 100000 a pointer is null or size is 0; 207000 other bits; 507910 it overlaps a registered
 *           range.
 */
aclError aclrtHostRegister(void* ptr, uint64_t size, aclrtHostRegisterType type, void** devPtr);

/**
 * As aclrtHostRegister; flag a non-empty OR of ACL_HOST_REG_*, else 107000. The address:
 * aclrtHostGetDevicePointer.
 */
aclError aclrtHostRegisterV2(void* ptr, uint64_t size, uint32_t flag);

/** Undo the registration. Returns 0; 100000 ptr is null; 507911 it is not registered. */
aclError aclrtHostUnregister(void* ptr);

/** Address by which devices see registered memory; flag 0. Returns 0; 100000 null or other flag; 507911. */
aclError aclrtHostGetDevicePointer(void* pHost, void** pDevice, uint32_t flag);

/* Access between devices. */

/**
 * Whether one device can reach another's memory: *canAccessPeer becomes 1 or 0.
 *
 * Returns   0; 107000 canAccessPeer is null; 100000 equal ids; 107001 no such device; 107002 no context.
 */
aclError aclrtDeviceCanAccessPeer(int32_t* canAccessPeer, int32_t deviceId, int32_t peerDeviceId);

/**
 * Let the current device reach another's memory. Copies between devices work here without it as well
 * (Tandem).
 *
 * Returns   0, also when it was allowed already; 200006 flags is not 0; 100000 the peer is the current
 *           device; 107001 no such device; 107002 no context.
 */
aclError aclrtDeviceEnablePeerAccess(int32_t peerDeviceId, uint32_t flags);

/** Undo aclrtDeviceEnablePeerAccess. Returns as there. */
aclError aclrtDeviceDisablePeerAccess(int32_t peerDeviceId);

/** Whether one device may reach another's memory now: *status becomes 1 or 0. Returns 0; 100000; 107001. */
aclError aclrtDevicePeerAccessStatus(int32_t deviceId, int32_t peerDeviceId, int32_t* status);

/* Tasks of a stream that touch memory. */

/**
 * Queue storing 64 bits at devAddr; flag 0. Returns 0; 100000 null; 107000 flag, or address no device memory;
 * 107003; 107017 stale handle.
 */
aclError aclrtValueWrite(void* devAddr, uint64_t value, uint32_t flag, aclrtStream stream);

/**
 * Queue a wait until the 64 bits v at devAddr satisfy a condition.
 *
 * Args      flag: GEQ (int64)(v - value) >= 0; EQ v == value; AND (v & value) != 0; NOR ~(v | value) != 0.
 * Returns   0; 100000 devAddr is null; 107000 flag above 3, address no device memory or not a multiple of 8;
 *           107003; 107017 stale handle.
 */
aclError aclrtValueWait(void* devAddr, uint64_t value, uint32_t flag, aclrtStream stream);

/**
 * Queue dst[i] = op(dst[i], src[i]).
 *
 * Args      count in bytes; kind sum, max, min or equal; reserve null.
 * Returns   0; 100000 a pointer is null, reserve is not, or the type is unknown; 107000 count is 0 or beyond
 * an allocation, or unknown kind; 107002; 107003; 107017 stale handle.
 */
aclError aclrtReduceAsync(void* dst, const void* src, uint64_t count, aclrtReduceKind kind, aclDataType type,
                          aclrtStream stream, void* reserve);

/**
 * Set an attribute of a stream; failure mode as aclrtSetStreamFailureMode. Returns 0; 100000 null; 107000
 * unknown; 107017 stale handle.
 */
aclError aclrtSetStreamAttribute(aclrtStream stream, aclrtStreamAttr stmAttrType,
                                 aclrtStreamAttrValue* value);

/** Read an attribute of a stream. Returns 0; 100000 value is null; 107000 unknown attribute; 107017 stale
 * handle. */
aclError aclrtGetStreamAttribute(aclrtStream stream, aclrtStreamAttr stmAttrType,
                                 aclrtStreamAttrValue* value);

/* Stopping a device. */

/**
 * Drop all tasks of all contexts of a device; meanwhile other calls return 107022.
 *
 * Args      timeout in milliseconds, up to 2160000; 0 is no limit.
 * Returns   0, and the device works again; 107000 timeout too large; 107001 no such device; 107019 not in
 *           time.
 */
aclError aclrtDeviceTaskAbort(int32_t deviceId, uint32_t timeout);

/**
 * Have `callback` called before and after aclrtDeviceTaskAbort; null removes it. When it returns anything but
 * 0 before, nothing is dropped and aclrtDeviceTaskAbort returns 507000 (Tandem).
 *
 * Returns   0; 100000 regName is null; 107000 the name is registered already.
 */
aclError aclrtSetDeviceTaskAbortCallback(const char* regName, aclrtDeviceTaskAbortCallback callback,
                                         void* args);

/* Variants of calls in acl_rt.h. */

/** The same as aclrtMemcpyAsync. Returns as there. */
ACL_DEPRECATED_MESSAGE("use aclrtMemcpyAsync")
aclError aclrtMemcpyAsyncWithCondition(void* dst, size_t destMax, const void* src, size_t count,
                                       aclrtMemcpyKind kind, aclrtStream stream);

/** The same as aclrtMallocWithCfg. Returns as there. */
aclError aclrtMallocForTaskScheduler(void** devPtr, size_t size, aclrtMemMallocPolicy policy,
                                     aclrtMallocConfig* cfg);

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif

#ifdef __cplusplus
}
#endif

#endif /* ACL_ACL_RT_EXT_H_ */
