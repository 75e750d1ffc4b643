/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The ACL runtime: initialisation, devices, contexts, streams, events, memory, error texts. Plain C.
 *
 * Rules that hold for every call unless its comment says otherwise:
 *   Threads   Any call may come from any thread. Destroying a handle that another call is using is the
 *             caller's fault.
 *   Context   "Needs a context" means that the thread called aclrtSetDevice, aclrtCreateContext or
 *             aclrtSetCurrentContext before; else 107002. A null stream is the current context's default
 *             stream.
 *   Streams   An asynchronous call returns when its task is queued. Failures of the task appear at a later
 *             synchronise call of its stream or device. A stream that belongs to a context other than the
 *             current one is refused for submission with 107003.
 *   Handles   A handle of the wrong kind, or one that was destroyed, gives 107017.
 *   Returns   0 is success. Codes, written as numbers below:
 *             100000 ACL_ERROR_INVALID_PARAM            107000 ACL_ERROR_RT_PARAM_INVALID
 *             107001 ACL_ERROR_RT_INVALID_DEVICEID      107002 ACL_ERROR_RT_CONTEXT_NULL
 *             107003 ACL_ERROR_RT_STREAM_CONTEXT        107017 ACL_ERROR_RT_INVALID_HANDLE
 *             207000 ACL_ERROR_RT_FEATURE_NOT_SUPPORT   207001 ACL_ERROR_RT_MEMORY_ALLOCATION
 *             507000 ACL_ERROR_RT_INTERNAL_ERROR        others in error_codes/rt_error_codes.h
 *             aclGetRecentErrMsg has the text of the latest failure.
 *   C         A call without arguments is declared with (void) where CANN leaves the parentheses empty: the
 *             call is the same, and compilers that warn about the old form stay quiet.
 *   Source    CANN runtime 9.1.0, API reference page of the same name. "(implementation)" marks what only the
 *             public implementation shows, "(Tandem)" what is Tandem's own rule.
 */
#ifndef ACL_ACL_RT_H_
#define ACL_ACL_RT_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "acl_base.h"
#include "acl_rt_allocator.h"
#include "acl_rt_types.h"

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#pragma GCC visibility push(default)
#endif

/* Errors. */

/**
 * Read this thread's latest runtime-layer failure (107xxx, 207xxx, 507xxx) without clearing it.
 *
 * Args      level: ACL_RT_THREAD_LEVEL.
 * Returns   the code; 0 when nothing failed since the last aclrtGetLastError; 100000 another level.
 * Note      Codes of the ACL layer (100000) are not kept here, nor are "not complete yet" answers
 *           (implementation).
 */
aclError aclrtPeekAtLastError(aclrtLastErrLevel level);

/**
 * Read this thread's latest runtime-layer failure and set it back to 0.
 *
 * Args      level: ACL_RT_THREAD_LEVEL.
 * Returns   as aclrtPeekAtLastError.
 */
aclError aclrtGetLastError(aclrtLastErrLevel level);

/**
 * Take the stored error texts, newest first.
 *
 * Returns   a text that is valid until this thread calls again; null when nothing is stored. The store is
 *           empty after.
 * Scope     One store per thread; one for the process when the aclInit file says "err_msg_mode": "1".
 */
const char* aclGetRecentErrMsg(void);

/**
 * What went wrong on a device, in detail.
 *
 * Args      errorInfo receives it; on a healthy device errorType ACL_RT_NO_ERROR, tryRepair 0, hasDetail 0.
 * Returns   0; 100000 errorInfo is null; 107001 no such device.
 */
aclError aclrtGetErrorVerbose(int32_t deviceId, aclrtErrorInfo* errorInfo);

/**
 * Id of the task that this thread queued last.
 *
 * Returns   0; 100000 taskId is null; 107002 no context.
 */
aclError aclrtGetThreadLastTaskId(uint32_t* taskId);

/* Start and end. */

/**
 * Initialise the process. Counts: each further call needs no file and only raises the counter.
 *
 * Args      configPath names a JSON file, or is null or "" for defaults. Keys used:
 *           defaultDevice.default_device, err_msg_mode; dump, profiling, StackSize and max_opqueue_num are
 *           accepted and ignored.
 * Returns   0 initialised; 100002 it already was, which is no fault (the counter went up); 100003 the file
 *           cannot be read; 100006 it is not valid JSON or nests deeper than 10; 500001 bad default device;
 *           100000 a second initialisation with another content.
 * Note      Devices and most other calls work without it (implementation).
 */
aclError aclInit(const char* configPath);

/**
 * Finalise the process: one call undoes every aclInit. Devices are not reset by it. aclInit may follow again.
 *
 * Returns   0; 100037 finalised before and not initialised since. The very first call without any aclInit
 *           gives 0 (implementation).
 */
aclError aclFinalize(void);

/**
 * Lower the counter of aclInit by one; at zero finalise.
 *
 * Args      refCount receives the counter after the call; may be null.
 * Returns   0; 100037 the counter is zero already.
 */
