// SPDX-License-Identifier: Apache-2.0
// The callback for tasks that fail. The failing task is a wait whose time runs out.
#include <acl/acl.h>
#include <gtest/gtest.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <mutex>
#include <thread>
#include <vector>

#include "api/runtime_fixture.h"

namespace tandem::test {
namespace {

struct Told {
  uint32_t task;
  uint32_t stream;
  uint32_t thread;
  uint32_t device;
  uint32_t code;
  std::thread::id on;
};

std::mutex told_mutex;
std::vector<Told> told;

void Remember(aclrtExceptionInfo* info) {
  const std::lock_guard<std::mutex> lock(told_mutex);
  told.push_back({aclrtGetTaskIdFromExceptionInfo(info), aclrtGetStreamIdFromExceptionInfo(info),
                  aclrtGetThreadIdFromExceptionInfo(info), aclrtGetDeviceIdFromExceptionInfo(info),
                  aclrtGetErrorCodeFromExceptionInfo(info), std::this_thread::get_id()});
}

std::vector<Told> TakeTold() {
  const std::lock_guard<std::mutex> lock(told_mutex);
  return std::exchange(told, {});
}

class ExceptionInfoTest : public RuntimeTest {
 protected:
  void SetUp() override {
    RuntimeTest::SetUp();
    ASSERT_EQ(aclrtCreateEventWithFlag(&never_, ACL_EVENT_SYNC), ACL_SUCCESS);
    static_cast<void>(TakeTold());
  }
  void TearDown() override {
    EXPECT_EQ(aclrtSetExceptionInfoCallback(nullptr), ACL_SUCCESS);
    EXPECT_EQ(aclrtDestroyEvent(never_), ACL_SUCCESS);
    RuntimeTest::TearDown();
  }
  void QueueFailure(aclrtStream stream) {
    ASSERT_EQ(aclrtStreamWaitEventWithTimeout(stream, never_, 1), ACL_SUCCESS);
  }
  aclrtEvent never_ = nullptr;
};

TEST_F(ExceptionInfoTest, SaysWhatFailedBeforeSynchronizeReturns) {
  ASSERT_EQ(aclrtSetExceptionInfoCallback(&Remember), ACL_SUCCESS);
  QueueFailure(stream_);
  uint32_t task = 0;
  ASSERT_EQ(aclrtGetThreadLastTaskId(&task), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStream(stream_), ACL_ERROR_RT_TASK_TIMEOUT);
  const std::vector<Told> all = TakeTold();
  ASSERT_EQ(all.size(), 1U);
  int32_t stream = -1;
  ASSERT_EQ(aclrtStreamGetId(stream_, &stream), ACL_SUCCESS);
  EXPECT_EQ(all[0].task, task);
  EXPECT_EQ(all[0].stream, static_cast<uint32_t>(stream));
  EXPECT_EQ(all[0].thread, static_cast<uint32_t>(syscall(SYS_gettid)));
  EXPECT_EQ(all[0].device, 0U);
  EXPECT_EQ(all[0].code, static_cast<uint32_t>(ACL_ERROR_RT_TASK_TIMEOUT));
  EXPECT_NE(all[0].on, std::this_thread::get_id()) << "an internal thread calls";
}

TEST_F(ExceptionInfoTest, LastRegistrationWinsAndNullRemoves) {
  ASSERT_EQ(aclrtSetExceptionInfoCallback([](aclrtExceptionInfo*) { ADD_FAILURE() << "was replaced"; }),
            ACL_SUCCESS);
  ASSERT_EQ(aclrtSetExceptionInfoCallback(&Remember), ACL_SUCCESS);
  QueueFailure(stream_);
  QueueFailure(other_);
  EXPECT_EQ(aclrtSynchronizeStream(stream_), ACL_ERROR_RT_TASK_TIMEOUT);
  EXPECT_EQ(aclrtSynchronizeStream(other_), ACL_ERROR_RT_TASK_TIMEOUT);
  EXPECT_EQ(TakeTold().size(), 2U);
  ASSERT_EQ(aclrtSetExceptionInfoCallback(nullptr), ACL_SUCCESS);
  QueueFailure(stream_);
  EXPECT_EQ(aclrtSynchronizeStream(stream_), ACL_ERROR_RT_TASK_TIMEOUT);
  EXPECT_TRUE(TakeTold().empty());
}

TEST_F(ExceptionInfoTest, TasksQueuedBeforeHaveNoThread) {
  QueueFailure(stream_);
  ASSERT_EQ(aclrtSetExceptionInfoCallback(&Remember), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStream(stream_), ACL_ERROR_RT_TASK_TIMEOUT);
  const std::vector<Told> all = TakeTold();
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].thread, 0xFFFFFFFFU);
}

TEST_F(ExceptionInfoTest, AnAbortIsNoFailure) {
  ASSERT_EQ(aclrtSetExceptionInfoCallback(&Remember), ACL_SUCCESS);
  ASSERT_EQ(aclrtStreamWaitEvent(stream_, never_), ACL_SUCCESS);
  EXPECT_EQ(aclrtStreamAbort(stream_), ACL_SUCCESS);
  EXPECT_TRUE(TakeTold().empty());
}

TEST(ExceptionInfoGetters, AllOnesForNull) {
  EXPECT_EQ(aclrtGetTaskIdFromExceptionInfo(nullptr), 0xFFFFFFFFU);
  EXPECT_EQ(aclrtGetStreamIdFromExceptionInfo(nullptr), 0xFFFFFFFFU);
  EXPECT_EQ(aclrtGetThreadIdFromExceptionInfo(nullptr), 0xFFFFFFFFU);
  EXPECT_EQ(aclrtGetDeviceIdFromExceptionInfo(nullptr), 0xFFFFFFFFU);
  EXPECT_EQ(aclrtGetErrorCodeFromExceptionInfo(nullptr), 0xFFFFFFFFU);
}

}  // namespace
}  // namespace tandem::test
