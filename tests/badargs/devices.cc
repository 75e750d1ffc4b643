// SPDX-License-Identifier: Apache-2.0
#include "badargs/rows.h"

namespace tandem::test::badargs {
namespace {

Rows SelectRows() {
  Rows rows = {
      {"aclrtGetDevice",
       "deviceId null",
       [](World&) { return aclrtGetDevice(nullptr); },
       ACL_ERROR_INVALID_PARAM,
       {"deviceId is null"}},
      {"aclrtGetDevice", "none selected",
       [](World&) {
         int32_t device = 0;
         return aclrtGetDevice(&device);
       },
       ACL_ERROR_RT_CONTEXT_NULL, kNoContext, Thread::kBare},
      {"aclrtGetDeviceCount",
       "count null",
       [](World&) { return aclrtGetDeviceCount(nullptr); },
       ACL_ERROR_INVALID_PARAM,
       {"count is null"}},
      {"aclrtGetRunMode",
       "runMode null",
       [](World&) { return aclrtGetRunMode(nullptr); },
       ACL_ERROR_INVALID_PARAM,
       {"runMode is null"}},
      {"aclrtResetDevice",
       "more often than set",
       [](World&) { return aclrtResetDevice(6); },
       ACL_ERROR_RT_CONTEXT_RELEASE_ERROR,
       {"device 6", "aclrtSetDevice"}},
      {"aclrtResetDeviceForce",
       "more often than set",
       [](World&) { return aclrtResetDeviceForce(6); },
       ACL_ERROR_RT_CONTEXT_RELEASE_ERROR,
       {"device 6", "aclrtSetDevice"}},
      {"aclrtResetDevice",
       "after a forced reset",
       [](World&) {
         static_cast<void>(aclrtSetDevice(7));
         static_cast<void>(aclrtSetDevice(7));
         static_cast<void>(aclrtResetDeviceForce(7));
         const aclError after = aclrtResetDevice(7);
         static_cast<void>(aclrtSetDevice(0));
         static_cast<void>(aclrtResetDevice(0));
         return after;
       },
       ACL_ERROR_RT_CONTEXT_RELEASE_ERROR,
       {"device 7"}},
      {"aclrtSynchronizeDevice", "no context", [](World&) { return aclrtSynchronizeDevice(); },
       ACL_ERROR_RT_CONTEXT_NULL, kNoContext, Thread::kBare},
      {"aclrtSynchronizeDeviceWithTimeout", "no context",
       [](World&) { return aclrtSynchronizeDeviceWithTimeout(1); }, ACL_ERROR_RT_CONTEXT_NULL, kNoContext,
       Thread::kBare},
      {"aclrtGetPrimaryCtxState",
       "flags not null",
       [](World&) {
         uint32_t flags = 0;
         int32_t active = 0;
         return aclrtGetPrimaryCtxState(0, &flags, &active);
       },
       ACL_ERROR_INVALID_PARAM,
       {"flags is not null", "reserved"}},
      {"aclrtGetPrimaryCtxState",
       "flags null, active null",
       [](World&) { return aclrtGetPrimaryCtxState(0, nullptr, nullptr); },
       ACL_ERROR_INVALID_PARAM,
       {"active is null"}},
  };
  for (const int32_t timeout : {0, -2, INT32_MIN}) {
    rows.push_back({"aclrtSynchronizeDeviceWithTimeout",
                    "timeout",
                    [timeout](World&) { return aclrtSynchronizeDeviceWithTimeout(timeout); },
                    ACL_ERROR_RT_PARAM_INVALID,
                    {"timeout is " + std::to_string(timeout), "milliseconds"}});
  }
  Append(rows,
         BadDevices("aclrtSetDevice", "deviceId", [](World&, int32_t id) { return aclrtSetDevice(id); }));
  Append(rows,
         BadDevices("aclrtResetDevice", "deviceId", [](World&, int32_t id) { return aclrtResetDevice(id); }));
  Append(rows, BadDevices("aclrtResetDeviceForce", "deviceId",
                          [](World&, int32_t id) { return aclrtResetDeviceForce(id); }));
  Append(rows, BadDevices("aclrtGetPrimaryCtxState", "deviceId", [](World&, int32_t id) {
           int32_t active = 0;
           return aclrtGetPrimaryCtxState(id, nullptr, &active);
         }));
  return rows;
}

using Translate = aclError (*)(const int32_t, int32_t* const);

Rows NumberRows() {
  struct Translation {
    const char* function;
    const char* from;
    const char* to;
    Translate call;
  };
  Rows rows;
  for (const Translation& each :
       {Translation{"aclrtGetLogicDevIdByUserDevId", "userDevid", "logicDevId",
                    &aclrtGetLogicDevIdByUserDevId},
        Translation{"aclrtGetUserDevIdByLogicDevId", "logicDevId", "userDevid",
                    &aclrtGetUserDevIdByLogicDevId},
        Translation{"aclrtGetLogicDevIdByPhyDevId", "phyDevId", "logicDevId", &aclrtGetLogicDevIdByPhyDevId},
        Translation{"aclrtGetPhyDevIdByLogicDevId", "logicDevId", "phyDevId", &aclrtGetPhyDevIdByLogicDevId},
        Translation{"aclrtGetUserDevIdByPhyDevId", "phyDevId", "userDevid", &aclrtGetUserDevIdByPhyDevId},
        Translation{"aclrtGetPhyDevIdByUserDevId", "userDevid", "phyDevId", &aclrtGetPhyDevIdByUserDevId}}) {
    rows.push_back({each.function,
                    "answer null",
                    [call = each.call](World&) { return call(0, nullptr); },
                    ACL_ERROR_INVALID_PARAM,
                    {std::string(each.to) + " is null"}});
    Append(rows, BadDevices(each.function, each.from, [call = each.call](World&, int32_t id) {
             int32_t other = 0;
             return call(id, &other);
           }));
  }
  return rows;
}

Rows PeerRows() {
  Rows rows = {
      {"aclrtDeviceCanAccessPeer",
       "canAccessPeer null",
       [](World&) { return aclrtDeviceCanAccessPeer(nullptr, 0, 1); },
       ACL_ERROR_RT_PARAM_INVALID,
       {"canAccessPeer is null"}},
      {"aclrtDeviceCanAccessPeer",
       "the same device",
       [](World&) {
         int32_t can = 0;
         return aclrtDeviceCanAccessPeer(&can, 1, 1);
       },
       ACL_ERROR_INVALID_PARAM,
       {"deviceId and peerDeviceId are both 1"}},
      {"aclrtDeviceCanAccessPeer", "no context",
       [](World&) {
         int32_t can = 0;
         return aclrtDeviceCanAccessPeer(&can, 0, 1);
       },
       ACL_ERROR_RT_CONTEXT_NULL, kNoContext, Thread::kBare},
      {"aclrtDeviceEnablePeerAccess",
       "flags",
       [](World&) { return aclrtDeviceEnablePeerAccess(1, 2); },
       ACL_ERROR_FEATURE_UNSUPPORTED,
       {"flags is 2", "expected 0"}},
      {"aclrtDeviceEnablePeerAccess",
       "the current device",
       [](World&) { return aclrtDeviceEnablePeerAccess(0, 0); },
       ACL_ERROR_INVALID_PARAM,
       {"peerDeviceId is 0", "current device"}},
      {"aclrtDeviceEnablePeerAccess", "no context", [](World&) { return aclrtDeviceEnablePeerAccess(1, 0); },
       ACL_ERROR_RT_CONTEXT_NULL, kNoContext, Thread::kBare},
      {"aclrtDeviceDisablePeerAccess",
       "the current device",
       [](World&) { return aclrtDeviceDisablePeerAccess(0); },
       ACL_ERROR_INVALID_PARAM,
       {"peerDeviceId is 0", "current device"}},
      {"aclrtDeviceDisablePeerAccess", "no context", [](World&) { return aclrtDeviceDisablePeerAccess(1); },
       ACL_ERROR_RT_CONTEXT_NULL, kNoContext, Thread::kBare},
      {"aclrtDevicePeerAccessStatus",
       "status null",
       [](World&) { return aclrtDevicePeerAccessStatus(0, 1, nullptr); },
       ACL_ERROR_INVALID_PARAM,
       {"status is null"}},
  };
  Append(rows, BadDevices("aclrtDeviceCanAccessPeer", "deviceId", [](World&, int32_t id) {
           int32_t can = 0;
           return aclrtDeviceCanAccessPeer(&can, id, 1);
         }));
  Append(rows, BadDevices("aclrtDeviceCanAccessPeer", "peerDeviceId", [](World&, int32_t id) {
           int32_t can = 0;
           return aclrtDeviceCanAccessPeer(&can, 1, id);
         }));
  Append(rows, BadDevices("aclrtDeviceEnablePeerAccess", "peerDeviceId",
                          [](World&, int32_t id) { return aclrtDeviceEnablePeerAccess(id, 0); }));
  Append(rows, BadDevices("aclrtDeviceDisablePeerAccess", "peerDeviceId",
                          [](World&, int32_t id) { return aclrtDeviceDisablePeerAccess(id); }));
  Append(rows, BadDevices("aclrtDevicePeerAccessStatus", "deviceId", [](World&, int32_t id) {
           int32_t status = 0;
           return aclrtDevicePeerAccessStatus(id, 1, &status);
         }));
  Append(rows, BadDevices("aclrtDevicePeerAccessStatus", "peerDeviceId", [](World&, int32_t id) {
           int32_t status = 0;
           return aclrtDevicePeerAccessStatus(0, id, &status);
         }));
  return rows;
}

}  // namespace

Rows DeviceRows() {
  Rows rows = SelectRows();
  Append(rows, NumberRows());
  Append(rows, PeerRows());
  return rows;
}

}  // namespace tandem::test::badargs
