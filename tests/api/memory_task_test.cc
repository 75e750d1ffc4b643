// SPDX-License-Identifier: Apache-2.0
// Tasks of a stream that write, watch or combine memory.
#include <acl/acl.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <ctime>
#include <limits>
#include <string>
#include <thread>
#include <vector>

#include "api/runtime_fixture.h"

namespace tandem::test {
namespace {

class MemoryTaskTest : public RuntimeTest {
 protected:
  void SetUp() override {
    RuntimeTest::SetUp();
    ASSERT_EQ(aclrtMalloc(&memory_, 4096, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
    ASSERT_EQ(aclrtMemset(memory_, 4096, 0, 4096), ACL_SUCCESS);
    word_ = static_cast<uint64_t*>(memory_);
  }
  void TearDown() override {
    EXPECT_EQ(aclrtFree(memory_), ACL_SUCCESS);
    RuntimeTest::TearDown();
  }
  void* memory_ = nullptr;
  uint64_t* word_ = nullptr;
};

TEST_F(MemoryTaskTest, ValueArgumentErrors) {
  void* host = nullptr;
  ASSERT_EQ(aclrtMallocHost(&host, 64), ACL_SUCCESS);
  uint64_t plain = 0;
  void* crooked = static_cast<char*>(memory_) + 4;
  EXPECT_EQ(aclrtValueWrite(nullptr, 1, 0, stream_), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtValueWait(nullptr, 1, 0, stream_), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtValueWrite(word_, 1, 1, stream_), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtValueWait(word_, 1, 4, stream_), ACL_ERROR_RT_PARAM_INVALID);
  for (void* bad : {host, static_cast<void*>(&plain), crooked}) {
    EXPECT_EQ(aclrtValueWrite(bad, 1, 0, stream_), ACL_ERROR_RT_PARAM_INVALID);
    EXPECT_EQ(aclrtValueWait(bad, 1, 0, stream_), ACL_ERROR_RT_PARAM_INVALID);
  }
  EXPECT_EQ(aclrtValueWrite(word_, 1, 0, StaleStream()), ACL_ERROR_RT_INVALID_HANDLE);
  aclrtContext context = nullptr;
  ASSERT_EQ(aclrtCreateContext(&context, 0), ACL_SUCCESS);
  EXPECT_EQ(aclrtValueWrite(word_, 1, 0, stream_), ACL_ERROR_RT_STREAM_CONTEXT);
  EXPECT_EQ(aclrtValueWait(word_, 1, 0, stream_), ACL_ERROR_RT_STREAM_CONTEXT);
  EXPECT_EQ(aclrtDestroyContext(context), ACL_SUCCESS);
  EXPECT_EQ(aclrtValueWrite(word_, 1, 0, stream_), ACL_ERROR_RT_CONTEXT_NULL);
  ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
  EXPECT_EQ(aclrtResetDevice(0), ACL_SUCCESS);
  ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
  EXPECT_EQ(*word_, 0U) << "nothing was queued";
  EXPECT_EQ(aclrtFreeHost(host), ACL_SUCCESS);
  ASSERT_EQ(aclrtResetDevice(0), ACL_SUCCESS);
}

TEST_F(MemoryTaskTest, WritesAndWaitsFollowTheStream) {
  ASSERT_EQ(aclrtValueWait(word_, 123, ACL_STREAM_WAIT_VALUE_EQ, stream_), ACL_SUCCESS);
  ASSERT_EQ(aclrtValueWrite(word_ + 1, 7, 0, stream_), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(stream_, 30), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
  EXPECT_EQ(word_[1], 0U);
  ASSERT_EQ(aclrtValueWrite(word_, 123, 0, other_), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS);
  EXPECT_EQ(word_[1], 7U);
  EXPECT_EQ(aclrtSynchronizeStream(other_), ACL_SUCCESS);
}

TEST_F(MemoryTaskTest, EveryConditionHoldsExactlyWhenItSays) {
  struct Case {
    uint32_t flag;
    uint64_t value;
    uint64_t holds;
    uint64_t fails;
  };
  constexpr uint64_t kMost = std::numeric_limits<uint64_t>::max();
  const Case cases[] = {
      {ACL_STREAM_WAIT_VALUE_GEQ, 10, 10, 9},           {ACL_STREAM_WAIT_VALUE_GEQ, 10, 11, 0},
      {ACL_STREAM_WAIT_VALUE_GEQ, kMost, 3, kMost - 1},  // a counter that went past its end
      {ACL_STREAM_WAIT_VALUE_EQ, 10, 10, 11},           {ACL_STREAM_WAIT_VALUE_AND, 6, 4, 9},
      {ACL_STREAM_WAIT_VALUE_NOR, kMost - 1, 2, 1},
  };
  for (const Case& c : cases) {
    *word_ = c.fails;
    ASSERT_EQ(aclrtValueWait(word_, c.value, c.flag, stream_), ACL_SUCCESS);
    EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(stream_, 10), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT)
        << c.flag << " must not hold for " << c.fails;
    ASSERT_EQ(aclrtValueWrite(word_, c.holds, 0, other_), ACL_SUCCESS);
    EXPECT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS);
    EXPECT_EQ(aclrtSynchronizeStream(other_), ACL_SUCCESS);
  }
}

// Nobody tells the waiting stream of these writes.
TEST_F(MemoryTaskTest, AWaitNoticesWritesOfAnyKind) {
  ASSERT_EQ(aclrtValueWait(word_, 5, ACL_STREAM_WAIT_VALUE_EQ, stream_), ACL_SUCCESS);
  const uint64_t five = 5;
  ASSERT_EQ(aclrtMemcpy(word_, 8, &five, 8, ACL_MEMCPY_HOST_TO_DEVICE), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS);

  ASSERT_EQ(aclrtValueWait(word_, 6, ACL_STREAM_WAIT_VALUE_EQ, stream_), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(stream_, 20), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
  std::atomic_ref<uint64_t>(*word_).store(6);
  // No thread waits in a call now, so a worker must look by itself.
  while (StatusOf(stream_) != ACL_STREAM_STATUS_COMPLETE) std::this_thread::yield();
}

TEST_F(MemoryTaskTest, ALongWaitUsesNextToNoProcessorTime) {
  ASSERT_EQ(aclrtValueWait(word_, 1, ACL_STREAM_WAIT_VALUE_EQ, stream_), ACL_SUCCESS);
  timespec before{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &before);
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(stream_, 1000), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
  timespec after{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &after);
  const double used = static_cast<double>(after.tv_sec - before.tv_sec) +
                      static_cast<double>(after.tv_nsec - before.tv_nsec) * 1e-9;
  EXPECT_LT(used, 0.5) << "of a processor, for one second of waiting";
  ASSERT_EQ(aclrtValueWrite(word_, 1, 0, other_), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS);
}

TEST_F(MemoryTaskTest, SeveralStreamsWaitForOneValue) {
  std::vector<aclrtStream> streams(16);
  for (aclrtStream& stream : streams) {
    ASSERT_EQ(aclrtCreateStream(&stream), ACL_SUCCESS);
    ASSERT_EQ(aclrtValueWait(word_, 9, ACL_STREAM_WAIT_VALUE_GEQ, stream), ACL_SUCCESS);
  }
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(streams[3], 10), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
  ASSERT_EQ(aclrtValueWrite(word_, 9, 0, stream_), ACL_SUCCESS);
  for (aclrtStream stream : streams) {
    EXPECT_EQ(aclrtSynchronizeStream(stream), ACL_SUCCESS);
    EXPECT_EQ(aclrtDestroyStream(stream), ACL_SUCCESS);
  }
}

TEST_F(MemoryTaskTest, AWaitIsGivenUpWhenItsStreamIsAborted) {
  ASSERT_EQ(aclrtValueWait(word_, 1, ACL_STREAM_WAIT_VALUE_EQ, stream_), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(stream_, 10), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
  EXPECT_EQ(aclrtStreamAbort(stream_), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS);
  ASSERT_EQ(aclrtValueWrite(word_, 1, 0, stream_), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS);
}

TEST_F(MemoryTaskTest, ReduceArgumentErrors) {
  const auto sum = ACL_RT_MEMCPY_SDMA_AUTOMATIC_SUM;
  int32_t plain = 0;
  EXPECT_EQ(aclrtReduceAsync(nullptr, word_, 8, sum, ACL_INT32, stream_, nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtReduceAsync(word_, nullptr, 8, sum, ACL_INT32, stream_, nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtReduceAsync(word_, word_, 8, sum, ACL_INT32, stream_, &plain), ACL_ERROR_INVALID_PARAM);
  for (const aclDataType type : {ACL_STRING, ACL_COMPLEX64, ACL_BOOL, AnyValue<aclDataType>(99)}) {
    EXPECT_EQ(aclrtReduceAsync(word_, word_, 8, sum, type, stream_, nullptr), ACL_ERROR_INVALID_PARAM);
  }
  EXPECT_EQ(aclrtReduceAsync(word_, word_, 0, sum, ACL_INT32, stream_, nullptr), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtReduceAsync(word_, word_, 6, sum, ACL_INT32, stream_, nullptr), ACL_ERROR_RT_PARAM_INVALID)
      << "not a whole number of elements";
  EXPECT_EQ(aclrtReduceAsync(word_, word_, 8, AnyValue<aclrtReduceKind>(14), ACL_INT32, stream_, nullptr),
            ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtReduceAsync(&plain, word_, 4, sum, ACL_INT32, stream_, nullptr), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtReduceAsync(word_, &plain, 4, sum, ACL_INT32, stream_, nullptr), ACL_ERROR_RT_PARAM_INVALID);
  aclrtContext context = nullptr;
  ASSERT_EQ(aclrtCreateContext(&context, 0), ACL_SUCCESS);
  EXPECT_EQ(aclrtReduceAsync(word_, word_ + 1, 8, sum, ACL_INT32, stream_, nullptr),
            ACL_ERROR_RT_STREAM_CONTEXT);
  EXPECT_EQ(aclrtDestroyContext(context), ACL_SUCCESS);
  EXPECT_EQ(aclrtReduceAsync(word_, word_ + 1, 8, sum, ACL_INT32, stream_, nullptr),
            ACL_ERROR_RT_CONTEXT_NULL);
}

// One call of each kind for elements a and b; what must be in dst afterwards.
template <typename T>
struct Expected {
  T a, b, sum, max, min;
};

template <typename T>
void CheckReductions(aclrtStream stream, void* memory, aclDataType type, std::vector<Expected<T>> rows,
                     T one) {
  // Not at their natural alignment: elements need none.
  auto* const dst = static_cast<std::byte*>(memory) + 1;
  auto* const src = static_cast<std::byte*>(memory) + 2049;
  for (int kind = 10; kind <= 13; ++kind) {
    for (size_t i = 0; i < rows.size(); ++i) {
      std::memcpy(dst + i * sizeof(T), &rows[i].a, sizeof(T));
      std::memcpy(src + i * sizeof(T), &rows[i].b, sizeof(T));
    }
    ASSERT_EQ(aclrtReduceAsync(dst, src, rows.size() * sizeof(T), static_cast<aclrtReduceKind>(kind), type,
                               stream, nullptr),
              ACL_SUCCESS);
    ASSERT_EQ(aclrtSynchronizeStream(stream), ACL_SUCCESS);
    for (size_t i = 0; i < rows.size(); ++i) {
      T result;
      std::memcpy(&result, dst + i * sizeof(T), sizeof(T));
      const Expected<T>& row = rows[i];
      const T equal = row.a == row.b ? one : T{0};
      const T expected = kind == 10 ? row.sum : kind == 11 ? row.max : kind == 12 ? row.min : equal;
      EXPECT_EQ(result, expected) << "type " << type << " kind " << kind << " row " << i;
    }
  }
}

template <typename T>
std::vector<Expected<T>> IntegerRows() {
  constexpr T kMost = std::numeric_limits<T>::max();
  constexpr T kLeast = std::numeric_limits<T>::min();
  std::vector<Expected<T>> rows = {{1, 2, 3, 2, 1}, {7, 7, 14, 7, 7}, {kMost, 1, kLeast, kMost, 1}};
  if (std::is_signed_v<T>) rows.push_back({T(-5), 3, T(-2), 3, T(-5)});
  return rows;
}

TEST_F(MemoryTaskTest, ReducesEveryTypeWithEveryKind) {
  CheckReductions<int8_t>(stream_, memory_, ACL_INT8, IntegerRows<int8_t>(), 1);
  CheckReductions<int16_t>(stream_, memory_, ACL_INT16, IntegerRows<int16_t>(), 1);
  CheckReductions<int32_t>(stream_, memory_, ACL_INT32, IntegerRows<int32_t>(), 1);
  CheckReductions<int64_t>(stream_, memory_, ACL_INT64, IntegerRows<int64_t>(), 1);
  CheckReductions<uint8_t>(stream_, memory_, ACL_UINT8, IntegerRows<uint8_t>(), 1);
  CheckReductions<uint16_t>(stream_, memory_, ACL_UINT16, IntegerRows<uint16_t>(), 1);
  CheckReductions<uint32_t>(stream_, memory_, ACL_UINT32, IntegerRows<uint32_t>(), 1);
  CheckReductions<uint64_t>(stream_, memory_, ACL_UINT64, IntegerRows<uint64_t>(), 1);
  CheckReductions<float>(stream_, memory_, ACL_FLOAT,
                         {{1.5F, 2.25F, 3.75F, 2.25F, 1.5F}, {-1, -1, -2, -1, -1}}, 1);
  CheckReductions<double>(stream_, memory_, ACL_DOUBLE, {{1e300, -1, 1e300, 1e300, -1}, {4, 4, 8, 4, 4}}, 1);
  const auto half = [](float value) { return aclFloatToFloat16(value); };
  CheckReductions<uint16_t>(stream_, memory_, ACL_FLOAT16,
                            {{half(1.5F), half(-2), half(-0.5F), half(1.5F), half(-2)},
                             {half(65504), half(65504), 0x7C00 /* infinity */, half(65504), half(65504)}},
                            half(1));
  // bfloat16: 1.0 is 3F80, 2.0 4000, 3.0 4040, -1.0 BF80; 256 + 1 is rounded to even, back to 256 (4380).
  CheckReductions<uint16_t>(stream_, memory_, ACL_BF16,
                            {{0x3F80, 0x4000, 0x4040, 0x4000, 0x3F80},
                             {0xBF80, 0x4000, 0x3F80, 0x4000, 0xBF80},
                             {0x4380, 0x3F80, 0x4380, 0x4380, 0x3F80}},
                            0x3F80);
}

TEST_F(MemoryTaskTest, ALargeReductionIsDoneWholeAndInOrder) {
  constexpr size_t kCount = 1'000'003;
  constexpr size_t kBytes = kCount * sizeof(int32_t);
  void* dst = nullptr;
  void* src = nullptr;
  ASSERT_EQ(aclrtMalloc(&dst, kBytes, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
  ASSERT_EQ(aclrtMallocHost(&src, kBytes), ACL_SUCCESS);
  auto* const terms = static_cast<int32_t*>(src);
  for (size_t i = 0; i < kCount; ++i) terms[i] = static_cast<int32_t>(i);
  ASSERT_EQ(aclrtMemsetAsync(dst, kBytes, 0, kBytes, stream_), ACL_SUCCESS);
  for (int round = 0; round < 3; ++round) {
    ASSERT_EQ(
        aclrtReduceAsync(dst, src, kBytes, ACL_RT_MEMCPY_SDMA_AUTOMATIC_SUM, ACL_INT32, stream_, nullptr),
        ACL_SUCCESS);
  }
  ASSERT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS);
  size_t wrong = 0;
  for (size_t i = 0; i < kCount; ++i) wrong += static_cast<int32_t*>(dst)[i] != static_cast<int32_t>(3 * i);
  EXPECT_EQ(wrong, 0U);
  EXPECT_EQ(aclrtFree(dst), ACL_SUCCESS);
  EXPECT_EQ(aclrtFreeHost(src), ACL_SUCCESS);
}

}  // namespace
}  // namespace tandem::test
