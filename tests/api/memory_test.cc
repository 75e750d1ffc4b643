// SPDX-License-Identifier: Apache-2.0
#include <acl/acl.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "api/runtime_fixture.h"

namespace tandem::test {
namespace {

size_t FreeBytes() {
  size_t free = 0;
  size_t total = 0;
  EXPECT_EQ(aclrtGetMemInfo(ACL_HBM_MEM, &free, &total), ACL_SUCCESS);
  EXPECT_LE(free, total);
  return free;
}

TEST_F(RuntimeTest, MemoryArgumentErrors) {
  void* data = nullptr;
  const auto policy = ACL_MEM_MALLOC_HUGE_FIRST;
  EXPECT_EQ(aclrtMalloc(nullptr, 64, policy), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMalloc(&data, 0, policy), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMalloc(&data, SIZE_MAX, policy), ACL_ERROR_INVALID_PARAM) << "cannot be rounded up";
  EXPECT_EQ(aclrtMallocAlign32(nullptr, 64, policy), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMallocCached(&data, 0, policy), ACL_ERROR_INVALID_PARAM);
  aclrtMallocConfig config{nullptr, 1};
  EXPECT_EQ(aclrtMallocWithCfg(&data, 64, policy, &config), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMallocHost(nullptr, 64), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMallocHost(&data, 0), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMallocHostWithCfg(&data, 64, &config), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtFree(nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtFreeHost(nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtFreeWithDevSync(nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtFreeHostWithDevSync(nullptr), ACL_ERROR_INVALID_PARAM);
  size_t value = 0;
  EXPECT_EQ(aclrtGetMemInfo(ACL_HBM_MEM, nullptr, &value), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtGetMemInfo(ACL_HBM_MEM, &value, nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtGetMemInfo(AnyValue<aclrtMemAttr>(18), &value, &value), ACL_ERROR_RT_INVALID_MEMORY_TYPE);
  aclrtPtrAttributes attributes{};
  EXPECT_EQ(aclrtPointerGetAttributes(nullptr, &attributes), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtPointerGetAttributes(&value, nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(data, nullptr);
}

TEST_F(RuntimeTest, AllocationNeedsAContextAndFreeingDoesNot) {
  void* device = nullptr;
  void* host = nullptr;
  ASSERT_EQ(aclrtMalloc(&device, 64, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
  ASSERT_EQ(aclrtMallocHost(&host, 64), ACL_SUCCESS);
  std::thread([device, host] {
    void* data = nullptr;
    EXPECT_EQ(aclrtMalloc(&data, 64, ACL_MEM_MALLOC_HUGE_FIRST), ACL_ERROR_RT_CONTEXT_NULL);
    EXPECT_EQ(aclrtMallocHost(&data, 64), ACL_ERROR_RT_CONTEXT_NULL);
    size_t value = 0;
    EXPECT_EQ(aclrtGetMemInfo(ACL_HBM_MEM, &value, &value), ACL_ERROR_RT_CONTEXT_NULL);
    EXPECT_EQ(aclrtFree(device), ACL_SUCCESS);
    EXPECT_EQ(aclrtFreeHost(host), ACL_SUCCESS);
  }).join();
}

TEST_F(RuntimeTest, OnlyTheStartOfALiveAllocationOfItsKindCanBeFreed) {
  void* device = nullptr;
  void* host = nullptr;
  int stranger = 0;
  ASSERT_EQ(aclrtMalloc(&device, 4096, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
  ASSERT_EQ(aclrtMallocHost(&host, 4096), ACL_SUCCESS);
  EXPECT_EQ(aclrtFree(host), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtFreeHost(device), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtFree(static_cast<char*>(device) + 64), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtFree(&stranger), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtFreeHost(&stranger), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtFree(device), ACL_SUCCESS);
  EXPECT_EQ(aclrtFree(device), ACL_ERROR_RT_PARAM_INVALID) << "freed before";
  EXPECT_EQ(aclrtFreeHost(host), ACL_SUCCESS);
}

TEST_F(RuntimeTest, AccountingFollowsTheRoundingRules) {
  struct Case {
    size_t bytes;
    bool align32;
    size_t charged;
  };
  const Case cases[] = {{1, false, 64},
                        {32, false, 64},
                        {33, false, 96},
                        {1, true, 32},
                        {32, true, 32},
                        {33, true, 64},
                        {1 << 20, false, (1 << 20) + 32}};
  const size_t before = FreeBytes();
  for (const Case& c : cases) {
    void* data = nullptr;
    const auto policy = ACL_MEM_MALLOC_NORMAL_ONLY;
    ASSERT_EQ(c.align32 ? aclrtMallocAlign32(&data, c.bytes, policy) : aclrtMalloc(&data, c.bytes, policy),
              ACL_SUCCESS);
    EXPECT_EQ(before - FreeBytes(), c.charged) << c.bytes;
    EXPECT_EQ(aclrtFree(data), ACL_SUCCESS);
    EXPECT_EQ(FreeBytes(), before);
  }
  void* host = nullptr;
  ASSERT_EQ(aclrtMallocHost(&host, 4096), ACL_SUCCESS);
  EXPECT_EQ(FreeBytes(), before) << "host memory is no device memory";
  EXPECT_EQ(aclrtFreeHost(host), ACL_SUCCESS);
}

TEST_F(RuntimeTest, EveryPolicyGivesAlignedMemoryThatTheHostCanUse) {
  std::set<void*> starts;
  for (const size_t bytes : {size_t{1}, size_t{63}, size_t{4096}, size_t{100'000}, size_t{3} << 20}) {
    for (int policy = 0; policy <= 7; ++policy) {
      void* data = nullptr;
      ASSERT_EQ(aclrtMalloc(&data, bytes, static_cast<aclrtMemMallocPolicy>(policy)), ACL_SUCCESS);
      EXPECT_EQ(reinterpret_cast<uintptr_t>(data) % (bytes >= 4096 ? 4096 : 64), 0U)
          << "whole pages can be exported";
      std::memset(data, policy, bytes);
      EXPECT_TRUE(starts.insert(data).second);
    }
  }
  for (void* data : starts) EXPECT_EQ(aclrtFree(data), ACL_SUCCESS);
}

TEST_F(RuntimeTest, PointersAreRecognised) {
  void* device = nullptr;
  void* host = nullptr;
  ASSERT_EQ(aclrtMalloc(&device, size_t{3} << 20, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
  ASSERT_EQ(aclrtMallocHost(&host, 100), ACL_SUCCESS);
  int plain = 0;
  aclrtPtrAttributes attributes{};
  EXPECT_EQ(aclrtPointerGetAttributes(static_cast<char*>(device) + 12345, &attributes), ACL_SUCCESS);
  EXPECT_EQ(attributes.location.type, ACL_MEM_LOCATION_TYPE_DEVICE);
  EXPECT_EQ(attributes.location.id, 0U);
  EXPECT_EQ(attributes.pageSize, 2U << 20);
  EXPECT_EQ(aclrtPointerGetAttributes(host, &attributes), ACL_SUCCESS);
  EXPECT_EQ(attributes.location.type, ACL_MEM_LOCATION_TYPE_HOST);
  EXPECT_EQ(aclrtPointerGetAttributes(&plain, &attributes), ACL_SUCCESS);
  EXPECT_EQ(attributes.location.type, ACL_MEM_LOCATION_TYPE_UNREGISTERED);
  EXPECT_EQ(aclrtFree(device), ACL_SUCCESS);
  EXPECT_EQ(aclrtPointerGetAttributes(device, &attributes), ACL_SUCCESS);
  EXPECT_EQ(attributes.location.type, ACL_MEM_LOCATION_TYPE_UNREGISTERED);
  EXPECT_EQ(aclrtFreeHost(host), ACL_SUCCESS);
}

TEST_F(RuntimeTest, MoreThanTheHostHasIsRefusedInsteadOfKillingTheProcess) {
  std::vector<void*> blocks;
  aclError result = ACL_SUCCESS;
  // Never touched: what was promised before must count.
  for (int i = 0; i < 4096 && result == ACL_SUCCESS; ++i) {
    void* data = nullptr;
    result = aclrtMallocHost(&data, size_t{1} << 30);
    if (result == ACL_SUCCESS) blocks.push_back(data);
  }
  EXPECT_EQ(result, ACL_ERROR_RT_MEMORY_ALLOCATION);
  const char* text = aclGetRecentErrMsg();
  ASSERT_NE(text, nullptr);
  EXPECT_NE(std::string(text).find("1073741824 bytes"), std::string::npos) << text;
  for (void* data : blocks) EXPECT_EQ(aclrtFreeHost(data), ACL_SUCCESS);
}

TEST_F(RuntimeTest, FreedMemoryIsGivenOutAgain) {
  for (int i = 0; i < 1000; ++i) {
    void* data = nullptr;
    ASSERT_EQ(aclrtMalloc(&data, size_t{1} << 30, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS) << i;
    static_cast<unsigned char*>(data)[i] = 1;
    ASSERT_EQ(aclrtFree(data), ACL_SUCCESS);
  }
}

TEST_F(RuntimeTest, FreeWithDeviceSyncWaitsForTheWork) {
  void* data = nullptr;
  ASSERT_EQ(aclrtMalloc(&data, 64, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
  ASSERT_EQ(aclrtMemsetAsync(data, 64, 1, 64, stream_), ACL_SUCCESS);
  EXPECT_EQ(aclrtFreeWithDevSync(data), ACL_SUCCESS);
  EXPECT_EQ(StatusOf(stream_), ACL_STREAM_STATUS_COMPLETE);
}

}  // namespace
}  // namespace tandem::test
