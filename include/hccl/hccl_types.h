/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Types and constants of HCCL. Plain C, usable from C++11 on.
 * Source: public headers of CANN HCCL 9.x, names, numbers and layouts; meaning of HcclCommConfig: its API
 * reference.
 */
#ifndef HCCL_TYPES_H_
#define HCCL_TYPES_H_

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Constants are objects, not macros, as in CANN. C does not accept an object as the length of an array, so
 * there the small ones are enumerators.
 */
#ifdef __cplusplus
#define HCCL_LENGTH_CONSTANT_(name, value) const uint32_t name = value
#else
#define HCCL_LENGTH_CONSTANT_(name, value) enum { name = value }
#endif

HCCL_LENGTH_CONSTANT_(HCCL_ROOT_INFO_BYTES, 4108);
HCCL_LENGTH_CONSTANT_(COMM_NAME_MAX_LENGTH, 128); /* with the terminator, as the other lengths */
HCCL_LENGTH_CONSTANT_(BUFFER_NAME_MAX_LENGTH, 128);
HCCL_LENGTH_CONSTANT_(UDI_MAX_LENGTH, 128);
HCCL_LENGTH_CONSTANT_(HCCL_COMM_ALGO_MAX_LENGTH, 1600);
HCCL_LENGTH_CONSTANT_(HCCL_COMM_RETRY_ENABLE_MAX_LENGTH, 50);
HCCL_LENGTH_CONSTANT_(HCCL_COMM_RETRY_PARAMS_MAX_LENGTH, 128);
HCCL_LENGTH_CONSTANT_(HCCL_COMM_CONFIG_INFO_BYTES, 24);

#undef HCCL_LENGTH_CONSTANT_

static const uint32_t HCCL_COMM_CONFIG_MAGIC_WORD = 0xf0f0f0f0U;
static const uint32_t HCCL_COMM_CONFIG_VERSION = 11;
static const uint32_t HCCL_COMM_DEFAULT_BUFFSIZE = 200; /* MB */
static const uint32_t HCCL_COMM_DEFAULT_DETERMINISTIC = 0;
static const uint32_t HCCL_COMM_DEFAULT_OP_EXPANSION_MODE = 0;
static const uint32_t HCCL_COMM_BUFFSIZE_CONFIG_NOT_SET = 0xffffffffU;
static const uint32_t HCCL_COMM_DETERMINISTIC_CONFIG_NOT_SET = 0xffffffffU;
static const uint32_t HCCL_COMM_TRAFFIC_CLASS_CONFIG_NOT_SET = 0xffffffffU;
static const uint32_t HCCL_COMM_SERVICE_LEVEL_CONFIG_NOT_SET = 0xffffffffU;
static const uint32_t HCCL_COMM_QOS_CONFIG_NOT_SET = 0xffffffffU;
static const uint32_t HCCL_COMM_SQ_DEPTH_CONFIG_NOT_SET = 0xffffffffU;
static const int32_t HCCL_COMM_EXECTIMEOUT_CONFIG_NOT_SET = -1;
static const uint64_t HCCL_DEFAULT_SYMMETRIC_MEMORY_STRIDE = 16; /* GB */

/* Handles. */
typedef void* HcclComm;
typedef void* HcclConn;
typedef void* HcclCommSymWindow;

/* Result of every call; HcclGetErrorString has the words. */
typedef enum {
  HCCL_SUCCESS = 0,
  HCCL_E_PARA = 1,               /* an argument has a value that is not allowed */
  HCCL_E_PTR = 2,                /* an argument is null */
  HCCL_E_MEMORY = 3,             /* memory operation failed */
  HCCL_E_INTERNAL = 4,           /* failed inside; also a count or type that differs between two ranks */
  HCCL_E_NOT_SUPPORT = 5,        /* not available here */
  HCCL_E_NOT_FOUND = 6,          /* something named does not exist */
  HCCL_E_UNAVAIL = 7,            /* a resource cannot be had */
  HCCL_E_SYSCALL = 8,            /* the operating system refused */
  HCCL_E_TIMEOUT = 9,            /* other ranks did not come in time */
  HCCL_E_OPEN_FILE_FAILURE = 10, /* a file cannot be opened */
  HCCL_E_TCP_CONNECT = 11,
  HCCL_E_ROCE_CONNECT = 12,
  HCCL_E_TCP_TRANSFER = 13,
  HCCL_E_ROCE_TRANSFER = 14,
  HCCL_E_RUNTIME = 15, /* the ACL runtime refused */
  HCCL_E_DRV = 16,
  HCCL_E_PROFILING = 17,
  HCCL_E_CCE = 18,
  HCCL_E_NETWORK = 19,
  HCCL_E_AGAIN = 20,      /* busy; try again */
  HCCL_E_REMOTE = 21,     /* the other side failed */
  HCCL_E_SUSPENDING = 22, /* the communicator is suspended */
  HCCL_E_OPRETRY_FAIL = 23,
  HCCL_E_OOM = 24,
  HCCL_E_IN_STATUS = 1041,
  HCCL_E_RESERVED = 1042 /* end of the list, never returned */
} HcclResult;