aclError aclFinalizeReference(uint64_t* refCount);

/**
 * Have `cbFunc` called inside aclInit, or at once when already initialised.
 *
 * Args      cbFunc receives the text of the configuration, its length in bytes, and userData.
 * Returns   0; 100000 cbFunc is null; 500000 the type is taken (ACL_REG_TYPE_OTHER may be used many times);
 *           or what cbFunc returned when it ran at once.
 */
aclError aclInitCallbackRegister(aclRegisterCallbackType type, aclInitCallbackFunc cbFunc, void* userData);

/** Undo aclInitCallbackRegister. Returns 0; 100000 cbFunc is null; 500000 it is not registered. */
aclError aclInitCallbackUnRegister(aclRegisterCallbackType type, aclInitCallbackFunc cbFunc);

/**
 * Have `cbFunc` called inside aclFinalize; its failure stops that call.
 *
 * Returns   0; 100000 cbFunc is null; 500000 the type is taken.
 */
aclError aclFinalizeCallbackRegister(aclRegisterCallbackType type, aclFinalizeCallbackFunc cbFunc,
                                     void* userData);

/** Undo aclFinalizeCallbackRegister. Returns 0; 100000 cbFunc is null; 500000 it is not registered. */
aclError aclFinalizeCallbackUnRegister(aclRegisterCallbackType type, aclFinalizeCallbackFunc cbFunc);

/* Versions. */

/** Version of this interface: 1, 17, 0. Returns 0; 100000 an argument is null. */
ACL_DEPRECATED_MESSAGE("use aclsysGetVersionStr or aclsysGetVersionNum")
aclError aclrtGetVersion(int32_t* majorVersion, int32_t* minorVersion, int32_t* patchVersion);

/**
 * Version text of a package, from $ASCEND_HOME_PATH/share/info/<pkgName>/version.info, key Version.
 *
 * Args      pkgName such as "runtime", "hccl", "cann", "driver"; versionStr has room for
 *           ACL_PKG_VERSION_MAX_SIZE.
 * Returns   0; 100000 an argument is null; 100003 no such file.
 */
aclError aclsysGetVersionStr(char* pkgName, char* versionStr);

/**
 * Version number of a package: major * 10000000 + minor * 100000 + patch * 1000, less 300, 200 or 100 for
 * alpha, beta or rc, plus the number after that word.
 *
 * Returns   as aclsysGetVersionStr.
 */
aclError aclsysGetVersionNum(char* pkgName, int32_t* versionNum);

/** Version of a package in parts. Returns 0; 100000 version is null or name unknown; 100003 no such file. */
ACL_DEPRECATED_MESSAGE("use aclsysGetVersionStr or aclsysGetVersionNum")
aclError aclsysGetCANNVersion(aclCANNPackageName name, aclCANNPackageVersion* version);

/* Devices. */

/**
 * Make a device current in this thread and take one reference to its primary context.
 *
 * Args      deviceId below aclrtGetDeviceCount, as the program sees devices (ASCEND_RT_VISIBLE_DEVICES).
 * Effect    The first reference creates the context and its default stream, which all threads of the process
 *           share. A context set before with aclrtSetCurrentContext is no longer current here. Other threads
 *           keep theirs.
 * Returns   0; 107001 no such device; 507033 the context could not be created.
 */
aclError aclrtSetDevice(int32_t deviceId);

/**
 * Give back one reference; the last one waits for the work of the context and destroys it with its streams
 * and events.
 *
 * Effect    Only the last one clears the calling thread's selection. Any thread may call.
 * Returns   0; 107001 no such device; 507007 no reference is left.
 */
aclError aclrtResetDevice(int32_t deviceId);

/**
 * Give back all references at once and destroy the primary context.
 *
 * Returns   0, also when the calling thread has no context; 107001 no such device; 507007 no reference is
 *           left.
 */
aclError aclrtResetDeviceForce(int32_t deviceId);

/**
 * Id of the current context's device.
 *
 * Returns   0; 100000 deviceId is null; 107002 no context and no default device configured.
 */
aclError aclrtGetDevice(int32_t* deviceId);

/**
 * Number of devices that the program may use; needs neither aclInit nor a context.
 *
 * Returns   0; 100000 count is null; 207004 ASCEND_RT_VISIBLE_DEVICES is not an ascending list of valid ids.
 */
aclError aclrtGetDeviceCount(uint32_t* count);

/** Where this program runs: always ACL_HOST here. Returns 0; 100000 runMode is null. */
aclError aclrtGetRunMode(aclrtRunMode* runMode);

/**
 * Wait for everything queued so far on all streams of the current context.
 *
 * Returns   0; 107002 no context; else the first failure of a stream.
 * Note      Streams of other contexts on the same device are not waited for.
 */
aclError aclrtSynchronizeDevice(void);

/**
 * As aclrtSynchronizeDevice, for a limited time.
 *
 * Args      timeout in milliseconds; -1 waits forever.
 * Returns   as there; 107000 timeout is 0 or below -1; 507046 time ran out, with all work still going on.
 */
