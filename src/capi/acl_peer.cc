// SPDX-License-Identifier: Apache-2.0
// Access between devices. Every copy is possible here; the calls keep the books that programs ask about.
#include <acl/acl_rt.h>

#include "capi/enter.h"
#include "capi/handles.h"
#include "stream/context.h"
#include "stream/device.h"

namespace tandem::capi {
namespace {

Status SetAccess(int32_t peer_id, bool enabled) {
  const Result<int32_t> device = CurrentDevice();
  if (!device) return device.status();
  const Result<int32_t> peer = ResolveDevice(peer_id, "peerDeviceId");
  if (!peer) return peer.status();
  if (*peer == *device) {
    return Status::Error(Code::kInvalidArgument, "peerDeviceId is %d, which is the current device itself",
                         peer_id);
  }
  SetPeerAccess(*device, *peer, enabled);
  return Status::Ok();
}

}  // namespace
}  // namespace tandem::capi

using namespace tandem;        // NOLINT(google-build-using-namespace): the functions below are outside every
                               // namespace
using namespace tandem::capi;  // NOLINT(google-build-using-namespace)

extern "C" aclError aclrtDeviceCanAccessPeer(int32_t* canAccessPeer, int32_t deviceId, int32_t peerDeviceId) {
  return EnterAcl("aclrtDeviceCanAccessPeer", [&]() -> Status {
    if (canAccessPeer == nullptr) return Status::Error(Code::kInvalidValue, "canAccessPeer is null");
    if (deviceId == peerDeviceId) {
      return Status::Error(Code::kInvalidArgument, "deviceId and peerDeviceId are both %d", deviceId);
    }
    TANDEM_RETURN_IF_ERROR(CurrentContext().status());
    TANDEM_RETURN_IF_ERROR(ResolveDevice(deviceId, "deviceId").status());
    TANDEM_RETURN_IF_ERROR(ResolveDevice(peerDeviceId, "peerDeviceId").status());
    *canAccessPeer = 1;
    return Status::Ok();
  });
}

extern "C" aclError aclrtDeviceEnablePeerAccess(int32_t peerDeviceId, uint32_t flags) {
  return EnterAcl("aclrtDeviceEnablePeerAccess", [&]() -> Status {
    if (flags != 0)
      return Status::Error(Code::kFeatureUnsupported, "flags is %u, expected 0 (reserved)", flags);
    return SetAccess(peerDeviceId, true);
  });
}

extern "C" aclError aclrtDeviceDisablePeerAccess(int32_t peerDeviceId) {
  return EnterAcl("aclrtDeviceDisablePeerAccess", [&] { return SetAccess(peerDeviceId, false); });
}

extern "C" aclError aclrtDevicePeerAccessStatus(int32_t deviceId, int32_t peerDeviceId, int32_t* status) {
  return EnterAcl("aclrtDevicePeerAccessStatus", [&]() -> Status {
    TANDEM_RETURN_IF_ERROR(CheckNotNull(status, "status"));
    const Result<int32_t> device = ResolveDevice(deviceId, "deviceId");
    if (!device) return device.status();
    const Result<int32_t> peer = ResolveDevice(peerDeviceId, "peerDeviceId");
    if (!peer) return peer.status();
    *status = PeerAccess(*device, *peer) ? 1 : 0;
    return Status::Ok();
  });
}
