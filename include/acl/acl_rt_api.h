/* SPDX-License-Identifier: Apache-2.0 */
/*
 * C++ overloads of ACL calls: time limits as a last argument, pointers of any type. Not included by acl.h,
 * empty in C. Each forwards to the C function that it names, whose comment in acl_rt.h tells arguments and
 * results.
 */
#ifndef ACL_ACL_RT_API_H_
#define ACL_ACL_RT_API_H_

#include "acl_rt.h"

#ifdef __cplusplus

/** aclrtSynchronizeDeviceWithTimeout; milliseconds. */
static inline aclError aclrtSynchronizeDevice(int32_t timeout) {
  return aclrtSynchronizeDeviceWithTimeout(timeout);
}

/** aclrtSynchronizeStreamWithTimeout; milliseconds. */
static inline aclError aclrtSynchronizeStream(aclrtStream stream, int32_t timeout) {
  return aclrtSynchronizeStreamWithTimeout(stream, timeout);
}

/** aclrtSynchronizeEventWithTimeout; milliseconds. */
static inline aclError aclrtSynchronizeEvent(aclrtEvent event, int32_t timeout) {
  return aclrtSynchronizeEventWithTimeout(event, timeout);
}

/** aclrtStreamWaitEventWithTimeout; seconds. */
static inline aclError aclrtStreamWaitEvent(aclrtStream stream, aclrtEvent event, int32_t timeout) {
  return aclrtStreamWaitEventWithTimeout(stream, event, timeout);
}

/** aclrtCreateStreamWithConfig. */
static inline aclError aclrtCreateStream(aclrtStream* stream, uint32_t priority, uint32_t flag) {
  return aclrtCreateStreamWithConfig(stream, priority, flag);
}

/** aclrtCreateEventExWithFlag. */
static inline aclError aclrtCreateEvent(aclrtEvent* event, uint32_t flag) {
  return aclrtCreateEventExWithFlag(event, flag);
}

/** aclrtSetOpExecuteTimeOutV2. */
static inline aclError aclrtSetOpExecuteTimeOut(uint64_t timeout, uint64_t* actualTimeout) {
  return aclrtSetOpExecuteTimeOutV2(timeout, actualTimeout);
}

/** aclrtMallocWithCfg with policy ACL_MEM_MALLOC_HUGE_FIRST; size in bytes. */
template <typename T>
static inline aclError aclrtMalloc(T** devPtr, size_t size, aclrtMallocConfig* cfg = nullptr) {
  return aclrtMallocWithCfg(reinterpret_cast<void**>(devPtr), size, ACL_MEM_MALLOC_HUGE_FIRST, cfg);
}

/** aclrtMallocWithCfg; size in bytes. */
template <typename T>
static inline aclError aclrtMalloc(T** devPtr, size_t size, aclrtMemMallocPolicy policy,
                                   aclrtMallocConfig* cfg = nullptr) {
  return aclrtMallocWithCfg(reinterpret_cast<void**>(devPtr), size, policy, cfg);
}

/** aclrtMallocHostWithCfg; size in bytes. */
template <typename T>
static inline aclError aclrtMallocHost(T** hostPtr, size_t size, aclrtMallocConfig* cfg = nullptr) {
  return aclrtMallocHostWithCfg(reinterpret_cast<void**>(hostPtr), size, cfg);
}

/** aclrtMemcpy; destMax and count in bytes. */
template <typename T, typename U>
static inline aclError aclrtMemcpy(T* dst, size_t destMax, const U* src, size_t count, aclrtMemcpyKind kind) {
  return aclrtMemcpy(static_cast<void*>(dst), destMax, static_cast<const void*>(src), count, kind);
}

/** aclrtMemcpyAsync; destMax and count in bytes. */
template <typename T, typename U>
static inline aclError aclrtMemcpyAsync(T* dst, size_t destMax, const U* src, size_t count,
                                        aclrtMemcpyKind kind, aclrtStream stream) {
  return aclrtMemcpyAsync(static_cast<void*>(dst), destMax, static_cast<const void*>(src), count, kind,
                          stream);
}

/** aclrtMemcpy2d; pitches and width in bytes. */
template <typename T, typename U>
static inline aclError aclrtMemcpy2d(T* dst, size_t dpitch, const U* src, size_t spitch, size_t width,
                                     size_t height, aclrtMemcpyKind kind) {
  return aclrtMemcpy2d(static_cast<void*>(dst), dpitch, static_cast<const void*>(src), spitch, width, height,
                       kind);
}

/** aclrtMemcpy2dAsync; pitches and width in bytes. */
template <typename T, typename U>
static inline aclError aclrtMemcpy2dAsync(T* dst, size_t dpitch, const U* src, size_t spitch, size_t width,
                                          size_t height, aclrtMemcpyKind kind, aclrtStream stream) {
  return aclrtMemcpy2dAsync(static_cast<void*>(dst), dpitch, static_cast<const void*>(src), spitch, width,
                            height, kind, stream);
}

/** aclrtMemcpyBatchV2 with attributes per piece. failIndex is not written: V2 has none. */
template <typename T, typename U>
static inline aclError aclrtMemcpyBatch(T** dsts, size_t* destMaxs, U** srcs, size_t* sizes,
                                        size_t numBatches, aclrtMemcpyBatchAttr* attrs, size_t* attrsIndexes,
                                        size_t numAttrs, size_t* failIndex = nullptr) {
  (void)failIndex;
  return aclrtMemcpyBatchV2(reinterpret_cast<void**>(dsts), destMaxs, reinterpret_cast<void**>(srcs), sizes,
                            numBatches, attrs, attrsIndexes, numAttrs);
}

/** aclrtMemcpyBatchV2 with one attribute for all pieces. failIndex is not written: V2 has none. */
template <typename T, typename U>
static inline aclError aclrtMemcpyBatch(T** dsts, size_t* destMaxs, U** srcs, size_t* sizes,
                                        size_t numBatches, aclrtMemcpyBatchAttr attr,
                                        size_t* failIndex = nullptr) {
  size_t first = 0;
  return aclrtMemcpyBatch(dsts, destMaxs, srcs, sizes, numBatches, &attr, &first, size_t{1}, failIndex);
}

/** aclrtMemcpyBatchAsyncV2 with attributes per piece. */
template <typename T, typename U>
static inline aclError aclrtMemcpyBatchAsync(T** dsts, size_t* destMaxs, U** srcs, size_t* sizes,
                                             size_t numBatches, aclrtMemcpyBatchAttr* attrs,
                                             size_t* attrsIndexes, size_t numAttrs, aclrtStream stream) {
  return aclrtMemcpyBatchAsyncV2(reinterpret_cast<void**>(dsts), destMaxs, reinterpret_cast<void**>(srcs),
                                 sizes, numBatches, attrs, attrsIndexes, numAttrs, stream);
}

/** aclrtMemcpyBatchAsyncV2 with one attribute for all pieces. */
template <typename T, typename U>
static inline aclError aclrtMemcpyBatchAsync(T** dsts, size_t* destMaxs, U** srcs, size_t* sizes,
                                             size_t numBatches, aclrtMemcpyBatchAttr attr,
                                             aclrtStream stream) {
  size_t first = 0;
  return aclrtMemcpyBatchAsync(dsts, destMaxs, srcs, sizes, numBatches, &attr, &first, size_t{1}, stream);
}

#endif /* __cplusplus */

#endif /* ACL_ACL_RT_API_H_ */
