/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A user's memory allocator, remembered per stream. The runtime stores the functions and hands them back; it
 * never calls them itself. Source: CANN runtime 9.1.0, API reference, custom allocator.
 * Descriptions that are not live give 107017 (Tandem).
 */
#ifndef ACL_ACL_RT_ALLOCATOR_H_
#define ACL_ACL_RT_ALLOCATOR_H_

#include "acl_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Sizes are bytes. A block is what the allocator returned; an address is where its memory starts. */
typedef void* (*aclrtAllocatorAllocFunc)(aclrtAllocator allocator, size_t size);
typedef void (*aclrtAllocatorFreeFunc)(aclrtAllocator allocator, aclrtAllocatorBlock block);
typedef void* (*aclrtAllocatorAllocAdviseFunc)(aclrtAllocator allocator, size_t size,
                                               aclrtAllocatorAddr addr);
typedef void* (*aclrtAllocatorGetAddrFromBlockFunc)(aclrtAllocatorBlock block);

#if defined(__GNUC__)
#pragma GCC visibility push(default)
#endif

/** Make an empty description. Returns it, or null on failure; release with aclrtAllocatorDestroyDesc. */
aclrtAllocatorDesc aclrtAllocatorCreateDesc(void);

/** Delete a description. Returns 0; 100000 when it is null; 107017 stale handle. */
aclError aclrtAllocatorDestroyDesc(aclrtAllocatorDesc allocatorDesc);

/**
 * Set the object that every function below receives first. Mandatory. Returns 0; 100000 an argument is null;
 * 107017 stale handle.
 */
aclError aclrtAllocatorSetObjToDesc(aclrtAllocatorDesc allocatorDesc, aclrtAllocator allocator);

/** Set the function that allocates. Mandatory. Returns 0; 100000 an argument is null; 107017 stale handle. */
aclError aclrtAllocatorSetAllocFuncToDesc(aclrtAllocatorDesc allocatorDesc, aclrtAllocatorAllocFunc func);

/** Set the function that frees. Mandatory. Returns 0; 100000 an argument is null; 107017 stale handle. */
aclError aclrtAllocatorSetFreeFuncToDesc(aclrtAllocatorDesc allocatorDesc, aclrtAllocatorFreeFunc func);

/** Set the function that allocates at a wished address. Optional. Returns 0; 100000 an argument is null;
 * 107017 stale handle. */
aclError aclrtAllocatorSetAllocAdviseFuncToDesc(aclrtAllocatorDesc allocatorDesc,
                                                aclrtAllocatorAllocAdviseFunc func);

/** Set the function that tells a block's address. Mandatory. Returns 0; 100000 an argument is null; 107017
 * stale handle. */
aclError aclrtAllocatorSetGetAddrFromBlockFuncToDesc(aclrtAllocatorDesc allocatorDesc,
                                                     aclrtAllocatorGetAddrFromBlockFunc func);

/**
 * Remember the description for `stream`, in place of an earlier one. Later changes of it have no effect
 * (Tandem).
 *
 * Returns   0; 100000 an argument is null or a mandatory part is missing; 107017 stale handle.
 */
aclError aclrtAllocatorRegister(aclrtStream stream, aclrtAllocatorDesc allocatorDesc);

/**
 * Get back, unchanged, what was registered for `stream`. Returns 0; 100000 an argument is null or nothing
 * registered; 107017 stale handle.
 */
aclError aclrtAllocatorGetByStream(aclrtStream stream, aclrtAllocatorDesc* allocatorDesc,
                                   aclrtAllocator* allocator, aclrtAllocatorAllocFunc* allocFunc,
                                   aclrtAllocatorFreeFunc* freeFunc,
                                   aclrtAllocatorAllocAdviseFunc* allocAdviseFunc,
                                   aclrtAllocatorGetAddrFromBlockFunc* getAddrFromBlockFunc);

/** Forget the description of `stream`. Returns 0; 100000 the stream is null; 107017 stale handle. */
aclError aclrtAllocatorUnregister(aclrtStream stream);

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif

#ifdef __cplusplus
}
#endif

#endif /* ACL_ACL_RT_ALLOCATOR_H_ */
