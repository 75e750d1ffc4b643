/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Placeholder for CANN's models header, which CANN's own runtime package leaves empty as well:
 * its models package brings the full one. Tandem moves data and runs no models.
 */
#ifndef ACL_ACL_MDL_H_
#define ACL_ACL_MDL_H_

#endif /* ACL_ACL_MDL_H_ */
