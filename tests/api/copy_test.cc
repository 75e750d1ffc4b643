// SPDX-License-Identifier: Apache-2.0
#include <acl/acl.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <thread>
#include <vector>

#include "api/runtime_fixture.h"

namespace tandem::test {
namespace {

constexpr size_t kCopiedBytes = 4096;

class CopyTest : public RuntimeTest {
 protected:
  void SetUp() override {
    RuntimeTest::SetUp();
    for (void** data : {&device_, &device2_}) {
      ASSERT_EQ(aclrtMalloc(data, kCopiedBytes, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
    }
    for (void** data : {&pinned_, &pinned2_}) ASSERT_EQ(aclrtMallocHost(data, kCopiedBytes), ACL_SUCCESS);
  }
  void TearDown() override {
    for (void* data : {device_, device2_}) EXPECT_EQ(aclrtFree(data), ACL_SUCCESS);
    for (void* data : {pinned_, pinned2_}) EXPECT_EQ(aclrtFreeHost(data), ACL_SUCCESS);
    RuntimeTest::TearDown();
  }

  static unsigned char First(const void* data) { return *static_cast<const unsigned char*>(data); }

  void* device_ = nullptr;
  void* device2_ = nullptr;
  void* pinned_ = nullptr;
  void* pinned2_ = nullptr;
  std::vector<unsigned char> plain_ = std::vector<unsigned char>(kCopiedBytes, 0);
  std::vector<unsigned char> plain2_ = std::vector<unsigned char>(kCopiedBytes, 0);
};

TEST_F(CopyTest, ChecksComeInTheDocumentedOrder) {
  const auto kind = ACL_MEMCPY_DEVICE_TO_DEVICE;
  const auto bad_kind = AnyValue<aclrtMemcpyKind>(6);
  EXPECT_EQ(aclrtMemcpy(nullptr, 0, nullptr, 0, bad_kind), ACL_SUCCESS) << "nothing to copy, nothing checked";
  EXPECT_EQ(aclrtMemcpy(nullptr, 8, device2_, 8, kind), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMemcpy(device_, 8, nullptr, 8, kind), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMemcpy(device_, 0, device2_, 8, bad_kind), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMemcpy(device_, 0, device2_, 8, kind), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtMemcpy(device_, 7, device2_, 8, kind), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtMemcpyAsync(nullptr, 0, nullptr, 0, bad_kind, nullptr), ACL_SUCCESS);
  EXPECT_EQ(aclrtMemcpyAsync(nullptr, 8, device2_, 8, kind, stream_), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMemcpyAsync(device_, 8, device2_, 8, bad_kind, stream_), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMemcpyAsync(device_, 7, device2_, 8, kind, stream_), ACL_ERROR_RT_PARAM_INVALID);
  std::thread([&] {
    EXPECT_EQ(aclrtMemcpy(device_, 8, device_, 8, kind), ACL_SUCCESS) << "onto itself needs no context";
    EXPECT_EQ(aclrtMemcpy(device_, 8, device2_, 8, kind), ACL_ERROR_RT_CONTEXT_NULL);
    EXPECT_EQ(aclrtMemcpyAsync(device_, 8, device_, 8, kind, stream_), ACL_ERROR_RT_CONTEXT_NULL);
  }).join();
  EXPECT_EQ(aclrtMemcpyAsync(pinned_, 8, pinned_, 8, kind, stream_), ACL_ERROR_RT_FEATURE_NOT_SUPPORT)
      << "the places are looked at before whether both ends are the same";
  EXPECT_EQ(aclrtMemcpyAsync(device_, 8, device_, 8, kind, stream_), ACL_SUCCESS);
}

TEST_F(CopyTest, SynchronousCopyTakesEveryKindBetweenAllPlaces) {
  const std::array<void*, 3> to = {device_, pinned_, plain_.data()};
  const std::array<void*, 3> from = {device2_, pinned2_, plain2_.data()};
  unsigned char value = 0;
  for (void* dst : to) {
    for (void* src : from) {
      for (int kind = 0; kind <= 5; ++kind) {
        std::memset(src, ++value, kCopiedBytes);
        EXPECT_EQ(aclrtMemcpy(dst, kCopiedBytes, src, kCopiedBytes, static_cast<aclrtMemcpyKind>(kind)),
                  ACL_SUCCESS);
        EXPECT_EQ(std::memcmp(dst, src, kCopiedBytes), 0);
      }
    }
  }
}

enum Place { kDevice, kPinned, kPlain };
constexpr aclError kBad = ACL_ERROR_RT_PARAM_INVALID;
constexpr aclError kNo = ACL_ERROR_RT_FEATURE_NOT_SUPPORT;

TEST_F(CopyTest, AsynchronousCopyFollowsTheTableOfKindsAndPlaces) {
  struct Row {
    Place to, from;
    std::array<aclError, 6> by_kind;  // H2H, H2D, D2H, D2D, DEFAULT, H2BUF2D
  };
  const Row rows[] = {
      {kDevice, kDevice, {kOk, kOk, kOk, kOk, kOk, kOk}},
      {kDevice, kPinned, {kOk, kOk, kOk, kOk, kOk, kOk}},
      {kPinned, kDevice, {kOk, kOk, kOk, kOk, kOk, kOk}},
      {kPinned, kPinned, {kNo, kNo, kNo, kNo, kNo, kNo}},
      {kDevice, kPlain, {kBad, kOk, kBad, kOk, kOk, kOk}},
      {kPlain, kDevice, {kBad, kBad, kOk, kOk, kOk, kBad}},
      {kPlain, kPinned, {kOk, kOk, kBad, kBad, kOk, kBad}},
      {kPinned, kPlain, {kOk, kBad, kOk, kBad, kOk, kBad}},
      {kPlain, kPlain, {kOk, kOk, kOk, kOk, kOk, kOk}},
  };
  const std::array<void*, 3> to = {device_, pinned_, plain_.data()};
  const std::array<void*, 3> from = {device2_, pinned2_, plain2_.data()};
  unsigned char value = 0;
  for (const Row& row : rows) {
    for (size_t kind = 0; kind < row.by_kind.size(); ++kind) {
      std::memset(from[row.from], ++value, kCopiedBytes);
      EXPECT_EQ(aclrtMemcpyAsync(to[row.to], kCopiedBytes, from[row.from], kCopiedBytes,
                                 static_cast<aclrtMemcpyKind>(kind), stream_),
                row.by_kind[kind])
          << "to " << row.to << " from " << row.from << " kind " << kind;
      ASSERT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS);
      if (row.by_kind[kind] == kOk) {
        EXPECT_EQ(std::memcmp(to[row.to], from[row.from], kCopiedBytes), 0);
      }
    }
  }
}

TEST_F(CopyTest, QueuedCopyReadsItsSourceWhenItRuns) {
  std::memset(pinned_, 1, kCopiedBytes);
  Gate gate(stream_);
  ASSERT_EQ(
      aclrtMemcpyAsync(device_, kCopiedBytes, pinned_, kCopiedBytes, ACL_MEMCPY_HOST_TO_DEVICE, stream_),
      ACL_SUCCESS);
  std::memset(pinned_, 2, kCopiedBytes);
  gate.Open(other_);
  ASSERT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS);
  EXPECT_EQ(First(device_), 2);
}

TEST_F(CopyTest, BufferedKindTakesItsSourceAtTheCall) {
  std::memset(pinned_, 1, kCopiedBytes);
  std::memset(plain_.data(), 3, kCopiedBytes);
  Gate gate(stream_);
  const auto kind = ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE;
  ASSERT_EQ(aclrtMemcpyAsync(device_, kCopiedBytes, pinned_, kCopiedBytes, kind, stream_), ACL_SUCCESS);
  ASSERT_EQ(aclrtMemcpyAsync(device2_, kCopiedBytes, plain_.data(), kCopiedBytes, kind, stream_),
            ACL_SUCCESS);
  std::memset(pinned_, 2, kCopiedBytes);
  std::memset(plain_.data(), 4, kCopiedBytes);
  EXPECT_EQ(StatusOf(stream_), ACL_STREAM_STATUS_NOT_READY);
  gate.Open(other_);
  ASSERT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS);
  EXPECT_EQ(First(device_), 1);
  EXPECT_EQ(First(device2_), 3);
}

TEST_F(CopyTest, CopyOfOrdinaryMemoryIsDoneAtReturnInStreamOrder) {
  std::memset(plain_.data(), 9, kCopiedBytes);
  ASSERT_EQ(aclrtMemsetAsync(device_, kCopiedBytes, 1, kCopiedBytes, stream_), ACL_SUCCESS);
  ASSERT_EQ(aclrtMemcpyAsync(device_, kCopiedBytes, plain_.data(), kCopiedBytes, ACL_MEMCPY_HOST_TO_DEVICE,
                             stream_),
            ACL_SUCCESS);
  EXPECT_EQ(First(device_), 9);
  EXPECT_EQ(StatusOf(stream_), ACL_STREAM_STATUS_COMPLETE);
  ASSERT_EQ(aclrtMemsetAsync(device_, kCopiedBytes, 5, kCopiedBytes, stream_), ACL_SUCCESS);
  ASSERT_EQ(aclrtMemcpyAsync(plain_.data(), kCopiedBytes, device_, kCopiedBytes, ACL_MEMCPY_DEVICE_TO_HOST,
                             stream_),
            ACL_SUCCESS);
  EXPECT_EQ(plain_[kCopiedBytes - 1], 5);
}

TEST_F(CopyTest, LargeQueuedCopyMovesEveryByte) {
  constexpr size_t kLarge = (size_t{9} << 20) + 123;
  void* from = nullptr;
  void* to = nullptr;
  ASSERT_EQ(aclrtMallocHost(&from, kLarge), ACL_SUCCESS);
  ASSERT_EQ(aclrtMalloc(&to, kLarge, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
  auto* words = static_cast<unsigned char*>(from);
  for (size_t i = 0; i < kLarge; ++i) words[i] = static_cast<unsigned char>(i * 2654435761U >> 13);
  ASSERT_EQ(aclrtMemcpyAsync(to, kLarge, from, kLarge, ACL_MEMCPY_HOST_TO_DEVICE, nullptr), ACL_SUCCESS);
  ASSERT_EQ(aclrtSynchronizeStream(nullptr), ACL_SUCCESS);
  EXPECT_EQ(std::memcmp(to, from, kLarge), 0);
  EXPECT_EQ(aclrtFree(to), ACL_SUCCESS);
  EXPECT_EQ(aclrtFreeHost(from), ACL_SUCCESS);
}

TEST_F(CopyTest, WorkOfOneStreamRunsInOrder) {
  for (int i = 0; i < 200; ++i) {
    ASSERT_EQ(aclrtMemsetAsync(device_, kCopiedBytes, i, kCopiedBytes, stream_), ACL_SUCCESS);
    ASSERT_EQ(
        aclrtMemcpyAsync(device2_, kCopiedBytes, device_, kCopiedBytes, ACL_MEMCPY_DEVICE_TO_DEVICE, stream_),
        ACL_SUCCESS);
    ASSERT_EQ(
        aclrtMemcpyAsync(pinned_, kCopiedBytes, device2_, kCopiedBytes, ACL_MEMCPY_DEVICE_TO_HOST, stream_),
        ACL_SUCCESS);
    ASSERT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS);
    ASSERT_EQ(First(pinned_), static_cast<unsigned char>(i));
  }
}

TEST_F(CopyTest, RowsAreCopiedAndTheGapsAreLeftAlone) {
  for (const bool queued : {false, true}) {
    std::iota(plain_.begin(), plain_.end(), static_cast<unsigned char>(0));
    ASSERT_EQ(aclrtMemset(device_, kCopiedBytes, 0xEE, kCopiedBytes), ACL_SUCCESS);
    const auto kind = ACL_MEMCPY_HOST_TO_DEVICE;
    ASSERT_EQ(queued ? aclrtMemcpy2dAsync(device_, 64, plain_.data(), 100, 10, 30, kind, stream_)
                     : aclrtMemcpy2d(device_, 64, plain_.data(), 100, 10, 30, kind),
              ACL_SUCCESS);
    ASSERT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS);
    const auto* to = static_cast<const unsigned char*>(device_);
    for (size_t row = 0; row < 30; ++row) {
      EXPECT_EQ(std::memcmp(to + row * 64, plain_.data() + row * 100, 10), 0);
      EXPECT_EQ(to[row * 64 + 10], 0xEE);
    }
  }
}

TEST_F(CopyTest, RowArgumentErrors) {
  const auto h2d = ACL_MEMCPY_HOST_TO_DEVICE;
  const auto d2d = ACL_MEMCPY_DEVICE_TO_DEVICE;
  EXPECT_EQ(aclrtMemcpy2d(nullptr, 0, nullptr, 0, 0, 5, h2d), ACL_SUCCESS);
  EXPECT_EQ(aclrtMemcpy2d(nullptr, 0, nullptr, 0, 5, 0, h2d), ACL_SUCCESS);
  EXPECT_EQ(aclrtMemcpy2d(nullptr, 8, pinned_, 8, 8, 1, h2d), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMemcpy2d(device_, 8, pinned_, 7, 8, 1, h2d), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMemcpy2d(device_, 7, pinned_, 8, 8, 1, h2d), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMemcpy2d(device_, 8, device2_, 8, 8, 1, d2d), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  EXPECT_EQ(aclrtMemcpy2d(device_, 8, pinned_, 8, 8, 1, AnyValue<aclrtMemcpyKind>(9)),
            ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtMemcpy2d(device_, 6'000'000, pinned_, 6'000'000, 5'000'001, 1, h2d),
            ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtMemcpy2dAsync(device_, 8, device2_, 8, 8, 1, d2d, stream_), ACL_SUCCESS);
  EXPECT_EQ(aclrtMemcpy2dAsync(device_, 8, device2_, 8, 8, 1, ACL_MEMCPY_DEFAULT, stream_), ACL_SUCCESS);
  EXPECT_EQ(aclrtMemcpy2dAsync(device_, 8, pinned_, 8, 8, 1, ACL_MEMCPY_HOST_TO_HOST, stream_),
            ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
}

TEST_F(CopyTest, SetUsesTheLowEightBits) {
  ASSERT_EQ(aclrtMemset(device_, kCopiedBytes, 0x1234, kCopiedBytes - 1), ACL_SUCCESS);
  EXPECT_EQ(First(device_), 0x34);
  ASSERT_EQ(aclrtMemset(pinned_, kCopiedBytes, -1, kCopiedBytes), ACL_SUCCESS)
      << "page-locked host memory too";
  EXPECT_EQ(First(pinned_), 0xFF);
  EXPECT_EQ(aclrtMemset(nullptr, 0, 0, 0), ACL_SUCCESS);
  EXPECT_EQ(aclrtMemset(nullptr, 8, 0, 8), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMemset(device_, 7, 0, 8), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtMemset(plain_.data(), 8, 0, 8), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtMemsetAsync(nullptr, 0, 0, 0, stream_), ACL_SUCCESS);
  EXPECT_EQ(aclrtMemsetAsync(nullptr, 8, 0, 8, stream_), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMemsetAsync(device_, 7, 0, 8, stream_), ACL_ERROR_RT_PARAM_INVALID);
}

TEST_F(CopyTest, SetOfWords) {
  auto* words = static_cast<uint32_t*>(device_);
  ASSERT_EQ(aclrtMemset(device_, kCopiedBytes, 0, kCopiedBytes), ACL_SUCCESS);
  ASSERT_EQ(aclrtMemsetD32(words + 1, kCopiedBytes - 4, 0xDEADBEEF, 3), ACL_SUCCESS);
  EXPECT_EQ(words[0], 0U);
  EXPECT_EQ(words[3], 0xDEADBEEF);
  EXPECT_EQ(words[4], 0U);
  ASSERT_EQ(aclrtMemsetD32Async(words, kCopiedBytes, 0x01020304, kCopiedBytes / 4, stream_), ACL_SUCCESS);
  ASSERT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS);
  EXPECT_EQ(words[kCopiedBytes / 4 - 1], 0x01020304U);
  EXPECT_EQ(aclrtMemsetD32(nullptr, 8, 0, 1), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMemsetD32(static_cast<char*>(device_) + 2, 8, 0, 1), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMemsetD32(words, 7, 0, 2), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMemsetD32(words, kCopiedBytes, 0, SIZE_MAX / 2), ACL_ERROR_INVALID_PARAM)
      << "four times that overflows";
  EXPECT_EQ(aclrtMemsetD32(plain_.data(), 8, 0, 1), ACL_ERROR_INVALID_PARAM);
}

TEST_F(CopyTest, BatchesMoveAllItems) {
  std::memset(pinned_, 1, kCopiedBytes);
  std::memset(plain_.data(), 2, kCopiedBytes);
  std::array<void*, 3> to = {device_, device2_, device2_};
  std::array<void*, 3> from = {pinned_, plain_.data(), nullptr};
  from[2] = pinned_;
  std::array<size_t, 3> room = {kCopiedBytes, kCopiedBytes, 0};
  std::array<size_t, 3> bytes = {kCopiedBytes, 100, 0};
  aclrtMemcpyBatchAttr attribute{};
  attribute.dstLoc.type = ACL_MEM_LOCATION_TYPE_DEVICE;
  size_t first = 0;
  size_t failed = 0;
  ASSERT_EQ(
      aclrtMemcpyBatch(to.data(), room.data(), from.data(), bytes.data(), 3, &attribute, &first, 1, &failed),
      ACL_SUCCESS);
  EXPECT_EQ(failed, SIZE_MAX);
  EXPECT_EQ(First(device_), 1);
  EXPECT_EQ(First(device2_), 2);
  std::memset(pinned_, 7, kCopiedBytes);
  ASSERT_EQ(aclrtMemcpyBatchAsyncV2(to.data(), room.data(), from.data(), bytes.data(), 1, &attribute, &first,
                                    1, stream_),
            ACL_SUCCESS);
  ASSERT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS);
  EXPECT_EQ(First(device_), 7);

  EXPECT_EQ(aclrtMemcpyBatchV2(to.data(), room.data(), from.data(), bytes.data(), 0, &attribute, &first, 1),
            ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMemcpyBatchV2(nullptr, room.data(), from.data(), bytes.data(), 1, &attribute, &first, 1),
            ACL_ERROR_INVALID_PARAM);
  bytes[1] = kCopiedBytes + 1;
  EXPECT_EQ(
      aclrtMemcpyBatch(to.data(), room.data(), from.data(), bytes.data(), 2, &attribute, &first, 1, &failed),
      ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(failed, 1U);
  attribute.rsv[3] = 1;
  EXPECT_EQ(aclrtMemcpyBatchV2(to.data(), room.data(), from.data(), bytes.data(), 1, &attribute, &first, 1),
            ACL_ERROR_INVALID_PARAM);
  attribute.rsv[3] = 0;
  to[0] = pinned2_;
  EXPECT_EQ(aclrtMemcpyBatchV2(to.data(), room.data(), from.data(), bytes.data(), 1, &attribute, &first, 1),
            ACL_ERROR_RT_PARAM_INVALID)
      << "host to host";
}

}  // namespace
}  // namespace tandem::test
