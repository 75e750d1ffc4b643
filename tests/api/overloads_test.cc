// SPDX-License-Identifier: Apache-2.0
// The C++ overloads of acl_rt_api.h do what the C functions do that they name.
#include <acl/acl_rt_api.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "api/runtime_fixture.h"

namespace tandem::test {
namespace {

TEST_F(RuntimeTest, OverloadsOfWaitsTakeATimeLimit) {
  EXPECT_EQ(aclrtSynchronizeDevice(1000), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeDevice(0), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtSynchronizeStream(stream_, 1000), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStream(stream_, 0), ACL_ERROR_RT_PARAM_INVALID);
  aclrtEvent event = nullptr;
  ASSERT_EQ(aclrtCreateEvent(&event, ACL_EVENT_SYNC), ACL_SUCCESS);
  ASSERT_EQ(aclrtRecordEvent(event, stream_), ACL_SUCCESS);
  EXPECT_EQ(aclrtStreamWaitEvent(other_, event, 1000), ACL_SUCCESS);
  EXPECT_EQ(aclrtStreamWaitEvent(other_, event, -1), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtSynchronizeEvent(event, 1000), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeEvent(event, 0), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtSynchronizeStream(other_), ACL_SUCCESS);
  EXPECT_EQ(aclrtDestroyEvent(event), ACL_SUCCESS);
  uint64_t actual = 0;
  EXPECT_EQ(aclrtSetOpExecuteTimeOut(uint64_t{1}, &actual), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
}

TEST_F(RuntimeTest, OverloadOfStreamCreationTakesPriorityAndFlags) {
  aclrtStream stream = nullptr;
  ASSERT_EQ(aclrtCreateStream(&stream, 3, ACL_STREAM_FAST_LAUNCH), ACL_SUCCESS);
  uint32_t value = 0;
  EXPECT_EQ(aclrtStreamGetPriority(stream, &value), ACL_SUCCESS);
  EXPECT_EQ(value, 3U);
  EXPECT_EQ(aclrtStreamGetFlags(stream, &value), ACL_SUCCESS);
  EXPECT_EQ(value, ACL_STREAM_FAST_LAUNCH);
  EXPECT_EQ(aclrtDestroyStream(stream), ACL_SUCCESS);
}

TEST_F(RuntimeTest, OverloadsOfMemoryTakePointersOfAnyType) {
  constexpr size_t kCount = 16;
  constexpr size_t kBytes = kCount * sizeof(float);
  float* device = nullptr;
  float* second = nullptr;
  float* host = nullptr;
  ASSERT_EQ(aclrtMalloc(&device, kBytes), ACL_SUCCESS);
  ASSERT_EQ(aclrtMalloc(&second, kBytes, ACL_MEM_MALLOC_HUGE_ONLY), ACL_SUCCESS);
  ASSERT_EQ(aclrtMallocHost(&host, kBytes), ACL_SUCCESS);
  const float* source = host;
  const auto kind = ACL_MEMCPY_HOST_TO_DEVICE;
  const auto next = [&](float value) {
    for (size_t i = 0; i < kCount; ++i) host[i] = value;
  };
  const auto arrived = [&](const float* at) {
    EXPECT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS);
    EXPECT_TRUE(std::equal(host, host + kCount, at)) << host[0];
  };
  next(1);
  EXPECT_EQ(aclrtMemcpy(device, kBytes, source, kBytes, kind), ACL_SUCCESS);
  arrived(device);
  next(2);
  EXPECT_EQ(aclrtMemcpyAsync(device, kBytes, source, kBytes, kind, stream_), ACL_SUCCESS);
  arrived(device);
  next(3);
  EXPECT_EQ(aclrtMemcpy2d(device, kBytes / 2, source, kBytes / 2, kBytes / 2, 2, kind), ACL_SUCCESS);
  arrived(device);
  next(4);
  EXPECT_EQ(aclrtMemcpy2dAsync(device, kBytes / 2, source, kBytes / 2, kBytes / 2, 2, kind, stream_),
            ACL_SUCCESS);
  arrived(device);

  std::array<float*, 2> to = {device, second};
  std::array<float*, 2> from = {host, host};
  std::array<size_t, 2> bytes = {kBytes, kBytes};
  aclrtMemcpyBatchAttr attribute{};
  attribute.dstLoc.type = ACL_MEM_LOCATION_TYPE_DEVICE;
  size_t first = 0;
  next(5);
  EXPECT_EQ(
      aclrtMemcpyBatch(to.data(), bytes.data(), from.data(), bytes.data(), 2, &attribute, &first, size_t{1}),
      ACL_SUCCESS);
  arrived(second);
  next(6);
  EXPECT_EQ(aclrtMemcpyBatch(to.data(), bytes.data(), from.data(), bytes.data(), 2, attribute), ACL_SUCCESS);
  arrived(second);
  next(7);
  EXPECT_EQ(aclrtMemcpyBatchAsync(to.data(), bytes.data(), from.data(), bytes.data(), 2, &attribute, &first,
                                  size_t{1}, stream_),
            ACL_SUCCESS);
  arrived(second);
  next(8);
  EXPECT_EQ(aclrtMemcpyBatchAsync(to.data(), bytes.data(), from.data(), bytes.data(), 2, attribute, stream_),
            ACL_SUCCESS);
  arrived(second);
  EXPECT_EQ(aclrtFree(device), ACL_SUCCESS);
  EXPECT_EQ(aclrtFree(second), ACL_SUCCESS);
  EXPECT_EQ(aclrtFreeHost(host), ACL_SUCCESS);
}

}  // namespace
}  // namespace tandem::test
