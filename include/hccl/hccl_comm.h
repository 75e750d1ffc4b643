/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Communicators: how the ranks of a job find each other, what can be asked, how it ends. Plain C.
 *
 * Rules that hold for every call unless its comment says otherwise:
 *   Returns   HCCL_SUCCESS or the code that says why not; aclGetRecentErrMsg has the text, with an id such as
 *             EI0006.
 *   Threads   Any call may come from any thread. Calls that create communicators need a device
 *             (aclrtSetDevice) in the calling thread; several threads may create at the same time, each with
 *             a device of its own.
 *   Handles   A communicator handle that is not alive gives HCCL_E_PARA (Tandem).
 *   Source    CANN HCCL 9.x, API reference page of the same name; codes and the order of checks: its
 *             published sources. "(Tandem)" marks Tandem's own rule.
 */
#ifndef HCCL_COMM_H_
#define HCCL_COMM_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <acl/acl.h>
#include <hccl/hccl_launch.h>
#include <hccl/hccl_res.h>
#include <hccl/hccl_types.h>

/*
 * CANN declares most calls below weak, so that a program can test for them. Here the macro is empty by
 * default: a linker that drops libraries which satisfy only weak references (--as-needed, the default of some
 * distributions) would leave such calls at address zero. Define it before this header to get weak references.
 */
#ifndef HCOMM_WEAK_SYMBOL
#define HCOMM_WEAK_SYMBOL
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Not the numbers of HcclCommConfig.hcclOpExpansionMode. */
typedef enum {
  HCCL_OP_EXPANSION_MODE_INVALID = -1,
  HCCL_OP_EXPANSION_MODE_AI_CPU = 0,
  HCCL_OP_EXPANSION_MODE_AIV = 1,
  HCCL_OP_EXPANSION_MODE_HOST = 2,
  HCCL_OP_EXPANSION_MODE_HOST_TS = 3,
  HCCL_OP_EXPANSION_MODE_CCU_MS = 4,
  HCCL_OP_EXPANSION_MODE_CCU_SCHED = 5,
  HCCL_OP_EXPANSION_AIV_ONLY = 6
} HcclOpExpansionMode;

typedef HcclOpExpansionMode HcclConfigTypeOpExpansionMode;

typedef enum {
  HCCL_CONFIG_TYPE_INVALID = -1,
  HCCL_CONFIG_TYPE_OP_EXPANSION_MODE = 0,
  HCCL_CONFIG_TYPE_HCCL_ALGO = 1
} HcclConfigType;

typedef HcclResult (*HcclCommStateCallback)(HcclComm comm, HcclCommStatePhase state, void* args);

/**
 * Give every field of `config` its start value, "not set" or empty, and fill in the hidden header. Null is
 * ignored.
 *
 * Note      Of texts only the first byte is cleared.
 */
