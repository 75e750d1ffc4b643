// SPDX-License-Identifier: Apache-2.0
// What a device is: status, attributes, limits.
#include <acl/acl_rt.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <fstream>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/mutex.h"
#include "capi/enter.h"
#include "capi/handles.h"
#include "stream/context.h"
#include "stream/device.h"
#include "stream/memory.h"

namespace tandem::capi {
namespace {

// The numbers of an Ascend 910B3, the chip that aclrtGetSocName names.
constexpr uint32_t kCubeCores = 20;
constexpr uint32_t kVectorCores = 40;
constexpr int64_t kL2Bytes = int64_t{192} << 20;

uint32_t AllCores(aclrtDevResLimitType type) {
  return type == ACL_RT_DEV_RES_CUBE_CORE ? kCubeCores : kVectorCores;
}

// Limits that aclrtSetDeviceResLimit keeps; nothing here uses the cores.
class CoreLimits {
 public:
  uint32_t Get(int32_t device, aclrtDevResLimitType type) const {
    MutexLock lock(mutex_);
    const auto found = limits_.find({device, type});
    return found == limits_.end() ? AllCores(type) : found->second;
  }
  void Set(int32_t device, aclrtDevResLimitType type, uint32_t value) {
    MutexLock lock(mutex_);
    limits_[{device, type}] = value;
  }
  void Reset(int32_t device) {
    MutexLock lock(mutex_);
    std::erase_if(limits_, [device](const auto& limit) { return limit.first.first == device; });
  }

 private:
  mutable Mutex mutex_;
  std::map<std::pair<int32_t, aclrtDevResLimitType>, uint32_t> limits_ TANDEM_GUARDED_BY(mutex_);
};

CoreLimits& Limits() {
  static auto* const limits = new CoreLimits;
  return *limits;
}

Status CheckLimitType(aclrtDevResLimitType type) {
  if (type == ACL_RT_DEV_RES_CUBE_CORE || type == ACL_RT_DEV_RES_VECTOR_CORE) return Status::Ok();
  return Status::Error(Code::kInvalidArgument,
                       "type is %d, expected ACL_RT_DEV_RES_CUBE_CORE (0) or "
                       "ACL_RT_DEV_RES_VECTOR_CORE (1)",
                       static_cast<int>(type));
}

std::optional<int64_t> Attribute(int32_t device, aclrtDevAttr attribute) {
  switch (static_cast<int>(attribute)) {
    case ACL_DEV_ATTR_AICPU_CORE_NUM:
      return 6;
    case ACL_DEV_ATTR_AICORE_CORE_NUM:
    case ACL_DEV_ATTR_CUBE_CORE_NUM:
      return kCubeCores;
    case ACL_DEV_ATTR_VECTOR_CORE_NUM:
      return kVectorCores;
    case ACL_DEV_ATTR_TOTAL_GLOBAL_MEM_SIZE:
      return static_cast<int64_t>(Device::MemoryCapacity());
    case ACL_DEV_ATTR_L2_CACHE_SIZE:
      return kL2Bytes;
    case ACL_DEV_ATTR_SMP_ID:
      return 0;
    case ACL_DEV_ATTR_PHY_CHIP_ID:
      return device;
    // Not part of a super pod.
    case ACL_DEV_ATTR_SUPER_POD_DEVICE_ID:
    case ACL_DEV_ATTR_SUPER_POD_SERVER_ID:
    case ACL_DEV_ATTR_SUPER_POD_ID:
      return -1;
    case ACL_DEV_ATTR_IS_VIRTUAL:
      return 0;
    default:
      return std::nullopt;
  }
}

// 16 bytes that are the same in all processes of this host until it restarts.
std::array<uint8_t, 16> HostIdentity() {
  std::ifstream file("/proc/sys/kernel/random/boot_id");
  std::string text;
  file >> text;
  std::erase(text, '-');
  text.resize(32, '0');
  std::array<uint8_t, 16> identity{};
  for (size_t i = 0; i < identity.size(); ++i) {
    std::from_chars(text.data() + 2 * i, text.data() + 2 * i + 2, identity[i], 16);
  }
  return identity;
}

}  // namespace
}  // namespace tandem::capi

