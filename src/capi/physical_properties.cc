// SPDX-License-Identifier: Apache-2.0
#include "capi/physical_properties.h"

#include <unistd.h>

#include <string>

#include "capi/handles.h"
#include "stream/device.h"

namespace tandem::capi {
namespace {

constexpr size_t kPageBytes = 4096;
constexpr size_t kHugePageBytes = size_t{2} << 20;
constexpr size_t kHugestPage = size_t{1} << 30;

size_t GranularityOf(aclrtMemAttr attribute) {
  switch (attribute) {
    case ACL_DDR_MEM_NORMAL:
    case ACL_HBM_MEM_NORMAL:
    case ACL_DDR_MEM_P2P_NORMAL:
    case ACL_HBM_MEM_P2P_NORMAL:
    case ACL_MEM_NORMAL:
    case ACL_MEM_P2P_NORMAL:
      return kPageBytes;
    case ACL_HBM_MEM_HUGE1G:
    case ACL_HBM_MEM_P2P_HUGE1G:
    case ACL_MEM_HUGE1G:
    case ACL_MEM_P2P_HUGE1G:
      return kHugestPage;
    default:
      // Also for the two that say nothing of pages.
      return kHugePageBytes;
  }
}

bool NamesHbm(aclrtMemAttr attribute) {
  switch (attribute) {
    case ACL_HBM_MEM:
    case ACL_HBM_MEM_HUGE:
    case ACL_HBM_MEM_NORMAL:
    case ACL_HBM_MEM_P2P_HUGE:
    case ACL_HBM_MEM_P2P_NORMAL:
    case ACL_HBM_MEM_HUGE1G:
    case ACL_HBM_MEM_P2P_HUGE1G:
      return true;
    default:
      return false;
  }
}

// The node that every host has, or one that the system lists.
bool IsNode(uint32_t id) {
  return id == 0 || access(("/sys/devices/system/node/node" + std::to_string(id)).c_str(), F_OK) == 0;
}

Status CheckFixed(const aclrtPhysicalMemProp& prop) {
  if (prop.handleType != ACL_MEM_HANDLE_TYPE_NONE) {
    return Status::Error(Code::kInvalidArgument,
                         "prop->handleType is %d, expected ACL_MEM_HANDLE_TYPE_NONE (0)",
                         static_cast<int>(prop.handleType));
  }
  if (prop.allocationType != ACL_MEM_ALLOCATION_TYPE_PINNED) {
    return Status::Error(Code::kInvalidArgument,
                         "prop->allocationType is %d, expected ACL_MEM_ALLOCATION_TYPE_PINNED (0)",
                         static_cast<int>(prop.allocationType));
  }
  if (prop.memAttr < ACL_DDR_MEM || prop.memAttr > ACL_MEM_P2P_HUGE1G) {
    return Status::Error(Code::kInvalidArgument, "prop->memAttr is %d, expected 0 to %d",
                         static_cast<int>(prop.memAttr), static_cast<int>(ACL_MEM_P2P_HUGE1G));
  }
  return Status::Ok();
}

Status CheckHost(const aclrtPhysicalMemProp& prop) {
  if (NamesHbm(prop.memAttr)) {
    return Status::Error(Code::kInvalidArgument, "prop->memAttr is %d (HBM), which memory of the host is not",
                         static_cast<int>(prop.memAttr));
  }
  if (prop.location.type == ACL_MEM_LOCATION_TYPE_HOST_NUMA && !IsNode(prop.location.id)) {
    return Status::Error(Code::kInvalidArgument,
                         "prop->location.id is %u, which is no NUMA node of this host", prop.location.id);
  }
  return Status::Ok();
}

}  // namespace

Result<PhysicalProperties> ReadProperties(const aclrtPhysicalMemProp& prop) {
  TANDEM_RETURN_IF_ERROR(CheckFixed(prop));
  PhysicalProperties wanted;
  wanted.granularity = GranularityOf(prop.memAttr);
  switch (prop.location.type) {
    case ACL_MEM_LOCATION_TYPE_DEVICE: {
      const Result<int32_t> device =
          ResolveDevice(static_cast<int32_t>(prop.location.id), "prop->location.id");
      if (!device) return device.status();
      wanted.device = *device;
      return wanted;
    }
    case ACL_MEM_LOCATION_TYPE_HOST:
    case ACL_MEM_LOCATION_TYPE_HOST_NUMA:
      TANDEM_RETURN_IF_ERROR(CheckHost(prop));
      wanted.place = MemoryPlace::kPinned;
      return wanted;
    default:
      return Status::Error(Code::kInvalidArgument,
                           "prop->location.type is %d, expected DEVICE (1), HOST (0) or HOST_NUMA (4)",
                           static_cast<int>(prop.location.type));
  }
}

}  // namespace tandem::capi
