// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/runtime_fixture.h"

namespace tandem::test {

inline constexpr size_t kPage = 4096;
inline constexpr size_t kHuge = size_t{2} << 20;

inline aclrtPhysicalMemProp OnDevice(uint32_t device, aclrtMemAttr attribute = ACL_HBM_MEM_NORMAL) {
  aclrtPhysicalMemProp prop{};
  prop.memAttr = attribute;
  prop.location = {device, ACL_MEM_LOCATION_TYPE_DEVICE};
  return prop;
}

inline aclrtPhysicalMemProp OnHost() {
  aclrtPhysicalMemProp prop{};
  prop.memAttr = ACL_DDR_MEM_NORMAL;
  prop.location = {0, ACL_MEM_LOCATION_TYPE_HOST};
  return prop;
}

inline size_t FreeDeviceBytes() {
  size_t free = 0;
  size_t total = 0;
  EXPECT_EQ(aclrtGetMemInfo(ACL_HBM_MEM, &free, &total), ACL_SUCCESS);
  return free;
}

class VirtualMemoryTest : public RuntimeTest {
 protected:
  static aclrtDrvMemHandle Physical(size_t bytes, const aclrtPhysicalMemProp& prop = OnDevice(0)) {
    aclrtDrvMemHandle handle = nullptr;
    EXPECT_EQ(aclrtMallocPhysical(&handle, bytes, &prop, 0), ACL_SUCCESS);
    return handle;
  }
  static char* Reserve(size_t bytes, uint64_t flags = 0, void* wish = nullptr) {
    void* at = nullptr;
    EXPECT_EQ(aclrtReserveMemAddress(&at, bytes, 0, wish, flags), ACL_SUCCESS);
    return static_cast<char*>(at);
  }
};

}  // namespace tandem::test