aclError aclrtSynchronizeDeviceWithTimeout(int32_t timeout);

/** Whether the device works. Returns 0; 100000 deviceStatus is null; 107001 no such device. */
aclError aclrtQueryDeviceStatus(int32_t deviceId, aclrtDeviceStatus* deviceStatus);

/**
 * Whether the primary context of a device exists in this process: *active becomes 1 or 0.
 *
 * Returns   0; 100000 flags is not null or active is null; 107001 no such device.
 */
aclError aclrtGetPrimaryCtxState(int32_t deviceId, uint32_t* flags, int32_t* active);

/**
 * Range of stream priorities: 7 is the least, 0 the greatest. Either pointer may be null.
 *
 * Returns   0; 107002 no context.
 */
aclError aclrtDeviceGetStreamPriorityRange(int32_t* leastPriority, int32_t* greatestPriority);

/** Identity of a device, the same in all processes of the host. Returns 0; 100000 uuid is null; 107001. */
aclError aclrtDeviceGetUuid(int32_t deviceId, aclrtUuid* uuid);

/**
 * This process's id as the bare host sees it, for the import lists of peers. Returns 0; 100000 pid is null.
 */
aclError aclrtDeviceGetBareTgid(int32_t* pid);

/**
 * One attribute of a device; sizes are bytes.
 *
 * Returns   0; 100000 value is null; 107000 unknown attribute; 107001 no such device.
 */
aclError aclrtGetDeviceInfo(uint32_t deviceId, aclrtDevAttr attr, int64_t* value);

/**
 * Kind of link between two devices, an ACL_RT_DEVS_TOPOLOGY_* value.
 *
 * Returns   0; 100000 value is null; 107001 no such device.
 */
aclError aclrtGetDevicesTopo(uint32_t deviceId, uint32_t otherDeviceId, uint64_t* value);

/*
 * Translations between the ids of a device: "user" is what the program passes to aclrtSetDevice, "logic"
 * counts before ASCEND_RT_VISIBLE_DEVICES picks, "phy" is the place in the machine.
 */

/** Logic id of a user id. Returns 0; 100000 logicDevId is null; 107001 no such device. */
aclError aclrtGetLogicDevIdByUserDevId(const int32_t userDevid, int32_t* const logicDevId);
/** User id of a logic id. Returns 0; 100000 userDevid is null; 107001 no such device. */
aclError aclrtGetUserDevIdByLogicDevId(const int32_t logicDevId, int32_t* const userDevid);
/** Logic id of a physical id. Returns 0; 100000 logicDevId is null; 107001 no such device. */
aclError aclrtGetLogicDevIdByPhyDevId(const int32_t phyDevId, int32_t* const logicDevId);
/** Physical id of a logic id. Returns 0; 100000 phyDevId is null; 107001 no such device. */
aclError aclrtGetPhyDevIdByLogicDevId(const int32_t logicDevId, int32_t* const phyDevId);
/** User id of a physical id. Returns 0; 100000 userDevid is null; 107001 no such device. */
aclError aclrtGetUserDevIdByPhyDevId(const int32_t phyDevId, int32_t* const userDevid);
/** Physical id of a user id. Returns 0; 100000 phyDevId is null; 107001 no such device. */
aclError aclrtGetPhyDevIdByUserDevId(const int32_t userDevid, int32_t* const phyDevId);

/**
 * Have `callback` called before and after aclrtSetDevice and aclrtResetDevice.
 *
 * Args      regName tells registrations apart; a null callback removes the one of that name.
 * Returns   0; 100000 regName is null; 107000 the name is taken.
 */
aclError aclrtRegDeviceStateCallback(const char* regName, aclrtDeviceStateCallback callback, void* args);

/**
 * How busy a device is, in percent; -1 for what cannot be told.
 *
 * Returns   0; 100000 utilizationInfo is null or its utilizationExtend is not; 107001 no such device.
 */
aclError aclrtGetDeviceUtilizationRate(int32_t deviceId, aclrtUtilizationInfo* utilizationInfo);

/** Whether a device has a feature: *value becomes 1 or 0. Returns 0; 100000 value is null; 107001. */
aclError aclrtGetDeviceCapability(int32_t deviceId, aclrtDevFeatureType devFeatureType, int32_t* value);

/**
 * Number of cores that the process may use on a device. Returns 0; 100000 value is null or type unknown;
 * 107001.
 */
aclError aclrtGetDeviceResLimit(int32_t deviceId, aclrtDevResLimitType type, uint32_t* value);

/**
 * Set how many cores the process may use on a device. Tandem runs no kernels, so the number is kept and
 * has no effect. Returns 0; 100000 type unknown; 107001 no such device.
 */
aclError aclrtSetDeviceResLimit(int32_t deviceId, aclrtDevResLimitType type, uint32_t value);

/** Let the process use all cores of a device again. Returns 0; 107001 no such device. */
aclError aclrtResetDeviceResLimit(int32_t deviceId);

