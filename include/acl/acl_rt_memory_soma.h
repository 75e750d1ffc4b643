/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory pools whose allocations follow the order of a stream. Not included by acl.h.
 * Source: CANN runtime 9.1.0, API reference, memory pools.
 * Pools that are not live give 107017 (Tandem).
 */
#ifndef ACL_ACL_RT_MEMORY_SOMA_H_
#define ACL_ACL_RT_MEMORY_SOMA_H_

#include <stddef.h>

#include "acl_base.h"
#include "acl_rt.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef void* aclrtMemPool;

/*
 * 1 to 3 are int flags, the others uint64_t bytes; CURRENT ones are read only, HIGH ones can only be set to
 * 0.
 */
typedef enum aclrtMemPoolAttr {
  ACL_RT_MEM_POOL_REUSE_FOLLOW_EVENT_DEPENDENCIES = 0x1,
  ACL_RT_MEM_POOL_REUSE_ALLOW_OPPORTUNISTIC = 0x2,
  ACL_RT_MEM_POOL_REUSE_ALLOW_INTERNAL_DEPENDENCIES = 0x3,
  ACL_RT_MEM_POOL_ATTR_RELEASE_THRESHOLD = 0x4,
  ACL_RT_MEM_POOL_ATTR_RESERVED_MEM_CURRENT = 0x5,
  ACL_RT_MEM_POOL_ATTR_RESERVED_MEM_HIGH = 0x6,
  ACL_RT_MEM_POOL_ATTR_USED_MEM_CURRENT = 0x7,
  ACL_RT_MEM_POOL_ATTR_USED_MEM_HIGH = 0x8
} aclrtMemPoolAttr;

typedef struct {
  aclrtMemAllocationType allocType;
  aclrtMemHandleType handleType;
  aclrtMemLocation location;
  size_t maxSize; /* bytes; 0 is the device's limit */
  unsigned char reserved[32];
} aclrtMemPoolProps;

#if defined(__GNUC__)
#pragma GCC visibility push(default)
#endif

/** Create a pool: PINNED, handle type NONE, on a device. Returns 0; 100000 null; 107000 other properties. */
aclError aclrtMemPoolCreate(aclrtMemPool* memPool, const aclrtMemPoolProps* poolProps);

/** Destroy a pool. Returns 0; 100000 null; 507000 blocks of it are in use; 107017 stale handle. */
aclError aclrtMemPoolDestroy(const aclrtMemPool memPool);

/** Set an attribute. Returns 0; 100000 null; 107000 unknown or not settable; 107017 stale handle. */
aclError aclrtMemPoolSetAttr(aclrtMemPool memPool, aclrtMemPoolAttr attr, void* value);

/** Read an attribute. Returns 0; 100000 null; 107000 unknown; 107017 stale handle. */
aclError aclrtMemPoolGetAttr(aclrtMemPool memPool, aclrtMemPoolAttr attr, void* value);

/**
 * Get memory of `size` bytes, to be used by work that is queued on the stream after this call.
 *
 * Returns   0, with no memory for size 0; 100000 ptr, pool or stream is null; 507000 the pool is used up;
 *           107003; 107017 stale handle.
 */
aclError aclrtMemPoolMallocAsync(void** ptr, size_t size, aclrtMemPool memPool, aclrtStream stream);

/**
 * Give memory back when the stream reaches this point. Returns 0; 100000 null; 107000 not of a pool; 107003;
 * 107017 stale handle.
 */
aclError aclrtMemPoolFreeAsync(void* ptr, aclrtStream stream);

/** Give unused memory back to the device, keeping at least minBytesToKeep bytes. Returns 0; 100000 null;
 * 107017 stale handle. */
aclError aclrtMemPoolTrimTo(aclrtMemPool memPool, size_t minBytesToKeep);

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif

#ifdef __cplusplus
}
#endif

#endif /* ACL_ACL_RT_MEMORY_SOMA_H_ */
