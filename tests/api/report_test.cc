// SPDX-License-Identifier: Apache-2.0
// Callbacks that a thread of the application runs, inside aclrtProcessReport.
#include <acl/acl.h>
#include <gtest/gtest.h>
#include <pthread.h>

#include <atomic>
#include <future>
#include <thread>
#include <vector>

#include "api/runtime_fixture.h"

namespace tandem::test {
namespace {

// A thread that says who it is and runs callbacks until it is told to stop.
class Server {
 public:
  Server() : thread_([this] { Main(); }) { id_ = said_.get_future().get(); }
  ~Server() { Stop(); }
  uint64_t id() const { return id_; }
  std::thread::id thread() const { return thread_.get_id(); }
  void Stop() {
    stop_ = true;
    if (thread_.joinable()) thread_.join();
  }

 private:
  void Main() {
    said_.set_value(static_cast<uint64_t>(pthread_self()));
    // Polling before the subscription fails, which such loops do not look at.
    while (!stop_) static_cast<void>(aclrtProcessReport(5));
  }

  std::promise<uint64_t> said_;
  std::atomic<bool> stop_{false};
  uint64_t id_ = 0;
  std::thread thread_;
};

uint64_t Self() { return static_cast<uint64_t>(pthread_self()); }

void CountUp(void* data) { ++*static_cast<std::atomic<int>*>(data); }

// A number that no thread has.
constexpr uint64_t kNobody = 0x1234;

TEST_F(RuntimeTest, BlockingCallbacksRunInOrderOnTheSubscriber) {
  struct Call {
    std::vector<int>* order;
    std::thread::id* thread;
    int number;
  };
  Server server;
  ASSERT_EQ(aclrtSubscribeReport(server.id(), stream_), ACL_SUCCESS);
  std::vector<int> order;
  std::thread::id thread;
  std::vector<Call> calls;
  for (int i = 0; i < 50; ++i) calls.push_back({&order, &thread, i});
  for (Call& call : calls) {
    ASSERT_EQ(aclrtLaunchCallback(
                  [](void* data) {
                    auto* one = static_cast<Call*>(data);
                    one->order->push_back(one->number);
                    *one->thread = std::this_thread::get_id();
                  },
                  &call, ACL_CALLBACK_BLOCK, stream_),
              ACL_SUCCESS);
  }
  ASSERT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS);
  ASSERT_EQ(order.size(), 50U) << "a blocking callback is over before the stream goes on";
  for (int i = 0; i < 50; ++i) EXPECT_EQ(order[static_cast<size_t>(i)], i);
  EXPECT_EQ(thread, server.thread());
  EXPECT_EQ(aclrtUnSubscribeReport(server.id(), stream_), ACL_SUCCESS);
}

TEST_F(RuntimeTest, CallbacksThatDoNotBlockWaitForTheirThreadOnly) {
  ASSERT_EQ(aclrtSubscribeReport(Self(), stream_), ACL_SUCCESS);
  ASSERT_EQ(aclrtSubscribeReport(Self(), other_), ACL_SUCCESS) << "one thread may serve several streams";
  std::atomic<int> ran{0};
  for (int i = 0; i < 3; ++i) {
    ASSERT_EQ(aclrtLaunchCallback(&CountUp, &ran, ACL_CALLBACK_NO_BLOCK, stream_), ACL_SUCCESS);
    ASSERT_EQ(aclrtLaunchCallback(&CountUp, &ran, ACL_CALLBACK_NO_BLOCK, other_), ACL_SUCCESS);
  }
  ASSERT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS);
  ASSERT_EQ(aclrtSynchronizeStream(other_), ACL_SUCCESS);
  EXPECT_EQ(ran, 0) << "callbacks run only inside aclrtProcessReport";
  EXPECT_EQ(aclrtProcessReport(-1), ACL_SUCCESS);
  EXPECT_EQ(ran, 6) << "all that are ready run";
  EXPECT_EQ(aclrtProcessReport(1), ACL_ERROR_RT_REPORT_TIMEOUT);
  EXPECT_EQ(aclrtUnSubscribeReport(Self(), stream_), ACL_SUCCESS);
  EXPECT_EQ(aclrtUnSubscribeReport(Self(), other_), ACL_SUCCESS);
}