/**
 * Number of cores that work of this thread may use. Returns 0; 100000 value is null or type unknown; 107002.
 */
aclError aclrtGetResInCurrentThread(aclrtDevResLimitType type, uint32_t* value);

/**
 * Whether programs built for chip `socVersion` run here: *canCompatible becomes 1 or 0. Returns 0; 100000
 * null.
 */
aclError aclrtCheckArchCompatibility(const char* socVersion, int32_t* canCompatible);

/* Contexts. */

/**
 * Create a context on a device, with a default stream of its own, and make it current in this thread.
 *
 * Note      Needs no aclrtSetDevice; a selection made by it is forgotten in this thread. Many contexts may
 *           exist.
 * Returns   0; 100000 context is null; 107001 no such device.
 */
aclError aclrtCreateContext(aclrtContext* context, int32_t deviceId);

/**
 * Wait for the work of a context and destroy it with all it owns.
 *
 * Returns   0; 100000 context is null; 107002 a primary context, or unknown; 507007 another thread is
 *           destroying it.
 * Note      Threads in which it was current have no context afterwards.
 */
aclError aclrtDestroyContext(aclrtContext context);

/**
 * Make a context current in this thread, instead of what aclrtSetDevice or an earlier call selected.
 *
 * Args      context from aclrtCreateContext or aclrtGetCurrentContext; it may be current in many threads.
 * Returns   0; 100000 context is null; 107000 unknown or destroyed.
 */
aclError aclrtSetCurrentContext(aclrtContext context);

/**
 * The current context; after aclrtSetDevice the device's primary one. Returns 0; 100000 null; 107002 none.
 */
aclError aclrtGetCurrentContext(aclrtContext* context);

/** The current context's default stream as a handle. Returns 0; 100000 stream is null; 107002 no context. */
aclError aclrtCtxGetCurrentDefaultStream(aclrtStream* stream);

/** Set a system option for the current context. Returns 0; 100000 unknown option; 107002 no context. */
aclError aclrtCtxSetSysParamOpt(aclSysParamOpt opt, int64_t value);

/**
 * Read a system option of the current context. Returns 0; 100000 unknown option or value is null; 107002
 * no context; 107021 never set.
 */
aclError aclrtCtxGetSysParamOpt(aclSysParamOpt opt, int64_t* value);

/** Set a system option for the process. Returns 0; 100000 unknown option. */
aclError aclrtSetSysParamOpt(aclSysParamOpt opt, int64_t value);

/**
 * Read a system option of the process. Returns 0; 100000 unknown option or value is null; 107021 never
 * set.
 */
aclError aclrtGetSysParamOpt(aclSysParamOpt opt, int64_t* value);

/* Streams. */

/**
 * Create a stream in the current context: a queue whose tasks run one after the other, in the order they were
 * queued.
 *
 * Note      Streams do not wait for each other, the default stream included; events make them.
 * Returns   0; 100000 stream is null; 107002 no context; 207008 too many streams.
 */
aclError aclrtCreateStream(aclrtStream* stream);

/**
 * As aclrtCreateStream, with priority and flags.
 *
 * Args      priority 0 (first) to 7, other values are cut to that; flag an OR of ACL_STREAM_*, unknown bits
 *           ignored (implementation). PERSISTENT, CPU_SCHEDULE and DEVICE_USE_ONLY make synchronise calls
 *           return at once.
 * Returns   as aclrtCreateStream.
 */
aclError aclrtCreateStreamWithConfig(aclrtStream* stream, uint32_t priority, uint32_t flag);

/** Make a stream configuration with default values. Returns it, or null when memory ran out. */
aclrtStreamConfigHandle* aclrtCreateStreamConfigHandle(void);

/** Delete a stream configuration. Returns 0; 100000 handle is null; 107017 stale handle. */
aclError aclrtDestroyStreamConfigHandle(aclrtStreamConfigHandle* handle);

/**
 * Set one value of a stream configuration.
 *
 * Args      attrValue points at valueSize bytes: a uint32_t for PRIORITY; a uint32_t or a size_t for FLAG and
 *           WORK_SIZE; an address for WORK_ADDR_PTR.
 * Returns   0; 100000 a pointer is null, the attribute unknown or the size wrong; 107017 stale handle.
 */
aclError aclrtSetStreamConfigOpt(aclrtStreamConfigHandle* handle, aclrtStreamConfigAttr attr,
                                 const void* attrValue, size_t valueSize);

/**
 * Create a stream from a configuration. Only its flag and priority have an effect.
 *
 * Returns   as aclrtCreateStream; 100000 stream or handle is null.
 */
aclError aclrtCreateStreamV2(aclrtStream* stream, const aclrtStreamConfigHandle* handle);

/**
 * Wait until a stream is empty, then destroy it.
 *
 * Returns   0; 100000 stream is null (the default stream cannot be destroyed); 107002 no context; 107003 the
 *           stream belongs to another context; 107017 stale handle.
 */