static inline void HcclCommConfigInit(HcclCommConfig* config) {
  const size_t size = sizeof(HcclCommConfig);
  const uint64_t zero = 0;
  const size_t after_size = sizeof(size);
  const size_t after_magic = after_size + sizeof(HCCL_COMM_CONFIG_MAGIC_WORD);
  const size_t after_version = after_magic + sizeof(HCCL_COMM_CONFIG_VERSION);
  if (config == NULL) {
    return;
  }
  memcpy(config->reserved, &size, sizeof(size));
  memcpy(config->reserved + after_size, &HCCL_COMM_CONFIG_MAGIC_WORD, sizeof(HCCL_COMM_CONFIG_MAGIC_WORD));
  memcpy(config->reserved + after_magic, &HCCL_COMM_CONFIG_VERSION, sizeof(HCCL_COMM_CONFIG_VERSION));
  memcpy(config->reserved + after_version, &zero, sizeof(zero));
  config->hcclBufferSize = HCCL_COMM_BUFFSIZE_CONFIG_NOT_SET;
  config->hcclDeterministic = HCCL_COMM_DETERMINISTIC_CONFIG_NOT_SET;
  config->hcclCommName[0] = '\0';
  config->hcclUdi[0] = '\0';
  config->hcclOpExpansionMode = HCCL_COMM_DEFAULT_OP_EXPANSION_MODE;
  config->hcclRdmaTrafficClass = HCCL_COMM_TRAFFIC_CLASS_CONFIG_NOT_SET;
  config->hcclRdmaServiceLevel = HCCL_COMM_SERVICE_LEVEL_CONFIG_NOT_SET;
  config->hcclWorldRankID = 0;
  config->hcclJobID = 0;
  config->aclGraphZeroCopyEnable = 0;
  config->hcclExecTimeOut = HCCL_COMM_EXECTIMEOUT_CONFIG_NOT_SET;
  config->hcclAlgo[0] = '\0';
  config->hcclRetryEnable[0] = '\0';
  config->hcclRetryParams[0] = '\0';
  config->hcclBufferName[0] = '\0';
  config->hcclQos = HCCL_COMM_QOS_CONFIG_NOT_SET;
  config->hcclSymWinMaxMemSizePerRank = HCCL_DEFAULT_SYMMETRIC_MEMORY_STRIDE;
  config->hcclChannelSqDepth = HCCL_COMM_SQ_DEPTH_CONFIG_NOT_SET;
}

#if defined(__GNUC__)
#pragma GCC visibility push(default)
#endif

/* Creation. */

/**
 * Make the root info of one new communicator; called by one rank only, the root, usually rank 0.
 *
 * Effect    Opens a socket that serves the exchange in the background, and returns without waiting for other
 *           ranks. The program carries the bytes to every rank, by file, MPI or any other way. One root info,
 *           one communicator.
 * Returns   HCCL_SUCCESS        rootInfo is filled
 *           HCCL_E_RUNTIME      no device is set in this thread
 *           HCCL_E_PTR          rootInfo is null
 *           HCCL_E_PARA         an environment variable has a bad value (EI0001)
 *           HCCL_E_NOT_FOUND    HCCL_IF_IP or HCCL_SOCKET_IFNAME names no interface here (EI0001), or it is
 *                               not on the whitelist
 *           HCCL_E_UNAVAIL      no port could be opened (EI0019)
 */
HCOMM_WEAK_SYMBOL HcclResult HcclGetRootInfo(HcclRootInfo* rootInfo);

/**
 * Join a communicator of nRanks ranks as number `rank`. Waits until all have joined.
 *
 * Args      nRanks and rootInfo equal on all ranks; rank from 0 to nRanks - 1, each once. *comm receives the
 *           handle, which HcclCommDestroy releases.
 * Ranks     may be threads of one process (one device each), processes, or a mix.
 * Returns   HCCL_SUCCESS        all ranks are there
 *           HCCL_E_PARA         nRanks is 0, rank is not below it, or a bad environment variable (EI0001)
 *           HCCL_E_PTR          comm or rootInfo is null
 *           HCCL_E_TIMEOUT      the root was not reached within HCCL_CONNECT_TIMEOUT seconds (EI0015)
 *           HCCL_E_INTERNAL     the root reports ranks that did not come in time or disagree on nRanks
 *                               (EI0015)
 * Order     of the checks: nRanks, rank, comm, rootInfo, environment.
 */
HCOMM_WEAK_SYMBOL HcclResult HcclCommInitRootInfo(uint32_t nRanks, const HcclRootInfo* rootInfo,
                                                  uint32_t rank, HcclComm* comm);

/**
 * As HcclCommInitRootInfo, with settings.
 *
 * Args      config made by HcclCommConfigInit and equal on all ranks. An empty hcclCommName takes the root
 *           info's identifier as name.
 * Returns   as there; HCCL_E_PARA also when config is null, has the wrong magic word or a bad value (EI0003),
 *           or its name is in use on this device.
 */
HCOMM_WEAK_SYMBOL HcclResult HcclCommInitRootInfoConfig(uint32_t nRanks, const HcclRootInfo* rootInfo,
                                                        uint32_t rank, const HcclCommConfig* config,
                                                        HcclComm* comm);

