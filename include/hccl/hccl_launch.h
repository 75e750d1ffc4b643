/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Stand-in for CANN's extension header on launching communication kernels, which point-to-point programs do
 * not need. It brings what the original brings along: ACL and the types of HCCL.
 */
#ifndef HCCL_LAUNCH_H_
#define HCCL_LAUNCH_H_

#include <acl/acl.h>
#include <hccl/hccl_types.h>

#endif /* HCCL_LAUNCH_H_ */