aclError aclrtDestroyStream(aclrtStream stream);

/** Destroy a stream without waiting; tasks that did not start are dropped. Returns as aclrtDestroyStream. */
aclError aclrtDestroyStreamForce(aclrtStream stream);

/**
 * Wait until everything queued on a stream before this call is done.
 *
 * Note      Also for streams of other contexts than the current one, but some context must be current.
 * Returns   0; 107002 no context; 107017 stale handle; 107023 the stream was aborted; 107022 its device is
 *           being aborted; else the code of a task that failed. In the default mode a failure is reported
 *           once.
 */
aclError aclrtSynchronizeStream(aclrtStream stream);

/**
 * As aclrtSynchronizeStream, for a limited time.
 *
 * Args      timeout in milliseconds; -1 waits forever.
 * Returns   as there; 107000 timeout is 0 or below -1 (0 is refused, implementation); 507046 time ran out,
 *           with the tasks still running.
 */
aclError aclrtSynchronizeStreamWithTimeout(aclrtStream stream, int32_t timeout);

/**
 * Whether a stream has run everything: *status becomes COMPLETE or NOT_READY. Failures of tasks do not show
 * here.
 *
 * Returns   0; 100000 status is null; 107002 the stream is null and no context is current; 107017 stale
 * handle.
 */
aclError aclrtStreamQuery(aclrtStream stream, aclrtStreamStatus* status);

/**
 * Id of a stream, unique on its device. Returns 0; 100000 streamId is null; 107002 null stream and no
 * context; 107017 stale handle.
 */
aclError aclrtStreamGetId(aclrtStream stream, int32_t* streamId);

/** Priority that a stream was created with, 0 to 7. Returns 0; 100000 priority is null; 107017 stale handle.
 */
aclError aclrtStreamGetPriority(aclrtStream stream, uint32_t* priority);

/** ACL_STREAM_* flags that a stream was created with. Returns 0; 100000 flags is null; 107017 stale handle.
 */
aclError aclrtStreamGetFlags(aclrtStream stream, uint32_t* flags);

/** How many more streams can be created on the current device. Returns 0; 100000 null; 107002 no context. */
aclError aclrtGetStreamAvailableNum(uint32_t* streamCount);

/**
 * Choose what happens after a task of the stream failed: go on (default) or stop, which then holds for its
 * context.
 *
 * Args      mode: bit 0, ACL_CONTINUE_ON_FAILURE or ACL_STOP_ON_FAILURE; other bits are not looked at.
 * Returns   0; 207000 back from stop to continue, or the stream has failed already; 107003 stream of another
 *           context; 107017 stale handle.
 */
aclError aclrtSetStreamFailureMode(aclrtStream stream, uint64_t mode);

/**
 * Drop all tasks of a stream, the running one too. Waits on it, and on events recorded in it, return 107023.
 *
 * Note      Afterwards the stream is empty and can be used again. A stream waiting for an event of the
 *           aborted one may hang until it is aborted too.
 * Returns   0; 107003 stream of another context; 107019 it did not stop in time; 107017 stale handle.
 */
aclError aclrtStreamAbort(aclrtStream stream);

/** Stop only the running task of a stream. Returns 0; 107000 stream is null; 207000 cannot be done here;
 * 107017 stale handle. */
aclError aclrtStreamStop(aclrtStream stream);

/**
 * Have `callback` called after a stream was created and before one is destroyed, default streams included.
 *
 * Args      regName tells registrations apart; a null callback removes the one of that name.
 * Returns   0; 100000 regName is null; 107000 the name is taken.
 */
aclError aclrtRegStreamStateCallback(const char* regName, aclrtStreamStateCallback callback, void* args);

/* Events. */

/**
 * Create an event on the current device that can be waited for and timed, and recorded again and again.
 *
 * Returns   0; 100000 event is null; 107002 no context.
 */
aclError aclrtCreateEvent(aclrtEvent* event);

/**
 * Create an event of the older kind, whose hardware id is taken at once.
 *
 * Args      flag: OR of ACL_EVENT_SYNC, _CAPTURE_STREAM_PROGRESS, _TIME_LINE; or _DEVICE_USE_ONLY alone; or
 *           _EXTERNAL alone. Without SYNC or EXTERNAL no stream can wait for it, without TIME_LINE it has no
 *           time.
 * Note      With SYNC it works like a switch: a record turns it on, and it stays on until aclrtResetEvent.
 * Returns   0; 100000 event is null; 107000 flag is 0 or has other bits; 107002 no context; 207007 too many
 *           events.
 */
aclError aclrtCreateEventWithFlag(aclrtEvent* event, uint32_t flag);

/**
 * Create an event of the newer kind: each wait keeps the record that was the latest when it was queued.
 *
 * Args      flag: OR of ACL_EVENT_SYNC, _CAPTURE_STREAM_PROGRESS, _TIME_LINE; or ACL_EVENT_IPC alone. Without
 *           SYNC or IPC no stream can wait for it. Before its first record it counts as complete.
 * Returns   0; 100000 event is null; 107000 flag is 0 or has other bits; 107002 no context.
 */