TEST_F(RuntimeTest, ProcessReportWakesWhenAStreamReachesACallback) {
  ASSERT_EQ(aclrtSubscribeReport(Self(), stream_), ACL_SUCCESS);
  Gate gate(stream_);
  std::atomic<int> ran{0};
  ASSERT_EQ(aclrtLaunchCallback(&CountUp, &ran, ACL_CALLBACK_BLOCK, stream_), ACL_SUCCESS);
  EXPECT_EQ(aclrtProcessReport(1), ACL_ERROR_RT_REPORT_TIMEOUT) << "the stream has not come so far";
  gate.Open(other_);
  EXPECT_EQ(aclrtProcessReport(-1), ACL_SUCCESS);
  EXPECT_EQ(ran, 1);
  EXPECT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS);
  EXPECT_EQ(aclrtUnSubscribeReport(Self(), stream_), ACL_SUCCESS);
}

TEST_F(RuntimeTest, TheDefaultStreamCanBeSubscribed) {
  Server server;
  ASSERT_EQ(aclrtSubscribeReport(server.id(), nullptr), ACL_SUCCESS);
  std::atomic<int> ran{0};
  ASSERT_EQ(aclrtLaunchCallback(&CountUp, &ran, ACL_CALLBACK_BLOCK, nullptr), ACL_SUCCESS);
  ASSERT_EQ(aclrtSynchronizeStream(nullptr), ACL_SUCCESS);
  EXPECT_EQ(ran, 1);
  EXPECT_EQ(aclrtUnSubscribeReport(server.id(), nullptr), ACL_SUCCESS);
}

TEST_F(RuntimeTest, SubscriptionsAreChecked) {
  EXPECT_EQ(aclrtUnSubscribeReport(Self(), stream_), ACL_ERROR_RT_STREAM_SUBSCRIBE);
  ASSERT_EQ(aclrtSubscribeReport(Self(), stream_), ACL_SUCCESS);
  EXPECT_EQ(aclrtSubscribeReport(Self(), stream_), ACL_ERROR_RT_STREAM_SUBSCRIBE);
  EXPECT_EQ(aclrtSubscribeReport(kNobody, stream_), ACL_ERROR_RT_STREAM_SUBSCRIBE) << "one subscriber each";
  EXPECT_EQ(aclrtUnSubscribeReport(kNobody, stream_), ACL_ERROR_RT_THREAD_SUBSCRIBE);
  EXPECT_EQ(aclrtSubscribeReport(Self(), StaleStream()), ACL_ERROR_RT_INVALID_HANDLE);

  ASSERT_EQ(aclrtSetDevice(1), ACL_SUCCESS);
  EXPECT_EQ(aclrtSubscribeReport(Self(), nullptr), ACL_ERROR_RT_THREAD_SUBSCRIBE) << "another device";
  EXPECT_EQ(aclrtSubscribeReport(Self(), other_), ACL_ERROR_RT_STREAM_CONTEXT);
  EXPECT_EQ(aclrtResetDevice(1), ACL_SUCCESS);
  EXPECT_EQ(aclrtSubscribeReport(Self(), nullptr), ACL_ERROR_RT_CONTEXT_NULL);
  ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
  EXPECT_EQ(aclrtResetDevice(0), ACL_SUCCESS);
  EXPECT_EQ(aclrtUnSubscribeReport(Self(), stream_), ACL_SUCCESS);
}

TEST_F(RuntimeTest, OneStreamHasOneKindOfCallbacks) {
  std::atomic<int> ran{0};
  ASSERT_EQ(aclrtLaunchHostFunc(other_, &CountUp, &ran), ACL_SUCCESS);
  EXPECT_EQ(aclrtSubscribeReport(Self(), other_), ACL_ERROR_RT_STREAM_SUBSCRIBE);
  EXPECT_EQ(aclrtLaunchCallback(&CountUp, &ran, ACL_CALLBACK_BLOCK, other_), ACL_ERROR_RT_STREAM_SUBSCRIBE);
  ASSERT_EQ(aclrtSubscribeReport(Self(), stream_), ACL_SUCCESS);
  EXPECT_EQ(aclrtLaunchHostFunc(stream_, &CountUp, &ran), ACL_ERROR_RT_STREAM_SUBSCRIBE);
  ASSERT_EQ(aclrtUnSubscribeReport(Self(), stream_), ACL_SUCCESS);
  EXPECT_EQ(aclrtLaunchHostFunc(stream_, &CountUp, &ran), ACL_SUCCESS) << "free again";
  EXPECT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStream(other_), ACL_SUCCESS);
  EXPECT_EQ(ran, 2);
}

