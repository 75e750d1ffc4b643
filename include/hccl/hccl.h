/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Operations of HCCL. Programs include this one; it brings the communicator calls, the types and ACL along.
 * Plain C.
 *
 * Rules that hold for every operation:
 *   Queueing  A call puts work on a stream and returns, whatever the size; data has moved when the stream has
 *             passed it.
 *   Buffers   Device memory, host memory of aclrtMallocHost, or any other memory of the process (Tandem); any
 *             alignment. They must stay valid until the stream has passed the operation.
 *   Counts    are elements, never bytes; at most 34359738367 (0x7FFFFFFFF).
 *   Source    CANN HCCL 9.x, API reference page of the same name; codes: its published sources, the path of
 *             the A2 and A3 products. "(Tandem)" marks Tandem's own rule.
 */
#ifndef HCCL_H_
#define HCCL_H_

#include <acl/acl.h>
#include <hccl/hccl_comm.h>
#include <hccl/hccl_types.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#pragma GCC visibility push(default)
#endif

/**
 * Queue sending `count` elements at sendBuf to rank destRank, to be taken by an HcclRecv there.
 *
 * Pairing   Between two ranks, in one direction, the k-th HcclSend meets the k-th HcclRecv, with the same
 *           count and type on both sides. Items of HcclBatchSendRecv meet only items of HcclBatchSendRecv.
 * Order     Starts after earlier work on `stream`; later work waits until the receiver has the data. There is
 *           no buffering: a send does not end before its receive is there, at any size.
 * Returns   HCCL_SUCCESS        queued; also when count is 0, which does nothing and needs no partner
 *           HCCL_E_PTR          comm, sendBuf or stream is null
 *           HCCL_E_PARA         count too large, destRank not below the rank size, comm is not alive
 *           HCCL_E_NOT_SUPPORT  dataType unknown, or destRank is this rank (Tandem)
 * Later     From aclrtSynchronizeStream and HcclGetCommAsyncError: count or type differ, on both ranks,
 *           before a byte moved (EI0005; Tandem checks every operation); no partner within the execution
 *           time-out (EI0002); the partner's process ended.
 * Threads   Safe from any thread; calls on one stream run in the order they were queued.
 */
HcclResult HcclSend(void* sendBuf, uint64_t count, HcclDataType dataType, uint32_t destRank, HcclComm comm,
                    aclrtStream stream);

/**
 * Queue receiving `count` elements from an HcclSend of rank srcRank into recvBuf.
 *
 * Pairing, order, later failures and threads are as for HcclSend.
 *
 * Returns   HCCL_SUCCESS        queued; also when count is 0, which does nothing and needs no partner
 *           HCCL_E_PTR          comm, recvBuf or stream is null
 *           HCCL_E_PARA         count too large, srcRank not below the rank size, comm is not alive
 *           HCCL_E_NOT_SUPPORT  dataType unknown, or srcRank is this rank (Tandem)
 */
HcclResult HcclRecv(void* recvBuf, uint64_t count, HcclDataType dataType, uint32_t srcRank, HcclComm comm,
                    aclrtStream stream);

/**
 * Queue a batch of sends and receives on `stream`; within this rank no item waits for another.
 *
 * Shape     sendRecvInfo[0 .. itemNum); each item moves count elements of dataType to or from remoteRank.
 *           Items of count 0 are left out, and their buf may be null. Sends to this rank itself meet its
 *           receives from itself in order; there must be as many, with equal counts and types.
 * Pairing   Every item meets one item of the partner's matching batch, with the same count and type. In one
 *           batch a partner is named at most once per direction; TANDEM_BATCH_DUPLICATES allows more
 *           (Tandem).
 * Order     Starts after earlier work on `stream`; later work waits for every item. The order in the array is
 *           free.
 * Lifetime  The array is copied before return. Each buf must stay valid until the stream has passed the
 *           batch.
 * Returns   HCCL_SUCCESS        queued, or itemNum == 0 and nothing to do
 *           HCCL_E_PTR          comm, stream or sendRecvInfo is null, or a buf with count above 0 is
 *           HCCL_E_PARA         an item's kind is unknown, its count too large or its remoteRank not below
 *                               the rank size; a partner is named twice in one direction; self items do not
 *                               match; comm is not alive
 *           HCCL_E_NOT_SUPPORT  a dataType is unknown
 *           The first bad item in the order of the array decides, and then nothing at all is queued (Tandem).
 * Later     As for HcclSend.
 * Threads   Safe from any thread; batches from several threads on one stream run in the order they were
 *           queued.
 */
