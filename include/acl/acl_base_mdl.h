/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Placeholder for CANN's model and tensor descriptions header, which CANN's own runtime package leaves empty
 * as well: its model and tensor descriptions package brings the full one. Tandem moves data and runs no
 * models.
 */
#ifndef ACL_ACL_BASE_MDL_H_
#define ACL_ACL_BASE_MDL_H_

#endif /* ACL_ACL_BASE_MDL_H_ */
