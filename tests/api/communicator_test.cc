// SPDX-License-Identifier: Apache-2.0
// Communicators of one process: how they are made, and what can be asked.
#include <acl/acl.h>
#include <gtest/gtest.h>
#include <hccl/hccl.h>

#include <array>
#include <atomic>
#include <cstring>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "api/runtime_fixture.h"

namespace tandem::test {
namespace {

constexpr uint32_t kRanks = 3;

class CommunicatorTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::array<int32_t, kRanks> devices = {2, 0, 5};
    ASSERT_EQ(HcclCommInitAll(kRanks, devices.data(), comms_.data()), HCCL_SUCCESS);
  }
  void TearDown() override {
    for (HcclComm comm : comms_) EXPECT_EQ(HcclCommDestroy(comm), HCCL_SUCCESS);
    static_cast<void>(aclGetRecentErrMsg());
  }
  // No communicator: the address of something else.
  HcclComm Foreign() { return comms_.data(); }

  std::array<HcclComm, kRanks> comms_{};
};

TEST_F(CommunicatorTest, RanksAreInTheOrderOfTheDevices) {
  for (uint32_t i = 0; i < kRanks; ++i) {
    uint32_t rank = kRanks;
    uint32_t size = 0;
    EXPECT_EQ(HcclGetRankId(comms_[i], &rank), HCCL_SUCCESS);
    EXPECT_EQ(rank, i);
    EXPECT_EQ(HcclGetRankSize(comms_[i], &size), HCCL_SUCCESS);
    EXPECT_EQ(size, kRanks);
  }
  uint32_t number = 0;
  EXPECT_EQ(HcclGetRankId(comms_[0], nullptr), HCCL_E_PTR);
  EXPECT_EQ(HcclGetRankId(nullptr, &number), HCCL_E_PTR);
  EXPECT_EQ(HcclGetRankId(Foreign(), &number), HCCL_E_PARA);
  EXPECT_EQ(HcclGetRankSize(comms_[0], nullptr), HCCL_E_PTR);
  EXPECT_EQ(HcclGetRankSize(nullptr, &number), HCCL_E_PTR);
  EXPECT_EQ(HcclGetRankSize(Foreign(), &number), HCCL_E_PARA);
}

TEST_F(CommunicatorTest, AllRanksHaveTheSameName) {
  std::set<std::string> names;
  for (HcclComm comm : comms_) {
    std::array<char, COMM_NAME_MAX_LENGTH> name{};
    EXPECT_EQ(HcclGetCommName(comm, name.data()), HCCL_SUCCESS);
    names.insert(name.data());
  }
  EXPECT_EQ(names.size(), 1U);
  EXPECT_FALSE(names.begin()->empty());
  std::array<char, COMM_NAME_MAX_LENGTH> name{};
  EXPECT_EQ(HcclGetCommName(comms_[0], nullptr), HCCL_E_PTR);
  EXPECT_EQ(HcclGetCommName(nullptr, name.data()), HCCL_E_PTR);
  EXPECT_EQ(HcclGetCommName(Foreign(), name.data()), HCCL_E_PARA);
}

TEST_F(CommunicatorTest, BarrierPassesWhenAllRanksHaveCalledIt) {
  std::array<aclrtStream, kRanks> streams{};
  const std::array<int32_t, kRanks> devices = {2, 0, 5};
  for (uint32_t i = 0; i < kRanks; ++i) {
    ASSERT_EQ(aclrtSetDevice(devices[i]), ACL_SUCCESS);
    ASSERT_EQ(aclrtCreateStream(&streams[i]), ACL_SUCCESS);
    EXPECT_EQ(HcclBarrier(comms_[i], nullptr), HCCL_E_PTR);
    EXPECT_EQ(HcclBarrier(comms_[i], streams[i]), HCCL_SUCCESS);
    if (i + 1 < kRanks) {
      EXPECT_EQ(StatusOf(streams[0]), ACL_STREAM_STATUS_NOT_READY);
    }
  }
  EXPECT_EQ(HcclBarrier(nullptr, streams[0]), HCCL_E_PTR);
  EXPECT_EQ(HcclBarrier(Foreign(), streams[0]), HCCL_E_PARA);
  for (uint32_t i = 0; i < kRanks; ++i) {
    ASSERT_EQ(aclrtSetDevice(devices[i]), ACL_SUCCESS);
    EXPECT_EQ(aclrtSynchronizeStream(streams[i]), ACL_SUCCESS);
    EXPECT_EQ(aclrtDestroyStream(streams[i]), ACL_SUCCESS);
    HcclResult failure = HCCL_E_INTERNAL;
    EXPECT_EQ(HcclGetCommAsyncError(comms_[i], &failure), HCCL_SUCCESS);
    EXPECT_EQ(failure, HCCL_SUCCESS);
    EXPECT_EQ(aclrtResetDeviceForce(devices[i]), ACL_SUCCESS);
  }
}