typedef enum {
  HCCL_REDUCE_SUM = 0,
  HCCL_REDUCE_PROD = 1,
  HCCL_REDUCE_MAX = 2,
  HCCL_REDUCE_MIN = 3,
  HCCL_REDUCE_RESERVED = 255
} HcclReduceOp;

/*
 * Type of the elements that a count counts. Point-to-point calls copy bits and convert nothing. 13 is not
 * used.
 */
typedef enum {
  HCCL_DATA_TYPE_INT8 = 0,
  HCCL_DATA_TYPE_INT16 = 1,
  HCCL_DATA_TYPE_INT32 = 2,
  HCCL_DATA_TYPE_FP16 = 3,
  HCCL_DATA_TYPE_FP32 = 4,
  HCCL_DATA_TYPE_INT64 = 5,
  HCCL_DATA_TYPE_UINT64 = 6,
  HCCL_DATA_TYPE_UINT8 = 7,
  HCCL_DATA_TYPE_UINT16 = 8,
  HCCL_DATA_TYPE_UINT32 = 9,
  HCCL_DATA_TYPE_FP64 = 10,
  HCCL_DATA_TYPE_BFP16 = 11,  /* 2 bytes */
  HCCL_DATA_TYPE_INT128 = 12, /* 16 bytes */
  HCCL_DATA_TYPE_HIF8 = 14,   /* 1 byte, as the three below */
  HCCL_DATA_TYPE_FP8E4M3 = 15,
  HCCL_DATA_TYPE_FP8E5M2 = 16,
  HCCL_DATA_TYPE_FP8E8M0 = 17,
  HCCL_DATA_TYPE_RESERVED = 255
} HcclDataType;

typedef enum { HCCL_DETERMINISTIC = 0, HCCL_CONFIG_RESERVED = 1 } HcclConfig;

/* Capability c is there when c is less than what HcclGetCommConfigCapability returns. */
typedef enum {
  HCCL_COMM_CONFIG_BUFFER_SIZE = 0,
  HCCL_COMM_CONFIG_DETERMINISTIC = 1,
  HCCL_COMM_CONFIG_COMM_NAME = 2,
  HCCL_COMM_CONFIG_OP_EXPANSION_MODE = 3,
  HCCL_COMM_CONFIG_SUPPORT_INIT_BY_ENV = 4,
  HCCL_COMM_CONFIG_WORLD_RANKID = 5,
  HCCL_COMM_CONFIG_JOBID = 6,
  HCCL_COMM_CONFIG_ACLGRAPH_ZEROCOPY_ENABLE = 7,
  HCCL_COMM_CONFIG_EXEC_TIMEOUT = 8,
  HCCL_COMM_CONFIG_ALGO = 9,
  HCCL_COMM_CONFIG_RETRY = 10,
  HCCL_COMM_CONFIG_BUFFER_NAME = 11,
  HCCL_COMM_CONFIG_RESERVED = 12
} HcclCommConfigCapability;

typedef enum { HCCL_SEND = 0, HCCL_RECV = 1, HCCL_SEND_RECV_RESERVED = 2 } HcclSendRecvType;

typedef enum {
  HCCL_CMD_INVALID = 0,
  HCCL_CMD_BROADCAST = 1,
  HCCL_CMD_ALLREDUCE = 2,
  HCCL_CMD_REDUCE = 3,
  HCCL_CMD_SEND = 4,
  HCCL_CMD_RECEIVE = 5,
  HCCL_CMD_ALLGATHER = 6,
  HCCL_CMD_REDUCE_SCATTER = 7,
  HCCL_CMD_ALLTOALLV = 8,
  HCCL_CMD_ALLTOALLVC = 9,
  HCCL_CMD_ALLTOALL = 10,
  HCCL_CMD_GATHER = 11,
  HCCL_CMD_SCATTER = 12,
  HCCL_CMD_BATCH_SEND_RECV = 13,
  HCCL_CMD_BATCH_PUT = 14,
  HCCL_CMD_BATCH_GET = 15,
  HCCL_CMD_ALLGATHER_V = 16,
  HCCL_CMD_REDUCE_SCATTER_V = 17,
  HCCL_CMD_BATCH_WRITE = 18,
  HCCL_CMD_HALF_ALLTOALLV = 20,
  HCCL_CMD_ALL = 21,
  HCCL_CMD_FINALIZE = 100,
  HCCL_CMD_INTER_GROUP_SYNC = 101,
  HCCL_CMD_INIT = 102,
  HCCL_CMD_BARRIER = 103,
  HCCL_CMD_MAX = 104
} HcclCMDType;

