// SPDX-License-Identifier: Apache-2.0
#include <acl/acl.h>
#include <gtest/gtest.h>
#include <unistd.h>

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
