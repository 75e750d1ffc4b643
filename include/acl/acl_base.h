/* SPDX-License-Identifier: Apache-2.0 */
/* Umbrella of what every ACL header needs: handles, basic types and result codes. */
#ifndef ACL_ACL_BASE_H_
#define ACL_ACL_BASE_H_

#include "acl_base_mdl.h"
#include "acl_base_rt.h"
#include "error_codes/ge_error_codes.h"
#include "error_codes/rt_error_codes.h"

#endif /* ACL_ACL_BASE_H_ */
