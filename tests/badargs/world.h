// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <array>

#include "badargs/rows.h"

namespace tandem::test::badargs {

// The objects of a World, on devices 0 and 1.
class WithWorld : public ::testing::Test {
 protected:
  void SetUp() override {
    MakeStreamsAndEvents();
    MakeMemory();
    MakeCommunicators();
    MakeOthers();
  }

  void MakeStreamsAndEvents() {
    ASSERT_EQ(aclrtSetDevice(1), ACL_SUCCESS);
    ASSERT_EQ(aclrtCreateStream(&world_.stream_of_other_device), ACL_SUCCESS);
    ASSERT_EQ(aclrtCreateContext(&world_.stale_context, 0), ACL_SUCCESS);
    ASSERT_EQ(aclrtDestroyContext(world_.stale_context), ACL_SUCCESS);
    ASSERT_EQ(aclrtCreateContext(&world_.context, 0), ACL_SUCCESS);
    ASSERT_EQ(aclrtCreateStream(&world_.stream_of_other_context), ACL_SUCCESS);
    ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
    ASSERT_EQ(aclrtCreateStream(&world_.stale_stream), ACL_SUCCESS);
    ASSERT_EQ(aclrtDestroyStream(world_.stale_stream), ACL_SUCCESS);
    ASSERT_EQ(aclrtCreateStream(&world_.stream), ACL_SUCCESS);
    ASSERT_EQ(aclrtCreateEvent(&world_.stale_event), ACL_SUCCESS);
    ASSERT_EQ(aclrtDestroyEvent(world_.stale_event), ACL_SUCCESS);
    ASSERT_EQ(aclrtCreateEvent(&world_.event), ACL_SUCCESS);
  }

  void MakeMemory() {
    const auto policy = ACL_MEM_MALLOC_HUGE_FIRST;
    // Above the one that stays, so that nothing else is allocated there while a test runs.
    ASSERT_EQ(aclrtMalloc(&world_.device_memory, World::kBytes, policy), ACL_SUCCESS);
    ASSERT_EQ(aclrtMalloc(&world_.freed_memory, size_t{4} << 20, policy), ACL_SUCCESS);
    ASSERT_EQ(aclrtMallocHost(&world_.pinned_memory, World::kBytes), ACL_SUCCESS);
    ASSERT_EQ(aclrtFree(world_.freed_memory), ACL_SUCCESS);
    aclrtPhysicalMemProp prop{};
    prop.memAttr = ACL_HBM_MEM_NORMAL;
    prop.location.type = ACL_MEM_LOCATION_TYPE_DEVICE;
    ASSERT_EQ(aclrtMallocPhysical(&world_.stale_physical, World::kBytes, &prop, 0), ACL_SUCCESS);
    ASSERT_EQ(aclrtFreePhysical(world_.stale_physical), ACL_SUCCESS);
    ASSERT_EQ(aclrtMallocPhysical(&world_.physical, World::kBytes, &prop, 0), ACL_SUCCESS);
  }

  void MakeCommunicators() {
    std::array<int32_t, 2> devices = {0, 1};
    std::array<HcclComm, 2> comms{};
    ASSERT_EQ(HcclCommInitAll(1, devices.data(), comms.data()), HCCL_SUCCESS);
    ASSERT_EQ(HcclCommDestroy(world_.stale_comm = comms[0]), HCCL_SUCCESS);
    ASSERT_EQ(HcclCommInitAll(2, devices.data(), comms.data()), HCCL_SUCCESS);
    world_.comm = comms[0];
    world_.peer = comms[1];
  }

  void MakeOthers() {
    ASSERT_EQ(aclrtCreateNotify(&world_.stale_notify, 0), ACL_SUCCESS);
    ASSERT_EQ(aclrtDestroyNotify(world_.stale_notify), ACL_SUCCESS);
    ASSERT_EQ(aclrtCreateNotify(&world_.notify, 0), ACL_SUCCESS);
    ASSERT_EQ(aclrtCntNotifyCreate(&world_.stale_counter, 0), ACL_SUCCESS);
    ASSERT_EQ(aclrtCntNotifyDestroy(world_.stale_counter), ACL_SUCCESS);
    ASSERT_EQ(aclrtCntNotifyCreate(&world_.counter, 0), ACL_SUCCESS);
    aclrtMemPoolProps props{};
    props.location.type = ACL_MEM_LOCATION_TYPE_DEVICE;
    ASSERT_EQ(aclrtMemPoolCreate(&world_.stale_pool, &props), ACL_SUCCESS);
    ASSERT_EQ(aclrtMemPoolDestroy(world_.stale_pool), ACL_SUCCESS);
    ASSERT_EQ(aclrtMemPoolCreate(&world_.pool, &props), ACL_SUCCESS);
    ASSERT_NE(world_.stale_allocator = aclrtAllocatorCreateDesc(), nullptr);
    ASSERT_EQ(aclrtAllocatorDestroyDesc(world_.stale_allocator), ACL_SUCCESS);
    ASSERT_NE(world_.allocator = aclrtAllocatorCreateDesc(), nullptr);
  }

  void TearDown() override {
    EXPECT_EQ(HcclCommDestroy(world_.comm), HCCL_SUCCESS);
    EXPECT_EQ(HcclCommDestroy(world_.peer), HCCL_SUCCESS);
    EXPECT_EQ(aclrtFree(world_.device_memory), ACL_SUCCESS);
    EXPECT_EQ(aclrtFreeHost(world_.pinned_memory), ACL_SUCCESS);
    EXPECT_EQ(aclrtDestroyEvent(world_.event), ACL_SUCCESS);
    EXPECT_EQ(aclrtSynchronizeStream(world_.stream), ACL_SUCCESS);
    EXPECT_EQ(aclrtDestroyNotify(world_.notify), ACL_SUCCESS);
    EXPECT_EQ(aclrtCntNotifyDestroy(world_.counter), ACL_SUCCESS);
    EXPECT_EQ(aclrtFreePhysical(world_.physical), ACL_SUCCESS);
    EXPECT_EQ(aclrtMemPoolDestroy(world_.pool), ACL_SUCCESS);
    EXPECT_EQ(aclrtAllocatorDestroyDesc(world_.allocator), ACL_SUCCESS);
    EXPECT_EQ(aclrtDestroyContext(world_.context), ACL_SUCCESS);
    EXPECT_EQ(aclrtResetDevice(0), ACL_SUCCESS) << "a row has changed how often device 0 is set";
    EXPECT_EQ(aclrtResetDevice(1), ACL_SUCCESS);
  }

  World world_;
};

}  // namespace tandem::test::badargs