/**
 * Join the communicator that a rank table file describes. Waits until all its ranks have joined (Tandem).
 *
 * Args      clusterInfo: path of a .json file, up to 4095 characters; rank: this device's rank_id in it. The
 *           current device must be the entry's device_id. The name of the communicator is
 *           "hccl_world_group".
 * Ranks     of one host, for the same user, with equal tables (Tandem). A table whose status is not
 *           "completed" is read again once a second, for half an hour or TANDEM_CONNECT_TIMEOUT.
 * Returns   HCCL_SUCCESS        all ranks are there
 *           HCCL_E_RUNTIME      no device is set in this thread
 *           HCCL_E_PTR          an argument is null
 *           HCCL_E_PARA         a bad environment variable (EI0001); a bad value in the table, rank not
 *                               in it, or a table that differs from rank 0's (EI0014); a value of
 *                               another JSON type than expected (EI0017); the name is in use on this
 *                               device
 *           HCCL_E_INTERNAL     the file cannot be read or is not JSON (EI0004); ranks did not come in
 *                               time (EI0015)
 *           HCCL_E_NOT_FOUND    the table lacks something (EI0017)
 *           HCCL_E_UNAVAIL      this device has a communicator of a rank table already; ranks with gaps
 *                               or twice, another device than the current one, another host (EI0014)
 *           HCCL_E_NOT_SUPPORT  unknown version, or ranks of several hosts (EI0014)
 *           HCCL_E_TIMEOUT      the table was not completed, or rank 0 did not come, in time
 * Order     of the checks: device, clusterInfo, comm, environment, file, rank table communicator of this
 *           device, name, content.
 */
HCOMM_WEAK_SYMBOL HcclResult HcclCommInitClusterInfo(const char* clusterInfo, uint32_t rank, HcclComm* comm);

/**
 * As HcclCommInitClusterInfo, with settings.
 *
 * Returns   as there; HCCL_E_PTR when config is null, HCCL_E_PARA when it is damaged or has a bad value.
 */
HCOMM_WEAK_SYMBOL HcclResult HcclCommInitClusterInfoConfig(const char* clusterInfo, uint32_t rank,
                                                           HcclCommConfig* config, HcclComm* comm);

/**
 * Create one communicator whose ranks are all in this process, one per device.
 *
 * Args      devices[i] becomes rank i, and comms[i] its handle, for i below ndev.
 * Note      Operations of the ranks may come from one thread per device or, in Tandem, from fewer.
 * Returns   HCCL_SUCCESS        all handles are there
 *           HCCL_E_PARA         ndev is 0, or a device is named twice or does not exist
 *           HCCL_E_PTR          comms or devices is null
 *           On failure nothing is left and every entry of comms is null.
 */
HCOMM_WEAK_SYMBOL HcclResult HcclCommInitAll(uint32_t ndev, int32_t* devices, HcclComm* comms);

/**
 * Create a communicator of some ranks of another one, which must not itself be such a part. Purely local.
 *
 * Args      comm points at the handle; rankIds[i], ascending, becomes rank i of rankNum; subCommRankId is
 *           this rank's i. Ranks outside pass rankIds null and subCommId 0xFFFFFFFF and get no handle.
 *           Without a name in config it is "<name of comm>_sub_<subCommId>". All members pass the same
 *           rankNum, rankIds, subCommId and name, and make such parts of comm in the same order.
 * Returns   HCCL_SUCCESS        *subComm is the handle, or the rank is outside and has none
 *           HCCL_E_PTR          subComm, config, comm or *comm is null
 *           HCCL_E_PARA         only one of rankIds and subCommId says "outside"; numbers that do not fit
 *                               each other; a bad environment variable or config; a name in use on this
 *                               device
 * Order     of the checks: subComm, outside, rankNum, subCommRankId, config, comm, ranks, environment,
 *           content of config, name.
 */
