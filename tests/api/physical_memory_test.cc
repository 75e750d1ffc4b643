// SPDX-License-Identifier: Apache-2.0
// Physical memory: what it counts for, its handles, and the numbers by which others open it.
#include <acl/acl.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>

#include "api/virtual_memory_fixture.h"

namespace tandem::test {
namespace {

class PhysicalMemoryTest : public VirtualMemoryTest {};

TEST_F(PhysicalMemoryTest, GranularityFollowsThePages) {
  struct Case {
    aclrtMemAttr attribute;
    size_t bytes;
  };
  for (const Case& c : {Case{ACL_HBM_MEM_NORMAL, kPage}, Case{ACL_MEM_P2P_NORMAL, kPage},
                        Case{ACL_HBM_MEM_HUGE, kHuge}, Case{ACL_HBM_MEM_HUGE1G, size_t{1} << 30}}) {
    for (const auto option :
         {ACL_RT_MEM_ALLOC_GRANULARITY_MINIMUM, ACL_RT_MEM_ALLOC_GRANULARITY_RECOMMENDED}) {
      aclrtPhysicalMemProp prop = OnDevice(0, c.attribute);
      size_t bytes = 0;
      EXPECT_EQ(aclrtMemGetAllocationGranularity(&prop, option, &bytes), ACL_SUCCESS);
      EXPECT_EQ(bytes, c.bytes) << c.attribute;
    }
  }
  aclrtPhysicalMemProp prop = OnDevice(0);
  size_t bytes = 0;
  const auto minimum = ACL_RT_MEM_ALLOC_GRANULARITY_MINIMUM;
  EXPECT_EQ(aclrtMemGetAllocationGranularity(nullptr, minimum, &bytes), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMemGetAllocationGranularity(&prop, minimum, nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMemGetAllocationGranularity(&prop, ACL_RT_MEM_ALLOC_GRANULARITY_UNDEF, &bytes),
            ACL_ERROR_INVALID_PARAM);
}

TEST_F(PhysicalMemoryTest, PhysicalMemoryErrors) {
  aclrtDrvMemHandle handle = nullptr;
  const aclrtPhysicalMemProp good = OnDevice(0);
  EXPECT_EQ(aclrtMallocPhysical(nullptr, kPage, &good, 0), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMallocPhysical(&handle, 0, &good, 0), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMallocPhysical(&handle, kPage, nullptr, 0), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMallocPhysical(&handle, kPage, &good, 1), ACL_ERROR_INVALID_PARAM);
  aclrtPhysicalMemProp bad = good;
  bad.handleType = ACL_MEM_HANDLE_TYPE_POSIX;
  EXPECT_EQ(aclrtMallocPhysical(&handle, kPage, &bad, 0), ACL_ERROR_INVALID_PARAM);
  bad = good;
  bad.allocationType = AnyValue<aclrtMemAllocationType>(1);
  EXPECT_EQ(aclrtMallocPhysical(&handle, kPage, &bad, 0), ACL_ERROR_INVALID_PARAM);
  bad = OnDevice(0, AnyValue<aclrtMemAttr>(18));
  EXPECT_EQ(aclrtMallocPhysical(&handle, kPage, &bad, 0), ACL_ERROR_INVALID_PARAM);
  bad = OnDevice(4711);
  EXPECT_EQ(aclrtMallocPhysical(&handle, kPage, &bad, 0), ACL_ERROR_RT_INVALID_DEVICEID);
  bad = OnHost();
  bad.memAttr = ACL_HBM_MEM_NORMAL;
  EXPECT_EQ(aclrtMallocPhysical(&handle, kPage, &bad, 0), ACL_ERROR_INVALID_PARAM);
  bad = OnHost();
  bad.location.type = ACL_MEM_LOCATION_TYPE_UNREGISTERED;
  EXPECT_EQ(aclrtMallocPhysical(&handle, kPage, &bad, 0), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMallocPhysical(&handle, kPage + 1, &good, 0), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtMallocPhysical(&handle, size_t{1} << 50, &good, 0), ACL_ERROR_RT_MEMORY_ALLOCATION);
  EXPECT_EQ(handle, nullptr);
  EXPECT_EQ(aclrtFreePhysical(nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtFreePhysical(&handle), ACL_ERROR_RT_INVALID_HANDLE);
  EXPECT_EQ(aclrtFreePhysical(stream_), ACL_ERROR_RT_INVALID_HANDLE) << "a handle of another kind";
}

TEST_F(PhysicalMemoryTest, PhysicalMemoryCountsAgainstItsDeviceUntilItIsGone) {
  const size_t before = FreeDeviceBytes();
  aclrtDrvMemHandle handle = Physical(4 * kPage);
  EXPECT_EQ(before - FreeDeviceBytes(), 4 * kPage);
  char* range = Reserve(4 * kPage);
  EXPECT_EQ(before - FreeDeviceBytes(), 4 * kPage) << "addresses cost nothing";
  ASSERT_EQ(aclrtMapMem(range, 4 * kPage, 0, handle, 0), ACL_SUCCESS);
  EXPECT_EQ(aclrtFreePhysical(handle), ACL_SUCCESS);
  EXPECT_EQ(aclrtFreePhysical(handle), ACL_ERROR_RT_INVALID_HANDLE);
  EXPECT_EQ(before - FreeDeviceBytes(), 4 * kPage) << "it is still mapped";
  std::memset(range, 5, 4 * kPage);
  EXPECT_EQ(aclrtUnmapMem(range), ACL_SUCCESS);
  EXPECT_EQ(FreeDeviceBytes(), before);
  EXPECT_EQ(aclrtReleaseMemAddress(range), ACL_SUCCESS);
  aclrtDrvMemHandle host = Physical(kPage, OnHost());
  EXPECT_EQ(FreeDeviceBytes(), before) << "host memory is no device memory";
  EXPECT_EQ(aclrtFreePhysical(host), ACL_SUCCESS);
}

TEST_F(PhysicalMemoryTest, RetainedHandlesAreCounted) {
  aclrtDrvMemHandle handle = Physical(kPage);
  char* range = Reserve(kPage);
  aclrtDrvMemHandle retained = nullptr;
  EXPECT_EQ(aclrtMemRetainAllocationHandle(nullptr, &retained), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMemRetainAllocationHandle(range, nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMemRetainAllocationHandle(range, &retained), ACL_ERROR_RT_PARAM_INVALID) << "not mapped";
  ASSERT_EQ(aclrtMapMem(range, kPage, 0, handle, 0), ACL_SUCCESS);
  ASSERT_EQ(aclrtMemRetainAllocationHandle(range + 100, &retained), ACL_SUCCESS);
  EXPECT_EQ(retained, handle);
  EXPECT_EQ(aclrtFreePhysical(handle), ACL_SUCCESS);
  EXPECT_EQ(aclrtFreePhysical(retained), ACL_SUCCESS) << "the second reference";
  EXPECT_EQ(aclrtFreePhysical(retained), ACL_ERROR_RT_INVALID_HANDLE);
  ASSERT_EQ(aclrtMemRetainAllocationHandle(range, &retained), ACL_SUCCESS) << "the mapping still has it";
  EXPECT_EQ(aclrtUnmapMem(range), ACL_SUCCESS);
  ASSERT_EQ(aclrtMapMem(range, kPage, 0, retained, 0), ACL_SUCCESS);
  EXPECT_EQ(aclrtUnmapMem(range), ACL_SUCCESS);
  EXPECT_EQ(aclrtFreePhysical(retained), ACL_SUCCESS);
  EXPECT_EQ(aclrtReleaseMemAddress(range), ACL_SUCCESS);
}

TEST_F(PhysicalMemoryTest, ExportErrors) {
  aclrtDrvMemHandle handle = Physical(kPage);
  const auto none = ACL_MEM_HANDLE_TYPE_NONE;
  uint64_t number = 0;
  EXPECT_EQ(aclrtMemExportToShareableHandle(nullptr, none, 0, &number), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMemExportToShareableHandle(handle, none, 0, nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMemExportToShareableHandle(handle, ACL_MEM_HANDLE_TYPE_POSIX, 0, &number),
            ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMemExportToShareableHandle(handle, none, 2, &number), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMemExportToShareableHandle(stream_, none, 0, &number), ACL_ERROR_RT_INVALID_HANDLE);
  ASSERT_EQ(aclrtMemExportToShareableHandle(handle, none, 0, &number), ACL_SUCCESS);
  uint64_t again = 0;
  ASSERT_EQ(aclrtMemExportToShareableHandle(handle, none, 0, &again), ACL_SUCCESS);
  EXPECT_EQ(again, number);

  int32_t pid = 1;
  EXPECT_EQ(aclrtMemSetPidToShareableHandle(number, nullptr, 1), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMemSetPidToShareableHandle(number, &pid, 0), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtMemSetPidToShareableHandle(number + 1, &pid, 1), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtMemSetPidToShareableHandle(number, &pid, 1), ACL_SUCCESS);
  pid = -1;
  EXPECT_EQ(aclrtMemSetPidToShareableHandle(number, &pid, 1), ACL_ERROR_RT_PARAM_INVALID);

  aclrtDrvMemHandle imported = nullptr;
  EXPECT_EQ(aclrtMemImportFromShareableHandle(number, 0, nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMemImportFromShareableHandle(number, 4711, &imported), ACL_ERROR_RT_INVALID_DEVICEID);
  EXPECT_EQ(aclrtMemImportFromShareableHandle(number, 0, &imported), ACL_ERROR_RT_FEATURE_NOT_SUPPORT)
      << "of this process";
  for (const uint64_t unknown : {uint64_t{0}, UINT64_MAX, number + 1, number ^ (uint64_t{1} << 40)}) {
    EXPECT_EQ(aclrtMemImportFromShareableHandle(unknown, 0, &imported), ACL_ERROR_RT_PARAM_INVALID);
  }
  EXPECT_EQ(aclrtFreePhysical(handle), ACL_SUCCESS);
  EXPECT_EQ(aclrtMemSetPidToShareableHandle(number, &pid, 1), ACL_ERROR_RT_PARAM_INVALID) << "memory is gone";
  EXPECT_EQ(aclrtMemImportFromShareableHandle(number, 0, &imported), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(imported, nullptr);
}

}  // namespace
}  // namespace tandem::test
