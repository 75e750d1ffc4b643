// SPDX-License-Identifier: Apache-2.0
// Host memory that the application allocated itself.
#include <acl/acl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <cstdint>

#include "api/runtime_fixture.h"

namespace tandem::test {
namespace {

constexpr size_t kPage = 4096;

// Two pages of the application, and nothing behind them.
class HostRegisterTest : public RuntimeTest {
 protected:
  void SetUp() override {
    RuntimeTest::SetUp();
    void* pages = mmap(nullptr, 3 * kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    ASSERT_NE(pages, MAP_FAILED);
    pages_ = static_cast<unsigned char*>(pages);
    ASSERT_EQ(munmap(pages_ + 2 * kPage, kPage), 0);
  }
  void TearDown() override {
    EXPECT_EQ(munmap(pages_, 2 * kPage), 0);
    RuntimeTest::TearDown();
  }
  aclrtMemLocationType Place(const void* at) {
    aclrtPtrAttributes attributes{};
    EXPECT_EQ(aclrtPointerGetAttributes(at, &attributes), ACL_SUCCESS);
    return attributes.location.type;
  }
  unsigned char* pages_ = nullptr;
};

TEST_F(HostRegisterTest, RegisteredMemoryCountsAsPageLocked) {
  void* seen = nullptr;
  EXPECT_EQ(Place(pages_), ACL_MEM_LOCATION_TYPE_UNREGISTERED);
  ASSERT_EQ(aclrtHostRegister(pages_, kPage, ACL_HOST_REGISTER_MAPPED, &seen), ACL_SUCCESS);
  ASSERT_NE(seen, nullptr);
  EXPECT_EQ(Place(pages_), ACL_MEM_LOCATION_TYPE_HOST);
  EXPECT_EQ(Place(pages_ + kPage - 1), ACL_MEM_LOCATION_TYPE_HOST);
  EXPECT_EQ(Place(pages_ + kPage), ACL_MEM_LOCATION_TYPE_UNREGISTERED) << "the next page was not registered";

  void* again = nullptr;
  EXPECT_EQ(aclrtHostGetDevicePointer(pages_, &again, 0), ACL_SUCCESS);
  EXPECT_EQ(again, seen);
  EXPECT_EQ(aclrtHostUnregister(pages_), ACL_SUCCESS);
  EXPECT_EQ(Place(pages_), ACL_MEM_LOCATION_TYPE_UNREGISTERED);
}

TEST_F(HostRegisterTest, CopiesAreQueuedAsForPageLockedMemory) {
  void* device = nullptr;
  ASSERT_EQ(aclrtMalloc(&device, kPage, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
  ASSERT_EQ(aclrtMemset(device, kPage, 7, kPage), ACL_SUCCESS);
  ASSERT_EQ(aclrtHostRegisterV2(pages_, kPage, ACL_HOST_REG_PINNED), ACL_SUCCESS);
  Gate gate(stream_);
  ASSERT_EQ(aclrtMemcpyAsync(pages_, kPage, device, kPage, ACL_MEMCPY_DEVICE_TO_HOST, stream_), ACL_SUCCESS);
  EXPECT_EQ(pages_[0], 0) << "a copy to ordinary memory would have waited for the gate for ever";
  gate.Open(other_);
  EXPECT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS);
  EXPECT_EQ(pages_[0], 7);
  EXPECT_EQ(pages_[kPage - 1], 7);
  EXPECT_EQ(aclrtHostUnregister(pages_), ACL_SUCCESS);
  EXPECT_EQ(aclrtFree(device), ACL_SUCCESS);
}

TEST_F(HostRegisterTest, OnlyMappedAndPinnedCountAsPageLocked) {
  ASSERT_EQ(aclrtHostRegisterV2(pages_, kPage, ACL_HOST_REG_READONLY), ACL_SUCCESS);
  EXPECT_EQ(Place(pages_), ACL_MEM_LOCATION_TYPE_UNREGISTERED);
  ASSERT_EQ(aclrtHostUnregister(pages_), ACL_SUCCESS);
  ASSERT_EQ(aclrtHostRegisterV2(pages_, kPage, ACL_HOST_REG_MAPPED | ACL_HOST_REG_READONLY), ACL_SUCCESS);
  EXPECT_EQ(Place(pages_), ACL_MEM_LOCATION_TYPE_HOST);
  ASSERT_EQ(aclrtHostUnregister(pages_), ACL_SUCCESS);
}

TEST_F(HostRegisterTest, OverlapsAreRefused) {
  void* seen = nullptr;
  ASSERT_EQ(aclrtHostRegisterV2(pages_, kPage, ACL_HOST_REG_MAPPED), ACL_SUCCESS);
  EXPECT_EQ(aclrtHostRegisterV2(pages_, kPage, ACL_HOST_REG_MAPPED),
            ACL_ERROR_HOST_MEMORY_ALREADY_REGISTERED);
  EXPECT_EQ(aclrtHostRegisterV2(pages_, 2 * kPage, ACL_HOST_REG_MAPPED),
            ACL_ERROR_HOST_MEMORY_ALREADY_REGISTERED);
  EXPECT_EQ(aclrtHostRegisterV2(pages_ + 64, 64, ACL_HOST_REG_MAPPED),
            ACL_ERROR_HOST_MEMORY_ALREADY_REGISTERED);
  EXPECT_EQ(aclrtHostRegister(pages_, kPage, ACL_HOST_REGISTER_READONLY, &seen),
            ACL_ERROR_HOST_MEMORY_ALREADY_REGISTERED);
  EXPECT_EQ(aclrtHostRegisterV2(pages_ + kPage, kPage, ACL_HOST_REG_MAPPED), ACL_SUCCESS) << "beside it";
  EXPECT_EQ(aclrtHostUnregister(pages_ + 64), ACL_ERROR_HOST_MEMORY_NOT_REGISTERED) << "not its start";
  EXPECT_EQ(aclrtHostUnregister(pages_ + kPage), ACL_SUCCESS);
  EXPECT_EQ(aclrtHostUnregister(pages_), ACL_SUCCESS);
  EXPECT_EQ(aclrtHostUnregister(pages_), ACL_ERROR_HOST_MEMORY_NOT_REGISTERED);
}

TEST_F(HostRegisterTest, ArgumentsAreChecked) {
  void* seen = nullptr;
  EXPECT_EQ(aclrtHostRegister(nullptr, kPage, ACL_HOST_REGISTER_MAPPED, &seen), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtHostRegister(pages_, 0, ACL_HOST_REGISTER_MAPPED, &seen), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtHostRegister(pages_, kPage, ACL_HOST_REGISTER_MAPPED, nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtHostRegister(pages_, kPage, AnyValue<aclrtHostRegisterType>(2), &seen),
            ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  EXPECT_EQ(aclrtHostRegisterV2(nullptr, kPage, ACL_HOST_REG_MAPPED), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtHostRegisterV2(pages_, 0, ACL_HOST_REG_MAPPED), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtHostRegisterV2(pages_, kPage, 0), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtHostRegisterV2(pages_, kPage, 1), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtHostUnregister(nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtHostUnregister(pages_), ACL_ERROR_HOST_MEMORY_NOT_REGISTERED);
  EXPECT_EQ(aclrtHostGetDevicePointer(pages_, &seen, 0), ACL_ERROR_HOST_MEMORY_NOT_REGISTERED);
  EXPECT_EQ(aclrtHostGetDevicePointer(nullptr, &seen, 0), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtHostGetDevicePointer(pages_, nullptr, 0), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtHostGetDevicePointer(pages_, &seen, 1), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(seen, nullptr);
}

TEST_F(HostRegisterTest, RangesThatAreNotTheApplicationsAreRefused) {
  EXPECT_EQ(aclrtHostRegisterV2(pages_, 3 * kPage, ACL_HOST_REG_MAPPED), ACL_ERROR_RT_PARAM_INVALID)
      << "the third page is not there";
  EXPECT_EQ(aclrtHostRegisterV2(pages_, UINT64_MAX, ACL_HOST_REG_MAPPED), ACL_ERROR_RT_PARAM_INVALID);
  void* device = nullptr;
  ASSERT_EQ(aclrtMalloc(&device, kPage, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
  EXPECT_EQ(aclrtHostRegisterV2(device, kPage, ACL_HOST_REG_MAPPED), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtFree(device), ACL_SUCCESS);
}

}  // namespace
}  // namespace tandem::test