typedef enum {
  HCCL_COMM_STATUS_READY = 0,
  HCCL_COMM_STATUS_SUSPENDING = 1,
  HCCL_COMM_STATUS_INVALID = 254,
  HCCL_COMM_STATUS_RESERVED = 255
} HcclCommStatus;

typedef enum {
  HCCL_COMM_STATE_PHASE_INVALID = -1,
  HCCL_COMM_STATE_PHASE_DESTROY_PRE = 0,
  HCCL_COMM_STATE_PHASE_DESTROY_POST = 1,
  HCCL_COMM_STATE_PHASE_RESUME_PRE = 2,
  HCCL_COMM_STATE_PHASE_RESUME_POST = 3
} HcclCommStatePhase;

/*
 * What the root rank makes and every rank gets, copied byte by byte by the program. The content is the
 * library's.
 */
typedef struct HcclRootInfoDef {
  char internal[HCCL_ROOT_INFO_BYTES];
} HcclRootInfo;

typedef union HcclConfigValue {
  int32_t value;
} HcclConfigValue;

/* One send or one receive of HcclBatchSendRecv. */
typedef struct HcclSendRecvItemDef {
  HcclSendRecvType sendRecvType;
  void* buf;             /* source of a send, destination of a receive */
  uint64_t count;        /* elements, not bytes; 0 moves nothing and then buf may be null */
  HcclDataType dataType; /* of both sides */
  uint32_t remoteRank;   /* destination of a send, source of a receive */
} HcclSendRecvItem;

/*
 * Settings of one communicator. Start with HcclCommConfigInit, then change fields; all ranks pass equal
 * settings. A field that is "not set" takes its value from the environment variable named beside it, then
 * from the default. The library tells by the hidden header in `reserved` how long the caller's struct is and
 * which fields it knows.
 */
typedef struct HcclCommConfigDef {
  char reserved[HCCL_COMM_CONFIG_INFO_BYTES]; /* size, magic word, version; not for the program */
  uint32_t hcclBufferSize;                    /* MB, from 1; HCCL_BUFFSIZE; 200 */
  uint32_t hcclDeterministic;                 /* 0 to 2; HCCL_DETERMINISTIC; 0. Reductions only */
  char hcclCommName[COMM_NAME_MAX_LENGTH];    /* unique on a device; "" lets the library choose */
  char hcclUdi[UDI_MAX_LENGTH];               /* any text, for logs */
  uint32_t hcclOpExpansionMode;               /* 0 default, 1 host, 2 AI CPU, 3 AIV, 4 AIV only, 5, 6 CCU */
  uint32_t hcclRdmaTrafficClass;              /* 0 to 255, a multiple of 4; HCCL_RDMA_TC; 132 */
  uint32_t hcclRdmaServiceLevel;              /* 0 to 7; HCCL_RDMA_SL; 4 */
  uint32_t hcclWorldRankID;                   /* the framework's global rank */
  uint64_t hcclJobID;                         /* the framework's job */
  uint8_t aclGraphZeroCopyEnable;             /* 0 or 1, for reductions in captured graphs */
  int32_t hcclExecTimeOut;                    /* seconds; HCCL_EXEC_TIMEOUT; 1836 */
  char hcclAlgo[HCCL_COMM_ALGO_MAX_LENGTH];   /* as HCCL_ALGO */
  char hcclRetryEnable[HCCL_COMM_RETRY_ENABLE_MAX_LENGTH]; /* as HCCL_OP_RETRY_ENABLE */
  char hcclRetryParams[HCCL_COMM_RETRY_PARAMS_MAX_LENGTH]; /* as HCCL_OP_RETRY_PARAMS */
  char hcclBufferName[BUFFER_NAME_MAX_LENGTH]; /* communicators of one name share a buffer and one stream */
  uint32_t hcclQos;                            /* 0 to 7 */
  uint64_t hcclSymWinMaxMemSizePerRank;        /* GB; 16 */
  uint32_t hcclChannelSqDepth;                 /* depth of send queues */
} HcclCommConfig;

#ifdef __cplusplus
}
#endif

#endif /* HCCL_TYPES_H_ */