HCOMM_WEAK_SYMBOL HcclResult HcclCreateSubCommConfig(HcclComm* comm, uint32_t rankNum, uint32_t* rankIds,
                                                     uint64_t subCommId, uint32_t subCommRankId,
                                                     HcclCommConfig* config, HcclComm* subComm);

/** Number of HcclCommConfigCapability values that this library knows: c is available when c is less. */
HCOMM_WEAK_SYMBOL uint32_t HcclGetCommConfigCapability(void);

/* End. */

/**
 * Leave a communicator. Local: other ranks are not waited for, and their operations with this rank fail.
 *
 * Before    Synchronise the streams that its operations were queued on. The handle is dead afterwards.
 * Threads   May come from another thread than the operations. An operation still waiting for its peer ends at
 *           once with an error on its stream.
 * Returns   HCCL_SUCCESS, also for null; HCCL_E_PARA unknown handle; HCCL_E_AGAIN in use right now, try
 *           again.
 */
HCOMM_WEAK_SYMBOL HcclResult HcclCommDestroy(HcclComm comm);

/* Questions. */

/** Number of ranks. Returns HCCL_SUCCESS; HCCL_E_PTR an argument is null; HCCL_E_PARA unknown handle. */
HCOMM_WEAK_SYMBOL HcclResult HcclGetRankSize(HcclComm comm, uint32_t* rankSize);

/**
 * This rank's number, from 0. Returns HCCL_SUCCESS; HCCL_E_PTR an argument is null; HCCL_E_PARA unknown
 * handle.
 */
HCOMM_WEAK_SYMBOL HcclResult HcclGetRankId(HcclComm comm, uint32_t* rank);

/**
 * Name of a communicator, with its terminator, into a buffer of COMM_NAME_MAX_LENGTH bytes.
 *
 * Returns   HCCL_SUCCESS; HCCL_E_PTR an argument is null; HCCL_E_PARA unknown handle.
 */
HCOMM_WEAK_SYMBOL HcclResult HcclGetCommName(HcclComm comm, char* commName);

/**
 * Failure of an operation after it was queued: *asyncError is HCCL_SUCCESS while there was none, later the
 * first code.
 *
 * Returns   HCCL_SUCCESS; HCCL_E_PTR an argument is null; HCCL_E_PARA unknown handle.
 */
HCOMM_WEAK_SYMBOL HcclResult HcclGetCommAsyncError(HcclComm comm, HcclResult* asyncError);

/** Words for a code, never null; "unknown error" for numbers outside HcclResult. The text stays valid. */
HCOMM_WEAK_SYMBOL const char* HcclGetErrorString(HcclResult code);

/**
 * Handle of a communicator by name.
 *
 * Note      Ranks that are threads have communicators of the same name: that of the thread's current device
 *           goes first (Tandem).
 * Returns   HCCL_SUCCESS; HCCL_E_PTR an argument is null; HCCL_E_PARA no communicator has that name.
 */
HcclResult HcclCommGetHandleWithName(const char* commName, HcclComm* comm);

/**
 * State of a communicator by name: HCCL_COMM_STATUS_READY, _SUSPENDING, or _INVALID when there is none.
 *
 * Returns   HCCL_SUCCESS; HCCL_E_PTR an argument is null; HCCL_E_PARA no communicator has that name.
 */
HcclResult HcclCommGetStatus(const char* commId, HcclCommStatus* status);

/**
 * A setting in effect, into infoLen bytes at info.
 *
 * Args      HCCL_CONFIG_TYPE_OP_EXPANSION_MODE gives an HcclOpExpansionMode, HCCL_CONFIG_TYPE_HCCL_ALGO
 *           the text of HcclCommConfig.hcclAlgo with its terminator. Neither matters here (Tandem).
 * Returns   HCCL_SUCCESS; HCCL_E_PTR comm or info is null; HCCL_E_PARA unknown handle or cfgType, or
 *           infoLen is too small.
 */
HcclResult HcclConfigGetInfo(HcclComm comm, HcclConfigType cfgType, uint32_t infoLen, void* info);

/* Barrier. */

