// SPDX-License-Identifier: Apache-2.0
#include <acl/acl.h>
#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "api/runtime_fixture.h"

namespace tandem::test {
namespace {

constexpr aclError kArgument = 100000;
constexpr aclError kValue = ACL_ERROR_RT_PARAM_INVALID;
constexpr aclError kUnsupported = ACL_ERROR_RT_FEATURE_NOT_SUPPORT;

enum class By { kCreate, kWithFlag, kExWithFlag };

aclError Create(By by, uint32_t flag, aclrtEvent* event) {
  switch (by) {
    case By::kCreate:
      return aclrtCreateEvent(event);
    case By::kWithFlag:
      return aclrtCreateEventWithFlag(event, flag);
    case By::kExWithFlag:
      return aclrtCreateEventExWithFlag(event, flag);
  }
  return -1;
}

aclrtEvent MustCreate(By by, uint32_t flag = 0) {
  aclrtEvent event = nullptr;
  EXPECT_EQ(Create(by, flag, &event), kOk);
  return event;
}

aclrtEventRecordedStatus RecordedStatus(aclrtEvent event) {
  auto status = AnyValue<aclrtEventRecordedStatus>(99);
  EXPECT_EQ(aclrtQueryEventStatus(event, &status), kOk);
  return status;
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
aclError OldQuery(aclrtEvent event, aclrtEventStatus* status) { return aclrtQueryEvent(event, status); }
#pragma GCC diagnostic pop

TEST_F(RuntimeTest, EventFlagsThatAreLegal) {
  struct Case {
    By by;
    uint32_t flag;
    aclError result;
  };
  const Case cases[] = {
      {By::kWithFlag, 0, kValue},
      {By::kWithFlag, 0x80, kValue},
      {By::kWithFlag, ACL_EVENT_SYNC, kOk},
      {By::kWithFlag, ACL_EVENT_SYNC | ACL_EVENT_CAPTURE_STREAM_PROGRESS | 4 | ACL_EVENT_TIME_LINE, kOk},
      {By::kWithFlag, ACL_EVENT_DEVICE_USE_ONLY, kOk},
      {By::kWithFlag, ACL_EVENT_DEVICE_USE_ONLY | ACL_EVENT_SYNC, kValue},
      {By::kWithFlag, ACL_EVENT_EXTERNAL, kOk},
      {By::kWithFlag, ACL_EVENT_EXTERNAL | ACL_EVENT_SYNC, kValue},
      {By::kWithFlag, ACL_EVENT_IPC, kValue},
      {By::kExWithFlag, 0, kValue},
      {By::kExWithFlag, ACL_EVENT_SYNC | ACL_EVENT_TIME_LINE, kOk},
      {By::kExWithFlag, ACL_EVENT_IPC, kOk},
      {By::kExWithFlag, ACL_EVENT_IPC | ACL_EVENT_SYNC, kValue},
      {By::kExWithFlag, ACL_EVENT_DEVICE_USE_ONLY, kValue},
      {By::kExWithFlag, ACL_EVENT_EXTERNAL, kValue},
  };
  for (const Case& c : cases) {
    aclrtEvent event = nullptr;
    EXPECT_EQ(Create(c.by, c.flag, &event), c.result)
        << "call " << static_cast<int>(c.by) << " flag " << c.flag;
    if (event != nullptr) {
      EXPECT_EQ(aclrtDestroyEvent(event), kOk);
    }
  }
  for (const By by : {By::kCreate, By::kWithFlag, By::kExWithFlag}) {
    EXPECT_EQ(Create(by, ACL_EVENT_SYNC, nullptr), kArgument);
    std::thread([by] {
      aclrtEvent event = nullptr;
      EXPECT_EQ(Create(by, ACL_EVENT_SYNC, &event), ACL_ERROR_RT_CONTEXT_NULL);
    }).join();
  }
}

// What each kind of event answers before and after its first record.
struct KindCase {
  const char* name;
  By by;
  uint32_t flag;
  aclError wait_unrecorded;
  aclError reset;
  aclError old_query;
  aclrtEventRecordedStatus unrecorded;
  aclError time;
};

class EventKindTest : public RuntimeTest, public ::testing::WithParamInterface<KindCase> {};

TEST_P(EventKindTest, BehavesAsItsKind) {
  const KindCase& kind = GetParam();
  aclrtEvent event = MustCreate(kind.by, kind.flag);
  EXPECT_EQ(RecordedStatus(event), kind.unrecorded);
  EXPECT_EQ(aclrtSynchronizeEvent(event), kOk) << "nothing was recorded";
  uint64_t time = 0;
  EXPECT_EQ(aclrtEventGetTimestamp(event, &time), kind.time == kUnsupported ? kUnsupported : 507000);
  if (kind.wait_unrecorded != kOk) {
    EXPECT_EQ(aclrtStreamWaitEvent(other_, event), kind.wait_unrecorded);
  }

  ASSERT_EQ(aclrtRecordEvent(event, stream_), kOk);
  ASSERT_EQ(aclrtSynchronizeStream(stream_), kOk);
  EXPECT_EQ(RecordedStatus(event), ACL_EVENT_RECORDED_STATUS_COMPLETE);
  auto old_status = ACL_EVENT_STATUS_RESERVED;
  EXPECT_EQ(OldQuery(event, &old_status), kind.old_query);
  if (kind.old_query == kOk) {
    EXPECT_EQ(old_status, ACL_EVENT_STATUS_COMPLETE);
  }
  auto waits = ACL_EVENT_WAIT_STATUS_RESERVED;
  EXPECT_EQ(aclrtQueryEventWaitStatus(event, &waits), kind.old_query);
  EXPECT_EQ(aclrtEventGetTimestamp(event, &time), kind.time);
  EXPECT_EQ(aclrtStreamWaitEvent(other_, event), kind.wait_unrecorded == kUnsupported ? kUnsupported : kOk);
  EXPECT_EQ(aclrtSynchronizeStream(other_), kOk);
  EXPECT_EQ(aclrtResetEvent(event, stream_), kind.reset);
  EXPECT_EQ(aclrtSynchronizeStream(stream_), kOk);
  EXPECT_EQ(aclrtDestroyEvent(event), kOk);
}

constexpr auto kNotReady = ACL_EVENT_RECORDED_STATUS_NOT_READY;
constexpr auto kComplete = ACL_EVENT_RECORDED_STATUS_COMPLETE;
INSTANTIATE_TEST_SUITE_P(
    Kinds, EventKindTest,
    ::testing::Values(KindCase{"Plain", By::kCreate, 0, kValue, kOk, kOk, kNotReady, kOk},
                      KindCase{"OldSync", By::kWithFlag, ACL_EVENT_SYNC, kOk, kOk, kOk, kNotReady, 107006},
                      KindCase{"OldTimeLine", By::kWithFlag, ACL_EVENT_TIME_LINE, kUnsupported, kUnsupported,
                               kOk, kNotReady, kOk},
                      KindCase{"OldExternal", By::kWithFlag, ACL_EVENT_EXTERNAL, kOk, kUnsupported, kOk,
                               kNotReady, kUnsupported},
                      KindCase{"NewSync", By::kExWithFlag, ACL_EVENT_SYNC, kOk, kUnsupported, kUnsupported,
                               kComplete, 107006},
                      KindCase{"NewTimeLine", By::kExWithFlag, ACL_EVENT_TIME_LINE, kUnsupported,
                               kUnsupported, kUnsupported, kComplete, kOk},
                      KindCase{"NewIpc", By::kExWithFlag, ACL_EVENT_IPC, kOk, kUnsupported, kUnsupported,
                               kComplete, kUnsupported}),
    [](const auto& tested) { return tested.param.name; });

TEST_F(RuntimeTest, EventArgumentErrors) {
  aclrtEvent event = MustCreate(By::kCreate);
  EXPECT_EQ(aclrtDestroyEvent(nullptr), kArgument);
  EXPECT_EQ(aclrtRecordEvent(nullptr, stream_), kArgument);
  EXPECT_EQ(aclrtRecordEventWithFlag(event, stream_, ACL_EVENT_RECORD_EXTERNAL),
            ACL_ERROR_RT_STREAM_NOT_CAPTURED);
  EXPECT_EQ(aclrtRecordEventWithFlag(event, stream_, 2), kArgument);
  EXPECT_EQ(aclrtRecordEventWithFlag(event, stream_, ACL_EVENT_RECORD_DEFAULT), kOk);
  EXPECT_EQ(aclrtResetEvent(nullptr, stream_), kArgument);
  EXPECT_EQ(aclrtStreamWaitEvent(stream_, nullptr), kArgument);
  EXPECT_EQ(aclrtStreamWaitEventWithTimeout(stream_, nullptr, 0), kValue);
  EXPECT_EQ(aclrtStreamWaitEventWithTimeout(stream_, event, -1), kValue);
  EXPECT_EQ(aclrtStreamWaitEventWithFlag(stream_, nullptr, 0, 0), kArgument);
  EXPECT_EQ(aclrtStreamWaitEventWithFlag(stream_, event, 0, 2), kArgument);
  EXPECT_EQ(aclrtStreamWaitEventWithFlag(stream_, event, 1, ACL_EVENT_WAIT_EXTERNAL), kArgument);
  EXPECT_EQ(aclrtStreamWaitEventWithFlag(stream_, event, 0, ACL_EVENT_WAIT_EXTERNAL), kOk);
  EXPECT_EQ(aclrtQueryEventStatus(event, nullptr), kArgument);
  EXPECT_EQ(aclrtQueryEventWaitStatus(event, nullptr), kArgument);
  EXPECT_EQ(aclrtSynchronizeEvent(nullptr), kArgument);
  EXPECT_EQ(aclrtSynchronizeEventWithTimeout(event, 0), kValue);
  EXPECT_EQ(aclrtSynchronizeEventWithTimeout(event, -2), kValue);
  float ms = 0;
  EXPECT_EQ(aclrtEventElapsedTime(nullptr, event, event), kArgument);
  EXPECT_EQ(aclrtEventElapsedTime(&ms, nullptr, event), kArgument);
  EXPECT_EQ(aclrtEventElapsedTime(&ms, event, nullptr), kArgument);
  EXPECT_EQ(aclrtEventGetTimestamp(event, nullptr), kArgument);
  EXPECT_EQ(aclrtGetEventId(event, nullptr), kArgument);
  EXPECT_EQ(aclrtGetEventAvailNum(nullptr), kArgument);
  EXPECT_EQ(aclrtDestroyEvent(event), kOk);
  EXPECT_EQ(aclrtDestroyEvent(event), ACL_ERROR_RT_INVALID_HANDLE);
}

TEST_F(RuntimeTest, WaitKeepsLaterWorkBehindTheRecordedPoint) {
  void* data = nullptr;
  ASSERT_EQ(aclrtMalloc(&data, 64, ACL_MEM_MALLOC_HUGE_FIRST), kOk);
  ASSERT_EQ(aclrtMemset(data, 64, 0, 64), kOk);
  aclrtEvent event = MustCreate(By::kCreate);
  Gate gate(stream_);
  ASSERT_EQ(aclrtMemsetAsync(data, 64, 1, 64, stream_), kOk);
  ASSERT_EQ(aclrtRecordEvent(event, stream_), kOk);
  ASSERT_EQ(aclrtStreamWaitEvent(other_, event), kOk);
  ASSERT_EQ(aclrtMemsetAsync(data, 64, 2, 64, other_), kOk);
  EXPECT_EQ(RecordedStatus(event), kNotReady);
  auto waits = ACL_EVENT_WAIT_STATUS_RESERVED;
  EXPECT_EQ(aclrtQueryEventWaitStatus(event, &waits), kOk);
  EXPECT_EQ(waits, ACL_EVENT_WAIT_STATUS_NOT_READY);
  EXPECT_EQ(aclrtSynchronizeEventWithTimeout(event, 5), ACL_ERROR_RT_EVENT_SYNC_TIMEOUT);
  gate.Open(nullptr);
  EXPECT_EQ(aclrtSynchronizeStream(other_), kOk);
  EXPECT_EQ(*static_cast<unsigned char*>(data), 2);
  EXPECT_EQ(RecordedStatus(event), kComplete);
  EXPECT_EQ(aclrtQueryEventWaitStatus(event, &waits), kOk);
  EXPECT_EQ(waits, ACL_EVENT_WAIT_STATUS_COMPLETE);
  EXPECT_EQ(aclrtDestroyEvent(event), kOk);
  EXPECT_EQ(aclrtFree(data), kOk);
}

TEST_F(RuntimeTest, EarlierWaitKeepsItsPointWhenTheEventIsRecordedAgain) {
  aclrtEvent event = MustCreate(By::kExWithFlag, ACL_EVENT_SYNC);
  Gate first(stream_);
  ASSERT_EQ(aclrtRecordEvent(event, stream_), kOk);
  ASSERT_EQ(aclrtStreamWaitEvent(other_, event), kOk);
  Gate second(stream_);
  ASSERT_EQ(aclrtRecordEvent(event, stream_), kOk);
  first.Open(nullptr);
  EXPECT_EQ(aclrtSynchronizeStream(other_), kOk) << "the first point is enough";
  EXPECT_EQ(RecordedStatus(event), kNotReady) << "the second is the latest";
  second.Open(nullptr);
  EXPECT_EQ(aclrtSynchronizeEvent(event), kOk);
  EXPECT_EQ(aclrtDestroyEvent(event), kOk);
}

TEST_F(RuntimeTest, WaitInTheSameStreamIsNoDeadlock) {
  aclrtEvent event = MustCreate(By::kCreate);
  Gate gate(stream_);
  ASSERT_EQ(aclrtRecordEvent(event, stream_), kOk);
  ASSERT_EQ(aclrtStreamWaitEvent(stream_, event), kOk);
  gate.Open(other_);
  EXPECT_EQ(aclrtSynchronizeStream(stream_), kOk);
  EXPECT_EQ(aclrtDestroyEvent(event), kOk);
}

TEST_F(RuntimeTest, OldSyncEventIsASwitch) {
  aclrtEvent event = MustCreate(By::kWithFlag, ACL_EVENT_SYNC);
  ASSERT_EQ(aclrtRecordEvent(event, stream_), kOk);
  for (int i = 0; i < 2; ++i) {
    ASSERT_EQ(aclrtStreamWaitEvent(other_, event), kOk);
    EXPECT_EQ(aclrtSynchronizeStream(other_), kOk) << "it stays on";
  }
  ASSERT_EQ(aclrtResetEvent(event, stream_), kOk);
  ASSERT_EQ(aclrtSynchronizeStream(stream_), kOk);
  EXPECT_EQ(RecordedStatus(event), kNotReady);
  ASSERT_EQ(aclrtStreamWaitEvent(other_, event), kOk);
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(other_, 5), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
  ASSERT_EQ(aclrtRecordEvent(event, stream_), kOk);
  EXPECT_EQ(aclrtSynchronizeStream(other_), kOk);
  EXPECT_EQ(aclrtDestroyEvent(event), kOk);
}

TEST_F(RuntimeTest, WaitThatRunsOutOfTimeIsAnErrorOfItsStream) {
  aclrtEvent never = MustCreate(By::kWithFlag, ACL_EVENT_SYNC);
  ASSERT_EQ(aclrtStreamWaitEventWithTimeout(stream_, never, 1), kOk);
  ASSERT_EQ(aclrtSetOpWaitTimeout(1), kOk);
  ASSERT_EQ(aclrtStreamWaitEvent(other_, never), kOk);
  ASSERT_EQ(aclrtSetOpWaitTimeout(0), kOk);
  EXPECT_EQ(aclrtSynchronizeStream(stream_), ACL_ERROR_RT_TASK_TIMEOUT);
  EXPECT_EQ(aclrtSynchronizeStream(stream_), kOk) << "reported once";
  EXPECT_EQ(aclrtSynchronizeStream(other_), ACL_ERROR_RT_TASK_TIMEOUT);
  EXPECT_EQ(aclrtDestroyEvent(never), kOk);
}

TEST_F(RuntimeTest, DestroyWithPendingRecordAndWaitDoesNotBlock) {
  aclrtEvent event = MustCreate(By::kExWithFlag, ACL_EVENT_SYNC);
  Gate gate(stream_);
  ASSERT_EQ(aclrtRecordEvent(event, stream_), kOk);
  ASSERT_EQ(aclrtStreamWaitEvent(other_, event), kOk);
  EXPECT_EQ(aclrtDestroyEvent(event), kOk);
  EXPECT_EQ(StatusOf(other_), ACL_STREAM_STATUS_NOT_READY);
  gate.Open(nullptr);
  EXPECT_EQ(aclrtSynchronizeStream(other_), kOk);
}

TEST_F(RuntimeTest, TimesAreThoseOfExecution) {
  aclrtEvent start = MustCreate(By::kCreate);
  aclrtEvent end = MustCreate(By::kCreate);
  float ms = 0;
  EXPECT_EQ(aclrtEventElapsedTime(&ms, start, end), ACL_ERROR_RT_INTERNAL_ERROR) << "never recorded";
  ASSERT_EQ(aclrtRecordEvent(start, stream_), kOk);
  Gate gate(stream_);
  ASSERT_EQ(aclrtRecordEvent(end, stream_), kOk);
  ASSERT_EQ(aclrtSynchronizeEvent(start), kOk);
  EXPECT_EQ(aclrtEventElapsedTime(&ms, start, end), ACL_ERROR_RT_EVENT_TIMESTAMP_INVALID)
      << "not executed yet";
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(stream_, 20), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
  gate.Open(other_);
  ASSERT_EQ(aclrtSynchronizeStream(stream_), kOk);
  EXPECT_EQ(aclrtEventElapsedTime(&ms, start, end), kOk);
  EXPECT_GE(ms, 20.0F) << "the second record had to wait";
  float back = 0;
  EXPECT_EQ(aclrtEventElapsedTime(&back, end, start), kOk);
  EXPECT_EQ(back, -ms);
  EXPECT_EQ(aclrtDestroyEvent(start), kOk);
  EXPECT_EQ(aclrtDestroyEvent(end), kOk);
}

TEST_F(RuntimeTest, RecordIsBoundToTheDeviceAndWaitIsNot) {
  aclrtEvent event = MustCreate(By::kCreate);
  ASSERT_EQ(aclrtRecordEvent(event, stream_), kOk);
  ASSERT_EQ(aclrtSetDevice(1), kOk);
  EXPECT_EQ(aclrtRecordEvent(event, nullptr), kValue);
  EXPECT_EQ(aclrtStreamWaitEvent(nullptr, event), kOk);
  EXPECT_EQ(aclrtSynchronizeStream(nullptr), kOk);
  EXPECT_EQ(aclrtSynchronizeEvent(event), kOk);
  EXPECT_EQ(aclrtResetDevice(1), kOk);
  aclrtEvent device_only = nullptr;
  ASSERT_EQ(aclrtSetDevice(0), kOk);
  device_only = MustCreate(By::kWithFlag, ACL_EVENT_DEVICE_USE_ONLY);
  EXPECT_EQ(aclrtRecordEvent(device_only, stream_), kValue);
  EXPECT_EQ(aclrtDestroyEvent(device_only), kOk);
  EXPECT_EQ(aclrtDestroyEvent(event), kOk);
  EXPECT_EQ(aclrtResetDevice(0), kOk);
}

TEST_F(RuntimeTest, IdsAreTakenAtCreationOrAtTheFirstRecord) {
  uint32_t before = 0;
  uint32_t after = 0;
  uint32_t id = 0;
  ASSERT_EQ(aclrtGetEventAvailNum(&before), kOk);
  aclrtEvent plain = MustCreate(By::kCreate);
  EXPECT_EQ(aclrtGetEventId(plain, &id), ACL_ERROR_RT_INTERNAL_ERROR);
  aclrtEvent old = MustCreate(By::kWithFlag, ACL_EVENT_SYNC);
  EXPECT_EQ(aclrtGetEventId(old, &id), kOk);
  ASSERT_EQ(aclrtGetEventAvailNum(&after), kOk);
  EXPECT_EQ(after, before - 1);
  ASSERT_EQ(aclrtRecordEvent(plain, stream_), kOk);
  uint32_t second = id;
  EXPECT_EQ(aclrtGetEventId(plain, &second), kOk);
  EXPECT_NE(second, id);
  ASSERT_EQ(aclrtSynchronizeStream(stream_), kOk);
  EXPECT_EQ(aclrtDestroyEvent(plain), kOk);
  EXPECT_EQ(aclrtDestroyEvent(old), kOk);
  ASSERT_EQ(aclrtGetEventAvailNum(&after), kOk);
  EXPECT_EQ(after, before);
}

TEST_F(RuntimeTest, DeviceRunsOutOfEvents) {
  uint32_t available = 0;
  ASSERT_EQ(aclrtGetEventAvailNum(&available), kOk);
  std::vector<aclrtEvent> events(available);
  for (aclrtEvent& event : events) ASSERT_EQ(aclrtCreateEventWithFlag(&event, ACL_EVENT_SYNC), kOk);
  aclrtEvent one_more = nullptr;
  EXPECT_EQ(aclrtCreateEventWithFlag(&one_more, ACL_EVENT_SYNC), ACL_ERROR_RT_NO_EVENT_RESOURCE);
  aclrtEvent plain = MustCreate(By::kCreate);
  EXPECT_EQ(aclrtRecordEvent(plain, stream_), ACL_ERROR_RT_NO_EVENT_RESOURCE);
  EXPECT_EQ(aclrtDestroyEvent(plain), kOk);
  for (aclrtEvent event : events) ASSERT_EQ(aclrtDestroyEvent(event), kOk);
  EXPECT_EQ(aclrtCreateEventWithFlag(&one_more, ACL_EVENT_SYNC), kOk);
  EXPECT_EQ(aclrtDestroyEvent(one_more), kOk);
}

}  // namespace
}  // namespace tandem::test
