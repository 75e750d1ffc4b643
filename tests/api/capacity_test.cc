// SPDX-License-Identifier: Apache-2.0
// Capacity of a device, with a setting that only this program has.
#include <acl/acl.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

namespace tandem::test {
namespace {

constexpr size_t kCapacity = size_t{16} << 20;

class CapacityTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { ASSERT_EQ(setenv("TANDEM_DEVICE_MEMORY", "16M", 1), 0); }
  void SetUp() override { ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS); }
  void TearDown() override { ASSERT_EQ(aclrtResetDevice(0), ACL_SUCCESS); }
};

TEST_F(CapacityTest, TotalIsTheSettingAndFreeFallsToZero) {
  size_t free = 0;
  size_t total = 0;
  ASSERT_EQ(aclrtGetMemInfo(ACL_HBM_MEM, &free, &total), ACL_SUCCESS);
  EXPECT_EQ(total, kCapacity);
  EXPECT_EQ(free, kCapacity);
  void* data = nullptr;
  EXPECT_EQ(aclrtMalloc(&data, kCapacity, ACL_MEM_MALLOC_HUGE_FIRST), ACL_ERROR_RT_MEMORY_ALLOCATION)
      << "the 32 bytes more do not fit";
  ASSERT_EQ(aclrtMallocAlign32(&data, kCapacity, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
  ASSERT_EQ(aclrtGetMemInfo(ACL_HBM_MEM, &free, &total), ACL_SUCCESS);
  EXPECT_EQ(free, 0U);
  void* more = nullptr;
  EXPECT_EQ(aclrtMallocAlign32(&more, 1, ACL_MEM_MALLOC_HUGE_FIRST), ACL_ERROR_RT_MEMORY_ALLOCATION);
  const std::string text = aclGetRecentErrMsg();
  EXPECT_NE(text.find("device 0 has 0 of 16777216 bytes free"), std::string::npos) << text;
  EXPECT_NE(text.find("TANDEM_DEVICE_MEMORY"), std::string::npos) << text;
  EXPECT_EQ(aclrtFree(data), ACL_SUCCESS);
}

TEST_F(CapacityTest, EachDeviceHasItsOwn) {
  void* data = nullptr;
  ASSERT_EQ(aclrtMallocAlign32(&data, kCapacity, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
  ASSERT_EQ(aclrtSetDevice(1), ACL_SUCCESS);
  void* other = nullptr;
  EXPECT_EQ(aclrtMallocAlign32(&other, kCapacity, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
  EXPECT_EQ(aclrtFree(other), ACL_SUCCESS);
  EXPECT_EQ(aclrtResetDevice(1), ACL_SUCCESS);
  EXPECT_EQ(aclrtFree(data), ACL_SUCCESS);
}

TEST_F(CapacityTest, ThreadsNeverGetMoreThanThereIs) {
  constexpr size_t kBlock = size_t{1} << 20;
  std::vector<std::thread> threads;
  threads.reserve(4);
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([] {
      ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
      for (int round = 0; round < 50; ++round) {
        std::vector<void*> blocks;
        void* data = nullptr;
        while (aclrtMallocAlign32(&data, kBlock, ACL_MEM_MALLOC_HUGE_FIRST) == ACL_SUCCESS)
          blocks.push_back(data);
        EXPECT_LE(blocks.size(), kCapacity / kBlock);
        for (void* block : blocks) EXPECT_EQ(aclrtFree(block), ACL_SUCCESS);
      }
      static_cast<void>(aclGetRecentErrMsg());
      ASSERT_EQ(aclrtResetDevice(0), ACL_SUCCESS);
    });
  }
  for (std::thread& thread : threads) thread.join();
  size_t free = 0;
  size_t total = 0;
  ASSERT_EQ(aclrtGetMemInfo(ACL_HBM_MEM, &free, &total), ACL_SUCCESS);
  EXPECT_EQ(free, kCapacity);
}

}  // namespace
}  // namespace tandem::test