using namespace tandem;        // NOLINT(google-build-using-namespace): the functions below are outside every
                               // namespace
using namespace tandem::capi;  // NOLINT(google-build-using-namespace)

extern "C" aclError aclrtQueryDeviceStatus(int32_t deviceId, aclrtDeviceStatus* deviceStatus) {
  return EnterAcl("aclrtQueryDeviceStatus", [&]() -> Status {
    TANDEM_RETURN_IF_ERROR(CheckNotNull(deviceStatus, "deviceStatus"));
    TANDEM_RETURN_IF_ERROR(ResolveDevice(deviceId, "deviceId").status());
    *deviceStatus = ACL_RT_DEVICE_STATUS_NORMAL;
    return Status::Ok();
  });
}

extern "C" aclError aclrtDeviceGetStreamPriorityRange(int32_t* leastPriority, int32_t* greatestPriority) {
  return EnterAcl("aclrtDeviceGetStreamPriorityRange", [&]() -> Status {
    TANDEM_RETURN_IF_ERROR(CurrentContext().status());
    if (leastPriority != nullptr) *leastPriority = 7;
    if (greatestPriority != nullptr) *greatestPriority = 0;
    return Status::Ok();
  });
}

extern "C" aclError aclrtDeviceGetUuid(int32_t deviceId, aclrtUuid* uuid) {
  return EnterAcl("aclrtDeviceGetUuid", [&]() -> Status {
    TANDEM_RETURN_IF_ERROR(CheckNotNull(uuid, "uuid"));
    const Result<int32_t> device = ResolveDevice(deviceId, "deviceId");
    if (!device) return device.status();
    std::array<uint8_t, 16> bytes = HostIdentity();
    for (size_t i = 0; i < sizeof(uint32_t); ++i) {
      bytes[12 + i] = static_cast<uint8_t>(bytes[12 + i] ^ (static_cast<uint32_t>(*device) >> (24 - 8 * i)));
    }
    std::copy(bytes.begin(), bytes.end(), uuid->bytes);
    return Status::Ok();
  });
}

extern "C" aclError aclrtDeviceGetBareTgid(int32_t* pid) {
  return EnterAcl("aclrtDeviceGetBareTgid", [&]() -> Status {
    TANDEM_RETURN_IF_ERROR(CheckNotNull(pid, "pid"));
    *pid = getpid();
    return Status::Ok();
  });
}

extern "C" aclError aclrtGetDeviceInfo(uint32_t deviceId, aclrtDevAttr attr, int64_t* value) {
  return EnterAcl("aclrtGetDeviceInfo", [&]() -> Status {
    TANDEM_RETURN_IF_ERROR(CheckNotNull(value, "value"));
    const Result<int32_t> device = ResolveDevice(static_cast<int32_t>(deviceId), "deviceId");
    if (!device) return device.status();
    const std::optional<int64_t> found = Attribute(*device, attr);
    if (!found) {
      return Status::Error(Code::kInvalidValue, "attr is %d, which is no attribute of this device",
                           static_cast<int>(attr));
    }
    *value = *found;
    return Status::Ok();
  });
}

extern "C" aclError aclrtGetDevicesTopo(uint32_t deviceId, uint32_t otherDeviceId, uint64_t* value) {
  return EnterAcl("aclrtGetDevicesTopo", [&]() -> Status {
    TANDEM_RETURN_IF_ERROR(CheckNotNull(value, "value"));
    TANDEM_RETURN_IF_ERROR(ResolveDevice(static_cast<int32_t>(deviceId), "deviceId").status());
    TANDEM_RETURN_IF_ERROR(ResolveDevice(static_cast<int32_t>(otherDeviceId), "otherDeviceId").status());
    *value = ACL_RT_DEVS_TOPOLOGY_HCCS;
    return Status::Ok();
  });
}

