// SPDX-License-Identifier: Apache-2.0
#include <acl/acl.h>
#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "api/runtime_fixture.h"

namespace tandem::test {
namespace {

// Runs on a thread that has selected nothing.
template <typename Body>
void OnFreshThread(Body body) {
  std::thread(body).join();
}

TEST(DeviceTest, CountAndRunModeNeedNeitherInitNorContext) {
  OnFreshThread([] {
    uint32_t count = 0;
    EXPECT_EQ(aclrtGetDeviceCount(&count), ACL_SUCCESS);
    EXPECT_EQ(count, 8U);
    EXPECT_EQ(aclrtGetDeviceCount(nullptr), ACL_ERROR_INVALID_PARAM);
    aclrtRunMode mode = ACL_DEVICE;
    EXPECT_EQ(aclrtGetRunMode(&mode), ACL_SUCCESS);
    EXPECT_EQ(mode, ACL_HOST);
    EXPECT_STREQ(aclrtGetSocName(), "Ascend910B3");
  });
}

TEST(DeviceTest, ThreadThatSelectedNothingHasNoDevice) {
  ASSERT_EQ(aclrtSetDevice(1), ACL_SUCCESS);
  OnFreshThread([] {
    int32_t device = -1;
    EXPECT_EQ(aclrtGetDevice(&device), ACL_ERROR_RT_CONTEXT_NULL);
    EXPECT_EQ(aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL), 0)
        << "asking for the device is no failure to remember";
    EXPECT_EQ(aclrtSynchronizeDevice(), ACL_ERROR_RT_CONTEXT_NULL);
    EXPECT_EQ(aclrtGetLastError(ACL_RT_THREAD_LEVEL), ACL_ERROR_RT_CONTEXT_NULL);
  });
  EXPECT_EQ(aclrtResetDevice(1), ACL_SUCCESS);
}

TEST(DeviceTest, DeviceThatDoesNotExistIsRefusedWithItsNumber) {
  for (const int32_t device : {-1, 8, 1 << 30}) {
    EXPECT_EQ(aclrtSetDevice(device), ACL_ERROR_RT_INVALID_DEVICEID);
    EXPECT_EQ(aclrtResetDevice(device), ACL_ERROR_RT_INVALID_DEVICEID);
    EXPECT_EQ(aclrtResetDeviceForce(device), ACL_ERROR_RT_INVALID_DEVICEID);
  }
  const char* text = aclGetRecentErrMsg();
  ASSERT_NE(text, nullptr);
  EXPECT_NE(std::string(text).find("expected 0 to 7"), std::string::npos) << text;
}

TEST(DeviceTest, ResetsArePairedWithSets) {
  ASSERT_EQ(aclrtSetDevice(2), ACL_SUCCESS);
  ASSERT_EQ(aclrtSetDevice(2), ACL_SUCCESS);
  EXPECT_EQ(aclrtResetDevice(2), ACL_SUCCESS);
  int32_t device = -1;
  EXPECT_EQ(aclrtGetDevice(&device), ACL_SUCCESS) << "one reference is left";
  EXPECT_EQ(device, 2);
  EXPECT_EQ(aclrtResetDevice(2), ACL_SUCCESS);
  EXPECT_EQ(aclrtGetDevice(&device), ACL_ERROR_RT_CONTEXT_NULL);
  EXPECT_EQ(aclrtResetDevice(2), ACL_ERROR_RT_CONTEXT_RELEASE_ERROR);
}

TEST(DeviceTest, ForcedResetGivesBackAllReferences) {
  ASSERT_EQ(aclrtSetDevice(2), ACL_SUCCESS);
  ASSERT_EQ(aclrtSetDevice(2), ACL_SUCCESS);
  EXPECT_EQ(aclrtResetDeviceForce(2), ACL_SUCCESS);
  EXPECT_EQ(aclrtResetDeviceForce(2), ACL_ERROR_RT_CONTEXT_RELEASE_ERROR);
  EXPECT_EQ(aclrtResetDevice(2), ACL_ERROR_RT_CONTEXT_RELEASE_ERROR);
}

TEST(DeviceTest, ForcedResetDropsWorkThatWouldNeverEnd) {
  ASSERT_EQ(aclrtSetDevice(3), ACL_SUCCESS);
  aclrtStream stream = nullptr;
  ASSERT_EQ(aclrtCreateStream(&stream), ACL_SUCCESS);
  aclrtEvent never = nullptr;
  ASSERT_EQ(aclrtCreateEventWithFlag(&never, ACL_EVENT_SYNC), ACL_SUCCESS);
  ASSERT_EQ(aclrtStreamWaitEvent(stream, never), ACL_SUCCESS);
  EXPECT_EQ(aclrtResetDeviceForce(3), ACL_SUCCESS);
}

TEST(DeviceTest, ResetEndsStreamsAndEventsOfTheDevice) {
  ASSERT_EQ(aclrtSetDevice(3), ACL_SUCCESS);
  aclrtStream stream = nullptr;
  ASSERT_EQ(aclrtCreateStream(&stream), ACL_SUCCESS);
  aclrtEvent event = nullptr;
  ASSERT_EQ(aclrtCreateEvent(&event), ACL_SUCCESS);
  ASSERT_EQ(aclrtResetDevice(3), ACL_SUCCESS);
  ASSERT_EQ(aclrtSetDevice(3), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStream(stream), ACL_ERROR_RT_INVALID_HANDLE);
  EXPECT_EQ(aclrtSynchronizeEvent(event), ACL_ERROR_RT_INVALID_HANDLE);
  EXPECT_EQ(aclrtDestroyEvent(event), ACL_ERROR_RT_INVALID_HANDLE);
  EXPECT_EQ(aclrtResetDevice(3), ACL_SUCCESS);
}

TEST(DeviceTest, ThreadsShareThePrimaryContext) {
  ASSERT_EQ(aclrtSetDevice(1), ACL_SUCCESS);
  aclrtContext mine = nullptr;
  ASSERT_EQ(aclrtGetCurrentContext(&mine), ACL_SUCCESS);
  OnFreshThread([mine] {
    ASSERT_EQ(aclrtSetDevice(1), ACL_SUCCESS);
    aclrtContext theirs = nullptr;
    ASSERT_EQ(aclrtGetCurrentContext(&theirs), ACL_SUCCESS);
    EXPECT_EQ(theirs, mine);
    EXPECT_EQ(aclrtResetDevice(1), ACL_SUCCESS);
  });
  aclrtContext after = nullptr;
  EXPECT_EQ(aclrtGetCurrentContext(&after), ACL_SUCCESS)
      << "the other thread gave back only its own reference";
  EXPECT_EQ(aclrtResetDevice(1), ACL_SUCCESS);
}

TEST(DeviceTest, PrimaryContextStateFollowsTheReferences) {
  int32_t active = -1;
  uint32_t flags = 0;
  EXPECT_EQ(aclrtGetPrimaryCtxState(4, nullptr, &active), ACL_SUCCESS);
  EXPECT_EQ(active, 0);
  ASSERT_EQ(aclrtSetDevice(4), ACL_SUCCESS);
  EXPECT_EQ(aclrtGetPrimaryCtxState(4, nullptr, &active), ACL_SUCCESS);
  EXPECT_EQ(active, 1);
  EXPECT_EQ(aclrtGetPrimaryCtxState(4, &flags, &active), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtGetPrimaryCtxState(4, nullptr, nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtGetPrimaryCtxState(8, nullptr, &active), ACL_ERROR_RT_INVALID_DEVICEID);
  EXPECT_EQ(aclrtResetDevice(4), ACL_SUCCESS);
}

using Seen = std::vector<std::pair<int32_t, aclrtDeviceState>>;

TEST(DeviceTest, StateCallbackSeesSetAndReset) {
  Seen seen;
  const auto note = [](int32_t device, aclrtDeviceState state, void* args) {
    static_cast<Seen*>(args)->emplace_back(device, state);
  };
  EXPECT_EQ(aclrtRegDeviceStateCallback(nullptr, note, &seen), ACL_ERROR_INVALID_PARAM);
  ASSERT_EQ(aclrtRegDeviceStateCallback("note", note, &seen), ACL_SUCCESS);
  EXPECT_EQ(aclrtRegDeviceStateCallback("note", note, &seen), ACL_ERROR_RT_PARAM_INVALID);
  ASSERT_EQ(aclrtSetDevice(5), ACL_SUCCESS);
  ASSERT_EQ(aclrtResetDevice(5), ACL_SUCCESS);
  ASSERT_EQ(aclrtRegDeviceStateCallback("note", nullptr, nullptr), ACL_SUCCESS);
  ASSERT_EQ(aclrtSetDevice(5), ACL_SUCCESS);
  ASSERT_EQ(aclrtResetDevice(5), ACL_SUCCESS);
  EXPECT_EQ(seen, (Seen{{5, ACL_RT_DEVICE_STATE_SET_PRE},
                        {5, ACL_RT_DEVICE_STATE_SET_POST},
                        {5, ACL_RT_DEVICE_STATE_RESET_PRE},
                        {5, ACL_RT_DEVICE_STATE_RESET_POST}}));
}

TEST_F(RuntimeTest, SynchronizeDeviceChecksItsTimeout) {
  EXPECT_EQ(aclrtSynchronizeDeviceWithTimeout(-2), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL), 0) << "found by the ACL layer";
  EXPECT_EQ(aclrtSynchronizeDeviceWithTimeout(0), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL), ACL_ERROR_RT_PARAM_INVALID)
      << "found by the runtime layer";
  EXPECT_EQ(aclrtSynchronizeDeviceWithTimeout(-1), ACL_SUCCESS);
}

