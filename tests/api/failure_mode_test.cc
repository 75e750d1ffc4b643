// SPDX-License-Identifier: Apache-2.0
// What happens after a task failed. The failing task is a wait whose time runs out.
#include <acl/acl.h>
#include <gtest/gtest.h>

#include "api/runtime_fixture.h"

namespace tandem::test {
namespace {

constexpr aclError kFailure = ACL_ERROR_RT_TASK_TIMEOUT;

// Each test has a context of its own, since stop mode is a property of the context.
class FailureModeTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(aclrtCreateContext(&context_, 0), ACL_SUCCESS);
    ASSERT_EQ(aclrtCreateStream(&stream_), ACL_SUCCESS);
    ASSERT_EQ(aclrtCreateStream(&other_), ACL_SUCCESS);
    ASSERT_EQ(aclrtCreateEventWithFlag(&never_, ACL_EVENT_SYNC), ACL_SUCCESS);
    ASSERT_EQ(aclrtMalloc(&data_, 64, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
    ASSERT_EQ(aclrtMemset(data_, 64, 1, 64), ACL_SUCCESS);
  }
  void TearDown() override {
    EXPECT_EQ(aclrtFree(data_), ACL_SUCCESS);
    EXPECT_EQ(aclrtDestroyContext(context_), ACL_SUCCESS);
  }
  void QueueFailure() {
    ASSERT_EQ(aclrtStreamWaitEventWithTimeout(stream_, never_, 1), ACL_SUCCESS);
    ASSERT_EQ(aclrtMemsetAsync(data_, 64, 2, 64, stream_), ACL_SUCCESS);
  }
  unsigned char Value() const { return *static_cast<unsigned char*>(data_); }

  aclrtContext context_ = nullptr;
  aclrtStream stream_ = nullptr;
  aclrtStream other_ = nullptr;
  aclrtEvent never_ = nullptr;
  void* data_ = nullptr;
};

TEST_F(FailureModeTest, ByDefaultTheStreamGoesOnAndReportsOnce) {
  QueueFailure();
  aclrtEvent after = nullptr;
  ASSERT_EQ(aclrtCreateEvent(&after), ACL_SUCCESS);
  ASSERT_EQ(aclrtRecordEvent(after, stream_), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeEvent(after), ACL_SUCCESS) << "events do not report failures of earlier tasks";
  EXPECT_EQ(aclrtSynchronizeStream(other_), ACL_SUCCESS) << "other streams are not concerned";
  EXPECT_EQ(aclrtSynchronizeStream(stream_), kFailure);
  EXPECT_EQ(Value(), 2) << "later tasks ran";
  EXPECT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS);
}

TEST_F(FailureModeTest, SynchronizeDeviceReportsTheFailureOfAnyStream) {
  QueueFailure();
  EXPECT_EQ(aclrtSynchronizeDevice(), kFailure);
  EXPECT_EQ(aclrtSynchronizeDevice(), ACL_SUCCESS);
}

TEST_F(FailureModeTest, StopModeStopsTheWholeContext) {
  ASSERT_EQ(aclrtSetStreamFailureMode(stream_, ACL_STOP_ON_FAILURE), ACL_SUCCESS);
  ASSERT_EQ(aclrtStreamWaitEvent(other_, never_), ACL_SUCCESS) << "would wait for ever";
  aclrtEvent after = nullptr;
  ASSERT_EQ(aclrtCreateEvent(&after), ACL_SUCCESS);
  QueueFailure();
  ASSERT_EQ(aclrtRecordEvent(after, stream_), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStream(stream_), kFailure);
  EXPECT_EQ(aclrtSynchronizeStream(stream_), kFailure) << "every time";
  EXPECT_EQ(aclrtSynchronizeStream(other_), kFailure);
  EXPECT_EQ(aclrtSynchronizeStream(nullptr), kFailure);
  EXPECT_EQ(aclrtSynchronizeDevice(), kFailure);
  EXPECT_EQ(aclrtSynchronizeEvent(after), kFailure);
  aclrtEventRecordedStatus status{};
  EXPECT_EQ(aclrtQueryEventStatus(after, &status), kFailure);
  EXPECT_EQ(aclrtMemsetAsync(data_, 64, 3, 64, other_), kFailure) << "nothing more is accepted";
  EXPECT_EQ(aclrtLaunchHostFunc(
                other_, [](void*) {}, nullptr),
            kFailure);
  EXPECT_EQ(Value(), 1) << "later tasks were dropped";
  EXPECT_EQ(aclrtMemset(data_, 64, 4, 64), ACL_SUCCESS) << "synchronous calls go on";
  EXPECT_EQ(aclrtSetStreamFailureMode(stream_, ACL_STOP_ON_FAILURE), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  EXPECT_EQ(aclrtDestroyStream(other_), ACL_SUCCESS) << "does not wait any more";
}

TEST_F(FailureModeTest, StopModeCannotBeLeft) {
  EXPECT_EQ(aclrtSetStreamFailureMode(stream_, ACL_CONTINUE_ON_FAILURE), ACL_SUCCESS)
      << "it has this mode already";
  EXPECT_EQ(aclrtSetStreamFailureMode(stream_, ACL_STOP_ON_FAILURE | 0xF0), ACL_SUCCESS)
      << "only bit 0 is looked at";
  EXPECT_EQ(aclrtSetStreamFailureMode(stream_, ACL_STOP_ON_FAILURE), ACL_SUCCESS);
  EXPECT_EQ(aclrtSetStreamFailureMode(stream_, ACL_CONTINUE_ON_FAILURE), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
}

TEST_F(FailureModeTest, OtherContextsAreNotConcerned) {
  ASSERT_EQ(aclrtSetStreamFailureMode(stream_, ACL_STOP_ON_FAILURE), ACL_SUCCESS);
  QueueFailure();
  EXPECT_EQ(aclrtSynchronizeStream(stream_), kFailure);
  aclrtContext fresh = nullptr;
  ASSERT_EQ(aclrtCreateContext(&fresh, 0), ACL_SUCCESS);
  EXPECT_EQ(aclrtMemsetAsync(data_, 64, 5, 64, nullptr), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStream(nullptr), ACL_SUCCESS);
  EXPECT_EQ(Value(), 5);
  EXPECT_EQ(aclrtDestroyContext(fresh), ACL_SUCCESS);
}

}  // namespace
}  // namespace tandem::test