aclError aclrtCreateEventExWithFlag(aclrtEvent* event, uint32_t flag);

/**
 * Destroy an event. Never blocks: records and waits that are queued go on, the object goes after them.
 *
 * Returns   0; 100000 event is null; 107017 stale handle.
 */
aclError aclrtDestroyEvent(aclrtEvent event);

/**
 * Queue a record on a stream: the event is complete when everything queued there earlier is done.
 *
 * Note      Recording again replaces the point and makes the event incomplete until the new record ran.
 * Returns   0; 100000 event is null; 107002 no context; 107003 stream of another context; 107000 the event is
 *           DEVICE_USE_ONLY, or of another device (Tandem); 207007 no event id left; 107017 stale handle.
 */
aclError aclrtRecordEvent(aclrtEvent event, aclrtStream stream);

/**
 * As aclrtRecordEvent. ACL_EVENT_RECORD_EXTERNAL is for graph capture only, which Tandem does not have.
 *
 * Returns   as there; 107029 flag EXTERNAL outside a capture; 100000 another flag.
 */
aclError aclrtRecordEventWithFlag(aclrtEvent event, aclrtStream stream, uint32_t flag);

/**
 * Queue a reset on a stream: when it runs the event is no longer recorded.
 *
 * Returns   0; 100000 event is null; 107003 stream of another context; 207000 the event is of the newer kind,
 *           or of the older one without SYNC; 107017 stale handle. Accepted for plain events
 * (implementation).
 */
aclError aclrtResetEvent(aclrtEvent event, aclrtStream stream);

/**
 * Queue a wait: later tasks of the stream start after the event's latest record, as it is at this call.
 *
 * Note      The event may have been recorded on another device of this process.
 * Returns   0; 100000 event is null; 107002 no context; 107003 stream of another context; 107000 a plain
 *           event that was never recorded (implementation); 207000 the event was created without SYNC,
 *           EXTERNAL or IPC; 107017 stale handle.
 */
aclError aclrtStreamWaitEvent(aclrtStream stream, aclrtEvent event);

/**
 * As aclrtStreamWaitEvent; when time runs out the stream fails with 107020 at its next synchronise.
 *
 * Args      timeout in seconds, counted from when the wait starts; 0 waits forever.
 * Returns   as there, but 107000 for a null event; 107000 timeout is negative.
 * Source    Seconds: API reference and implementation agree, the public header's comment says milliseconds.
 */
aclError aclrtStreamWaitEventWithTimeout(aclrtStream stream, aclrtEvent event, int32_t timeout);

/**
 * As aclrtStreamWaitEvent, with a time limit in seconds (0 is none) and a flag.
 *
 * Args      flag ACL_EVENT_WAIT_DEFAULT, or ACL_EVENT_WAIT_EXTERNAL with timeout 0.
 * Returns   as there; 100000 another flag, or EXTERNAL with a timeout.
 */
aclError aclrtStreamWaitEventWithFlag(aclrtStream stream, aclrtEvent event, uint32_t timeout, uint32_t flag);

/** Time limit in seconds for waits that name none, in the whole process; 0 is no limit. Returns 0. */
aclError aclrtSetOpWaitTimeout(uint32_t timeout);

/**
 * Whether the latest record ran: COMPLETE 0, NOT_READY 1.
 *
 * Returns   0; 100000 an argument is null; 207000 event of the newer kind; 107017 stale handle.
 */
ACL_DEPRECATED_MESSAGE("use aclrtQueryEventStatus")
aclError aclrtQueryEvent(aclrtEvent event, aclrtEventStatus* status);

/**
 * Whether the latest record ran: NOT_READY 0, COMPLETE 1. Before the first record NOT_READY, COMPLETE for
 * newer events.
 *
 * Returns   0; 100000 an argument is null; the context's failure when it is in stop mode; 107017 stale
 * handle.
 */
aclError aclrtQueryEventStatus(aclrtEvent event, aclrtEventRecordedStatus* status);

/**
 * Whether all waits queued for an event have run: COMPLETE 0 (also when there are none), NOT_READY 1.
 *
 * Returns   0; 100000 an argument is null; 207000 event of the newer kind; 107017 stale handle.
 */
aclError aclrtQueryEventWaitStatus(aclrtEvent event, aclrtEventWaitStatus* status);

/**
 * Wait until the latest record ran; at once when there is none. Needs no context.
 *
 * Returns   0; 100000 event is null; 107023 its stream was aborted; the context's failure when it is in stop
 *           mode; 107017 stale handle. Failures of earlier tasks do not show here otherwise.
 */
aclError aclrtSynchronizeEvent(aclrtEvent event);

/**
 * As aclrtSynchronizeEvent, for a limited time.
 *
 * Args      timeout in milliseconds; -1 waits forever.
 * Returns   as there; 107000 timeout is 0 or below -1; 507047 time ran out.
 */