TEST_F(CommunicatorTest, BatchChecksCommunicatorAndStream) {
  ASSERT_EQ(aclrtSetDevice(2), ACL_SUCCESS);
  aclrtStream stream = nullptr;
  ASSERT_EQ(aclrtCreateStream(&stream), ACL_SUCCESS);
  const aclrtStream gone = StaleStream();
  float value = 0;
  HcclSendRecvItem item{HCCL_SEND, &value, 1, HCCL_DATA_TYPE_FP32, 1};
  EXPECT_EQ(HcclBatchSendRecv(&item, 1, nullptr, stream), HCCL_E_PTR);
  EXPECT_EQ(HcclBatchSendRecv(&item, 1, Foreign(), stream), HCCL_E_PARA);
  EXPECT_EQ(HcclBatchSendRecv(&item, 1, comms_[0], nullptr), HCCL_E_PTR);
  EXPECT_NE(HcclBatchSendRecv(&item, 1, comms_[0], gone), HCCL_SUCCESS);
  // Nothing was queued.
  EXPECT_EQ(StatusOf(stream), ACL_STREAM_STATUS_COMPLETE);
  EXPECT_EQ(aclrtDestroyStream(stream), ACL_SUCCESS);
  EXPECT_EQ(aclrtResetDevice(2), ACL_SUCCESS);
}

// The memory behind a handle is used again at once. A call that races with the end of its communicator gets
// an error or that communicator, never the next one.
TEST(CommHandleTest, NeverNamesAnotherCommunicator) {
  constexpr uint32_t kLives = 300;
  struct Life {
    std::atomic<HcclComm> comm{nullptr};
    std::atomic<uint32_t> size{0};
  };
  std::array<Life, kLives> lives;
  std::atomic<uint32_t> born{0};
  std::atomic<bool> over{false};
  std::atomic<uint32_t> wrong{0};
  std::thread asker([&] {
    while (!over) {
      const uint32_t count = born;
      if (count == 0) continue;
      const Life& newest = lives[count - 1];
      uint32_t size = 0;
      if (HcclGetRankSize(newest.comm, &size) == HCCL_SUCCESS && size != newest.size) ++wrong;
      if (HcclBarrier(newest.comm, nullptr) == HCCL_SUCCESS) ++wrong;
    }
    static_cast<void>(aclGetRecentErrMsg());
  });
  std::array<int32_t, 2> devices = {0, 1};
  for (uint32_t i = 0; i < kLives; ++i) {
    std::array<HcclComm, 2> comms{};
    const uint32_t size = i % 2 + 1;
    ASSERT_EQ(HcclCommInitAll(size, devices.data(), comms.data()), HCCL_SUCCESS);
    lives[i].size = size;
    lives[i].comm = comms[0];
    born = i + 1;
    for (uint32_t rank = 0; rank < size; ++rank) ASSERT_EQ(HcclCommDestroy(comms[rank]), HCCL_SUCCESS);
    uint32_t number = 0;
    EXPECT_EQ(HcclGetRankSize(comms[0], &number), HCCL_E_PARA);
  }
  over = true;
  asker.join();
  EXPECT_EQ(wrong, 0U);
  static_cast<void>(aclGetRecentErrMsg());
}

TEST(CommInitTest, ListOfDevicesIsChecked) {
  std::array<int32_t, 2> devices = {1, 1};
  std::array<HcclComm, 2> comms = {&devices, &devices};
  EXPECT_EQ(HcclCommInitAll(2, devices.data(), comms.data()), HCCL_E_PARA);
  EXPECT_EQ(comms[0], nullptr);
  EXPECT_EQ(comms[1], nullptr);
  devices[1] = 99;
  EXPECT_EQ(HcclCommInitAll(2, devices.data(), comms.data()), HCCL_E_PARA);
  EXPECT_EQ(HcclCommInitAll(0, devices.data(), comms.data()), HCCL_E_PARA);
  EXPECT_EQ(HcclCommInitAll(2, nullptr, comms.data()), HCCL_E_PTR);
  EXPECT_EQ(HcclCommInitAll(2, devices.data(), nullptr), HCCL_E_PTR);
}

