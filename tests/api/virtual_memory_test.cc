// SPDX-License-Identifier: Apache-2.0
// Ranges of addresses and what is mapped in them.
#include <acl/acl.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <thread>
#include <vector>

#include "api/virtual_memory_fixture.h"

namespace tandem::test {
namespace {

TEST_F(VirtualMemoryTest, ReserveAndReleaseErrors) {
  void* at = nullptr;
  EXPECT_EQ(aclrtReserveMemAddress(nullptr, kPage, 0, nullptr, 0), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtReserveMemAddress(&at, 0, 0, nullptr, 0), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtReserveMemAddress(&at, kPage, 1, nullptr, 0), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtReserveMemAddress(&at, kPage, 0, nullptr, 2), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtReserveMemAddress(&at, SIZE_MAX, 0, nullptr, 0), ACL_ERROR_RT_MEMORY_ALLOCATION);
  EXPECT_EQ(at, nullptr);
  EXPECT_EQ(aclrtReleaseMemAddress(nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtReleaseMemAddress(&at), ACL_ERROR_RT_PARAM_INVALID);
  char* range = Reserve(2 * kPage);
  EXPECT_EQ(aclrtReleaseMemAddress(range + kPage), ACL_ERROR_RT_PARAM_INVALID) << "not the start";
  EXPECT_EQ(aclrtReleaseMemAddress(range), ACL_SUCCESS);
  EXPECT_EQ(aclrtReleaseMemAddress(range), ACL_ERROR_RT_PARAM_INVALID) << "released before";
}

TEST_F(VirtualMemoryTest, AWishIsGrantedWhereTheAddressesAreFree) {
  char* first = Reserve(4 * kHuge, 1);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(first) % kHuge, 0U) << "huge pages need it";
  EXPECT_EQ(aclrtReleaseMemAddress(first), ACL_SUCCESS);
  char* again = Reserve(4 * kHuge, 1, first);
  EXPECT_EQ(again, first);
  char* other = Reserve(kHuge, 0, first + kHuge);
  EXPECT_TRUE(other + kHuge <= first || other >= first + 4 * kHuge) << "taken, so it is somewhere else";
  EXPECT_EQ(aclrtReleaseMemAddress(again), ACL_SUCCESS);
  EXPECT_EQ(aclrtReleaseMemAddress(other), ACL_SUCCESS);
}

TEST_F(VirtualMemoryTest, MapAndUnmapErrors) {
  aclrtDrvMemHandle handle = Physical(2 * kPage);
  char* range = Reserve(4 * kPage);
  EXPECT_EQ(aclrtMapMem(nullptr, kPage, 0, handle, 0), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMapMem(range, 0, 0, handle, 0), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMapMem(range, kPage, kPage, handle, 0), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMapMem(range, kPage, 0, nullptr, 0), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMapMem(range, kPage, 0, handle, 1), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMapMem(range, kPage, 0, stream_, 0), ACL_ERROR_RT_INVALID_HANDLE);
  EXPECT_EQ(aclrtMapMem(range, 3 * kPage, 0, handle, 0), ACL_ERROR_RT_PARAM_INVALID) << "more than there is";
  EXPECT_EQ(aclrtMapMem(range, kPage + 1, 0, handle, 0), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtMapMem(range + 1, kPage, 0, handle, 0), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtMapMem(range + 3 * kPage, 2 * kPage, 0, handle, 0), ACL_ERROR_RT_PARAM_INVALID)
      << "beyond the end of the range";
  std::vector<char> plain(4 * kPage);
  EXPECT_EQ(aclrtMapMem(plain.data(), kPage, 0, handle, 0), ACL_ERROR_RT_PARAM_INVALID) << "not reserved";
  ASSERT_EQ(aclrtMapMem(range + kPage, 2 * kPage, 0, handle, 0), ACL_SUCCESS);
  for (size_t page = 0; page < 3; ++page) {
    EXPECT_EQ(aclrtMapMem(range + page * kPage, 2 * kPage, 0, handle, 0), ACL_ERROR_RT_PARAM_INVALID)
        << "something is mapped there";
  }
  EXPECT_EQ(aclrtReleaseMemAddress(range), ACL_ERROR_RT_PARAM_INVALID) << "something is mapped in it";
  EXPECT_EQ(aclrtUnmapMem(nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtUnmapMem(range), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtUnmapMem(range + 2 * kPage), ACL_ERROR_RT_PARAM_INVALID) << "not the start";
  EXPECT_EQ(aclrtUnmapMem(range + kPage), ACL_SUCCESS);
  EXPECT_EQ(aclrtUnmapMem(range + kPage), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtReleaseMemAddress(range), ACL_SUCCESS);
  EXPECT_EQ(aclrtFreePhysical(handle), ACL_SUCCESS);
}

TEST_F(VirtualMemoryTest, OneHandleAtTwoPlacesIsOneMemory) {
  aclrtDrvMemHandle handle = Physical(2 * kPage);
  char* range = Reserve(4 * kPage);
  ASSERT_EQ(aclrtMapMem(range, 2 * kPage, 0, handle, 0), ACL_SUCCESS);
  ASSERT_EQ(aclrtMapMem(range + 2 * kPage, 2 * kPage, 0, handle, 0), ACL_SUCCESS);
  std::memset(range, 0x5A, 2 * kPage);
  EXPECT_EQ(std::memcmp(range, range + 2 * kPage, 2 * kPage), 0);
  EXPECT_EQ(aclrtUnmapMem(range), ACL_SUCCESS);
  EXPECT_EQ(range[2 * kPage], 0x5A) << "the other place is as it was";
  ASSERT_EQ(aclrtMapMem(range, kPage, 0, handle, 0), ACL_SUCCESS) << "a part of it, again";
  EXPECT_EQ(range[0], 0x5A);
  EXPECT_EQ(aclrtUnmapMem(range), ACL_SUCCESS);
  EXPECT_EQ(aclrtUnmapMem(range + 2 * kPage), ACL_SUCCESS);
  EXPECT_EQ(aclrtReleaseMemAddress(range), ACL_SUCCESS);
  EXPECT_EQ(aclrtFreePhysical(handle), ACL_SUCCESS);
}

TEST_F(VirtualMemoryTest, MappedMemoryIsDeviceMemoryInCopies) {
  aclrtDrvMemHandle handle = Physical(kHuge, OnDevice(0, ACL_HBM_MEM_HUGE));
  char* range = Reserve(kHuge);
  ASSERT_EQ(aclrtMapMem(range, kHuge, 0, handle, 0), ACL_SUCCESS);
  aclrtPtrAttributes attributes{};
  EXPECT_EQ(aclrtPointerGetAttributes(range + 12345, &attributes), ACL_SUCCESS);
  EXPECT_EQ(attributes.location.type, ACL_MEM_LOCATION_TYPE_DEVICE);
  EXPECT_EQ(attributes.location.id, 0U);

  void* pinned = nullptr;
  void* device = nullptr;
  ASSERT_EQ(aclrtMallocHost(&pinned, kHuge), ACL_SUCCESS);
  ASSERT_EQ(aclrtMalloc(&device, kHuge, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
  for (size_t i = 0; i < kHuge; ++i)
    static_cast<unsigned char*>(pinned)[i] = static_cast<unsigned char>(i * 7);
  ASSERT_EQ(aclrtMemcpyAsync(range, kHuge, pinned, kHuge, ACL_MEMCPY_HOST_TO_DEVICE, stream_), ACL_SUCCESS);
  ASSERT_EQ(aclrtMemcpyAsync(device, kHuge, range, kHuge, ACL_MEMCPY_DEVICE_TO_DEVICE, stream_), ACL_SUCCESS);
  ASSERT_EQ(aclrtMemsetAsync(range, kHuge, 3, kHuge, stream_), ACL_SUCCESS);
  ASSERT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS);
  EXPECT_EQ(std::memcmp(device, pinned, kHuge), 0);
  EXPECT_EQ(range[kHuge - 1], 3);
  std::vector<char> back(kHuge);
  ASSERT_EQ(aclrtMemcpy(back.data(), kHuge, range, kHuge, ACL_MEMCPY_DEVICE_TO_HOST), ACL_SUCCESS);
  EXPECT_EQ(back, std::vector<char>(kHuge, 3));
  ASSERT_EQ(aclrtValueWrite(range + 64, 77, 0, stream_), ACL_SUCCESS) << "it counts as device memory";
  ASSERT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS);

  EXPECT_EQ(aclrtUnmapMem(range), ACL_SUCCESS);
  EXPECT_EQ(aclrtPointerGetAttributes(range, &attributes), ACL_SUCCESS);
  EXPECT_EQ(attributes.location.type, ACL_MEM_LOCATION_TYPE_UNREGISTERED);
  EXPECT_EQ(aclrtFree(range), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtReleaseMemAddress(range), ACL_SUCCESS);
  EXPECT_EQ(aclrtFreePhysical(handle), ACL_SUCCESS);
  EXPECT_EQ(aclrtFree(device), ACL_SUCCESS);
  EXPECT_EQ(aclrtFreeHost(pinned), ACL_SUCCESS);
}

// The program's mistake, and still no reason to die.
TEST_F(VirtualMemoryTest, QueuedWorkOnMemoryThatIsUnmappedAndReleasedDoesNoHarm) {
  aclrtDrvMemHandle handle = Physical(2 * kPage);
  char* range = Reserve(2 * kPage);
  ASSERT_EQ(aclrtMapMem(range, 2 * kPage, 0, handle, 0), ACL_SUCCESS);
  Gate gate(stream_);
  ASSERT_EQ(aclrtMemsetAsync(range, 2 * kPage, 1, 2 * kPage, stream_), ACL_SUCCESS);
  EXPECT_EQ(aclrtUnmapMem(range), ACL_SUCCESS);
  EXPECT_EQ(aclrtReleaseMemAddress(range), ACL_SUCCESS);
  EXPECT_EQ(aclrtFreePhysical(handle), ACL_SUCCESS);
  gate.Open(other_);
  EXPECT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS);
  char* again = Reserve(kPage, 0, range);
  EXPECT_EQ(again, range) << "released addresses are given out again";
  EXPECT_EQ(aclrtReleaseMemAddress(again), ACL_SUCCESS);
}

TEST_F(VirtualMemoryTest, AccessIsRememberedForEachPlace) {
  aclrtDrvMemHandle handle = Physical(2 * kPage);
  char* range = Reserve(2 * kPage);
  aclrtMemAccessDesc desc{ACL_RT_MEM_ACCESS_FLAGS_READ, {1, ACL_MEM_LOCATION_TYPE_DEVICE}, {}};
  EXPECT_EQ(aclrtMemSetAccess(range, 2 * kPage, &desc, 1), ACL_ERROR_RT_PARAM_INVALID) << "not mapped";
  ASSERT_EQ(aclrtMapMem(range, 2 * kPage, 0, handle, 0), ACL_SUCCESS);
  const auto access = [&](uint32_t id, aclrtMemLocationType type) {
    aclrtMemLocation location{id, type};
    uint64_t flag = 99;
    EXPECT_EQ(aclrtMemGetAccess(range + kPage, &location, &flag), ACL_SUCCESS);
    return flag;
  };
  EXPECT_EQ(access(0, ACL_MEM_LOCATION_TYPE_DEVICE), 3U) << "where it is";
  EXPECT_EQ(access(1, ACL_MEM_LOCATION_TYPE_DEVICE), 0U);
  EXPECT_EQ(access(0, ACL_MEM_LOCATION_TYPE_HOST), 0U);
  ASSERT_EQ(aclrtMemSetAccess(range, 2 * kPage, &desc, 1), ACL_SUCCESS);
  EXPECT_EQ(access(1, ACL_MEM_LOCATION_TYPE_DEVICE), 1U);

  EXPECT_EQ(aclrtMemSetAccess(nullptr, kPage, &desc, 1), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMemSetAccess(range, 0, &desc, 1), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMemSetAccess(range, 2 * kPage, nullptr, 1), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMemSetAccess(range, 2 * kPage, &desc, 0), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMemSetAccess(range, kPage, &desc, 1), ACL_ERROR_RT_PARAM_INVALID) << "only a part";
  aclrtMemAccessDesc bad = desc;
  bad.flags = AnyValue<aclrtMemAccessFlags>(2);
  EXPECT_EQ(aclrtMemSetAccess(range, 2 * kPage, &bad, 1), ACL_ERROR_INVALID_PARAM);
  bad = desc;
  bad.rsv[11] = 1;
  EXPECT_EQ(aclrtMemSetAccess(range, 2 * kPage, &bad, 1), ACL_ERROR_INVALID_PARAM);
  aclrtMemAccessDesc two[] = {desc, desc};
  two[0].flags = ACL_RT_MEM_ACCESS_FLAGS_READWRITE;
  two[1].location.id = 4711;
  EXPECT_EQ(aclrtMemSetAccess(range, 2 * kPage, two, 2), ACL_ERROR_RT_INVALID_DEVICEID);
  EXPECT_EQ(access(1, ACL_MEM_LOCATION_TYPE_DEVICE), 1U) << "a mistake in one, and none has an effect";
  aclrtMemLocation location{0, ACL_MEM_LOCATION_TYPE_DEVICE};
  uint64_t flag = 0;
  EXPECT_EQ(aclrtMemGetAccess(nullptr, &location, &flag), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMemGetAccess(range, nullptr, &flag), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMemGetAccess(range, &location, nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMemGetAccess(&location, &location, &flag), ACL_ERROR_RT_PARAM_INVALID);
  location.type = ACL_MEM_LOCATION_TYPE_MANAGED;
  EXPECT_EQ(aclrtMemGetAccess(range, &location, &flag), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtUnmapMem(range), ACL_SUCCESS);
  EXPECT_EQ(aclrtReleaseMemAddress(range), ACL_SUCCESS);
  EXPECT_EQ(aclrtFreePhysical(handle), ACL_SUCCESS);
}

TEST_F(VirtualMemoryTest, AddressRangesAreThoseOfAllocationsAndMappings) {
  void* base = nullptr;
  size_t bytes = 0;
  int plain = 0;
  EXPECT_EQ(aclrtMemGetAddressRange(nullptr, &base, &bytes), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMemGetAddressRange(&plain, &base, &bytes), ACL_ERROR_RT_PARAM_INVALID);
  void* data = nullptr;
  ASSERT_EQ(aclrtMallocAlign32(&data, 10240, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
  EXPECT_EQ(aclrtMemGetAddressRange(static_cast<char*>(data) + 10239, &base, &bytes), ACL_SUCCESS);
  EXPECT_EQ(base, data);
  EXPECT_EQ(bytes, 10240U);
  EXPECT_EQ(aclrtMemGetAddressRange(data, nullptr, nullptr), ACL_SUCCESS);
  EXPECT_EQ(aclrtFree(data), ACL_SUCCESS);
  aclrtDrvMemHandle handle = Physical(2 * kPage);
  char* range = Reserve(4 * kPage);
  ASSERT_EQ(aclrtMapMem(range + kPage, 2 * kPage, 0, handle, 0), ACL_SUCCESS);
  EXPECT_EQ(aclrtMemGetAddressRange(range + 3 * kPage - 1, &base, &bytes), ACL_SUCCESS);
  EXPECT_EQ(base, range + kPage);
  EXPECT_EQ(bytes, 2 * kPage);
  EXPECT_EQ(aclrtMemGetAddressRange(range, &base, &bytes), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtUnmapMem(range + kPage), ACL_SUCCESS);
  EXPECT_EQ(aclrtReleaseMemAddress(range), ACL_SUCCESS);
  EXPECT_EQ(aclrtFreePhysical(handle), ACL_SUCCESS);
}

TEST_F(VirtualMemoryTest, ThreadsMapAndUnmapAtOnce) {
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([thread] {
      for (int round = 0; round < 50; ++round) {
        aclrtDrvMemHandle handle = Physical(2 * kPage);
        char* range = Reserve(2 * kPage);
        ASSERT_EQ(aclrtMapMem(range, 2 * kPage, 0, handle, 0), ACL_SUCCESS);
        std::memset(range, thread, 2 * kPage);
        EXPECT_EQ(range[2 * kPage - 1], thread);
        EXPECT_EQ(aclrtUnmapMem(range), ACL_SUCCESS);
        EXPECT_EQ(aclrtReleaseMemAddress(range), ACL_SUCCESS);
        EXPECT_EQ(aclrtFreePhysical(handle), ACL_SUCCESS);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace tandem::test