/**
 * Queue a barrier: later work of `stream` starts when every rank's stream has reached its barrier.
 *
 * Order     Starts after earlier work on `stream`. The calling thread does not wait.
 * Returns   HCCL_SUCCESS queued; HCCL_E_PTR an argument is null; HCCL_E_PARA unknown handle.
 * Later     A rank that does not come within the execution time-out fails the stream (EI0002).
 */
HCOMM_WEAK_SYMBOL HcclResult HcclBarrier(HcclComm comm, aclrtStream stream);

/*
 * Groups of calls, for the calling thread. A group holds either HcclSend and HcclRecv, or calls that make or
 * end communicators: HcclCommInitRootInfo[Config], HcclCommInitClusterInfo[Config], HcclCommDestroy. Other
 * communication is refused inside (HCCL_E_NOT_SUPPORT), other calls are carried out at once.
 */

/** Begin to collect this thread's calls; groups nest. Returns HCCL_SUCCESS. */
HcclResult HcclGroupStart(void);

/**
 * End; the outermost one carries out what was collected.
 *
 * Effect    Sends and receives of one communicator become one batch, as of HcclBatchSendRecv, on the first
 *           stream that one of them named. Calls for communicators run at the same time, each for the device
 *           that was current at the call; handles are written now.
 * Returns   HCCL_SUCCESS        everything was started, or is done
 *           HCCL_E_NOT_SUPPORT  no group is open
 *           or the first failure of a call in it (Tandem): then no send or receive was queued.
 *           Communicators that could be made are there, others' handles stay as they were.
 */
HcclResult HcclGroupEnd(void);

/** Whether this thread is inside a group. Returns HCCL_SUCCESS; HCCL_E_PTR isGroupEnabled is null. */
HcclResult HcclGroupStatusGet(bool* isGroupEnabled);

/* Settings. None has an effect on point-to-point results. */

/**
 * Set HCCL_DETERMINISTIC for the process.
 *
 * Returns   HCCL_SUCCESS, also without effect for another config, and when the environment variable
 *           HCCL_DETERMINISTIC is set, which goes first; HCCL_E_PARA the value is not 0, 1 or 2.
 */
HCOMM_WEAK_SYMBOL HcclResult HcclSetConfig(HcclConfig config, HcclConfigValue configValue);
/** Read it. Returns HCCL_SUCCESS; HCCL_E_PTR configValue is null. Another config leaves it as it is. */
HCOMM_WEAK_SYMBOL HcclResult HcclGetConfig(HcclConfig config, HcclConfigValue* configValue);
/**
 * Set HCCL_DETERMINISTIC (0, 1, 2) or 1, which some headers call HCCL_ACCELERATOR (any value), for one
 * communicator.
 *
 * Returns   HCCL_SUCCESS; HCCL_E_PTR comm is null; HCCL_E_PARA unknown handle, config or value.
 */
HCOMM_WEAK_SYMBOL HcclResult HcclSetCommConfig(HcclComm comm, HcclConfig config, HcclConfigValue configValue);
/**
 * Read it for one communicator; what was never set there is that of the process.
 *
 * Returns   HCCL_SUCCESS; HCCL_E_PTR an argument is null; HCCL_E_PARA unknown handle or config.
 */
HCOMM_WEAK_SYMBOL HcclResult HcclGetCommConfig(HcclComm comm, HcclConfig config,
                                               HcclConfigValue* configValue);

/* Faults. */

/**
 * Refuse operations of a communicator (HCCL_E_SUSPENDING) while its device is being repaired. What was queued
 * before goes on.
 *
 * Returns   HCCL_SUCCESS; HCCL_E_PTR comm is null; HCCL_E_PARA unknown handle.
 */
HCOMM_WEAK_SYMBOL HcclResult HcclCommSuspend(HcclComm comm);
/** Accept operations again; once all ranks agree. Returns as HcclCommSuspend. */
HCOMM_WEAK_SYMBOL HcclResult HcclCommResume(HcclComm comm);
/**
 * Have `cb` called before and after every HcclCommDestroy and HcclCommResume of the process, in the thread
 * that calls these. What it returns is only logged. A null cb removes the one of that name.
 *
 * Args      regName has 1 to 159 characters; one callback for each name.
 * Returns   HCCL_SUCCESS; HCCL_E_PTR regName is null; HCCL_E_PARA its length, or it is taken.
 */
