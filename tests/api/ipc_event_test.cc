// SPDX-License-Identifier: Apache-2.0
// Events with ACL_EVENT_IPC, as far as one process can show them.
#include <acl/acl.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cstring>
#include <thread>

#include "api/runtime_fixture.h"

namespace tandem::test {
namespace {

constexpr aclError kValue = ACL_ERROR_RT_PARAM_INVALID;
constexpr aclError kUnsupported = ACL_ERROR_RT_FEATURE_NOT_SUPPORT;

// One event with two handles.
class IpcEventTest : public RuntimeTest {
 protected:
  void SetUp() override {
    RuntimeTest::SetUp();
    ASSERT_EQ(aclrtCreateEventExWithFlag(&event_, ACL_EVENT_IPC), kOk);
    ASSERT_EQ(aclrtIpcGetEventHandle(event_, &bytes_), kOk);
    ASSERT_EQ(aclrtIpcOpenEventHandle(bytes_, &opened_), kOk);
  }
  void TearDown() override {
    EXPECT_EQ(aclrtDestroyEvent(opened_), kOk);
    EXPECT_EQ(aclrtDestroyEvent(event_), kOk);
    RuntimeTest::TearDown();
  }
  static aclrtEventRecordedStatus Status(aclrtEvent event) {
    auto status = AnyValue<aclrtEventRecordedStatus>(99);
    EXPECT_EQ(aclrtQueryEventStatus(event, &status), kOk);
    return status;
  }
  aclrtEvent event_ = nullptr;
  aclrtEvent opened_ = nullptr;
  aclrtIpcEventHandle bytes_{};
};

TEST_F(IpcEventTest, BothHandlesMeanTheLatestRecord) {
  EXPECT_NE(event_, opened_);
  for (aclrtEvent event : {event_, opened_}) {
    EXPECT_EQ(Status(event), ACL_EVENT_RECORDED_STATUS_COMPLETE) << "never recorded";
    EXPECT_EQ(aclrtSynchronizeEvent(event), kOk);
    EXPECT_EQ(aclrtStreamWaitEvent(other_, event), kOk);
    EXPECT_EQ(aclrtSynchronizeStream(other_), kOk);
  }
  Gate first(stream_);
  ASSERT_EQ(aclrtRecordEvent(event_, stream_), kOk);
  EXPECT_EQ(Status(opened_), ACL_EVENT_RECORDED_STATUS_NOT_READY);
  EXPECT_EQ(aclrtSynchronizeEventWithTimeout(opened_, 5), ACL_ERROR_RT_EVENT_SYNC_TIMEOUT);
  ASSERT_EQ(aclrtStreamWaitEvent(other_, opened_), kOk);
  Gate second(stream_);
  ASSERT_EQ(aclrtRecordEvent(opened_, stream_), kOk);
  first.Open(nullptr);
  EXPECT_EQ(aclrtSynchronizeStream(other_), kOk) << "the point that was the latest at the call";
  EXPECT_EQ(Status(event_), ACL_EVENT_RECORDED_STATUS_NOT_READY);
  second.Open(nullptr);
  EXPECT_EQ(aclrtSynchronizeEvent(event_), kOk);
  EXPECT_EQ(Status(opened_), ACL_EVENT_RECORDED_STATUS_COMPLETE);
}

TEST_F(IpcEventTest, CallsThatDoNotExistForSharedEvents) {
  ASSERT_EQ(aclrtRecordEvent(event_, stream_), kOk);
  ASSERT_EQ(aclrtSynchronizeStream(stream_), kOk);
  for (aclrtEvent event : {event_, opened_}) {
    auto waits = ACL_EVENT_WAIT_STATUS_RESERVED;
    uint64_t time = 0;
    uint32_t id = 0;
    float ms = 0;
    EXPECT_EQ(aclrtResetEvent(event, stream_), kUnsupported);
    EXPECT_EQ(aclrtQueryEventWaitStatus(event, &waits), kUnsupported);
    EXPECT_EQ(aclrtEventElapsedTime(&ms, event, event), kUnsupported);
    EXPECT_EQ(aclrtEventGetTimestamp(event, &time), kUnsupported);
    EXPECT_EQ(aclrtGetEventId(event, &id), kUnsupported);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
    auto status = ACL_EVENT_STATUS_RESERVED;
    EXPECT_EQ(aclrtQueryEvent(event, &status), kUnsupported);
#pragma GCC diagnostic pop
  }
}

TEST_F(IpcEventTest, BadArguments) {
  aclrtEvent other = nullptr;
  EXPECT_EQ(aclrtIpcGetEventHandle(nullptr, &bytes_), 100000);
  EXPECT_EQ(aclrtIpcGetEventHandle(event_, nullptr), 100000);
  EXPECT_EQ(aclrtIpcGetEventHandle(stream_, &bytes_), ACL_ERROR_RT_INVALID_HANDLE);
  EXPECT_EQ(aclrtIpcOpenEventHandle(bytes_, nullptr), 100000);
  ASSERT_EQ(aclrtCreateEventExWithFlag(&other, ACL_EVENT_SYNC), kOk);
  EXPECT_EQ(aclrtIpcGetEventHandle(other, &bytes_), kValue);
  EXPECT_EQ(aclrtDestroyEvent(other), kOk);
  std::thread([this] {
    aclrtEvent opened = nullptr;
    EXPECT_EQ(aclrtIpcOpenEventHandle(bytes_, &opened), ACL_ERROR_RT_CONTEXT_NULL);
    EXPECT_EQ(opened, nullptr);
  }).join();
}

TEST_F(IpcEventTest, NoBytesButTheRightOnesOpenAnEvent) {
  aclrtEvent opened = nullptr;
  for (size_t i = 0; i < sizeof(bytes_.reserved); ++i) {
    aclrtIpcEventHandle damaged = bytes_;
    damaged.reserved[i] = static_cast<char>(damaged.reserved[i] ^ 1);
    EXPECT_EQ(aclrtIpcOpenEventHandle(damaged, &opened), kValue) << "byte " << i;
  }
  for (const int byte : {0, 0x7f, 0xff, 0x54}) {
    aclrtIpcEventHandle filled;
    std::memset(&filled, byte, sizeof(filled));
    EXPECT_EQ(aclrtIpcOpenEventHandle(filled, &opened), kValue) << "byte " << byte;
  }
  EXPECT_EQ(opened, nullptr);
  aclrtEvent gone = nullptr;
  aclrtIpcEventHandle stale{};
  ASSERT_EQ(aclrtCreateEventExWithFlag(&gone, ACL_EVENT_IPC), kOk);
  ASSERT_EQ(aclrtIpcGetEventHandle(gone, &stale), kOk);
  ASSERT_EQ(aclrtDestroyEvent(gone), kOk);
  EXPECT_EQ(aclrtIpcOpenEventHandle(stale, &opened), kValue) << "its event was destroyed";
}

TEST_F(IpcEventTest, AnOpenedEventOutlivesTheFirstHandle) {
  Gate gate(stream_);
  ASSERT_EQ(aclrtRecordEvent(event_, stream_), kOk);
  ASSERT_EQ(aclrtDestroyEvent(event_), kOk);
  EXPECT_EQ(Status(opened_), ACL_EVENT_RECORDED_STATUS_NOT_READY);
  ASSERT_EQ(aclrtStreamWaitEvent(other_, opened_), kOk);
  gate.Open(nullptr);
  EXPECT_EQ(aclrtSynchronizeStream(other_), kOk);
  aclrtIpcEventHandle again{};
  EXPECT_EQ(aclrtIpcGetEventHandle(opened_, &again), kOk);
  EXPECT_EQ(std::memcmp(&again, &bytes_, sizeof(again)), 0);
  ASSERT_EQ(aclrtIpcOpenEventHandle(bytes_, &event_), kOk);
}

TEST_F(IpcEventTest, ARecordThatIsDroppedFailsWhoeverWaits) {
  aclrtStream dropped = nullptr;
  ASSERT_EQ(aclrtCreateStream(&dropped), kOk);
  Gate gate(dropped);
  ASSERT_EQ(aclrtRecordEvent(event_, dropped), kOk);
  ASSERT_EQ(aclrtStreamWaitEvent(other_, opened_), kOk);
  ASSERT_EQ(aclrtDestroyStreamForce(dropped), kOk);
  EXPECT_EQ(aclrtSynchronizeStream(other_), ACL_ERROR_RT_STREAM_ABORT);
  EXPECT_EQ(aclrtSynchronizeEvent(opened_), ACL_ERROR_RT_STREAM_ABORT);
  auto status = AnyValue<aclrtEventRecordedStatus>(99);
  EXPECT_EQ(aclrtQueryEventStatus(event_, &status), ACL_ERROR_RT_STREAM_ABORT);
  ASSERT_EQ(aclrtRecordEvent(opened_, stream_), kOk);
  EXPECT_EQ(aclrtSynchronizeEvent(event_), kOk) << "a new record makes it good again";
}

TEST_F(IpcEventTest, WaitThatRunsOutOfTime) {
  Gate gate(stream_);
  ASSERT_EQ(aclrtRecordEvent(event_, stream_), kOk);
  ASSERT_EQ(aclrtStreamWaitEventWithTimeout(other_, opened_, 1), kOk);
  EXPECT_EQ(aclrtSynchronizeStream(other_), ACL_ERROR_RT_TASK_TIMEOUT);
  gate.Open(nullptr);
}

TEST_F(IpcEventTest, TheCallerIsHeldWhileTooManyRecordsAreOutstanding) {
  constexpr uint32_t kMost = 8192;
  Gate gate(stream_);
  for (uint32_t i = 0; i < kMost; ++i) ASSERT_EQ(aclrtRecordEvent(event_, stream_), kOk);
  std::atomic<bool> calling{false};
  std::atomic<bool> open{false};
  std::thread opener([&] {
    ASSERT_EQ(aclrtSetDevice(0), kOk);
    while (!calling.load()) std::this_thread::yield();
    // Gives a call that does not wait the time to come back too early.
    EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(stream_, 20), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
    open.store(true);
    gate.Open(other_);
    EXPECT_EQ(aclrtSynchronizeStream(other_), kOk);
    ASSERT_EQ(aclrtResetDevice(0), kOk);
  });
  calling.store(true);
  EXPECT_EQ(aclrtRecordEvent(opened_, stream_), kOk);
  EXPECT_TRUE(open.load()) << "no record was free before";
  opener.join();
  EXPECT_EQ(aclrtSynchronizeEvent(event_), kOk);
  EXPECT_EQ(Status(opened_), ACL_EVENT_RECORDED_STATUS_COMPLETE);
}

}  // namespace
}  // namespace tandem::test
