// SPDX-License-Identifier: Apache-2.0
#include <acl/acl.h>
#include <acl/acl_rt_memory_soma.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>

#include "api/runtime_fixture.h"

namespace tandem::test {
namespace {

constexpr size_t kMiB = size_t{1} << 20;

aclrtMemPoolProps PoolOnDevice(uint32_t device, size_t limit = 0) {
  aclrtMemPoolProps props{};
  props.location = {device, ACL_MEM_LOCATION_TYPE_DEVICE};
  props.maxSize = limit;
  return props;
}

class MemoryPoolTest : public RuntimeTest {
 protected:
  static aclrtMemPool Create(size_t limit = 0) {
    const aclrtMemPoolProps props = PoolOnDevice(0, limit);
    aclrtMemPool pool = nullptr;
    EXPECT_EQ(aclrtMemPoolCreate(&pool, &props), ACL_SUCCESS);
    return pool;
  }
  void* Take(aclrtMemPool pool, size_t bytes) {
    void* data = nullptr;
    EXPECT_EQ(aclrtMemPoolMallocAsync(&data, bytes, pool, stream_), ACL_SUCCESS);
    return data;
  }
  static uint64_t Bytes(aclrtMemPool pool, aclrtMemPoolAttr attribute) {
    uint64_t value = 4711;
    EXPECT_EQ(aclrtMemPoolGetAttr(pool, attribute, &value), ACL_SUCCESS);
    return value;
  }
  static uint64_t Used(aclrtMemPool pool) { return Bytes(pool, ACL_RT_MEM_POOL_ATTR_USED_MEM_CURRENT); }
  static uint64_t Reserved(aclrtMemPool pool) {
    return Bytes(pool, ACL_RT_MEM_POOL_ATTR_RESERVED_MEM_CURRENT);
  }
  static void KeepEverything(aclrtMemPool pool) {
    uint64_t threshold = UINT64_MAX;
    EXPECT_EQ(aclrtMemPoolSetAttr(pool, ACL_RT_MEM_POOL_ATTR_RELEASE_THRESHOLD, &threshold), ACL_SUCCESS);
  }
};

TEST_F(MemoryPoolTest, CreateAndDestroyErrors) {
  const aclrtMemPoolProps good = PoolOnDevice(0);
  aclrtMemPool pool = nullptr;
  EXPECT_EQ(aclrtMemPoolCreate(nullptr, &good), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMemPoolCreate(&pool, nullptr), ACL_ERROR_INVALID_PARAM);
  aclrtMemPoolProps bad = good;
  bad.allocType = AnyValue<aclrtMemAllocationType>(1);
  EXPECT_EQ(aclrtMemPoolCreate(&pool, &bad), ACL_ERROR_RT_PARAM_INVALID);
  bad = good;
  bad.handleType = ACL_MEM_HANDLE_TYPE_POSIX;
  EXPECT_EQ(aclrtMemPoolCreate(&pool, &bad), ACL_ERROR_RT_PARAM_INVALID);
  bad = good;
  bad.location.type = ACL_MEM_LOCATION_TYPE_HOST;
  EXPECT_EQ(aclrtMemPoolCreate(&pool, &bad), ACL_ERROR_RT_PARAM_INVALID);
  bad = good;
  bad.reserved[31] = 1;
  EXPECT_EQ(aclrtMemPoolCreate(&pool, &bad), ACL_ERROR_RT_PARAM_INVALID);
  bad = PoolOnDevice(4711);
  EXPECT_EQ(aclrtMemPoolCreate(&pool, &bad), ACL_ERROR_RT_INVALID_DEVICEID);
  EXPECT_EQ(pool, nullptr);
  EXPECT_EQ(aclrtMemPoolDestroy(nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMemPoolDestroy(stream_), ACL_ERROR_RT_INVALID_HANDLE);
  pool = Create();
  EXPECT_EQ(aclrtMemPoolDestroy(pool), ACL_SUCCESS);
  EXPECT_EQ(aclrtMemPoolDestroy(pool), ACL_ERROR_RT_INVALID_HANDLE);
}

TEST_F(MemoryPoolTest, MallocAndFreeErrors) {
  aclrtMemPool pool = Create(kMiB);
  void* data = nullptr;
  EXPECT_EQ(aclrtMemPoolMallocAsync(nullptr, 64, pool, stream_), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMemPoolMallocAsync(&data, 64, nullptr, stream_), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMemPoolMallocAsync(&data, 64, pool, nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMemPoolMallocAsync(&data, 64, stream_, stream_), ACL_ERROR_RT_INVALID_HANDLE);
  EXPECT_EQ(aclrtMemPoolMallocAsync(&data, 64, pool, StaleStream()), ACL_ERROR_RT_INVALID_HANDLE);
  EXPECT_EQ(aclrtMemPoolMallocAsync(&data, 2 * kMiB, pool, stream_), ACL_ERROR_RT_INTERNAL_ERROR);
  EXPECT_EQ(aclrtMemPoolMallocAsync(&data, SIZE_MAX, pool, stream_), ACL_ERROR_RT_INTERNAL_ERROR);
  EXPECT_EQ(data, nullptr);
  EXPECT_EQ(aclrtMemPoolMallocAsync(&data, 0, pool, stream_), ACL_SUCCESS);
  EXPECT_EQ(data, nullptr) << "nothing was allocated";
  EXPECT_EQ(Reserved(pool), 0U);

  data = Take(pool, 100);
  EXPECT_EQ(aclrtMemPoolFreeAsync(nullptr, stream_), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMemPoolFreeAsync(data, nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMemPoolFreeAsync(static_cast<char*>(data) + 32, stream_), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtMemPoolFreeAsync(&pool, stream_), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtFree(data), ACL_ERROR_RT_PARAM_INVALID) << "it belongs to the pool";
  void* other = nullptr;
  ASSERT_EQ(aclrtMalloc(&other, 64, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
  EXPECT_EQ(aclrtMemPoolFreeAsync(other, stream_), ACL_ERROR_RT_PARAM_INVALID) << "and this does not";
  EXPECT_EQ(aclrtFree(other), ACL_SUCCESS);
  aclrtContext context = nullptr;
  ASSERT_EQ(aclrtCreateContext(&context, 0), ACL_SUCCESS);
  EXPECT_EQ(aclrtMemPoolFreeAsync(data, stream_), ACL_ERROR_RT_STREAM_CONTEXT);
  EXPECT_EQ(aclrtMemPoolMallocAsync(&other, 64, pool, stream_), ACL_ERROR_RT_STREAM_CONTEXT);
  EXPECT_EQ(aclrtDestroyContext(context), ACL_SUCCESS);
  ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
  EXPECT_EQ(aclrtMemPoolDestroy(pool), ACL_ERROR_RT_INTERNAL_ERROR) << "a block is in use";
  EXPECT_EQ(aclrtMemPoolFreeAsync(data, stream_), ACL_SUCCESS);
  EXPECT_EQ(aclrtMemPoolFreeAsync(data, stream_), ACL_ERROR_RT_PARAM_INVALID) << "given back before";
  EXPECT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS);
  EXPECT_EQ(aclrtMemPoolDestroy(pool), ACL_SUCCESS);
  EXPECT_EQ(aclrtResetDevice(0), ACL_SUCCESS);
}

TEST_F(MemoryPoolTest, APoolBelongsToOneDevice) {
  const aclrtMemPoolProps props = PoolOnDevice(1);
  aclrtMemPool pool = nullptr;
  ASSERT_EQ(aclrtMemPoolCreate(&pool, &props), ACL_SUCCESS);
  void* data = nullptr;
  EXPECT_EQ(aclrtMemPoolMallocAsync(&data, 64, pool, stream_), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtMemPoolDestroy(pool), ACL_SUCCESS);
}

TEST_F(MemoryPoolTest, MemoryIsUsedAndGivenBackInStreamOrder) {
  aclrtMemPool pool = Create();
  KeepEverything(pool);
  Gate gate(stream_);
  auto* first = static_cast<unsigned char*>(Take(pool, kMiB));
  ASSERT_EQ(aclrtMemsetAsync(first, kMiB, 1, kMiB, stream_), ACL_SUCCESS);
  void* kept = nullptr;
  ASSERT_EQ(aclrtMallocHost(&kept, kMiB), ACL_SUCCESS);
  ASSERT_EQ(aclrtMemcpyAsync(kept, kMiB, first, kMiB, ACL_MEMCPY_DEVICE_TO_HOST, stream_), ACL_SUCCESS);
  ASSERT_EQ(aclrtMemPoolFreeAsync(first, stream_), ACL_SUCCESS);
  EXPECT_EQ(aclrtMemPoolDestroy(pool), ACL_ERROR_RT_INTERNAL_ERROR) << "the stream has not got there";

  // Work of another stream may be ahead of the free, so this one gets other memory.
  void* elsewhere = nullptr;
  ASSERT_EQ(aclrtMemPoolMallocAsync(&elsewhere, kMiB, pool, other_), ACL_SUCCESS);
  EXPECT_NE(elsewhere, first);
  // In the same stream all is in order.
  void* second = Take(pool, kMiB);
  EXPECT_EQ(second, first);
  ASSERT_EQ(aclrtMemsetAsync(second, kMiB, 2, kMiB, stream_), ACL_SUCCESS);
  gate.Open(other_);
  ASSERT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS);
  EXPECT_EQ(*static_cast<unsigned char*>(kept), 1);
  EXPECT_EQ(*first, 2);
  EXPECT_EQ(Used(pool), 2 * kMiB) << "the first free no longer counts: the block was handed out again";

  ASSERT_EQ(aclrtMemPoolFreeAsync(second, stream_), ACL_SUCCESS);
  ASSERT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS);
  EXPECT_EQ(Used(pool), kMiB);
  void* third = nullptr;
  ASSERT_EQ(aclrtMemPoolMallocAsync(&third, kMiB, pool, other_), ACL_SUCCESS);
  EXPECT_EQ(third, first) << "now any stream may have it";
  ASSERT_EQ(aclrtMemPoolFreeAsync(third, other_), ACL_SUCCESS);
  ASSERT_EQ(aclrtMemPoolFreeAsync(elsewhere, other_), ACL_SUCCESS);
  ASSERT_EQ(aclrtSynchronizeStream(other_), ACL_SUCCESS);
  EXPECT_EQ(aclrtMemPoolDestroy(pool), ACL_SUCCESS);
  EXPECT_EQ(aclrtFreeHost(kept), ACL_SUCCESS);
}

TEST_F(MemoryPoolTest, UnusedMemoryGoesBackToTheDeviceAsTheThresholdSays) {
  size_t before = 0;
  size_t total = 0;
  ASSERT_EQ(aclrtGetMemInfo(ACL_HBM_MEM, &before, &total), ACL_SUCCESS);
  aclrtMemPool pool = Create();
  EXPECT_EQ(Bytes(pool, ACL_RT_MEM_POOL_ATTR_RELEASE_THRESHOLD), 0U);
  void* data = Take(pool, kMiB);
  size_t free = 0;
  ASSERT_EQ(aclrtGetMemInfo(ACL_HBM_MEM, &free, &total), ACL_SUCCESS);
  EXPECT_EQ(before - free, kMiB);
  ASSERT_EQ(aclrtMemPoolFreeAsync(data, stream_), ACL_SUCCESS);
  ASSERT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS);
  EXPECT_EQ(Reserved(pool), 0U);
  ASSERT_EQ(aclrtGetMemInfo(ACL_HBM_MEM, &free, &total), ACL_SUCCESS);
  EXPECT_EQ(free, before);

  uint64_t threshold = kMiB;
  ASSERT_EQ(aclrtMemPoolSetAttr(pool, ACL_RT_MEM_POOL_ATTR_RELEASE_THRESHOLD, &threshold), ACL_SUCCESS);
  void* one = Take(pool, kMiB);
  void* two = Take(pool, kMiB);
  ASSERT_EQ(aclrtMemPoolFreeAsync(one, stream_), ACL_SUCCESS);
  ASSERT_EQ(aclrtMemPoolFreeAsync(two, stream_), ACL_SUCCESS);
  ASSERT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS);
  EXPECT_EQ(Reserved(pool), kMiB);
  EXPECT_EQ(aclrtMemPoolTrimTo(nullptr, 0), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMemPoolTrimTo(pool, kMiB), ACL_SUCCESS);
  EXPECT_EQ(Reserved(pool), kMiB);
  EXPECT_EQ(aclrtMemPoolTrimTo(pool, 0), ACL_SUCCESS);
  EXPECT_EQ(Reserved(pool), 0U);
  EXPECT_EQ(aclrtMemPoolDestroy(pool), ACL_SUCCESS);
}

TEST_F(MemoryPoolTest, TheLimitHoldsAndWhatIsUnusedMakesRoom) {
  aclrtMemPool pool = Create(4 * kMiB);
  KeepEverything(pool);
  void* one = Take(pool, 3 * kMiB);
  void* data = nullptr;
  EXPECT_EQ(aclrtMemPoolMallocAsync(&data, 2 * kMiB, pool, stream_), ACL_ERROR_RT_INTERNAL_ERROR);
  ASSERT_EQ(aclrtMemPoolFreeAsync(one, stream_), ACL_SUCCESS);
  ASSERT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS);
  EXPECT_EQ(Reserved(pool), 3 * kMiB);
  void* small = Take(pool, kMiB);
  EXPECT_EQ(Reserved(pool), 4 * kMiB) << "a block so much larger is not used for it";
  void* large = Take(pool, 3 * kMiB);
  EXPECT_EQ(large, one);
  ASSERT_EQ(aclrtMemPoolFreeAsync(large, stream_), ACL_SUCCESS);
  ASSERT_EQ(aclrtMemPoolFreeAsync(small, stream_), ACL_SUCCESS);
  ASSERT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS);
  void* all = Take(pool, 4 * kMiB);
  EXPECT_EQ(Reserved(pool), 4 * kMiB) << "the unused blocks went";
  ASSERT_EQ(aclrtMemPoolFreeAsync(all, stream_), ACL_SUCCESS);
  ASSERT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS);
  EXPECT_EQ(aclrtMemPoolDestroy(pool), ACL_SUCCESS);
}