HcclResult HcclBatchSendRecv(HcclSendRecvItem* sendRecvInfo, uint32_t itemNum, HcclComm comm,
                             aclrtStream stream);

/*
 * Collective operations. Outside Tandem's scope: they link, always return HCCL_E_NOT_SUPPORT, look at no
 * argument and queue nothing. Counts are elements; counts and displacements by array are one uint64_t per
 * rank.
 */

/** Reduce over all ranks, result everywhere. */
HcclResult HcclAllReduce(void* sendBuf, void* recvBuf, uint64_t count, HcclDataType dataType, HcclReduceOp op,
                         HcclComm comm, aclrtStream stream);
/** Copy from root to every rank. */
HcclResult HcclBroadcast(void* buf, uint64_t count, HcclDataType dataType, uint32_t root, HcclComm comm,
                         aclrtStream stream);
/** Reduce over all ranks, one equal part of the result per rank. */
HcclResult HcclReduceScatter(void* sendBuf, void* recvBuf, uint64_t recvCount, HcclDataType dataType,
                             HcclReduceOp op, HcclComm comm, aclrtStream stream);
/** Reduce over all ranks, one part of the result per rank, of different lengths. */
HcclResult HcclReduceScatterV(void* sendBuf, const void* sendCounts, const void* sendDispls, void* recvBuf,
                              uint64_t recvCount, HcclDataType dataType, HcclReduceOp op, HcclComm comm,
                              aclrtStream stream);
/** Root gives every rank one equal part. */
HcclResult HcclScatter(void* sendBuf, void* recvBuf, uint64_t recvCount, HcclDataType dataType, uint32_t root,
                       HcclComm comm, aclrtStream stream);
/** Every rank gets the parts of all ranks. */
HcclResult HcclAllGather(void* sendBuf, void* recvBuf, uint64_t sendCount, HcclDataType dataType,
                         HcclComm comm, aclrtStream stream);
/** Every rank gets the parts of all ranks, of different lengths. */
HcclResult HcclAllGatherV(void* sendBuf, uint64_t sendCount, void* recvBuf, const void* recvCounts,
                          const void* recvDispls, HcclDataType dataType, HcclComm comm, aclrtStream stream);
/** Every rank gives every rank a part, lengths from one matrix. */
HcclResult HcclAlltoAllVC(const void* sendBuf, const void* sendCountMatrix, HcclDataType sendType,
                          const void* recvBuf, HcclDataType recvType, HcclComm comm, aclrtStream stream);
/** Every rank gives every rank a part, of different lengths. */
HcclResult HcclAlltoAllV(const void* sendBuf, const void* sendCounts, const void* sdispls,
                         HcclDataType sendType, const void* recvBuf, const void* recvCounts,
                         const void* rdispls, HcclDataType recvType, HcclComm comm, aclrtStream stream);
/** Every rank gives every rank an equal part. */
HcclResult HcclAlltoAll(const void* sendBuf, uint64_t sendCount, HcclDataType sendType, const void* recvBuf,
                        uint64_t recvCount, HcclDataType recvType, HcclComm comm, aclrtStream stream);
/** Reduce over all ranks, result at root. */
HcclResult HcclReduce(void* sendBuf, void* recvBuf, uint64_t count, HcclDataType dataType, HcclReduceOp op,
                      uint32_t root, HcclComm comm, aclrtStream stream);

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif

#ifdef __cplusplus
}
#endif

#endif /* HCCL_H_ */
