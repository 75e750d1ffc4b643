// SPDX-License-Identifier: Apache-2.0
#include <acl/acl.h>
#include <gtest/gtest.h>

#include <thread>

#include "api/runtime_fixture.h"

namespace tandem::test {
namespace {

TEST(ContextTest, CreatingMakesItCurrentWithoutSetDevice) {
  std::thread([] {
    aclrtContext context = nullptr;
    ASSERT_EQ(aclrtCreateContext(&context, 6), ACL_SUCCESS);
    aclrtContext current = nullptr;
    EXPECT_EQ(aclrtGetCurrentContext(&current), ACL_SUCCESS);
    EXPECT_EQ(current, context);
    int32_t device = -1;
    EXPECT_EQ(aclrtGetDevice(&device), ACL_SUCCESS);
    EXPECT_EQ(device, 6);
    EXPECT_EQ(aclrtDestroyContext(context), ACL_SUCCESS);
    EXPECT_EQ(aclrtGetCurrentContext(&current), ACL_ERROR_RT_CONTEXT_NULL);
    EXPECT_EQ(aclrtDestroyContext(context), ACL_ERROR_RT_CONTEXT_NULL) << "destroyed before";
  }).join();
}

TEST(ContextTest, ArgumentErrors) {
  aclrtContext context = nullptr;
  EXPECT_EQ(aclrtCreateContext(nullptr, 0), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtCreateContext(&context, 8), ACL_ERROR_RT_INVALID_DEVICEID);
  EXPECT_EQ(aclrtDestroyContext(nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtSetCurrentContext(nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtGetCurrentContext(nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtCtxGetCurrentDefaultStream(nullptr), ACL_ERROR_INVALID_PARAM);
  int stranger = 0;
  EXPECT_EQ(aclrtSetCurrentContext(&stranger), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtDestroyContext(&stranger), ACL_ERROR_RT_CONTEXT_NULL);
}

TEST_F(RuntimeTest, PrimaryContextIsNotDestroyedByHand) {
  aclrtContext primary = nullptr;
  ASSERT_EQ(aclrtGetCurrentContext(&primary), ACL_SUCCESS);
  EXPECT_EQ(aclrtDestroyContext(primary), ACL_ERROR_RT_CONTEXT_NULL);
}

TEST_F(RuntimeTest, SetCurrentSwitchesTheDevice) {
  aclrtContext primary = nullptr;
  ASSERT_EQ(aclrtGetCurrentContext(&primary), ACL_SUCCESS);
  aclrtContext context = nullptr;
  ASSERT_EQ(aclrtCreateContext(&context, 1), ACL_SUCCESS);
  ASSERT_EQ(aclrtSetCurrentContext(primary), ACL_SUCCESS);
  int32_t device = -1;
  EXPECT_EQ(aclrtGetDevice(&device), ACL_SUCCESS);
  EXPECT_EQ(device, 0);
  ASSERT_EQ(aclrtSetCurrentContext(context), ACL_SUCCESS);
  EXPECT_EQ(aclrtGetDevice(&device), ACL_SUCCESS);
  EXPECT_EQ(device, 1);
  EXPECT_EQ(aclrtDestroyContext(context), ACL_SUCCESS);
  EXPECT_EQ(aclrtSetCurrentContext(context), ACL_ERROR_RT_PARAM_INVALID);
}

TEST_F(RuntimeTest, DestroyingTakesTheContextFromOtherThreads) {
  aclrtContext context = nullptr;
  ASSERT_EQ(aclrtCreateContext(&context, 1), ACL_SUCCESS);
  std::thread([context] {
    ASSERT_EQ(aclrtSetCurrentContext(context), ACL_SUCCESS);
    std::thread([context] { EXPECT_EQ(aclrtDestroyContext(context), ACL_SUCCESS); }).join();
    aclrtContext current = nullptr;
    EXPECT_EQ(aclrtGetCurrentContext(&current), ACL_ERROR_RT_CONTEXT_NULL);
    aclrtStream stream = nullptr;
    EXPECT_EQ(aclrtCreateStream(&stream), ACL_ERROR_RT_CONTEXT_NULL);
  }).join();
}

TEST_F(RuntimeTest, SubmissionToAStreamOfAnotherContextIsRefused) {
  aclrtContext context = nullptr;
  ASSERT_EQ(aclrtCreateContext(&context, 0), ACL_SUCCESS);
  void* data = nullptr;
  ASSERT_EQ(aclrtMalloc(&data, 64, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
  aclrtEvent event = nullptr;
  ASSERT_EQ(aclrtCreateEvent(&event), ACL_SUCCESS);
  const aclError refused = ACL_ERROR_RT_STREAM_CONTEXT;
  EXPECT_EQ(aclrtMemsetAsync(data, 64, 0, 64, stream_), refused);
  EXPECT_EQ(
      aclrtMemcpyAsync(data, 64, static_cast<char*>(data) + 32, 16, ACL_MEMCPY_DEVICE_TO_DEVICE, stream_),
      refused);
  EXPECT_EQ(aclrtRecordEvent(event, stream_), refused);
  EXPECT_EQ(aclrtStreamWaitEvent(stream_, event), refused);
  EXPECT_EQ(aclrtResetEvent(event, stream_), refused);
  EXPECT_EQ(aclrtLaunchHostFunc(
                stream_, [](void*) {}, nullptr),
            refused);
  EXPECT_EQ(aclrtDestroyStream(stream_), refused);
  EXPECT_EQ(aclrtDestroyStreamForce(stream_), refused);
  EXPECT_EQ(aclrtStreamAbort(stream_), refused);
  EXPECT_EQ(aclrtSetStreamFailureMode(stream_, ACL_STOP_ON_FAILURE), refused);
  EXPECT_EQ(aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL), refused);
  EXPECT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS) << "waiting is allowed";
  EXPECT_EQ(StatusOf(stream_), ACL_STREAM_STATUS_COMPLETE) << "asking is allowed";
  EXPECT_EQ(aclrtFree(data), ACL_SUCCESS);
  EXPECT_EQ(aclrtDestroyContext(context), ACL_SUCCESS);
  ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
  EXPECT_EQ(aclrtResetDevice(0), ACL_SUCCESS);
}

TEST_F(RuntimeTest, ThreadWithoutContextCanUseNoStream) {
  std::thread([this] {
    EXPECT_EQ(aclrtSynchronizeStream(stream_), ACL_ERROR_RT_CONTEXT_NULL);
    EXPECT_EQ(aclrtDestroyStream(stream_), ACL_ERROR_RT_CONTEXT_NULL);
    EXPECT_EQ(aclrtStreamAbort(stream_), ACL_ERROR_RT_CONTEXT_NULL);
    aclrtStreamStatus status{};
    EXPECT_EQ(aclrtStreamQuery(stream_, &status), ACL_SUCCESS) << "asking needs no context";
    EXPECT_EQ(aclrtStreamQuery(nullptr, &status), ACL_ERROR_RT_CONTEXT_NULL);
  }).join();
}

TEST_F(RuntimeTest, DefaultStreamIsOneForEachContext) {
  aclrtStream mine = nullptr;
  ASSERT_EQ(aclrtCtxGetCurrentDefaultStream(&mine), ACL_SUCCESS);
  EXPECT_NE(mine, nullptr);
  int32_t by_null = -1;
  int32_t by_handle = -2;
  EXPECT_EQ(aclrtStreamGetId(nullptr, &by_null), ACL_SUCCESS);
  EXPECT_EQ(aclrtStreamGetId(mine, &by_handle), ACL_SUCCESS);
  EXPECT_EQ(by_null, by_handle);
  EXPECT_EQ(aclrtDestroyStream(nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtDestroyStream(mine), ACL_ERROR_RT_PARAM_INVALID);
  aclrtContext context = nullptr;
  ASSERT_EQ(aclrtCreateContext(&context, 0), ACL_SUCCESS);
  aclrtStream theirs = nullptr;
  ASSERT_EQ(aclrtCtxGetCurrentDefaultStream(&theirs), ACL_SUCCESS);
  EXPECT_NE(theirs, mine);
  EXPECT_EQ(aclrtDestroyContext(context), ACL_SUCCESS);
}

TEST_F(RuntimeTest, OptionsAreReadBackAfterTheyWereSet) {
  int64_t value = 0;
  EXPECT_EQ(aclrtCtxGetSysParamOpt(ACL_OPT_DETERMINISTIC, &value), ACL_ERROR_RT_SYSPARAMOPT_NOT_SET);
  EXPECT_EQ(aclrtCtxSetSysParamOpt(ACL_OPT_DETERMINISTIC, 1), ACL_SUCCESS);
  EXPECT_EQ(aclrtCtxGetSysParamOpt(ACL_OPT_DETERMINISTIC, &value), ACL_SUCCESS);
  EXPECT_EQ(value, 1);
  EXPECT_EQ(aclrtGetSysParamOpt(ACL_OPT_STRONG_CONSISTENCY, &value), ACL_ERROR_RT_SYSPARAMOPT_NOT_SET);
  EXPECT_EQ(aclrtSetSysParamOpt(ACL_OPT_STRONG_CONSISTENCY, 1), ACL_SUCCESS);
  EXPECT_EQ(aclrtGetSysParamOpt(ACL_OPT_STRONG_CONSISTENCY, &value), ACL_SUCCESS);
  EXPECT_EQ(aclrtSetSysParamOpt(AnyValue<aclSysParamOpt>(3), 1), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtCtxSetSysParamOpt(AnyValue<aclSysParamOpt>(3), 1), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtGetSysParamOpt(ACL_OPT_DETERMINISTIC, nullptr), ACL_ERROR_INVALID_PARAM);
}

}  // namespace
}  // namespace tandem::test
