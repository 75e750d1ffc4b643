// SPDX-License-Identifier: Apache-2.0
// The numbers of a device, before and after ASCEND_RT_VISIBLE_DEVICES picks.
#include <acl/acl_rt.h>

#include "capi/enter.h"
#include "capi/handles.h"
#include "stream/device.h"

namespace tandem::capi {
namespace {

// A number of this host (before ASCEND_RT_VISIBLE_DEVICES picks) that exists.
Status CheckHostDevice(int32_t id, const char* argument) {
  if (id >= 0 && static_cast<uint32_t>(id) < HostDeviceCount()) return Status::Ok();
  return Status::Error(Code::kInvalidDevice,
                       "%s is %d: there is no such device on this host, expected 0 to %u", argument, id,
                       HostDeviceCount() - 1);
}

Status UserToHost(int32_t user_id, const char* from_name, int32_t* host_id, const char* to_name) {
  TANDEM_RETURN_IF_ERROR(CheckNotNull(host_id, to_name));
  const Result<int32_t> device = ResolveDevice(user_id, from_name);
  if (!device) return device.status();
  *host_id = *device;
  return Status::Ok();
}

Status HostToUser(int32_t host_id, const char* from_name, int32_t* user_id, const char* to_name) {
  TANDEM_RETURN_IF_ERROR(CheckNotNull(user_id, to_name));
  TANDEM_RETURN_IF_ERROR(CheckHostDevice(host_id, from_name));
  const int32_t found = UserIdOfDevice(host_id);
  if (found < 0) {
    return Status::Error(Code::kInvalidDevice,
                         "%s is %d, a device that is not visible to this process "
                         "(ASCEND_RT_VISIBLE_DEVICES)",
                         from_name, host_id);
  }
  *user_id = found;
  return Status::Ok();
}

// Logical and physical numbers are the same here.
Status HostToHost(int32_t from, const char* from_name, int32_t* to, const char* to_name) {
  TANDEM_RETURN_IF_ERROR(CheckNotNull(to, to_name));
  TANDEM_RETURN_IF_ERROR(CheckHostDevice(from, from_name));
  *to = from;
  return Status::Ok();
}

}  // namespace
}  // namespace tandem::capi

using namespace tandem;        // NOLINT(google-build-using-namespace): the functions below are outside every
                               // namespace
using namespace tandem::capi;  // NOLINT(google-build-using-namespace)

extern "C" aclError aclrtGetLogicDevIdByUserDevId(const int32_t userDevid, int32_t* const logicDevId) {
  return EnterAcl("aclrtGetLogicDevIdByUserDevId",
                  [&] { return UserToHost(userDevid, "userDevid", logicDevId, "logicDevId"); });
}

extern "C" aclError aclrtGetUserDevIdByLogicDevId(const int32_t logicDevId, int32_t* const userDevid) {
  return EnterAcl("aclrtGetUserDevIdByLogicDevId",
                  [&] { return HostToUser(logicDevId, "logicDevId", userDevid, "userDevid"); });
}

extern "C" aclError aclrtGetLogicDevIdByPhyDevId(const int32_t phyDevId, int32_t* const logicDevId) {
  return EnterAcl("aclrtGetLogicDevIdByPhyDevId",
                  [&] { return HostToHost(phyDevId, "phyDevId", logicDevId, "logicDevId"); });
}

extern "C" aclError aclrtGetPhyDevIdByLogicDevId(const int32_t logicDevId, int32_t* const phyDevId) {
  return EnterAcl("aclrtGetPhyDevIdByLogicDevId",
                  [&] { return HostToHost(logicDevId, "logicDevId", phyDevId, "phyDevId"); });
}

extern "C" aclError aclrtGetUserDevIdByPhyDevId(const int32_t phyDevId, int32_t* const userDevid) {
  return EnterAcl("aclrtGetUserDevIdByPhyDevId",
                  [&] { return HostToUser(phyDevId, "phyDevId", userDevid, "userDevid"); });
}

extern "C" aclError aclrtGetPhyDevIdByUserDevId(const int32_t userDevid, int32_t* const phyDevId) {
  return EnterAcl("aclrtGetPhyDevIdByUserDevId",
                  [&] { return UserToHost(userDevid, "userDevid", phyDevId, "phyDevId"); });
}
