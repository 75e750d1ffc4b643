// SPDX-License-Identifier: Apache-2.0
#include <acl/acl.h>
#include <gtest/gtest.h>
#include <hccl/hccl.h>
#include <unistd.h>

#include <atomic>
#include <string>
#include <thread>

#include "api/runtime_fixture.h"

namespace tandem::test {
namespace {

std::string TakeText() {
  const char* text = aclGetRecentErrMsg();
  return text == nullptr ? std::string() : std::string(text);
}

TEST_F(RuntimeTest, ArgumentErrorsLeaveAMessageButNoLastError) {
  EXPECT_EQ(aclrtGetRunMode(nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL), ACL_SUCCESS);
  EXPECT_EQ(aclrtGetLastError(ACL_RT_THREAD_LEVEL), ACL_SUCCESS);
  const std::string text = TakeText();
  EXPECT_EQ(text.rfind("EH", 0), 0U) << text;
  EXPECT_NE(text.find("aclrtGetRunMode: runMode is null"), std::string::npos) << text;
  EXPECT_NE(text.find("ACL_ERROR_INVALID_PARAM (100000)"), std::string::npos) << text;
  EXPECT_NE(text.find("[PID: " + std::to_string(getpid()) + "]"), std::string::npos) << text;
  EXPECT_NE(text.find("Solution:"), std::string::npos) << text;
  EXPECT_EQ(aclGetRecentErrMsg(), nullptr) << "reading empties the store";
}

TEST_F(RuntimeTest, RuntimeErrorsAreKeptUntilTheyAreRead) {
  EXPECT_EQ(aclrtSetDevice(99), ACL_ERROR_RT_INVALID_DEVICEID);
  EXPECT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS) << "success does not change it";
  EXPECT_EQ(aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL), ACL_ERROR_RT_INVALID_DEVICEID);
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(stream_, 0), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL), ACL_ERROR_RT_PARAM_INVALID) << "the latest";
  EXPECT_EQ(aclrtGetLastError(ACL_RT_THREAD_LEVEL), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtGetLastError(ACL_RT_THREAD_LEVEL), ACL_SUCCESS);
  const auto level = AnyValue<aclrtLastErrLevel>(1);
  EXPECT_EQ(aclrtPeekAtLastError(level), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtGetLastError(level), ACL_ERROR_INVALID_PARAM);
}

TEST_F(RuntimeTest, UnsupportedFeaturesAreNotKept) {
  EXPECT_EQ(aclrtStreamStop(stream_), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  EXPECT_EQ(aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL), ACL_SUCCESS);
}

TEST_F(RuntimeTest, NewestMessageComesFirst) {
  EXPECT_EQ(aclrtSetDevice(98), ACL_ERROR_RT_INVALID_DEVICEID);
  EXPECT_EQ(aclrtSetDevice(99), ACL_ERROR_RT_INVALID_DEVICEID);
  const std::string text = TakeText();
  const size_t older = text.find("device 98");
  const size_t newer = text.find("device 99");
  ASSERT_NE(older, std::string::npos);
  ASSERT_NE(newer, std::string::npos);
  EXPECT_LT(newer, older);
}

TEST_F(RuntimeTest, EachThreadHasItsOwnErrors) {
  EXPECT_EQ(aclrtSetDevice(99), ACL_ERROR_RT_INVALID_DEVICEID);
  std::thread([] {
    EXPECT_EQ(aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL), ACL_SUCCESS);
    EXPECT_EQ(aclGetRecentErrMsg(), nullptr);
  }).join();
  EXPECT_NE(aclGetRecentErrMsg(), nullptr);
}

TEST_F(RuntimeTest, AskingForAContextThatIsNotThereIsNotKept) {
  std::thread([] {
    int32_t device = 7;
    EXPECT_EQ(aclrtGetDevice(&device), ACL_ERROR_RT_CONTEXT_NULL);
    aclrtContext context = nullptr;
    EXPECT_EQ(aclrtGetCurrentContext(&context), ACL_ERROR_RT_CONTEXT_NULL);
    EXPECT_EQ(aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL), ACL_SUCCESS);
    EXPECT_EQ(device, 7);
    EXPECT_EQ(aclrtSynchronizeDevice(), ACL_ERROR_RT_CONTEXT_NULL) << "needing one is a failure";
    EXPECT_EQ(aclrtGetLastError(ACL_RT_THREAD_LEVEL), ACL_ERROR_RT_CONTEXT_NULL);
  }).join();
}