TEST_F(RuntimeTest, SynchronizeDeviceWaitsForEveryStreamOfTheContext) {
  Gate gate(stream_);
  EXPECT_EQ(aclrtSynchronizeDeviceWithTimeout(5), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
  gate.Open(other_);
  EXPECT_EQ(aclrtSynchronizeDevice(), ACL_SUCCESS);
  EXPECT_EQ(StatusOf(stream_), ACL_STREAM_STATUS_COMPLETE);
}

TEST_F(RuntimeTest, SynchronizeDeviceLeavesOtherContextsAlone) {
  Gate gate(stream_);
  aclrtContext context = nullptr;
  ASSERT_EQ(aclrtCreateContext(&context, 0), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeDevice(), ACL_SUCCESS) << "the blocked stream belongs to the primary context";
  EXPECT_EQ(aclrtDestroyContext(context), ACL_SUCCESS);
  ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
  gate.Open(other_);
  EXPECT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS);
  EXPECT_EQ(aclrtResetDevice(0), ACL_SUCCESS);
}

TEST_F(RuntimeTest, DeviceInformation) {
  aclrtDeviceStatus status = ACL_RT_DEVICE_STATUS_END;
  EXPECT_EQ(aclrtQueryDeviceStatus(0, &status), ACL_SUCCESS);
  EXPECT_EQ(status, ACL_RT_DEVICE_STATUS_NORMAL);
  EXPECT_EQ(aclrtQueryDeviceStatus(0, nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtQueryDeviceStatus(8, &status), ACL_ERROR_RT_INVALID_DEVICEID);

  int32_t least = -1;
  int32_t greatest = -1;
  EXPECT_EQ(aclrtDeviceGetStreamPriorityRange(&least, &greatest), ACL_SUCCESS);
  EXPECT_EQ(least, 7);
  EXPECT_EQ(greatest, 0);
  EXPECT_EQ(aclrtDeviceGetStreamPriorityRange(nullptr, nullptr), ACL_SUCCESS);

  int64_t value = -1;
  EXPECT_EQ(aclrtGetDeviceInfo(0, ACL_DEV_ATTR_VECTOR_CORE_NUM, &value), ACL_SUCCESS);
  EXPECT_EQ(value, 40);
  EXPECT_EQ(aclrtGetDeviceInfo(0, ACL_DEV_ATTR_VECTOR_CORE_NUM, nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtGetDeviceInfo(0, AnyValue<aclrtDevAttr>(9999), &value), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtGetDeviceInfo(8, ACL_DEV_ATTR_VECTOR_CORE_NUM, &value), ACL_ERROR_RT_INVALID_DEVICEID);

  aclrtUuid first{};
  aclrtUuid second{};
  EXPECT_EQ(aclrtDeviceGetUuid(0, &first), ACL_SUCCESS);
  EXPECT_EQ(aclrtDeviceGetUuid(1, &second), ACL_SUCCESS);
  EXPECT_NE(std::memcmp(&first, &second, sizeof(first)), 0);
  EXPECT_EQ(aclrtDeviceGetUuid(0, &second), ACL_SUCCESS);
  EXPECT_EQ(std::memcmp(&first, &second, sizeof(first)), 0);

  uint64_t link = 0;
  EXPECT_EQ(aclrtGetDevicesTopo(0, 1, &link), ACL_SUCCESS);
  EXPECT_EQ(link, ACL_RT_DEVS_TOPOLOGY_HCCS);
  EXPECT_EQ(aclrtGetDevicesTopo(0, 8, &link), ACL_ERROR_RT_INVALID_DEVICEID);
}

TEST_F(RuntimeTest, CoreLimitsAreKept) {
  uint32_t cores = 0;
  EXPECT_EQ(aclrtGetDeviceResLimit(0, ACL_RT_DEV_RES_CUBE_CORE, &cores), ACL_SUCCESS);
  EXPECT_EQ(cores, 20U);
  EXPECT_EQ(aclrtSetDeviceResLimit(0, ACL_RT_DEV_RES_CUBE_CORE, 7), ACL_SUCCESS);
  EXPECT_EQ(aclrtGetResInCurrentThread(ACL_RT_DEV_RES_CUBE_CORE, &cores), ACL_SUCCESS);
  EXPECT_EQ(cores, 7U);
  EXPECT_EQ(aclrtResetDeviceResLimit(0), ACL_SUCCESS);
  EXPECT_EQ(aclrtGetResInCurrentThread(ACL_RT_DEV_RES_CUBE_CORE, &cores), ACL_SUCCESS);
  EXPECT_EQ(cores, 20U);
  EXPECT_EQ(aclrtGetDeviceResLimit(0, AnyValue<aclrtDevResLimitType>(2), &cores), ACL_ERROR_INVALID_PARAM);
}

TEST_F(RuntimeTest, PeerAccess) {
  int32_t answer = -1;
  EXPECT_EQ(aclrtDeviceCanAccessPeer(nullptr, 0, 1), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtDeviceCanAccessPeer(&answer, 1, 1), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtDeviceCanAccessPeer(&answer, 0, 8), ACL_ERROR_RT_INVALID_DEVICEID);
  EXPECT_EQ(aclrtDeviceCanAccessPeer(&answer, 0, 1), ACL_SUCCESS);
  EXPECT_EQ(answer, 1);

  EXPECT_EQ(aclrtDeviceEnablePeerAccess(1, 1), ACL_ERROR_FEATURE_UNSUPPORTED);
  EXPECT_EQ(aclrtDeviceEnablePeerAccess(0, 0), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtDeviceEnablePeerAccess(8, 0), ACL_ERROR_RT_INVALID_DEVICEID);
  EXPECT_EQ(aclrtDevicePeerAccessStatus(0, 1, &answer), ACL_SUCCESS);
  EXPECT_EQ(answer, 0);
  EXPECT_EQ(aclrtDeviceEnablePeerAccess(1, 0), ACL_SUCCESS);
  EXPECT_EQ(aclrtDeviceEnablePeerAccess(1, 0), ACL_SUCCESS);
  EXPECT_EQ(aclrtDevicePeerAccessStatus(0, 1, &answer), ACL_SUCCESS);
  EXPECT_EQ(answer, 1);
  EXPECT_EQ(aclrtDevicePeerAccessStatus(1, 0, &answer), ACL_SUCCESS);
  EXPECT_EQ(answer, 0) << "access has a direction";
  EXPECT_EQ(aclrtDeviceDisablePeerAccess(1), ACL_SUCCESS);
  EXPECT_EQ(aclrtDevicePeerAccessStatus(0, 1, &answer), ACL_SUCCESS);
  EXPECT_EQ(answer, 0);
  OnFreshThread([] { EXPECT_EQ(aclrtDeviceEnablePeerAccess(1, 0), ACL_ERROR_RT_CONTEXT_NULL); });
}

TEST_F(RuntimeTest, CopiesBetweenDevicesNeedNoPeerAccess) {
  constexpr size_t kBytes = 4096;
  void* here = nullptr;
  void* there = nullptr;
  int32_t enabled = -1;
  ASSERT_EQ(aclrtMalloc(&here, kBytes, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
  ASSERT_EQ(aclrtMemset(here, kBytes, 7, kBytes), ACL_SUCCESS);
  OnFreshThread([&] {
    ASSERT_EQ(aclrtSetDevice(1), ACL_SUCCESS);
    ASSERT_EQ(aclrtMalloc(&there, kBytes, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
    EXPECT_EQ(aclrtDevicePeerAccessStatus(1, 0, &enabled), ACL_SUCCESS);
    EXPECT_EQ(enabled, 0);
    EXPECT_EQ(aclrtMemcpy(there, kBytes, here, kBytes, ACL_MEMCPY_DEVICE_TO_DEVICE), ACL_SUCCESS);
    EXPECT_EQ(static_cast<const char*>(there)[kBytes - 1], 7);
    EXPECT_EQ(aclrtFree(there), ACL_SUCCESS);
    EXPECT_EQ(aclrtResetDevice(1), ACL_SUCCESS);
  });
  EXPECT_EQ(aclrtFree(here), ACL_SUCCESS);
}

}  // namespace
}  // namespace tandem::test