aclError aclrtSynchronizeEventWithTimeout(aclrtEvent event, int32_t timeout);

/**
 * Time between the moments at which two records ran, in milliseconds; negative when `endEvent` ran first.
 *
 * Returns   0; 100000 an argument is null; 507000 an event was never recorded; 107006 a record has not run
 *           yet or the event was created without TIME_LINE; 207000 IPC or EXTERNAL event; 107017 stale
 * handle.
 */
aclError aclrtEventElapsedTime(float* ms, aclrtEvent startEvent, aclrtEvent endEvent);

/** When the latest record ran, in microseconds since the device started. Returns as aclrtEventElapsedTime. */
aclError aclrtEventGetTimestamp(aclrtEvent event, uint64_t* timestamp);

/**
 * Id of an event. Returns 0; 100000 an argument is null; 507000 no id yet (never recorded); 207000 IPC event;
 * 107017 stale handle.
 */
aclError aclrtGetEventId(aclrtEvent event, uint32_t* eventId);

/** How many more events can be created on the current device. Returns 0; 100000 null; 107002 no context. */
aclError aclrtGetEventAvailNum(uint32_t* eventCount);

/* Memory. */

/**
 * Allocate memory of the current device.
 *
 * Args      size in bytes, rounded up to 32 with 32 more added; policy any aclrtMemMallocPolicy value. All
 *           policies are served from one allocator (Tandem).
 * Effect    The address is a multiple of 64. Content is undefined. The host may read and write it directly
 *           (Tandem).
 * Returns   0; 100000 devPtr is null, size is 0 or overflows; 107002 no context; 207001 the device's capacity
 *           is used up.
 */
aclError aclrtMalloc(void** devPtr, size_t size, aclrtMemMallocPolicy policy);

/** As aclrtMalloc, without the 32 more bytes. Returns as there. */
aclError aclrtMallocAlign32(void** devPtr, size_t size, aclrtMemMallocPolicy policy);

/** As aclrtMalloc; caching makes no difference here. Returns as there. */
aclError aclrtMallocCached(void** devPtr, size_t size, aclrtMemMallocPolicy policy);

/**
 * As aclrtMalloc, with attributes that have no effect here. Returns as there; 100000 attrs null, numAttrs not
 * 0.
 */
aclError aclrtMallocWithCfg(void** devPtr, size_t size, aclrtMemMallocPolicy policy, aclrtMallocConfig* cfg);

/**
 * Free device memory at once. Does not wait for queued work that uses it; needs no context.
 *
 * Args      devPtr as an allocation returned it.
 * Returns   0; 100000 devPtr is null; 107000 it is not the start of an allocation.
 */
aclError aclrtFree(void* devPtr);

/** Wait for all work of the device, then free. Returns as aclrtFree, or a failure of the waiting. */
aclError aclrtFreeWithDevSync(void* devPtr);

/**
 * Allocate host memory that asynchronous copies can use without staging.
 *
 * Args      size in bytes, rounded up to 32; the address is a multiple of 64.
 * Returns   0; 100000 hostPtr is null or size is 0; 107002 no context; 207001 no memory.
 */
aclError aclrtMallocHost(void** hostPtr, size_t size);

/**
 * As aclrtMallocHost, with attributes that have no effect here. Returns as there; 100000 attrs null, numAttrs
 * not 0.
 */
aclError aclrtMallocHostWithCfg(void** ptr, uint64_t size, aclrtMallocConfig* cfg);

/**
 * Free memory of aclrtMallocHost at once; needs no context, and the device may have been reset since.
 *
 * Returns   0; 100000 hostPtr is null; 107000 not such memory.
 */
aclError aclrtFreeHost(void* hostPtr);

/** Wait for all work of the device, then free. Returns as aclrtFreeHost, or a failure of the waiting. */
aclError aclrtFreeHostWithDevSync(void* hostPtr);

/**
 * Copy now; the data is in place at return. Not ordered with any stream.
 *
 * Args      destMax bytes available at dst, count bytes to copy; kind HOST_TO_HOST up to
 *           HOST_TO_BUF_TO_DEVICE. The addresses decide the real direction.
 * Returns   0, also for count 0 whatever the rest is; 100000 dst or src is null or kind is another value;
 *           107000 destMax is 0 or below count; 107002 no context; 107022 the device is being aborted.
 */
aclError aclrtMemcpy(void* dst, size_t destMax, const void* src, size_t count, aclrtMemcpyKind kind);

/**
 * Queue a copy on a stream.
 *
 * Args      as aclrtMemcpy. HOST_TO_BUF_TO_DEVICE takes the source's content at the call.
 * Lifetime  Both buffers must stay until the stream passed the copy. With ordinary (not aclrtMallocHost) host
 *           memory at one end of a host-device copy the call waits for the stream and copies before it
 *           returns.
 * Returns   as aclrtMemcpy; 107003 stream of another context; 107000 kind does not fit ordinary host memory;
 *           207000 both ends are host memory of aclrtMallocHost.
 */