TEST_F(RuntimeTest, UnfinishedWorkIsNoError) {
  aclrtEvent open = nullptr;
  ASSERT_EQ(aclrtCreateEventExWithFlag(&open, ACL_EVENT_SYNC), ACL_SUCCESS);
  std::atomic<bool> go{false};
  ASSERT_EQ(aclrtLaunchHostFunc(
                stream_,
                [](void* flag) {
                  auto* ready = static_cast<std::atomic<bool>*>(flag);
                  while (!ready->load()) ready->wait(false);
                },
                &go),
            ACL_SUCCESS);
  aclrtStreamStatus stream_status = ACL_STREAM_STATUS_COMPLETE;
  EXPECT_EQ(aclrtStreamQuery(stream_, &stream_status), ACL_SUCCESS);
  EXPECT_EQ(stream_status, ACL_STREAM_STATUS_NOT_READY);
  ASSERT_EQ(aclrtRecordEvent(open, stream_), ACL_SUCCESS);
  aclrtEventRecordedStatus event_status = ACL_EVENT_RECORDED_STATUS_COMPLETE;
  EXPECT_EQ(aclrtQueryEventStatus(open, &event_status), ACL_SUCCESS);
  EXPECT_EQ(event_status, ACL_EVENT_RECORDED_STATUS_NOT_READY);
  EXPECT_EQ(aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL), ACL_SUCCESS);
  EXPECT_EQ(aclGetRecentErrMsg(), nullptr);
  go = true;
  go.notify_all();
  EXPECT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS);
  EXPECT_EQ(aclrtDestroyEvent(open), ACL_SUCCESS);
}

TEST_F(RuntimeTest, CallsOfHcclLeaveATextAndNoLastError) {
  uint32_t rank = 0;
  EXPECT_EQ(HcclGetRankId(nullptr, &rank), HCCL_E_PTR);
  EXPECT_EQ(aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL), ACL_SUCCESS);
  const std::string text = TakeText();
  EXPECT_EQ(text.rfind("EI0003: [PID: " + std::to_string(getpid()) + "] ", 0), 0U) << text;
  EXPECT_NE(text.find(" Invalid_Argument_Collective_Communication_Operator(EI0003): HcclGetRankId: "),
            std::string::npos)
      << text;
  const std::string end =
      "\n        Possible Cause: An argument of the call is outside what the call accepts."
      "\n        Solution: Pass a value as the message says.\n";
  ASSERT_GE(text.size(), end.size());
  EXPECT_EQ(text.substr(text.size() - end.size()), end);
}

TEST_F(RuntimeTest, ATextStaysUntilItIsTakenAndItsPointerUntilTheNextTake) {
  EXPECT_EQ(aclrtSetDevice(99), ACL_ERROR_RT_INVALID_DEVICEID);
  EXPECT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS) << "success does not empty the store";
  const char* text = aclGetRecentErrMsg();
  ASSERT_NE(text, nullptr);
  const std::string copy = text;
  EXPECT_EQ(aclrtSetDevice(98), ACL_ERROR_RT_INVALID_DEVICEID);
  EXPECT_EQ(text, copy) << "another failure does not touch what was handed out";
  EXPECT_NE(TakeText().find("device 98"), std::string::npos);
}

TEST_F(RuntimeTest, AProgramThatNeverAsksKeepsTheNewestTextsOnly) {
  for (int i = 0; i < 1000; ++i) EXPECT_EQ(aclrtSetDevice(1000 + i), ACL_ERROR_RT_INVALID_DEVICEID);
  const std::string text = TakeText();
  EXPECT_NE(text.find("device 1999"), std::string::npos);
  EXPECT_EQ(text.find("device 1000 "), std::string::npos);
  EXPECT_LT(text.size(), 1U << 16);
}

TEST_F(RuntimeTest, ErrorTextOfAWrongStreamSaysWhatToDo) {
  aclrtContext context = nullptr;
  ASSERT_EQ(aclrtCreateContext(&context, 1), ACL_SUCCESS);
  EXPECT_EQ(aclrtLaunchHostFunc(
                stream_, [](void*) {}, nullptr),
            ACL_ERROR_RT_STREAM_CONTEXT);
  const std::string text = TakeText();
  EXPECT_NE(text.find("belongs to another context"), std::string::npos) << text;
  EXPECT_NE(text.find("ACL_ERROR_RT_STREAM_CONTEXT (107003)"), std::string::npos) << text;
  EXPECT_EQ(aclrtDestroyContext(context), ACL_SUCCESS);
}

TEST_F(RuntimeTest, HealthyDeviceHasNoErrorDetail) {
  aclrtErrorInfo info{};
  info.tryRepair = 9;
  EXPECT_EQ(aclrtGetErrorVerbose(0, &info), ACL_SUCCESS);
  EXPECT_EQ(info.errorType, ACL_RT_NO_ERROR);
  EXPECT_EQ(info.tryRepair, 0);
  EXPECT_EQ(info.hasDetail, 0);
  EXPECT_EQ(aclrtGetErrorVerbose(0, nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtGetErrorVerbose(8, &info), ACL_ERROR_RT_INVALID_DEVICEID);
}

TEST_F(RuntimeTest, LastTaskIdChangesWithEachTask) {
  uint32_t first = 0;
  uint32_t second = 0;
  ASSERT_EQ(aclrtLaunchHostFunc(
                stream_, [](void*) {}, nullptr),
            ACL_SUCCESS);
  EXPECT_EQ(aclrtGetThreadLastTaskId(&first), ACL_SUCCESS);
  ASSERT_EQ(aclrtLaunchHostFunc(
                stream_, [](void*) {}, nullptr),
            ACL_SUCCESS);
  EXPECT_EQ(aclrtGetThreadLastTaskId(&second), ACL_SUCCESS);
  EXPECT_EQ(second, first + 1);
  EXPECT_EQ(aclrtGetThreadLastTaskId(nullptr), ACL_ERROR_INVALID_PARAM);
}

}  // namespace
}  // namespace tandem::test
