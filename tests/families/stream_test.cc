// SPDX-License-Identifier: Apache-2.0
// The families around streams: two that wait for each other through memory, configuration, reduction.
#include <acl/acl.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace tandem::test {
namespace {

TEST(Families, StreamsSynchronizeThroughMemory) {
  ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
  aclrtStream reader = nullptr;
  aclrtStream writer = nullptr;
  void* flag = nullptr;
  void* seen = nullptr;
  ASSERT_EQ(aclrtCreateStream(&reader), ACL_SUCCESS);
  ASSERT_EQ(aclrtCreateStream(&writer), ACL_SUCCESS);
  ASSERT_EQ(aclrtMalloc(&flag, sizeof(uint64_t), ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
  ASSERT_EQ(aclrtMallocHost(&seen, sizeof(uint64_t)), ACL_SUCCESS);
  ASSERT_EQ(aclrtMemset(flag, sizeof(uint64_t), 0, sizeof(uint64_t)), ACL_SUCCESS);
  ASSERT_EQ(aclrtValueWait(flag, 123, ACL_STREAM_WAIT_VALUE_EQ, reader), ACL_SUCCESS);
  ASSERT_EQ(aclrtMemcpyAsync(seen, 8, flag, 8, ACL_MEMCPY_DEVICE_TO_HOST, reader), ACL_SUCCESS);
  aclrtStreamStatus status{};
  ASSERT_EQ(aclrtStreamQuery(reader, &status), ACL_SUCCESS);
  EXPECT_EQ(status, ACL_STREAM_STATUS_NOT_READY) << "nobody wrote yet";
  ASSERT_EQ(aclrtValueWrite(flag, 123, 0, writer), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStream(writer), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStream(reader), ACL_SUCCESS);
  EXPECT_EQ(*static_cast<uint64_t*>(seen), 123U);
  EXPECT_EQ(aclrtFree(flag), ACL_SUCCESS);
  EXPECT_EQ(aclrtFreeHost(seen), ACL_SUCCESS);
  EXPECT_EQ(aclrtDestroyStream(reader), ACL_SUCCESS);
  EXPECT_EQ(aclrtDestroyStream(writer), ACL_SUCCESS);
  EXPECT_EQ(aclrtResetDevice(0), ACL_SUCCESS);
}

TEST(Families, StreamConfiguration) {
  ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
  aclrtStreamConfigHandle* config = aclrtCreateStreamConfigHandle();
  ASSERT_NE(config, nullptr);
  const size_t flags = 0;
  const uint32_t priority = 0;
  ASSERT_EQ(aclrtSetStreamConfigOpt(config, ACL_RT_STREAM_FLAG, &flags, sizeof flags), ACL_SUCCESS);
  ASSERT_EQ(aclrtSetStreamConfigOpt(config, ACL_RT_STREAM_PRIORITY, &priority, sizeof priority), ACL_SUCCESS);
  aclrtStream stream = nullptr;
  ASSERT_EQ(aclrtCreateStreamV2(&stream, config), ACL_SUCCESS);
  int32_t id = -1;
  uint32_t got = 4711;
  EXPECT_EQ(aclrtStreamGetId(stream, &id), ACL_SUCCESS);
  EXPECT_GE(id, 0);
  EXPECT_EQ(aclrtStreamGetFlags(stream, &got), ACL_SUCCESS);
  EXPECT_EQ(got, 0U);
  got = 4711;
  EXPECT_EQ(aclrtStreamGetPriority(stream, &got), ACL_SUCCESS);
  EXPECT_EQ(got, 0U);
  EXPECT_EQ(aclrtDestroyStreamConfigHandle(config), ACL_SUCCESS);
  EXPECT_EQ(aclrtDestroyStream(stream), ACL_SUCCESS);
  EXPECT_EQ(aclrtResetDevice(0), ACL_SUCCESS);
}

TEST(Families, Reduction) {
  ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
  const std::vector<float> terms = {1, 2, 3, 4};
  const size_t bytes = terms.size() * sizeof(float);
  aclrtStream stream = nullptr;
  void* from = nullptr;
  void* to = nullptr;
  ASSERT_EQ(aclrtCreateStream(&stream), ACL_SUCCESS);
  ASSERT_EQ(aclrtMalloc(&from, bytes, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
  ASSERT_EQ(aclrtMalloc(&to, bytes, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
  for (void* data : {from, to}) {
    ASSERT_EQ(aclrtMemcpy(data, bytes, terms.data(), bytes, ACL_MEMCPY_HOST_TO_DEVICE), ACL_SUCCESS);
  }
  ASSERT_EQ(aclrtReduceAsync(to, from, bytes, ACL_RT_MEMCPY_SDMA_AUTOMATIC_SUM, ACL_FLOAT, stream, nullptr),
            ACL_SUCCESS);
  ASSERT_EQ(aclrtSynchronizeStream(stream), ACL_SUCCESS);
  std::vector<float> sums(terms.size());
  ASSERT_EQ(aclrtMemcpy(sums.data(), bytes, to, bytes, ACL_MEMCPY_DEVICE_TO_HOST), ACL_SUCCESS);
  EXPECT_EQ(sums, (std::vector<float>{2, 4, 6, 8}));
  EXPECT_EQ(aclrtFree(from), ACL_SUCCESS);
  EXPECT_EQ(aclrtFree(to), ACL_SUCCESS);
  EXPECT_EQ(aclrtDestroyStream(stream), ACL_SUCCESS);
  EXPECT_EQ(aclrtResetDevice(0), ACL_SUCCESS);
}

}  // namespace
}  // namespace tandem::test
