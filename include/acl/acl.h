/* SPDX-License-Identifier: Apache-2.0 */
/* Umbrella of the ACL runtime. Most programs include only this one; link with -lascendcl (or -lacl_rt). */
#ifndef ACL_ACL_H_
#define ACL_ACL_H_

#include "acl_mdl.h"
#include "acl_op.h"
#include "acl_rt.h"

#endif /* ACL_ACL_H_ */