TEST_F(RuntimeTest, LaunchAndProcessAreChecked) {
  std::atomic<int> ran{0};
  EXPECT_EQ(aclrtLaunchCallback(&CountUp, &ran, ACL_CALLBACK_BLOCK, stream_), ACL_ERROR_RT_STREAM_NO_CB_REG);
  EXPECT_EQ(aclrtProcessReport(1), ACL_ERROR_RT_THREAD_SUBSCRIBE);
  ASSERT_EQ(aclrtSubscribeReport(Self(), stream_), ACL_SUCCESS);
  EXPECT_EQ(aclrtLaunchCallback(&CountUp, &ran, AnyValue<aclrtCallbackBlockType>(2), stream_),
            ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtLaunchCallback(nullptr, &ran, ACL_CALLBACK_BLOCK, stream_), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtProcessReport(0), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtProcessReport(-2), ACL_ERROR_INVALID_PARAM);
  std::thread([&] {
    EXPECT_EQ(aclrtLaunchCallback(&CountUp, &ran, ACL_CALLBACK_BLOCK, stream_), ACL_ERROR_RT_CONTEXT_NULL);
    EXPECT_EQ(aclrtProcessReport(1), ACL_ERROR_RT_THREAD_SUBSCRIBE);
  }).join();
  ASSERT_EQ(aclrtUnSubscribeReport(Self(), stream_), ACL_SUCCESS);
}

TEST_F(RuntimeTest, UnsubscribingDropsWhatNoThreadHasBegun) {
  ASSERT_EQ(aclrtSubscribeReport(Self(), stream_), ACL_SUCCESS);
  std::atomic<int> ran{0};
  ASSERT_EQ(aclrtLaunchCallback(&CountUp, &ran, ACL_CALLBACK_BLOCK, stream_), ACL_SUCCESS);
  ASSERT_EQ(aclrtLaunchCallback(&CountUp, &ran, ACL_CALLBACK_BLOCK, stream_), ACL_SUCCESS);
  ASSERT_EQ(aclrtUnSubscribeReport(Self(), stream_), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS) << "the stream does not hang";
  EXPECT_EQ(ran, 0);
}

TEST_F(RuntimeTest, AbortDropsCallbacksThatDidNotStart) {
  ASSERT_EQ(aclrtSubscribeReport(Self(), stream_), ACL_SUCCESS);
  std::atomic<int> ran{0};
  ASSERT_EQ(aclrtLaunchCallback(&CountUp, &ran, ACL_CALLBACK_BLOCK, stream_), ACL_SUCCESS);
  EXPECT_EQ(aclrtStreamAbort(stream_), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS);
  static_cast<void>(aclrtProcessReport(1));
  EXPECT_EQ(ran, 0);
  ASSERT_EQ(aclrtUnSubscribeReport(Self(), stream_), ACL_SUCCESS);
}

TEST_F(RuntimeTest, DestroyingTheStreamEndsTheSubscription) {
  aclrtStream mine = nullptr;
  ASSERT_EQ(aclrtCreateStream(&mine), ACL_SUCCESS);
  std::promise<uint64_t> said;
  std::thread waiting([&] {
    said.set_value(Self());
    // Before the subscription it fails at once; afterwards it waits until there is nothing to serve.
    aclError code = ACL_ERROR_RT_THREAD_SUBSCRIBE;
    bool served = false;
    while (code != ACL_ERROR_RT_THREAD_SUBSCRIBE || !served) {
      code = aclrtProcessReport(-1);
      served |= code == ACL_SUCCESS;
    }
  });
  const uint64_t id = said.get_future().get();
  ASSERT_EQ(aclrtSubscribeReport(id, mine), ACL_SUCCESS);
  std::atomic<int> ran{0};
  ASSERT_EQ(aclrtLaunchCallback(&CountUp, &ran, ACL_CALLBACK_BLOCK, mine), ACL_SUCCESS);
  ASSERT_EQ(aclrtDestroyStream(mine), ACL_SUCCESS);
  EXPECT_EQ(ran, 1) << "destroying waits for queued work";
  waiting.join();
}

TEST_F(RuntimeTest, AtMost1024ThreadsSubscribe) {
  std::vector<aclrtStream> streams(1025);
  for (aclrtStream& stream : streams) ASSERT_EQ(aclrtCreateStream(&stream), ACL_SUCCESS);
  for (uint64_t i = 0; i < 1024; ++i) ASSERT_EQ(aclrtSubscribeReport(kNobody + i, streams[i]), ACL_SUCCESS);
  EXPECT_EQ(aclrtSubscribeReport(kNobody + 1024, streams[1024]), ACL_ERROR_RT_INTERNAL_ERROR);
  EXPECT_EQ(aclrtSubscribeReport(kNobody, streams[1024]), ACL_SUCCESS) << "no further thread";
  for (aclrtStream stream : streams) ASSERT_EQ(aclrtDestroyStream(stream), ACL_SUCCESS);
}

}  // namespace
}  // namespace tandem::test