TEST(CommInitTest, RootInfoNeedsADeviceAndAPlace) {
  HcclRootInfo root{};
  EXPECT_EQ(HcclGetRootInfo(&root), HCCL_E_RUNTIME);
  ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
  EXPECT_EQ(HcclGetRootInfo(nullptr), HCCL_E_PTR);
  EXPECT_EQ(aclrtResetDevice(0), ACL_SUCCESS);
}

TEST(CommInitTest, ArgumentsAreCheckedInTheirOrder) {
  const HcclRootInfo root{};
  HcclComm comm = nullptr;
  EXPECT_EQ(HcclCommInitRootInfo(0, nullptr, 0, nullptr), HCCL_E_PARA);
  EXPECT_EQ(HcclCommInitRootInfo(2, nullptr, 2, nullptr), HCCL_E_PARA);
  EXPECT_EQ(HcclCommInitRootInfo(2, &root, 1, nullptr), HCCL_E_PTR);
  EXPECT_EQ(HcclCommInitRootInfo(2, nullptr, 1, &comm), HCCL_E_PTR);
  EXPECT_EQ(comm, nullptr);
  EXPECT_EQ(HcclCommDestroy(nullptr), HCCL_SUCCESS);
  EXPECT_EQ(HcclCommDestroy(&comm), HCCL_E_PARA);
}

class CommConfigTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
    HcclCommConfigInit(&config_);
    ASSERT_EQ(HcclGetRootInfo(&root_), HCCL_SUCCESS);
  }
  void TearDown() override {
    EXPECT_EQ(aclrtResetDevice(0), ACL_SUCCESS);
    static_cast<void>(aclGetRecentErrMsg());
  }
  HcclResult Init(const HcclCommConfig* config) {
    return HcclCommInitRootInfoConfig(1, &root_, 0, config, &comm_);
  }
  HcclRootInfo root_{};
  HcclCommConfig config_{};
  HcclComm comm_ = nullptr;
};

TEST_F(CommConfigTest, NameOfTheProgramIsTaken) {
  std::strcpy(config_.hcclCommName, "pipeline");
  ASSERT_EQ(Init(&config_), HCCL_SUCCESS);
  std::array<char, COMM_NAME_MAX_LENGTH> name{};
  EXPECT_EQ(HcclGetCommName(comm_, name.data()), HCCL_SUCCESS);
  EXPECT_STREQ(name.data(), "pipeline");
  EXPECT_EQ(HcclCommDestroy(comm_), HCCL_SUCCESS);
}

TEST_F(CommConfigTest, DamagedOrWrongSettingsAreRefused) {
  EXPECT_EQ(Init(nullptr), HCCL_E_PARA);
  const HcclCommConfig never_made{};
  EXPECT_EQ(Init(&never_made), HCCL_E_PARA);
  HcclCommConfig config = config_;
  config.hcclDeterministic = 3;
  EXPECT_EQ(Init(&config), HCCL_E_PARA);
  config = config_;
  config.hcclBufferSize = 0;
  EXPECT_EQ(Init(&config), HCCL_E_PARA);
  config = config_;
  std::memset(config.hcclCommName, 'x', sizeof(config.hcclCommName));
  EXPECT_EQ(Init(&config), HCCL_E_PARA);
  // None of these used the root info up.
  ASSERT_EQ(Init(&config_), HCCL_SUCCESS);
  EXPECT_EQ(HcclCommDestroy(comm_), HCCL_SUCCESS);
}

TEST(CommTextsTest, EveryCodeHasWords) {
  EXPECT_STREQ(HcclGetErrorString(HCCL_SUCCESS), "no error");
  EXPECT_STREQ(HcclGetErrorString(HCCL_E_PARA), "parameter error");
  EXPECT_STREQ(HcclGetErrorString(HCCL_E_TIMEOUT), "timeout");
  EXPECT_STREQ(HcclGetErrorString(AnyValue<HcclResult>(-1)), "unknown error");
  EXPECT_STREQ(HcclGetErrorString(HCCL_E_RESERVED), "unknown error");
  for (int code = -2; code < 300; ++code) {
    EXPECT_NE(HcclGetErrorString(AnyValue<HcclResult>(code)), nullptr) << code;
  }
}

TEST(CommTextsTest, CapabilitiesUpToBufferNamesAreKnown) {
  EXPECT_EQ(HcclGetCommConfigCapability(), 12U);
  EXPECT_LT(static_cast<uint32_t>(HCCL_COMM_CONFIG_BUFFER_NAME), HcclGetCommConfigCapability());
}

}  // namespace
}  // namespace tandem::test