extern "C" aclError aclrtGetDeviceUtilizationRate(int32_t deviceId, aclrtUtilizationInfo* utilizationInfo) {
  return EnterAcl("aclrtGetDeviceUtilizationRate", [&]() -> Status {
    TANDEM_RETURN_IF_ERROR(CheckNotNull(utilizationInfo, "utilizationInfo"));
    if (utilizationInfo->utilizationExtend != nullptr) {
      return Status::Error(Code::kInvalidArgument,
                           "utilizationInfo->utilizationExtend is not null; it is reserved");
    }
    const Result<int32_t> device = ResolveDevice(deviceId, "deviceId");
    if (!device) return device.status();
    const MemoryInfo memory = DeviceMemoryInfo(*device);
    utilizationInfo->cubeUtilization = -1;
    utilizationInfo->vectorUtilization = -1;
    utilizationInfo->aicpuUtilization = -1;
    utilizationInfo->memoryUtilization =
        memory.total_bytes == 0 ? -1
                                : static_cast<int32_t>(100 - memory.free_bytes * 100 / memory.total_bytes);
    return Status::Ok();
  });
}

extern "C" aclError aclrtGetDeviceCapability(int32_t deviceId, aclrtDevFeatureType /*devFeatureType*/,
                                             int32_t* value) {
  return EnterAcl("aclrtGetDeviceCapability", [&]() -> Status {
    TANDEM_RETURN_IF_ERROR(CheckNotNull(value, "value"));
    TANDEM_RETURN_IF_ERROR(ResolveDevice(deviceId, "deviceId").status());
    *value = ACL_DEV_FEATURE_NOT_SUPPORT;
    return Status::Ok();
  });
}

extern "C" aclError aclrtGetDeviceResLimit(int32_t deviceId, aclrtDevResLimitType type, uint32_t* value) {
  return EnterAcl("aclrtGetDeviceResLimit", [&]() -> Status {
    TANDEM_RETURN_IF_ERROR(CheckNotNull(value, "value"));
    TANDEM_RETURN_IF_ERROR(CheckLimitType(type));
    const Result<int32_t> device = ResolveDevice(deviceId, "deviceId");
    if (!device) return device.status();
    *value = Limits().Get(*device, type);
    return Status::Ok();
  });
}

extern "C" aclError aclrtSetDeviceResLimit(int32_t deviceId, aclrtDevResLimitType type, uint32_t value) {
  return EnterAcl("aclrtSetDeviceResLimit", [&]() -> Status {
    TANDEM_RETURN_IF_ERROR(CheckLimitType(type));
    const Result<int32_t> device = ResolveDevice(deviceId, "deviceId");
    if (!device) return device.status();
    Limits().Set(*device, type, std::min(value, AllCores(type)));
    return Status::Ok();
  });
}

extern "C" aclError aclrtResetDeviceResLimit(int32_t deviceId) {
  return EnterAcl("aclrtResetDeviceResLimit", [&]() -> Status {
    const Result<int32_t> device = ResolveDevice(deviceId, "deviceId");
    if (!device) return device.status();
    Limits().Reset(*device);
    return Status::Ok();
  });
}

extern "C" aclError aclrtGetResInCurrentThread(aclrtDevResLimitType type, uint32_t* value) {
  return EnterAcl("aclrtGetResInCurrentThread", [&]() -> Status {
    TANDEM_RETURN_IF_ERROR(CheckNotNull(value, "value"));
    TANDEM_RETURN_IF_ERROR(CheckLimitType(type));
    const Result<int32_t> device = CurrentDevice();
    if (!device) return device.status();
    *value = Limits().Get(*device, type);
    return Status::Ok();
  });
}

extern "C" aclError aclrtCheckArchCompatibility(const char* socVersion, int32_t* canCompatible) {
  return EnterAcl("aclrtCheckArchCompatibility", [&]() -> Status {
    TANDEM_RETURN_IF_ERROR(CheckNotNull(socVersion, "socVersion"));
    TANDEM_RETURN_IF_ERROR(CheckNotNull(canCompatible, "canCompatible"));
    *canCompatible = std::string_view(socVersion).starts_with("Ascend910B") ? 1 : 0;
    return Status::Ok();
  });
}