aclError aclrtMemcpyAsync(void* dst, size_t destMax, const void* src, size_t count, aclrtMemcpyKind kind,
                          aclrtStream stream);

/**
 * Copy `height` rows of `width` bytes now; rows start dpitch and spitch bytes apart.
 *
 * Args      kind HOST_TO_DEVICE or DEVICE_TO_HOST; width up to 5000000, height up to 5242880.
 * Returns   0, also for width or height 0; 100000 a pointer is null or width is above a pitch; 107000 too
 *           large or a kind that does not exist here; 207000 another kind; 107002 no context.
 */
aclError aclrtMemcpy2d(void* dst, size_t dpitch, const void* src, size_t spitch, size_t width, size_t height,
                       aclrtMemcpyKind kind);

/** Queue such a copy; kind may also be DEVICE_TO_DEVICE or DEFAULT. Returns as aclrtMemcpy2d; 107003. */
aclError aclrtMemcpy2dAsync(void* dst, size_t dpitch, const void* src, size_t spitch, size_t width,
                            size_t height, aclrtMemcpyKind kind, aclrtStream stream);

/**
 * Fill now: `count` bytes at devPtr, of maxCount available, become the low 8 bits of `value`.
 *
 * Returns   0, also for count 0; 100000 devPtr is null; 107000 count is above maxCount; 107002 no context.
 */
aclError aclrtMemset(void* devPtr, size_t maxCount, int32_t value, size_t count);

/** Queue such a fill on a stream. Returns as aclrtMemset; 107003 stream of another context. */
aclError aclrtMemsetAsync(void* devPtr, size_t maxCount, int32_t value, size_t count, aclrtStream stream);

/**
 * Fill now: N words of 32 bits at ptr, of memSize bytes available, become `value`.
 *
 * Returns   0; 100000 ptr is null, not a multiple of 4, not memory of this runtime, or memSize is below 4 *
 *           N; 107002.
 */
aclError aclrtMemsetD32(void* ptr, size_t memSize, uint32_t value, size_t N);

/** Queue such a fill on a stream. Returns as aclrtMemsetD32; 107003 stream of another context. */
aclError aclrtMemsetD32Async(void* ptr, size_t memSize, uint32_t value, size_t N, aclrtStream stream);

/**
 * Free and total bytes of the current device's memory.
 *
 * Returns   0; 100000 a pointer is null; 107016 unknown attribute; 107002 no context.
 */
aclError aclrtGetMemInfo(aclrtMemAttr attr, size_t* free, size_t* total);

/**
 * What kind of memory an address is in, its device's id, and its page size in bytes.
 *
 * Returns   0, with type UNREGISTERED for ordinary memory; 100000 a pointer is null.
 */
aclError aclrtPointerGetAttributes(const void* ptr, aclrtPtrAttributes* attributes);

/**
 * Copy many pieces now, in no particular order; each is host to device or device to host.
 *
 * Args      dsts, destMaxs, srcs, sizes: arrays of numBatches; attrs[k] holds from piece attrsIndexes[k] on,
 *           numAttrs of them, rsv all zero. *failIndex becomes the piece that failed, SIZE_MAX when none did;
 *           it may be null.
 * Returns   0; 100000 numBatches is 0, an array is null, a destMax is below its size or rsv is not zero;
 *           107000 a direction that is not allowed; 107002 no context.
 */
aclError aclrtMemcpyBatch(void** dsts, size_t* destMaxs, void** srcs, size_t* sizes, size_t numBatches,
                          aclrtMemcpyBatchAttr* attrs, size_t* attrsIndexes, size_t numAttrs,
                          size_t* failIndex);

/**
 * Queue such copies as one task of a stream. Returns as aclrtMemcpyBatch; 107003 stream of another context.
 */
aclError aclrtMemcpyBatchAsync(void** dsts, size_t* destMaxs, void** srcs, size_t* sizes, size_t numBatches,
                               aclrtMemcpyBatchAttr* attrs, size_t* attrsIndexes, size_t numAttrs,
                               size_t* failIndex, aclrtStream stream);

/** aclrtMemcpyBatch without failIndex. Returns as there. */
aclError aclrtMemcpyBatchV2(void** dsts, size_t* destMaxs, void** srcs, size_t* sizes, size_t numBatches,
                            aclrtMemcpyBatchAttr* attrs, size_t* attrsIndexes, size_t numAttrs);

/** aclrtMemcpyBatchAsync without failIndex. Returns as there. */
aclError aclrtMemcpyBatchAsyncV2(void** dsts, size_t* destMaxs, void** srcs, size_t* sizes, size_t numBatches,
                                 aclrtMemcpyBatchAttr* attrs, size_t* attrsIndexes, size_t numAttrs,
                                 aclrtStream stream);

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif

#ifdef __cplusplus
}
#endif

#include "acl_rt_ext.h"
#include "acl_rt_unsupported.h"

#endif /* ACL_ACL_RT_H_ */
