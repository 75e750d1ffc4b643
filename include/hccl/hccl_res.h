/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Stand-in for CANN's extension header on communication resources, which point-to-point programs do not need.
 * It brings what the original brings along: ACL and the types of HCCL.
 */
#ifndef HCCL_RES_H_
#define HCCL_RES_H_

#include <acl/acl.h>
#include <hccl/hccl_types.h>

#endif /* HCCL_RES_H_ */