TEST_F(MemoryPoolTest, Attributes) {
  aclrtMemPool pool = Create();
  uint64_t value = 0;
  const auto threshold = ACL_RT_MEM_POOL_ATTR_RELEASE_THRESHOLD;
  EXPECT_EQ(aclrtMemPoolGetAttr(nullptr, threshold, &value), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMemPoolGetAttr(pool, threshold, nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMemPoolSetAttr(nullptr, threshold, &value), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMemPoolSetAttr(pool, threshold, nullptr), ACL_ERROR_INVALID_PARAM);
  for (const int id : {0, 9}) {
    EXPECT_EQ(aclrtMemPoolGetAttr(pool, AnyValue<aclrtMemPoolAttr>(id), &value), ACL_ERROR_RT_PARAM_INVALID);
    EXPECT_EQ(aclrtMemPoolSetAttr(pool, AnyValue<aclrtMemPoolAttr>(id), &value), ACL_ERROR_RT_PARAM_INVALID);
  }
  for (int id = 1; id <= 3; ++id) {
    // Exactly an int is read and written.
    int32_t flag[2] = {4711, 4711};
    EXPECT_EQ(aclrtMemPoolGetAttr(pool, AnyValue<aclrtMemPoolAttr>(id), flag), ACL_SUCCESS);
    EXPECT_EQ(flag[0], 1);
    EXPECT_EQ(flag[1], 4711);
    flag[0] = 0;
    EXPECT_EQ(aclrtMemPoolSetAttr(pool, AnyValue<aclrtMemPoolAttr>(id), flag), ACL_SUCCESS);
    flag[0] = 2;
    EXPECT_EQ(aclrtMemPoolSetAttr(pool, AnyValue<aclrtMemPoolAttr>(id), flag), ACL_ERROR_RT_PARAM_INVALID);
    EXPECT_EQ(aclrtMemPoolGetAttr(pool, AnyValue<aclrtMemPoolAttr>(id), flag), ACL_SUCCESS);
    EXPECT_EQ(flag[0], 0);
  }
  KeepEverything(pool);
  void* one = Take(pool, 2 * kMiB);
  void* two = Take(pool, kMiB);
  ASSERT_EQ(aclrtMemPoolFreeAsync(one, stream_), ACL_SUCCESS);
  ASSERT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS);
  EXPECT_EQ(Used(pool), kMiB);
  EXPECT_EQ(Reserved(pool), 3 * kMiB);
  EXPECT_EQ(Bytes(pool, ACL_RT_MEM_POOL_ATTR_USED_MEM_HIGH), 3 * kMiB);
  EXPECT_EQ(Bytes(pool, ACL_RT_MEM_POOL_ATTR_RESERVED_MEM_HIGH), 3 * kMiB);
  for (const aclrtMemPoolAttr attribute :
       {ACL_RT_MEM_POOL_ATTR_USED_MEM_CURRENT, ACL_RT_MEM_POOL_ATTR_RESERVED_MEM_CURRENT}) {
    EXPECT_EQ(aclrtMemPoolSetAttr(pool, attribute, &value), ACL_ERROR_RT_PARAM_INVALID) << "read only";
  }
  for (const aclrtMemPoolAttr attribute :
       {ACL_RT_MEM_POOL_ATTR_USED_MEM_HIGH, ACL_RT_MEM_POOL_ATTR_RESERVED_MEM_HIGH}) {
    value = 1;
    EXPECT_EQ(aclrtMemPoolSetAttr(pool, attribute, &value), ACL_ERROR_RT_PARAM_INVALID);
    value = 0;
    EXPECT_EQ(aclrtMemPoolSetAttr(pool, attribute, &value), ACL_SUCCESS);
  }
  EXPECT_EQ(Bytes(pool, ACL_RT_MEM_POOL_ATTR_USED_MEM_HIGH), kMiB) << "counted from what is used now";
  ASSERT_EQ(aclrtMemPoolFreeAsync(two, stream_), ACL_SUCCESS);
  ASSERT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS);
  EXPECT_EQ(aclrtMemPoolDestroy(pool), ACL_SUCCESS);
}

TEST_F(MemoryPoolTest, AnAbortedStreamLosesNoMemory) {
  aclrtMemPool pool = Create();
  void* data = Take(pool, kMiB);
  Gate gate(stream_);
  ASSERT_EQ(aclrtMemPoolFreeAsync(data, stream_), ACL_SUCCESS);
  EXPECT_EQ(Used(pool), kMiB);
  EXPECT_EQ(aclrtStreamAbort(stream_), ACL_SUCCESS);
  EXPECT_EQ(Used(pool), 0U);
  EXPECT_EQ(aclrtMemPoolDestroy(pool), ACL_SUCCESS);
}

}  // namespace
}  // namespace tandem::test