HcclResult HcclCommRegCommStateCallback(const char* regName, HcclCommStateCallback cb, void* args);
/**
 * Choose between two network ports for nRanks ranks. Devices of this host have none (Tandem).
 *
 * Returns   HCCL_E_PTR a pointer is null; HCCL_E_PARA unknown handle or rank, more ranks than there are; else
 * HCCL_E_NOT_SUPPORT.
 */
HCOMM_WEAK_SYMBOL HcclResult HcclCommWorkingDevNicSet(HcclComm comm, uint32_t* ranks, bool* useBackup,
                                                      uint32_t nRanks);

/*
 * Memory hints for transfers without a copy; sizes in bytes. Tandem copies between any two buffers and only
 * keeps the book.
 */

/**
 * Announce a range of addresses that buffers will be in.
 *
 * Args      alignment and flags 0.
 * Returns   HCCL_SUCCESS; HCCL_E_PTR comm or baseVirPtr is null; HCCL_E_PARA unknown handle, size 0,
 *           alignment or flags not 0, or it overlaps a range that is set.
 */
HCOMM_WEAK_SYMBOL HcclResult HcclCommSetMemoryRange(HcclComm comm, void* baseVirPtr, size_t size,
                                                    size_t alignment, uint64_t flags);
/** Undo HcclCommSetMemoryRange. HCCL_E_PARA also when no range begins there, or part of it is active. */
HCOMM_WEAK_SYMBOL HcclResult HcclCommUnsetMemoryRange(HcclComm comm, void* baseVirPtr);
/**
 * Announce physical memory that was mapped in such a range.
 *
 * Args      offset and flags 0.
 * Returns   HCCL_SUCCESS; HCCL_E_PTR comm, virPtr or handle is null; HCCL_E_PARA comm or handle not live,
 *           size 0, offset or flags not 0, not inside a range, or active already.
 */
HCOMM_WEAK_SYMBOL HcclResult HcclCommActivateCommMemory(HcclComm comm, void* virPtr, size_t size,
                                                        size_t offset, aclrtDrvMemHandle handle,
                                                        uint64_t flags);
/** Undo HcclCommActivateCommMemory. HCCL_E_PARA also when no active memory begins there. */
HCOMM_WEAK_SYMBOL HcclResult HcclCommDeactivateCommMemory(HcclComm comm, void* virPtr);

/* Memory windows for one-sided access: outside Tandem's scope, HCCL_E_NOT_SUPPORT. */

/** Register memory for access by other ranks. */
HCOMM_WEAK_SYMBOL HcclResult HcclCommRegister(HcclComm comm, void* addr, uint64_t size, void** handle,
                                              uint32_t flag);
/** Undo HcclCommRegister. */
HCOMM_WEAK_SYMBOL HcclResult HcclCommDeregister(HcclComm comm, void* handle);
/** Exchange registrations with peers. */
HCOMM_WEAK_SYMBOL HcclResult HcclCommExchangeMem(HcclComm comm, void* windowHandle, uint32_t* peerRanks,
                                                 uint32_t peerRankNum);
/** Register a symmetric window. */
HcclResult HcclCommSymWinRegister(HcclComm comm, void* addr, uint64_t size, HcclCommSymWindow* winHandle,
                                  uint32_t flag);
/** Undo HcclCommSymWinRegister. */
HcclResult HcclCommSymWinDeregister(HcclCommSymWindow winHandle);
/** Find the window that an address is in, and its place there. */
HcclResult HcclCommSymWinGet(HcclComm comm, void* ptr, size_t size, HcclCommSymWindow* winHandle,
                             size_t* offset);

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif

#ifdef __cplusplus
}
#endif

#endif /* HCCL_COMM_H_ */
