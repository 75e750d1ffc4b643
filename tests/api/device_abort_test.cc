// SPDX-License-Identifier: Apache-2.0
// Dropping all work of a device. A host function that does not return keeps the abort from ending, so that it
// is known to be under way.
#include <acl/acl.h>
#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

#include "api/runtime_fixture.h"

namespace tandem::test {
namespace {

class DeviceAbortTest : public RuntimeTest {
 protected:
  void SetUp() override {
    RuntimeTest::SetUp();
    ASSERT_EQ(aclrtMalloc(&data_, 64, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
    ASSERT_EQ(aclrtMemset(data_, 64, 0, 64), ACL_SUCCESS);
  }
  void TearDown() override {
    EXPECT_EQ(aclrtFree(data_), ACL_SUCCESS);
    RuntimeTest::TearDown();
  }
  // The stream runs a host function from now on until Release.
  void Occupy(aclrtStream stream) {
    ASSERT_EQ(aclrtLaunchHostFunc(stream, &Block, this), ACL_SUCCESS);
    while (!running_) std::this_thread::yield();
  }
  void Release() { released_ = true; }
  static void Block(void* test) {
    auto* const self = static_cast<DeviceAbortTest*>(test);
    self->running_ = true;
    while (!self->released_) std::this_thread::yield();
  }

  void* data_ = nullptr;
  std::atomic<bool> running_{false};
  std::atomic<bool> released_{false};
};

TEST_F(DeviceAbortTest, ArgumentErrors) {
  EXPECT_EQ(aclrtDeviceTaskAbort(-1, 0), ACL_ERROR_RT_INVALID_DEVICEID);
  EXPECT_EQ(aclrtDeviceTaskAbort(4711, 0), ACL_ERROR_RT_INVALID_DEVICEID);
  EXPECT_EQ(aclrtDeviceTaskAbort(0, 2'160'001), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtDeviceTaskAbort(1, 2'160'000), ACL_SUCCESS) << "a device without work";
}

TEST_F(DeviceAbortTest, DropsTheWorkOfAllContextsAndOfNoOtherDevice) {
  aclrtContext context = nullptr;
  aclrtStream third = nullptr;
  ASSERT_EQ(aclrtCreateContext(&context, 0), ACL_SUCCESS);
  ASSERT_EQ(aclrtCreateStream(&third), ACL_SUCCESS);
  ASSERT_EQ(aclrtValueWait(data_, 1, ACL_STREAM_WAIT_VALUE_EQ, third), ACL_SUCCESS);
  ASSERT_EQ(aclrtSetDevice(1), ACL_SUCCESS);
  void* elsewhere = nullptr;
  ASSERT_EQ(aclrtMalloc(&elsewhere, 64, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
  ASSERT_EQ(aclrtMemset(elsewhere, 64, 0, 64), ACL_SUCCESS);
  ASSERT_EQ(aclrtValueWait(elsewhere, 1, ACL_STREAM_WAIT_VALUE_EQ, nullptr), ACL_SUCCESS);
  ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
  ASSERT_EQ(aclrtValueWait(data_, 1, ACL_STREAM_WAIT_VALUE_EQ, stream_), ACL_SUCCESS);
  ASSERT_EQ(aclrtMemsetAsync(data_, 64, 9, 64, stream_), ACL_SUCCESS);
  ASSERT_EQ(aclrtDeviceTaskAbort(0, 0), ACL_SUCCESS);
  EXPECT_EQ(StatusOf(stream_), ACL_STREAM_STATUS_COMPLETE);
  EXPECT_EQ(StatusOf(third), ACL_STREAM_STATUS_COMPLETE);
  EXPECT_EQ(*static_cast<char*>(data_), 0) << "what was queued did not run";
  EXPECT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS) << "no error is left";
  ASSERT_EQ(aclrtMemsetAsync(data_, 64, 7, 64, stream_), ACL_SUCCESS) << "the device works again";
  EXPECT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS);
  EXPECT_EQ(*static_cast<char*>(data_), 7);
  ASSERT_EQ(aclrtSetDevice(1), ACL_SUCCESS);
  EXPECT_EQ(StatusOf(nullptr), ACL_STREAM_STATUS_NOT_READY);
  ASSERT_EQ(aclrtDeviceTaskAbort(1, 0), ACL_SUCCESS);
  EXPECT_EQ(StatusOf(nullptr), ACL_STREAM_STATUS_COMPLETE);
  EXPECT_EQ(aclrtFree(elsewhere), ACL_SUCCESS);
  EXPECT_EQ(aclrtResetDevice(1), ACL_SUCCESS);
  ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
  EXPECT_EQ(aclrtDestroyContext(context), ACL_SUCCESS);
  EXPECT_EQ(aclrtResetDevice(0), ACL_SUCCESS);
  EXPECT_EQ(aclrtResetDevice(0), ACL_SUCCESS);
}

TEST_F(DeviceAbortTest, MeanwhileNothingElseIsDone) {
  ASSERT_EQ(aclrtValueWait(data_, 1, ACL_STREAM_WAIT_VALUE_EQ, other_), ACL_SUCCESS);
  Occupy(stream_);
  std::thread waits_for_stream([this] {
    ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
    EXPECT_EQ(aclrtSynchronizeStream(other_), ACL_ERROR_RT_DEVICE_TASK_ABORT);
    EXPECT_EQ(aclrtResetDevice(0), ACL_SUCCESS);
  });
  std::thread aborts([] { EXPECT_EQ(aclrtDeviceTaskAbort(0, 0), ACL_SUCCESS); });
  // The abort does not end before the host function returns.
  while (aclrtMemset(data_, 64, 5, 64) != ACL_ERROR_RT_DEVICE_TASK_ABORT) std::this_thread::yield();
  waits_for_stream.join();
  char host = 0;
  EXPECT_EQ(aclrtMemcpy(&host, 1, data_, 1, ACL_MEMCPY_DEVICE_TO_HOST), ACL_ERROR_RT_DEVICE_TASK_ABORT);
  EXPECT_EQ(aclrtMemsetAsync(data_, 64, 6, 64, stream_), ACL_ERROR_RT_DEVICE_TASK_ABORT);
  EXPECT_EQ(aclrtSynchronizeStream(stream_), ACL_ERROR_RT_DEVICE_TASK_ABORT);
  EXPECT_EQ(aclrtSynchronizeDevice(), ACL_ERROR_RT_DEVICE_TASK_ABORT);
  EXPECT_EQ(aclrtDeviceTaskAbort(0, 0), ACL_ERROR_RT_DEVICE_TASK_ABORT) << "one at a time";
  Release();
  aborts.join();
  EXPECT_EQ(aclrtMemset(data_, 64, 8, 64), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeDevice(), ACL_SUCCESS);
  EXPECT_EQ(aclrtGetLastError(ACL_RT_THREAD_LEVEL), ACL_ERROR_RT_DEVICE_TASK_ABORT);
}

TEST_F(DeviceAbortTest, ADeviceThatCouldNotBeStoppedInTimeStaysClosedUntilItIs) {
  Occupy(stream_);
  EXPECT_EQ(aclrtDeviceTaskAbort(0, 20), ACL_ERROR_RT_WAIT_TIMEOUT);
  EXPECT_EQ(aclrtMemset(data_, 64, 1, 64), ACL_ERROR_RT_DEVICE_TASK_ABORT);
  Release();
  EXPECT_EQ(aclrtDeviceTaskAbort(0, 0), ACL_SUCCESS);
  EXPECT_EQ(aclrtMemset(data_, 64, 1, 64), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS);
}

TEST_F(DeviceAbortTest, ItEndsTheStopAfterAFailure) {
  aclrtContext context = nullptr;
  aclrtStream stream = nullptr;
  aclrtEvent never = nullptr;
  ASSERT_EQ(aclrtCreateContext(&context, 0), ACL_SUCCESS);
  ASSERT_EQ(aclrtCreateStream(&stream), ACL_SUCCESS);
  ASSERT_EQ(aclrtCreateEventWithFlag(&never, ACL_EVENT_SYNC), ACL_SUCCESS);
  ASSERT_EQ(aclrtSetStreamFailureMode(stream, ACL_STOP_ON_FAILURE), ACL_SUCCESS);
  ASSERT_EQ(aclrtStreamWaitEventWithTimeout(stream, never, 1), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStream(stream), ACL_ERROR_RT_TASK_TIMEOUT);
  EXPECT_EQ(aclrtMemsetAsync(data_, 64, 3, 64, stream), ACL_ERROR_RT_TASK_TIMEOUT);
  ASSERT_EQ(aclrtDeviceTaskAbort(0, 0), ACL_SUCCESS);
  EXPECT_EQ(aclrtMemsetAsync(data_, 64, 3, 64, stream), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStream(stream), ACL_SUCCESS);
  EXPECT_EQ(*static_cast<char*>(data_), 3);
  EXPECT_EQ(aclrtDestroyContext(context), ACL_SUCCESS);
}

struct Calls {
  std::vector<int> stages;
  int32_t answer = 0;
  static int32_t Note(int32_t device, aclrtDeviceTaskAbortStage stage, uint32_t timeout, void* args) {
    auto* const calls = static_cast<Calls*>(args);
    EXPECT_EQ(device, 0);
    EXPECT_EQ(timeout, 1000U);
    calls->stages.push_back(stage);
    return calls->answer;
  }
};

TEST_F(DeviceAbortTest, CallbacksHearOfItBeforeAndAfter) {
  Calls calls;
  EXPECT_EQ(aclrtSetDeviceTaskAbortCallback(nullptr, &Calls::Note, &calls), ACL_ERROR_INVALID_PARAM);
  ASSERT_EQ(aclrtSetDeviceTaskAbortCallback("first", &Calls::Note, &calls), ACL_SUCCESS);
  EXPECT_EQ(aclrtSetDeviceTaskAbortCallback("first", &Calls::Note, &calls), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtDeviceTaskAbort(0, 1000), ACL_SUCCESS);
  EXPECT_EQ(calls.stages, (std::vector<int>{ACL_RT_DEVICE_TASK_ABORT_PRE, ACL_RT_DEVICE_TASK_ABORT_POST}));
  calls.answer = 1;
  ASSERT_EQ(aclrtValueWait(data_, 1, ACL_STREAM_WAIT_VALUE_EQ, stream_), ACL_SUCCESS);
  EXPECT_EQ(aclrtDeviceTaskAbort(0, 1000), ACL_ERROR_RT_INTERNAL_ERROR);
  EXPECT_EQ(calls.stages.size(), 3U);
  EXPECT_EQ(StatusOf(stream_), ACL_STREAM_STATUS_NOT_READY) << "nothing was dropped";
  ASSERT_EQ(aclrtSetDeviceTaskAbortCallback("first", nullptr, nullptr), ACL_SUCCESS);
  EXPECT_EQ(aclrtDeviceTaskAbort(0, 1000), ACL_SUCCESS);
  EXPECT_EQ(calls.stages.size(), 3U);
}

}  // namespace
}  // namespace tandem::test
