// SPDX-License-Identifier: Apache-2.0
#include <acl/acl.h>
#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

#include "api/runtime_fixture.h"

namespace tandem::test {
namespace {

TEST_F(RuntimeTest, HostFunctionsRunInOrderOnOneOtherThread) {
  struct Call {
    std::vector<int>* order;
    std::vector<std::thread::id>* threads;
    int number;
  };
  std::vector<int> order;
  std::vector<std::thread::id> threads;
  std::vector<Call> calls;
  calls.reserve(50);
  for (int i = 0; i < 50; ++i) calls.push_back({&order, &threads, i});
  for (Call& call : calls) {
    ASSERT_EQ(aclrtLaunchHostFunc(
                  stream_,
                  [](void* args) {
                    const auto* made = static_cast<Call*>(args);
                    made->order->push_back(made->number);
                    made->threads->push_back(std::this_thread::get_id());
                  },
                  &call),
              ACL_SUCCESS);
  }
  ASSERT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS);
  ASSERT_EQ(order.size(), 50U);
  for (int i = 0; i < 50; ++i) EXPECT_EQ(order[static_cast<size_t>(i)], i);
  for (const std::thread::id thread : threads) {
    EXPECT_EQ(thread, threads.front());
    EXPECT_NE(thread, std::this_thread::get_id());
  }
}

TEST_F(RuntimeTest, LaterTasksWaitForTheHostFunction) {
  void* data = nullptr;
  ASSERT_EQ(aclrtMalloc(&data, 64, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
  ASSERT_EQ(aclrtMemset(data, 64, 1, 64), ACL_SUCCESS);
  struct Shared {
    std::atomic<bool> entered{false};
    std::atomic<bool> may_leave{false};
  } shared;
  ASSERT_EQ(aclrtLaunchHostFunc(
                stream_,
                [](void* args) {
                  auto* both = static_cast<Shared*>(args);
                  both->entered = true;
                  while (!both->may_leave) std::this_thread::yield();
                },
                &shared),
            ACL_SUCCESS);
  ASSERT_EQ(aclrtMemsetAsync(data, 64, 2, 64, stream_), ACL_SUCCESS);
  while (!shared.entered) std::this_thread::yield();
  EXPECT_EQ(StatusOf(stream_), ACL_STREAM_STATUS_NOT_READY);
  EXPECT_EQ(*static_cast<volatile unsigned char*>(data), 1);
  EXPECT_EQ(aclrtSynchronizeStream(other_), ACL_SUCCESS) << "other streams go on";
  shared.may_leave = true;
  ASSERT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS);
  EXPECT_EQ(*static_cast<unsigned char*>(data), 2);
  EXPECT_EQ(aclrtFree(data), ACL_SUCCESS);
}

TEST_F(RuntimeTest, HostFunctionRunsAlthoughNobodyWaits) {
  std::atomic<bool> ran{false};
  ASSERT_EQ(aclrtLaunchHostFunc(
                stream_, [](void* args) { *static_cast<std::atomic<bool>*>(args) = true; }, &ran),
            ACL_SUCCESS);
  while (!ran) std::this_thread::yield();
}

TEST_F(RuntimeTest, HostFunctionArgumentErrors) {
  EXPECT_EQ(aclrtLaunchHostFunc(stream_, nullptr, nullptr), ACL_ERROR_RT_PARAM_INVALID);
  std::thread([this] {
    EXPECT_EQ(aclrtLaunchHostFunc(
                  stream_, [](void*) {}, nullptr),
              ACL_ERROR_RT_CONTEXT_NULL);
  }).join();
}

TEST_F(RuntimeTest, AbortDropsHostFunctionsThatDidNotStart) {
  std::atomic<int> ran{0};
  Gate gate(stream_);
  for (int i = 0; i < 5; ++i) {
    ASSERT_EQ(aclrtLaunchHostFunc(
                  stream_, [](void* args) { ++*static_cast<std::atomic<int>*>(args); }, &ran),
              ACL_SUCCESS);
  }
  EXPECT_EQ(aclrtStreamAbort(stream_), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS);
  EXPECT_EQ(ran, 0);
}

TEST(HostFunctionTest, ContextCanBeDestroyedAfterwards) {
  aclrtContext context = nullptr;
  ASSERT_EQ(aclrtCreateContext(&context, 1), ACL_SUCCESS);
  std::atomic<int> ran{0};
  for (int i = 0; i < 5; ++i) {
    ASSERT_EQ(aclrtLaunchHostFunc(
                  nullptr, [](void* args) { ++*static_cast<std::atomic<int>*>(args); }, &ran),
              ACL_SUCCESS);
  }
  EXPECT_EQ(aclrtDestroyContext(context), ACL_SUCCESS);
  EXPECT_EQ(ran, 5) << "destroying waits for queued work";
}

}  // namespace
}  // namespace tandem::test
