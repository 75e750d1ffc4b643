/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calls of the ACL runtime that need an NPU, its compiler or its models, and their types. Programs that name
 * them compile and link. Included by acl_rt.h.
 *
 * Contract  Every function below returns 207000 ACL_ERROR_RT_FEATURE_NOT_SUPPORT, functions that return a
 *           handle null; no argument is looked at and nothing is written, the text for aclGetRecentErrMsg
 *           names the call. The only exception is aclmdlRICaptureGetInfo. The comments say what the call does
 *           on an NPU.
 * Units     Sizes, lengths and offsets are bytes unless a comment says otherwise.
 * Source    Prototypes, names and numbers: public headers and API reference of CANN runtime 9.1.0. The
 *           result: that runtime's own answer for a feature that a chip lacks.
 */
#ifndef ACL_ACL_RT_UNSUPPORTED_H_
#define ACL_ACL_RT_UNSUPPORTED_H_

#include "acl_rt_types.h"

#ifdef __cplusplus
extern "C" {
#endif

#define ACL_RT_MEM_ATTACH_GLOBAL 0x01U
#define ACL_RT_MEM_LINK_IDX_0 0U
#define ACL_RT_MEM_LINK_IDX_1 1U
#define ACL_RT_CMO_MAX_BARRIER_NUM 6U
#define ACL_RT_BINARY_MAGIC_ELF_AICORE 0x43554245U
#define ACL_RT_BINARY_MAGIC_ELF_VECTOR_CORE 0x41415246U
#define ACL_RT_BINARY_MAGIC_ELF_CUBE_CORE 0x41494343U
#define ACL_RT_MEM_TYPE_DEV 0x2U
#define ACL_RT_MEM_TYPE_DVPP 0x8U
#define ACL_RT_MEM_TYPE_RSVD 0x10U

/* Types: kernels. */

typedef enum aclrtBinaryLoadOptionType {
  ACL_RT_BINARY_LOAD_OPT_LAZY_LOAD = 1,
  ACL_RT_BINARY_LOAD_OPT_LAZY_MAGIC = 2,
  ACL_RT_BINARY_LOAD_OPT_MAGIC = 2,
  ACL_RT_BINARY_LOAD_OPT_CPU_KERNEL_MODE = 3
} aclrtBinaryLoadOptionType;

typedef union aclrtBinaryLoadOptionValue {
  uint32_t isLazyLoad;
  uint32_t magic;
  int32_t cpuKernelMode;
  uint32_t rsv[4];
} aclrtBinaryLoadOptionValue;

typedef struct {
  aclrtBinaryLoadOptionType type;
  aclrtBinaryLoadOptionValue value;
} aclrtBinaryLoadOption;

typedef struct aclrtBinaryLoadOptions {
  aclrtBinaryLoadOption* options;
  size_t numOpt;
} aclrtBinaryLoadOptions;

typedef enum { ACL_RT_ENGINE_TYPE_AIC = 0, ACL_RT_ENGINE_TYPE_AIV = 1 } aclrtEngineType;

typedef enum aclrtLaunchKernelAttrId {
  ACL_RT_LAUNCH_KERNEL_ATTR_SCHEM_MODE = 1,
  ACL_RT_LAUNCH_KERNEL_ATTR_DYN_UBUF_SIZE = 2,
  ACL_RT_LAUNCH_KERNEL_ATTR_ENGINE_TYPE = 3,
  ACL_RT_LAUNCH_KERNEL_ATTR_BLOCKDIM_OFFSET = 4,
  ACL_RT_LAUNCH_KERNEL_ATTR_BLOCK_TASK_PREFETCH = 5,
  ACL_RT_LAUNCH_KERNEL_ATTR_DATA_DUMP = 6,
  ACL_RT_LAUNCH_KERNEL_ATTR_TIMEOUT = 7,
  ACL_RT_LAUNCH_KERNEL_ATTR_TIMEOUT_US = 8
} aclrtLaunchKernelAttrId;

typedef struct {
  uint32_t timeoutLow;
  uint32_t timeoutHigh;
} aclrtTimeoutUs;

typedef union aclrtLaunchKernelAttrValue {
  uint8_t schemMode;
  uint32_t dynUBufSize;
  aclrtEngineType engineType;
  uint32_t blockDimOffset;
  uint8_t isBlockTaskPrefetch;
  uint8_t isDataDump;
  uint16_t timeout;         /* seconds */
  aclrtTimeoutUs timeoutUs; /* microseconds, 64 bits in two halves */
  uint32_t rsv[4];
} aclrtLaunchKernelAttrValue;

typedef struct aclrtLaunchKernelAttr {
  aclrtLaunchKernelAttrId id;
  aclrtLaunchKernelAttrValue value;
} aclrtLaunchKernelAttr;

typedef struct aclrtLaunchKernelCfg {
  aclrtLaunchKernelAttr* attrs;
  size_t numAttrs;
} aclrtLaunchKernelCfg;

typedef struct {
  uint32_t addrOffset;
  uint32_t dataOffset;
} aclrtPlaceHolderInfo;

/* Size of a grid or block; in C++ each part defaults to 1. */
typedef struct dim3 {
  uint32_t x;
  uint32_t y;
  uint32_t z;
#ifdef __cplusplus
  constexpr dim3(uint32_t vx = 1, uint32_t vy = 1, uint32_t vz = 1) : x(vx), y(vy), z(vz) {}
#endif
} dim3;

typedef enum {
  ACL_FUNC_ATTR_KERNEL_TYPE = 1,
  ACL_FUNC_ATTR_KERNEL_RATIO = 2,
  ACL_FUNC_ATTR_KERNEL_SCHED_MODE = 3
} aclrtFuncAttribute;

typedef enum {
  ACL_KERNEL_TYPE_AICORE = 0,
  ACL_KERNEL_TYPE_CUBE = 1,
  ACL_KERNEL_TYPE_VECTOR = 2,
  ACL_KERNEL_TYPE_MIX = 3,
  ACL_KERNEL_TYPE_AICPU = 100
} aclrtKernelType;

typedef struct {
  uint8_t isAddr;
  uint8_t valueOrAddr[8];
  uint8_t size;
  uint8_t rsv[6];
} aclrtRandomParaInfo;

typedef struct {
  aclrtRandomParaInfo dropoutRation;
} aclrtDropoutBitmaskInfo;

typedef struct {
  aclrtRandomParaInfo min;
  aclrtRandomParaInfo max;
} aclrtUniformDisInfo;

typedef struct {
  aclrtRandomParaInfo mean;
  aclrtRandomParaInfo stddev;
} aclrtNormalDisInfo;

typedef enum {
  ACL_RT_RANDOM_NUM_FUNC_TYPE_DROPOUT_BITMASK = 0,
  ACL_RT_RANDOM_NUM_FUNC_TYPE_UNIFORM_DIS = 1,
  ACL_RT_RANDOM_NUM_FUNC_TYPE_NORMAL_DIS = 2,
  ACL_RT_RANDOM_NUM_FUNC_TYPE_TRUNCATED_NORMAL_DIS = 3
} aclrtRandomNumFuncType;

typedef struct {
  aclrtRandomNumFuncType funcType;
  union {
    aclrtDropoutBitmaskInfo dropoutBitmaskInfo;
    aclrtUniformDisInfo uniformDisInfo;
    aclrtNormalDisInfo normalDisInfo;
  } paramInfo;
} aclrtRandomNumFuncParaInfo;

typedef struct {
  aclDataType dataType;
  aclrtRandomNumFuncParaInfo randomNumFuncParaInfo;
  void* randomParaAddr;
  void* randomResultAddr;
  void* randomCounterAddr;
  aclrtRandomParaInfo randomSeed;
  aclrtRandomParaInfo randomNum;
  uint8_t rsv[8];
} aclrtRandomNumTaskInfo;

typedef enum { ACL_RT_UPDATE_RANDOM_TASK = 1, ACL_RT_UPDATE_AIC_AIV_TASK = 2 } aclrtUpdateTaskAttrId;

typedef struct {
  void* srcAddr;
  size_t size;
  uint32_t rsv[4];
} aclrtRandomTaskUpdateAttr;

typedef struct {
  void* binHandle;
  void* funcEntryAddr;
  void* blockDimAddr;
  uint32_t rsv[4];
} aclrtAicAivTaskUpdateAttr;

typedef union {
  aclrtRandomTaskUpdateAttr randomTaskAttr;
  aclrtAicAivTaskUpdateAttr aicAivTaskAttr;
} aclrtUpdateTaskAttrVal;

typedef struct {
  aclrtUpdateTaskAttrId id;
  aclrtUpdateTaskAttrVal val;
} aclrtTaskUpdateInfo;

/* Types: captured graphs. */

typedef enum {
  ACL_MODEL_RI_CAPTURE_MODE_GLOBAL = 0,
  ACL_MODEL_RI_CAPTURE_MODE_THREAD_LOCAL = 1,
  ACL_MODEL_RI_CAPTURE_MODE_RELAXED = 2
} aclmdlRICaptureMode;

typedef enum {
  ACL_MODEL_RI_CAPTURE_STATUS_NONE = 0,
  ACL_MODEL_RI_CAPTURE_STATUS_ACTIVE = 1,
  ACL_MODEL_RI_CAPTURE_STATUS_INVALIDATED = 2
} aclmdlRICaptureStatus;

typedef enum aclmdlRITaskType {
  ACL_MODEL_RI_TASK_DEFAULT = 0,
  ACL_MODEL_RI_TASK_KERNEL = 1,
  ACL_MODEL_RI_TASK_EVENT_RECORD = 2,
  ACL_MODEL_RI_TASK_EVENT_WAIT = 3,
  ACL_MODEL_RI_TASK_EVENT_RESET = 4,
  ACL_MODEL_RI_TASK_VALUE_WRITE = 5,
  ACL_MODEL_RI_TASK_VALUE_WAIT = 6
} aclmdlRITaskType;

typedef struct aclmdlRIKernelTaskParams {
  aclrtFuncHandle funcHandle;
  aclrtLaunchKernelCfg* cfg;
  void* args;
  uint32_t isHostArgs;
  size_t argsSize;
  uint32_t numBlocks;
  uint32_t rsv[10];
} aclmdlRIKernelTaskParams;

typedef struct aclmdlRIEventRecordTaskParams {
  aclrtEvent event;
  uint32_t eventFlag;
  uint32_t recordFlag;
} aclmdlRIEventRecordTaskParams;

typedef struct aclmdlRIEventWaitTaskParams {
  aclrtEvent event;
  uint32_t eventFlag;
  uint32_t waitFlag;
} aclmdlRIEventWaitTaskParams;

typedef struct aclmdlRIEventResetTaskParams {
  aclrtEvent event;
  uint32_t eventFlag;
  uint32_t resetFlag;
} aclmdlRIEventResetTaskParams;

typedef struct aclmdlRIValueWriteTaskParams {
  void* devAddr;
  uint64_t value;
} aclmdlRIValueWriteTaskParams;

typedef struct aclmdlRIValueWaitTaskParams {
  void* devAddr;
  uint64_t value;
  uint32_t flag;
} aclmdlRIValueWaitTaskParams;

typedef struct aclmdlRITaskParams {
  aclmdlRITaskType type;
  uint32_t rsv0[3];
  aclrtTaskGrp taskGrp;
  void* opInfoPtr;
  size_t opInfoSize;
  uint8_t rsv1[32];
#if defined(__GNUC__)
  __extension__ /* a union without a name is C11; this keeps C99 quiet */
#endif
      union {
    uint8_t rsv2[128];
    aclmdlRIKernelTaskParams kernelTaskParams;
    aclmdlRIEventRecordTaskParams eventRecordTaskParams;
    aclmdlRIEventWaitTaskParams eventWaitTaskParams;
    aclmdlRIEventResetTaskParams eventResetTaskParams;
    aclmdlRIValueWriteTaskParams valueWriteTaskParams;
    aclmdlRIValueWaitTaskParams valueWaitTaskParams;
  };
} aclmdlRITaskParams;

typedef enum { ACL_MODEL_RI_COND_HANDLE_ASSIGN_DEFAULT = 1 } aclmdlRICondHandleFlag;

typedef enum {
  ACL_MODEL_RI_COND_TYPE_IF = 0,
  ACL_MODEL_RI_COND_TYPE_WHILE = 1,
  ACL_MODEL_RI_COND_TYPE_SWITCH = 2
} aclmdlRICondTaskType;

typedef struct tagAclmdlRICondTaskParams {
  aclmdlRICondHandle handle;
  aclmdlRICondTaskType type;
  uint32_t size;
  aclmdlRI* modelRIArray;
} aclmdlRICondTaskParams;

typedef enum {
  ACL_RT_EQUAL = 0,
  ACL_RT_NOT_EQUAL = 1,
  ACL_RT_GREATER = 2,
  ACL_RT_GREATER_OR_EQUAL = 3,
  ACL_RT_LESS = 4,
  ACL_RT_LESS_OR_EQUAL = 5
} aclrtCondition;

typedef enum { ACL_RT_SWITCH_INT32 = 0, ACL_RT_SWITCH_INT64 = 1 } aclrtCompareDataType;

/* Types: caches, managed memory, groups, snapshots and the rest. */

typedef enum aclrtCmoType {
  ACL_RT_CMO_TYPE_PREFETCH = 0,
  ACL_RT_CMO_TYPE_WRITEBACK = 1,
  ACL_RT_CMO_TYPE_INVALID = 2,
  ACL_RT_CMO_TYPE_FLUSH = 3
} aclrtCmoType;

typedef struct {
  aclrtCmoType cmoType;
  uint32_t barrierId;
} aclrtBarrierCmoInfo;

typedef struct {
  size_t barrierNum;
  aclrtBarrierCmoInfo cmoInfo[ACL_RT_CMO_MAX_BARRIER_NUM];
} aclrtBarrierTaskInfo;

typedef enum aclrtMemManagedAdviseType {
  ACL_MEM_ADVISE_SET_READ_MOSTLY = 0,
  ACL_MEM_ADVISE_UNSET_READ_MOSTLY = 1,
  ACL_MEM_ADVISE_SET_PREFERRED_LOCATION = 2,
  ACL_MEM_ADVISE_UNSET_PREFERRED_LOCATION = 3,
  ACL_MEM_ADVISE_SET_ACCESSED_BY = 4,
  ACL_MEM_ADVISE_UNSET_ACCESSED_BY = 5
} aclrtMemManagedAdviseType;

typedef enum aclrtMemManagedLocationType {
  ACL_MEM_LOCATIONTYPE_INVALID = 0,
  ACL_MEM_LOCATIONTYPE_DEVICE = 1,
  ACL_MEM_LOCATIONTYPE_HOST = 2,
  ACL_MEM_LOCATIONTYPE_HOST_NUMA = 3,
  ACL_MEM_LOCATIONTYPE_HOST_NUMA_CURRENT = 4
} aclrtMemManagedLocationType;

typedef struct aclrtMemManagedLocation {
  aclrtMemManagedLocationType type;
  int32_t id;
} aclrtMemManagedLocation;

typedef enum aclrtMemManagedRangeAttribute {
  ACL_MEM_RANGE_ATTRIBUTE_READ_MOSTLY = 1,
  ACL_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION = 2,
  ACL_MEM_RANGE_ATTRIBUTE_ACCESSED_BY = 3,
  ACL_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_TYPE = 4,
  ACL_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_ID = 5,
  ACL_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION = 6,
  ACL_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_TYPE = 7,
  ACL_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_ID = 8
} aclrtMemManagedRangeAttribute;

typedef enum aclrtGroupAttr {
  ACL_GROUP_AICORE_INT = 0,
  ACL_GROUP_AIV_INT = 1,
  ACL_GROUP_AIC_INT = 2,
  ACL_GROUP_SDMANUM_INT = 3,
  ACL_GROUP_ASQNUM_INT = 4,
  ACL_GROUP_GROUPID_INT = 5
} aclrtGroupAttr;

typedef enum aclrtTsId { ACL_TS_ID_AICORE = 0, ACL_TS_ID_AIVECTOR = 1, ACL_TS_ID_RESERVED = 2 } aclrtTsId;

typedef enum aclrtFloatOverflowMode {
  ACL_RT_OVERFLOW_MODE_SATURATION = 0,
  ACL_RT_OVERFLOW_MODE_INFNAN = 1,
  ACL_RT_OVERFLOW_MODE_UNDEF = 2
} aclrtFloatOverflowMode;

typedef enum {
  ACL_RT_SNAPSHOT_LOCK_PRE = 0,
  ACL_RT_SNAPSHOT_BACKUP_PRE = 1,
  ACL_RT_SNAPSHOT_BACKUP_POST = 2,
  ACL_RT_SNAPSHOT_RESTORE_PRE = 3,
  ACL_RT_SNAPSHOT_RESTORE_POST = 4,
  ACL_RT_SNAPSHOT_UNLOCK_POST = 5
} aclrtSnapShotStage;

typedef uint32_t (*aclrtSnapShotCallBack)(int32_t deviceId, void* args);

typedef struct aclrtSnapShotBackupArgs {
  uint32_t backupFlags;
  char reserved[60];
} aclrtSnapShotBackupArgs;

typedef struct aclrtSnapShotRestoreArgs {
  uint32_t restoreFlags;
  char reserved[60];
} aclrtSnapShotRestoreArgs;

typedef struct aclrtMemUsageInfo {
  char name[32];
  uint64_t curMemSize;
  uint64_t memPeakSize;
  size_t reserved[8];
} aclrtMemUsageInfo;

typedef struct {
  uint32_t sdid;
  int32_t* pid;
  size_t num;
} aclrtServerPid;

typedef enum aclrtMemSharedHandleType {
  ACL_MEM_SHARE_HANDLE_TYPE_DEFAULT = 0x1,
  ACL_MEM_SHARE_HANDLE_TYPE_FABRIC = 0x2
} aclrtMemSharedHandleType;

typedef struct aclrtMemFabricHandle {
  uint8_t data[128];
} aclrtMemFabricHandle;

typedef enum {
  ACL_RT_HAC_TYPE_STARS = 0,
  ACL_RT_HAC_TYPE_AICPU = 1,
  ACL_RT_HAC_TYPE_AIC = 2,
  ACL_RT_HAC_TYPE_AIV = 3,
  ACL_RT_HAC_TYPE_PCIEDMA = 4,
  ACL_RT_HAC_TYPE_RDMA = 5,
  ACL_RT_HAC_TYPE_SDMA = 6,
  ACL_RT_HAC_TYPE_DVPP = 7,
  ACL_RT_HAC_TYPE_UDMA = 8,
  ACL_RT_HAC_TYPE_CCU = 9
} aclrtHacType;

typedef enum {
  ACL_RT_HOST_MEM_MAP_NOT_SUPPORTED = 0,
  ACL_RT_HOST_MEM_MAP_SUPPORTED = 1
} aclrtHostMemMapCapability;

typedef enum tagAclrtDeviceLimit {
  ACL_RT_DEV_LIMIT_SIMT_STACK_SIZE = 0,
  ACL_RT_DEV_LIMIT_SIMT_DVG_WARP_STACK_SIZE = 1,
  ACL_RT_DEV_LIMIT_SIMD_STACK_SIZE = 2,
  ACL_RT_DEV_LIMIT_SIMD_PRINTF_FIFO_SIZE_PER_CORE = 3,
  ACL_RT_DEV_LIMIT_SIMT_PRINTF_FIFO_SIZE = 4
} aclrtDeviceLimit;

typedef enum aclrtAtomicOperation {
  ACL_RT_ATOMIC_OPERATION_INTEGER_ADD = 0,
  ACL_RT_ATOMIC_OPERATION_INTEGER_MIN = 1,
  ACL_RT_ATOMIC_OPERATION_INTEGER_MAX = 2,
  ACL_RT_ATOMIC_OPERATION_INTEGER_INCREMENT = 3,
  ACL_RT_ATOMIC_OPERATION_INTEGER_DECREMENT = 4,
  ACL_RT_ATOMIC_OPERATION_AND = 5,
  ACL_RT_ATOMIC_OPERATION_OR = 6,
  ACL_RT_ATOMIC_OPERATION_XOR = 7,
  ACL_RT_ATOMIC_OPERATION_EXCHANGE = 8,
  ACL_RT_ATOMIC_OPERATION_CAS = 9,
  ACL_RT_ATOMIC_OPERATION_FLOAT_ADD = 10,
  ACL_RT_ATOMIC_OPERATION_FLOAT_MIN = 11,
  ACL_RT_ATOMIC_OPERATION_FLOAT_MAX = 12
} aclrtAtomicOperation;

#if defined(__GNUC__)
#pragma GCC visibility push(default)
#endif

/* Kernels. */

/** Wrap the bytes of a kernel binary. Returns null. */
aclrtBinary aclrtCreateBinary(const void* data, size_t dataLen);
/** Undo aclrtCreateBinary. */
aclError aclrtDestroyBinary(aclrtBinary binary);
/** Load a wrapped binary onto the device. */
aclError aclrtBinaryLoad(const aclrtBinary binary, aclrtBinHandle* binHandle);
/** Load a binary from a file. */
aclError aclrtBinaryLoadFromFile(const char* binPath, aclrtBinaryLoadOptions* options,
                                 aclrtBinHandle* binHandle);
/** Load a binary from `length` bytes of memory. */
aclError aclrtBinaryLoadFromData(const void* data, size_t length, const aclrtBinaryLoadOptions* options,
                                 aclrtBinHandle* binHandle);
/** Unload a binary. */
aclError aclrtBinaryUnLoad(aclrtBinHandle binHandle);
/** Find a kernel by name. */
aclError aclrtBinaryGetFunction(const aclrtBinHandle binHandle, const char* kernelName,
                                aclrtFuncHandle* funcHandle);
/** Find a kernel by its entry number. */
aclError aclrtBinaryGetFunctionByEntry(aclrtBinHandle binHandle, uint64_t funcEntry,
                                       aclrtFuncHandle* funcHandle);
/** Where a binary lies on the device, and its bytes. */
aclError aclrtBinaryGetDevAddress(const aclrtBinHandle binHandle, void** binAddr, size_t* binSize);
/** Where a global variable of a binary lies, and its bytes. */
aclError aclrtBinaryGetGlobal(aclrtBinHandle binHandle, const char* name, void** dptr, size_t* size);
/** Callback for exceptions in kernels of a binary. */
aclError aclrtBinarySetExceptionCallback(aclrtBinHandle binHandle, aclrtOpExceptionCallback callback,
                                         void* userData);
/** Register a kernel that runs on the device's CPU. */
aclError aclrtRegisterCpuFunc(const aclrtBinHandle handle, const char* funcName, const char* kernelName,
                              aclrtFuncHandle* funcHandle);
/** Addresses of a kernel for cube and vector cores. */
aclError aclrtGetFunctionAddr(aclrtFuncHandle funcHandle, void** aicAddr, void** aivAddr);
/** Bytes of a kernel for cube and vector cores. */
aclError aclrtGetFunctionSize(aclrtFuncHandle funcHandle, size_t* aicSize, size_t* aivSize);
/** Name of a kernel, up to maxLen characters. */
aclError aclrtGetFunctionName(aclrtFuncHandle funcHandle, uint32_t maxLen, char* name);
/** One attribute of a kernel. */
aclError aclrtGetFunctionAttribute(aclrtFuncHandle funcHandle, aclrtFuncAttribute attrType,
                                   int64_t* attrValue);
/** Kernel that belongs to a host function. */
aclError aclrtGetFuncBySymbol(const void* symbol, aclrtFuncHandle* funcHandle);
/** Binary that a kernel came from. */
aclError aclrtFunctionGetBinary(const aclrtFuncHandle funcHandle, aclrtBinHandle* binHandle);
/** Number of a kernel's parameters. */
aclError aclrtFunctionGetParamCount(const void* func, size_t* paramCount);
/** Offset and bytes of one of a kernel's parameters. */
aclError aclrtFunctionGetParamInfo(const void* func, size_t paramIndex, size_t* paramOffset,
                                   size_t* paramSize);
/** Bytes that an argument handle needs. */
aclError aclrtKernelArgsGetHandleMemSize(aclrtFuncHandle funcHandle, size_t* memSize);
/** Bytes that a kernel's arguments need. */
aclError aclrtKernelArgsGetMemSize(aclrtFuncHandle funcHandle, size_t userArgsSize, size_t* actualArgsSize);
/** Begin an argument list. */
aclError aclrtKernelArgsInit(aclrtFuncHandle funcHandle, aclrtArgsHandle* argsHandle);
/** Begin an argument list in the caller's memory. */
aclError aclrtKernelArgsInitByUserMem(aclrtFuncHandle funcHandle, aclrtArgsHandle argsHandle,
                                      void* userHostMem, size_t actualArgsSize);
/** Append an argument. */
aclError aclrtKernelArgsAppend(aclrtArgsHandle argsHandle, void* param, size_t paramSize,
                               aclrtParamHandle* paramHandle);
/** Append an argument whose data follows later. */
aclError aclrtKernelArgsAppendPlaceHolder(aclrtArgsHandle argsHandle, aclrtParamHandle* paramHandle);
/** Buffer for the data of an argument that aclrtKernelArgsAppendPlaceHolder added; dataSize in bytes. */
aclError aclrtKernelArgsGetPlaceHolderBuffer(aclrtArgsHandle argsHandle, aclrtParamHandle paramHandle,
                                             size_t dataSize, void** bufferAddr);
/** Change an argument. */
aclError aclrtKernelArgsParaUpdate(aclrtArgsHandle argsHandle, aclrtParamHandle paramHandle, void* param,
                                   size_t paramSize);
/** End an argument list. */
aclError aclrtKernelArgsFinalize(aclrtArgsHandle argsHandle);
/** Queue a kernel with arguments in device memory. */
aclError aclrtLaunchKernel(aclrtFuncHandle funcHandle, uint32_t numBlocks, const void* argsData,
                           size_t argsSize, aclrtStream stream);
/** Queue a kernel with arguments in device memory and attributes. */
aclError aclrtLaunchKernelV2(aclrtFuncHandle funcHandle, uint32_t numBlocks, const void* argsData,
                             size_t argsSize, aclrtLaunchKernelCfg* cfg, aclrtStream stream);
/** Queue a kernel with an argument list. */
aclError aclrtLaunchKernelWithConfig(aclrtFuncHandle funcHandle, uint32_t numBlocks, aclrtStream stream,
                                     aclrtLaunchKernelCfg* cfg, aclrtArgsHandle argsHandle, void* reserve);
/** Queue a kernel with arguments in host memory. */
aclError aclrtLaunchKernelWithHostArgs(aclrtFuncHandle funcHandle, uint32_t numBlocks, aclrtStream stream,
                                       aclrtLaunchKernelCfg* cfg, void* hostArgs, size_t argsSize,
                                       aclrtPlaceHolderInfo* placeHolderArray, size_t placeHolderNum);
/** Queue a kernel with one pointer per argument. */
aclError aclrtLaunchKernelWithArgsArray(void* func, uint32_t numBlocks, aclrtStream stream,
                                        aclrtLaunchKernelCfg* cfg, void** args);
/** Queue a many-thread kernel with arguments in host memory. */
aclError aclrtLaunchSIMTKernelWithHostArgs(void* func, dim3 gridDim, dim3 blockDim, size_t dynUbufSize,
                                           aclrtStream stream, aclrtLaunchKernelCfg* cfg, void* hostArgs,
                                           size_t argsSize, aclrtPlaceHolderInfo* placeHolderArray,
                                           size_t placeHolderNum);
/** Queue a many-thread kernel with one pointer per argument. */
aclError aclrtLaunchSIMTKernelWithArgsArray(void* func, dim3 gridDim, dim3 blockDim, size_t dynUbufSize,
                                            aclrtStream stream, aclrtLaunchKernelCfg* cfg, void** args);
/** Device address of a variable of a binary. */
aclError aclrtGetSymbolAddress(const void* symbol, void** devPtr);
/** Bytes of a variable of a binary. */
aclError aclrtGetSymbolSize(const void* symbol, size_t* size);
/** Copy from a variable of a binary. */
aclError aclrtMemcpyFromSymbol(void* dst, size_t dstMax, const void* symbol, size_t count, size_t offset,
                               aclrtMemcpyKind kind);
/** Queue a copy from a variable of a binary. */
aclError aclrtMemcpyFromSymbolAsync(void* dst, size_t dstMax, const void* symbol, size_t count, size_t offset,
                                    aclrtMemcpyKind kind, aclrtStream stream);
/** Copy to a variable of a binary. */
aclError aclrtMemcpyToSymbol(const void* symbol, const void* src, size_t count, size_t offset,
                             aclrtMemcpyKind kind);
/** Queue a copy to a variable of a binary. */
aclError aclrtMemcpyToSymbolAsync(const void* symbol, const void* src, size_t count, size_t offset,
                                  aclrtMemcpyKind kind, aclrtStream stream);
/** Queue a change of a task that was queued before. */
aclError aclrtTaskUpdateAsync(aclrtStream taskStream, uint32_t taskId, aclrtTaskUpdateInfo* info,
                              aclrtStream execStream);
/** Queue filling memory with random numbers. */
aclError aclrtRandomNumAsync(const aclrtRandomNumTaskInfo* taskInfo, const aclrtStream stream, void* reserve);
/** Arguments of the kernel that failed. */
aclError aclrtGetArgsFromExceptionInfo(const aclrtExceptionInfo* info, void** devArgsPtr,
                                       uint32_t* devArgsLen);
/** Kernel that failed. */
aclError aclrtGetFuncHandleFromExceptionInfo(const aclrtExceptionInfo* info, aclrtFuncHandle* func);

/* Host functions for the CPU operators of one embedded chip. */

/** Make a thread the one that runs the host functions of a stream. */
aclError aclrtSubscribeHostFunc(uint64_t hostFuncThreadId, aclrtStream exeStream);
/** Run the host functions that are ready; timeout in milliseconds. */
aclError aclrtProcessHostFunc(int32_t timeout);
/** Undo aclrtSubscribeHostFunc. */
aclError aclrtUnSubscribeHostFunc(uint64_t hostFuncThreadId, aclrtStream exeStream);

/* Captured graphs and model instances. */

/** Begin to capture what is queued on a stream. */
aclError aclmdlRICaptureBegin(aclrtStream stream, aclmdlRICaptureMode mode);
/**
 * Whether a stream is being captured. Nothing is ever captured here, so this is answered truly.
 *
 * Returns   0 with *status ACL_MODEL_RI_CAPTURE_STATUS_NONE and *modelRI null (may be a null pointer); 100000
 *           status is null.
 */
aclError aclmdlRICaptureGetInfo(aclrtStream stream, aclmdlRICaptureStatus* status, aclmdlRI* modelRI);
/** End a capture and get its graph. */
aclError aclmdlRICaptureEnd(aclrtStream stream, aclmdlRI* modelRI);
/** Capture into a graph that exists. */
aclError aclmdlRICaptureToModelRIBegin(aclrtStream stream, aclmdlRI modelRI, aclmdlRICaptureMode mode);
/** Exchange this thread's capture mode. */
aclError aclmdlRICaptureThreadExchangeMode(aclmdlRICaptureMode* mode);
/** Begin a group of tasks that can be changed later. */
aclError aclmdlRICaptureTaskGrpBegin(aclrtStream stream);
/** End the group of tasks that aclmdlRICaptureTaskGrpBegin began. */
aclError aclmdlRICaptureTaskGrpEnd(aclrtStream stream, aclrtTaskGrp* handle);
/** Begin to change a captured group of tasks. */
aclError aclmdlRICaptureTaskUpdateBegin(aclrtStream stream, aclrtTaskGrp handle);
/** End the change of a captured group of tasks. */
aclError aclmdlRICaptureTaskUpdateEnd(aclrtStream stream);
/** Print a graph. */
aclError aclmdlRIDebugPrint(aclmdlRI modelRI);
/** Write a graph as JSON to a file. */
aclError aclmdlRIDebugJsonPrint(aclmdlRI modelRI, const char* path, uint32_t flags);
/** Begin to build a graph by hand. */
aclError aclmdlRIBuildBegin(aclmdlRI* modelRI, uint32_t flag);
/** Bind a stream to a graph. */
aclError aclmdlRIBindStream(aclmdlRI modelRI, aclrtStream stream, uint32_t flag);
/** Undo aclmdlRIBindStream. */
aclError aclmdlRIUnbindStream(aclmdlRI modelRI, aclrtStream stream);
/** Mark the end of a stream's tasks in a graph. */
aclError aclmdlRIEndTask(aclmdlRI modelRI, aclrtStream stream);
/** End building a graph by hand. */
aclError aclmdlRIBuildEnd(aclmdlRI modelRI, void* reserve);
/** Run a graph and wait, timeout in milliseconds. */
aclError aclmdlRIExecute(aclmdlRI modelRI, int32_t timeout);
/** Queue a graph on a stream. */
aclError aclmdlRIExecuteAsync(aclmdlRI modelRI, aclrtStream stream);
/** Stop a running graph. */
aclError aclmdlRIAbort(aclmdlRI modelRI);
/** Destroy a graph. */
aclError aclmdlRIDestroy(aclmdlRI modelRI);
/** Callback for the destruction of a graph. */
aclError aclmdlRIDestroyRegisterCallback(aclmdlRI modelRI, aclrtCallback func, void* userData);
/** Undo aclmdlRIDestroyRegisterCallback. */
aclError aclmdlRIDestroyUnregisterCallback(aclmdlRI modelRI, aclrtCallback func);
/** Name a graph. */
aclError aclmdlRISetName(aclmdlRI modelRI, const char* name);
/** Name of a graph, up to maxLen characters. */
aclError aclmdlRIGetName(aclmdlRI modelRI, uint32_t maxLen, char* name);
/** Id of a graph. */
aclError aclmdlRIGetId(aclmdlRI modelRI, uint32_t* modelRIId);
/** Streams of a graph. */
aclError aclmdlRIGetStreams(aclmdlRI modelRI, aclrtStream* streams, uint32_t* numStreams);
/** Tasks of a graph's stream. */
aclError aclmdlRIGetTasksByStream(aclrtStream stream, aclmdlRITask* tasks, uint32_t* numTasks);
/** Sequence number of a task. */
aclError aclmdlRITaskGetSeqId(aclmdlRITask task, uint32_t* id);
/** Kind of a task. */
aclError aclmdlRITaskGetType(aclmdlRITask task, aclmdlRITaskType* type);
/** Parameters of a task. */
aclError aclmdlRITaskGetParams(aclmdlRITask task, aclmdlRITaskParams* params);
/** Change the parameters of a task. */
aclError aclmdlRITaskSetParams(aclmdlRITask task, aclmdlRITaskParams* params);
/** Attribute of a kernel task. */
aclError aclmdlRIKernelTaskGetAttribute(aclmdlRITask task, aclrtLaunchKernelAttrId attrId,
                                        aclrtLaunchKernelAttrValue* attrValue);
/** Leave a task out of the runs. */
aclError aclmdlRITaskDisable(aclmdlRITask task);
/** Make changed parameters of tasks effective in their graph. */
aclError aclmdlRIUpdate(aclmdlRI modelRI);
/** Create a condition for a graph. */
aclError aclmdlRICondHandleCreate(aclmdlRI modelRI, uint32_t defaultLaunchValue, aclmdlRICondHandleFlag flag,
                                  aclmdlRICondHandle* handle);
/** Device address of a condition. */
aclError aclmdlRICondHandleGetCondPtr(aclmdlRICondHandle handle, uint64_t** ptr);
/** Queue a task that depends on a condition. */
aclError aclmdlRIAddCondTask(aclmdlRICondTaskParams params, aclrtStream stream, uint32_t flags);
/** Begin to write what models compute into files. */
aclError aclmdlInitDump(void);
/** Say which results of models are written into files; dumpCfgPath names a JSON file. */
aclError aclmdlSetDump(const char* dumpCfgPath);
/** End writing what models compute into files. */
aclError aclmdlFinalizeDump(void);

/* Labels and switches between streams. */

/** Create a label. */
aclError aclrtCreateLabel(aclrtLabel* label);
/** Put a label at this point of a stream. */
aclError aclrtSetLabel(aclrtLabel label, aclrtStream stream);
/** Destroy a label. */
aclError aclrtDestroyLabel(aclrtLabel label);
/** Make a list of labels. */
aclError aclrtCreateLabelList(aclrtLabel* labels, size_t num, aclrtLabelList* labelList);
/** Destroy a list of labels. */
aclError aclrtDestroyLabelList(aclrtLabelList labelList);
/** Queue a jump to the label whose number is in device memory. */
aclError aclrtSwitchLabelByIndex(void* ptr, uint32_t maxValue, aclrtLabelList labelList, aclrtStream stream);
/** Queue the activation of another stream. */
aclError aclrtActiveStream(aclrtStream activeStream, aclrtStream stream);
/** Queue a choice between two streams. */
aclError aclrtSwitchStream(void* leftValue, aclrtCondition cond, void* rightValue,
                           aclrtCompareDataType dataType, aclrtStream trueStream, aclrtStream falseStream,
                           aclrtStream stream);
/** Drop the tasks that a persistent stream keeps. */
aclError aclrtPersistentTaskClean(aclrtStream stream);
/** Attach operator information to the last task. */
aclError aclrtCacheLastTaskOpInfo(const void* const infoPtr, const size_t infoSize);
/** Attach a text to the last task. */
aclError aclrtCacheLastTaskExtendInfo(const char* const extendInfoPtr, const size_t infoSize);

/* Caches. */

/** Queue a cache operation. */
aclError aclrtCmoAsync(void* src, size_t size, aclrtCmoType cmoType, aclrtStream stream);
/** Queue a cache operation that a barrier can wait for. */
aclError aclrtCmoAsyncWithBarrier(void* src, size_t size, aclrtCmoType cmoType, uint32_t barrierId,
                                  aclrtStream stream);
/** Queue waiting for cache operations. */
aclError aclrtCmoWaitBarrier(aclrtBarrierTaskInfo* taskInfo, aclrtStream stream, uint32_t flag);
/** Bytes of a cache descriptor. */
aclError aclrtCmoGetDescSize(size_t* size);
/** Fill a cache descriptor. */
aclError aclrtCmoSetDesc(void* cmoDesc, void* src, size_t size);
/** Queue a cache operation by descriptor. */
aclError aclrtCmoAsyncWithDesc(void* cmoDesc, aclrtCmoType cmoType, aclrtStream stream, const void* reserve);
/** Write cached device memory back. */
aclError aclrtMemFlush(void* devPtr, size_t size);
/** Forget cached device memory. */
aclError aclrtMemInvalidate(void* devPtr, size_t size);

/* Copies by descriptor or offset, managed memory. */

/** Bytes of a copy descriptor. */
aclError aclrtGetMemcpyDescSize(aclrtMemcpyKind kind, size_t* descSize);
/** Fill a copy descriptor. */
aclError aclrtSetMemcpyDesc(void* desc, aclrtMemcpyKind kind, void* srcAddr, void* dstAddr, size_t count,
                            void* config);
/** Queue a copy by descriptor. */
aclError aclrtMemcpyAsyncWithDesc(void* desc, aclrtMemcpyKind kind, aclrtStream stream);
/** Queue a copy whose addresses are read when it runs. */
aclError aclrtMemcpyAsyncWithOffset(void** dst, size_t destMax, size_t dstDataOffset, const void** src,
                                    size_t count, size_t srcDataOffset, aclrtMemcpyKind kind,
                                    aclrtStream stream);
/** Allocate memory that moves between host and device by itself. */
aclError aclrtMemAllocManaged(void** ptr, uint64_t size, uint32_t flag);
/** Say how managed memory will be used. */
aclError aclrtMemManagedAdvise(const void* const ptr, uint64_t size, aclrtMemManagedAdviseType advise,
                               aclrtMemManagedLocation location);
/** One attribute of managed memory. */
aclError aclrtMemManagedGetAttr(aclrtMemManagedRangeAttribute attribute, const void* ptr, size_t size,
                                void* data, size_t dataSize);
/** Several attributes of managed memory. */
aclError aclrtMemManagedGetAttrs(aclrtMemManagedRangeAttribute* attributes, size_t numAttributes,
                                 const void* ptr, size_t size, void** data, size_t* dataSizes);
/** Queue moving managed memory. */
aclError aclrtMemManagedPrefetchAsync(const void* ptr, size_t size, aclrtMemManagedLocation location,
                                      uint32_t flags, aclrtStream stream);
/** Queue moving several pieces of managed memory. */
aclError aclrtMemManagedPrefetchBatchAsync(const void** ptrs, size_t* sizes, size_t count,
                                           aclrtMemManagedLocation* prefetchLocs, size_t* prefetchLocIdxs,
                                           size_t numPrefetchLocs, uint64_t flags, aclrtStream stream);

/* Groups of cores, message buffers, snapshots. */

/** Choose the group of cores of this thread. */
aclError aclrtSetGroup(int32_t groupId);
/** Number of groups. */
aclError aclrtGetGroupCount(uint32_t* count);
/** Make room for the information on all groups. Returns null. */
aclrtGroupInfo* aclrtCreateGroupInfo(void);
/** Delete what aclrtCreateGroupInfo made. */
aclError aclrtDestroyGroupInfo(aclrtGroupInfo* groupInfo);
/** Fetch the information on all groups. */
aclError aclrtGetAllGroupInfo(aclrtGroupInfo* groupInfo);
/** One attribute of a group. */
aclError aclrtGetGroupInfoDetail(const aclrtGroupInfo* groupInfo, int32_t groupIndex, aclrtGroupAttr attr,
                                 void* attrValue, size_t valueLen, size_t* paramRetSize);
/** Allocate a message buffer. */
aclError aclrtAllocBuf(aclrtMbuf* buf, size_t size);
/** Free a message buffer. */
aclError aclrtFreeBuf(aclrtMbuf buf);
/** Set the used bytes of a message buffer. */
aclError aclrtSetBufDataLen(aclrtMbuf buf, size_t len);
/** Used bytes of a message buffer. */
aclError aclrtGetBufDataLen(aclrtMbuf buf, size_t* len);
/** Address and bytes of a message buffer. */
aclError aclrtGetBufData(const aclrtMbuf buf, void** dataPtr, size_t* size);
/** Write the private area of a message buffer. */
aclError aclrtSetBufUserData(aclrtMbuf buf, const void* dataPtr, size_t size, size_t offset);
/** Read the private area of a message buffer. */
aclError aclrtGetBufUserData(const aclrtMbuf buf, void* dataPtr, size_t size, size_t offset);
/** Another reference to a message buffer. */
aclError aclrtCopyBufRef(const aclrtMbuf buf, aclrtMbuf* newBuf);
/** Append to a chain of message buffers. */
aclError aclrtAppendBufChain(aclrtMbuf headBuf, aclrtMbuf buf);
/** Length of a chain of message buffers. */
aclError aclrtGetBufChainNum(aclrtMbuf headBuf, uint32_t* num);
/** One buffer of a chain. */
aclError aclrtGetBufFromChain(aclrtMbuf headBuf, uint32_t index, aclrtMbuf* buf);
/** Stop a process's device work for a snapshot. */
aclError aclrtSnapShotProcessLock(int pid, void* reserve);
/** Let a process's device work go on after aclrtSnapShotProcessLock. */
aclError aclrtSnapShotProcessUnlock(int pid, void* reserve);
/** Save a process's device state. */
aclError aclrtSnapShotProcessBackup(int pid, aclrtSnapShotBackupArgs* args);
/** Restore a process's device state. */
aclError aclrtSnapShotProcessRestore(int pid, aclrtSnapShotRestoreArgs* args);
/** Callback for a stage of a snapshot. */
aclError aclrtSnapShotCallbackRegister(aclrtSnapShotStage stage, aclrtSnapShotCallBack callback, void* args);
/** Undo aclrtSnapShotCallbackRegister. */
aclError aclrtSnapShotCallbackUnregister(aclrtSnapShotStage stage, aclrtSnapShotCallBack callback);

/* Overflow of arithmetic, faults of hardware. */

/** Turn the overflow check of a stream on or off. */
aclError aclrtSetStreamOverflowSwitch(aclrtStream stream, uint32_t flag);
/** Whether the overflow check of a stream is on. */
aclError aclrtGetStreamOverflowSwitch(aclrtStream stream, uint32_t* flag);
/** Choose between saturation and infinities. */
aclError aclrtSetDeviceSatMode(aclrtFloatOverflowMode mode);
/** Whether arithmetic saturates or gives infinities. */
aclError aclrtGetDeviceSatMode(aclrtFloatOverflowMode* mode);
/** Queue reading the overflow flag. */
aclError aclrtGetOverflowStatus(void* outputAddr, size_t outputSize, aclrtStream stream);
/** Queue clearing the overflow flag. */
aclError aclrtResetOverflowStatus(aclrtStream stream);
/** Device address of the overflow flag. */
aclError aclrtCtxGetFloatOverflowAddr(void** overflowAddr);
/** Queue reading the overflow flag of the context. */
aclError aclrtGetFloatOverflowStatus(void* outputAddr, uint64_t outputSize, aclrtStream stream);
/** Queue clearing the overflow flag of the context. */
aclError aclrtResetFloatOverflowStatus(aclrtStream stream);
/** Queue reading the overflow flag of the chip. */
aclError aclrtNpuGetFloatOverFlowStatus(void* outputAddr, uint64_t outputSize, uint32_t checkMode,
                                        aclrtStream stream);
/** Queue clearing the overflow flag of the chip. */
aclError aclrtNpuClearFloatOverFlowStatus(uint32_t checkMode, aclrtStream stream);
/** Memory with uncorrectable errors. */
aclError aclrtGetMemUceInfo(int32_t deviceId, aclrtMemUceInfo* memUceInfoArray, size_t arraySize,
                            size_t* retSize);
/** Repair memory with uncorrectable errors. */
aclError aclrtMemUceRepair(int32_t deviceId, aclrtMemUceInfo* memUceInfoArray, size_t arraySize);
/** Repair what aclrtGetErrorVerbose reported. */
aclError aclrtRepairError(int32_t deviceId, const aclrtErrorInfo* errorInfo);
/** Address for synchronising cores in hardware. */
aclError aclrtGetHardwareSyncAddr(void** addr);
/** Queue a profiling mark. */
aclError aclrtProfTrace(void* userdata, int32_t length, aclrtStream stream);
/** Choose the task scheduler of this thread. */
aclError aclrtSetTsDevice(aclrtTsId tsId);

/* Limits of kernels. */

/** Time limit of kernels, in seconds. */
aclError aclrtSetOpExecuteTimeOut(uint32_t timeout);
/** Time limit of kernels, in milliseconds. */
aclError aclrtSetOpExecuteTimeOutWithMs(uint32_t timeout);
/** Time limit of kernels, in microseconds, and the one that took effect. */
aclError aclrtSetOpExecuteTimeOutV2(uint64_t timeout, uint64_t* actualTimeout);
/** Time limit of kernels that is in effect, in milliseconds. */
aclError aclrtGetOpExecuteTimeout(uint32_t* const timeoutMs);
/** Step of time limits, in microseconds. */
aclError aclrtGetOpTimeOutInterval(uint64_t* interval);
/** Number of cores that kernels of a stream may use. */
aclError aclrtGetStreamResLimit(aclrtStream stream, aclrtDevResLimitType type, uint32_t* value);
/** Set how many cores kernels of a stream may use. */
aclError aclrtSetStreamResLimit(aclrtStream stream, aclrtDevResLimitType type, uint32_t value);
/** Let kernels of a stream use all cores again. */
aclError aclrtResetStreamResLimit(aclrtStream stream);
/** Let work of this thread use the cores that were set for a stream. */
aclError aclrtUseStreamResInCurrentThread(aclrtStream stream);
/** Undo aclrtUseStreamResInCurrentThread. */
aclError aclrtUnuseStreamResInCurrentThread(aclrtStream stream);
/** Set a limit of the device, such as stack bytes. */
aclError aclrtDeviceSetLimit(aclrtDeviceLimit limit, size_t value);
/** Read a limit of the device. */
aclError aclrtDeviceGetLimit(aclrtDeviceLimit limit, size_t* value);

/* The rest. */

/** Whether addresses are of a kind of memory. */
aclError aclrtCheckMemType(void** addrList, uint32_t size, uint32_t memType, uint32_t* checkResult,
                           uint32_t reserve);
/** Atomic operations between a device and the host. */
aclError aclrtDeviceGetHostAtomicCapabilities(uint32_t* capabilities, const aclrtAtomicOperation* operations,
                                              const uint32_t count, int32_t deviceId);
/** Atomic operations between two devices. */
aclError aclrtDeviceGetP2PAtomicCapabilities(uint32_t* capabilities, const aclrtAtomicOperation* operations,
                                             const uint32_t count, int32_t srcDeviceId, int32_t dstDeviceId);
/** Whether an accelerator of a device can reach registered host memory. */
aclError aclrtHostMemMapCapabilities(uint32_t deviceId, aclrtHacType hacType,
                                     aclrtHostMemMapCapability* capabilities);
/** Map memory to another kind of link. */
aclError aclrtMemMapSelectedLink(void* virPtrDst, size_t size, void* virPtrSrc, uint32_t linkIdx);
/** Map device memory for another device. */
aclError aclrtMemP2PMap(void* devPtr, size_t size, int32_t dstDevId, uint64_t flags);
/** Reserve addresses outside one area of the chip. */
aclError aclrtReserveMemAddressNoUCMemory(void** virPtr, size_t size, size_t alignment, void* expectPtr,
                                          uint64_t flags);
/** Memory use by module. */
aclError aclrtGetMemUsageInfo(int32_t deviceId, aclrtMemUsageInfo* memUsageInfo, size_t inputNum,
                              size_t* outputNum);
/** Properties of physical memory. */
aclError aclrtMemGetAllocationPropertiesFromHandle(aclrtDrvMemHandle handle, aclrtPhysicalMemProp* prop);
/** Name processes on other servers that may import a notify. */
aclError aclrtNotifySetImportPidInterServer(aclrtNotify notify, aclrtServerPid* serverPids, size_t num);
/** Name processes on other servers that may import memory. */
aclError aclrtIpcMemImportPidInterServer(const char* key, aclrtServerPid* serverPids, size_t num);
/** Handle for physical memory that also works between servers. */
aclError aclrtMemExportToShareableHandleV2(aclrtDrvMemHandle handle, uint64_t flags,
                                           aclrtMemSharedHandleType shareType, void* shareableHandle);
/** Open physical memory by a handle of aclrtMemExportToShareableHandleV2. */
aclError aclrtMemImportFromShareableHandleV2(void* shareableHandle, aclrtMemSharedHandleType shareType,
                                             uint64_t flags, aclrtDrvMemHandle* handle);
/** Name the processes that may open memory by a handle of aclrtMemExportToShareableHandleV2. */
aclError aclrtMemSetPidToShareableHandleV2(void* shareableHandle, aclrtMemSharedHandleType shareType,
                                           int32_t* pid, size_t pidNum);

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif

#ifdef __cplusplus
}
#endif

#endif /* ACL_ACL_RT_UNSUPPORTED_H_ */
