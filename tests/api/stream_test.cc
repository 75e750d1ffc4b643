// SPDX-License-Identifier: Apache-2.0
#include <acl/acl.h>
#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <utility>
#include <vector>

#include "api/runtime_fixture.h"

namespace tandem::test {
namespace {

TEST_F(RuntimeTest, StreamArgumentErrors) {
  EXPECT_EQ(aclrtCreateStream(nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtCreateStreamWithConfig(nullptr, 0, 0), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtStreamQuery(stream_, nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtStreamGetId(stream_, nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtStreamGetPriority(stream_, nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtStreamGetFlags(stream_, nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtGetStreamAvailableNum(nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtStreamStop(nullptr), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtStreamStop(stream_), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(stream_, -2), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(stream_, 0), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(stream_, -1), ACL_SUCCESS);
}

TEST_F(RuntimeTest, HandlesThatAreStaleForeignOrOfAnotherKindAreRefused) {
  aclrtEvent event = nullptr;
  ASSERT_EQ(aclrtCreateEvent(&event), ACL_SUCCESS);
  aclrtContext context = nullptr;
  ASSERT_EQ(aclrtGetCurrentContext(&context), ACL_SUCCESS);
  int stranger = 0;
  std::vector<void*> wrong = {StaleStream(),
                              &stranger,
                              event,
                              context,
                              reinterpret_cast<void*>(-1),
                              static_cast<char*>(stream_) + (1 << 24)};
  for (void* handle : wrong) {
    EXPECT_EQ(aclrtSynchronizeStream(handle), ACL_ERROR_RT_INVALID_HANDLE) << handle;
    EXPECT_EQ(aclrtDestroyStream(handle), ACL_ERROR_RT_INVALID_HANDLE) << handle;
    EXPECT_EQ(aclrtRecordEvent(event, handle), ACL_ERROR_RT_INVALID_HANDLE) << handle;
  }
  EXPECT_EQ(aclrtRecordEvent(stream_, stream_), ACL_ERROR_RT_INVALID_HANDLE);
  EXPECT_EQ(aclrtDestroyEvent(stream_), ACL_ERROR_RT_INVALID_HANDLE);
  EXPECT_EQ(aclrtDestroyEvent(event), ACL_SUCCESS);
}

TEST_F(RuntimeTest, PriorityAndFlagsAreKeptWithinTheirRange) {
  struct Case {
    uint32_t priority, flags, kept_priority, kept_flags;
  };
  const Case cases[] = {{0, 0, 0, 0},
                        {3, ACL_STREAM_FAST_LAUNCH | ACL_STREAM_FAST_SYNC, 3, 3},
                        {7, ACL_STREAM_HUGE, 7, ACL_STREAM_HUGE},
                        {8, 0xFFFFFFC0U, 7, 0},
                        {UINT32_MAX, 0xFFFFFFFFU, 7, 0x3F}};
  for (const Case& c : cases) {
    aclrtStream stream = nullptr;
    ASSERT_EQ(aclrtCreateStreamWithConfig(&stream, c.priority, c.flags), ACL_SUCCESS);
    uint32_t value = 99;
    EXPECT_EQ(aclrtStreamGetPriority(stream, &value), ACL_SUCCESS);
    EXPECT_EQ(value, c.kept_priority);
    EXPECT_EQ(aclrtStreamGetFlags(stream, &value), ACL_SUCCESS);
    EXPECT_EQ(value, c.kept_flags);
    EXPECT_EQ(aclrtDestroyStream(stream), ACL_SUCCESS);
  }
}

TEST_F(RuntimeTest, StreamFromAConfiguration) {
  aclrtStreamConfigHandle* config = aclrtCreateStreamConfigHandle();
  ASSERT_NE(config, nullptr);
  const uint32_t flag = ACL_STREAM_FAST_SYNC;
  const uint64_t wide_flag = ACL_STREAM_FAST_LAUNCH;
  const uint32_t priority = 5;
  EXPECT_EQ(aclrtSetStreamConfigOpt(config, ACL_RT_STREAM_FLAG, &wide_flag, 8), ACL_SUCCESS);
  EXPECT_EQ(aclrtSetStreamConfigOpt(config, ACL_RT_STREAM_FLAG, &flag, 4), ACL_SUCCESS);
  EXPECT_EQ(aclrtSetStreamConfigOpt(config, ACL_RT_STREAM_PRIORITY, &priority, 4), ACL_SUCCESS);
  EXPECT_EQ(aclrtSetStreamConfigOpt(config, ACL_RT_STREAM_PRIORITY, &priority, 3), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtSetStreamConfigOpt(config, AnyValue<aclrtStreamConfigAttr>(4), &flag, 4),
            ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtSetStreamConfigOpt(nullptr, ACL_RT_STREAM_FLAG, &flag, 4), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtSetStreamConfigOpt(config, ACL_RT_STREAM_FLAG, nullptr, 4), ACL_ERROR_INVALID_PARAM);
  aclrtStream stream = nullptr;
  EXPECT_EQ(aclrtCreateStreamV2(&stream, nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtCreateStreamV2(nullptr, config), ACL_ERROR_INVALID_PARAM);
  ASSERT_EQ(aclrtCreateStreamV2(&stream, config), ACL_SUCCESS);
  uint32_t value = 0;
  EXPECT_EQ(aclrtStreamGetFlags(stream, &value), ACL_SUCCESS);
  EXPECT_EQ(value, flag);
  EXPECT_EQ(aclrtStreamGetPriority(stream, &value), ACL_SUCCESS);
  EXPECT_EQ(value, priority);
  EXPECT_EQ(aclrtDestroyStream(stream), ACL_SUCCESS);
  EXPECT_EQ(aclrtDestroyStreamConfigHandle(config), ACL_SUCCESS);
  EXPECT_EQ(aclrtDestroyStreamConfigHandle(nullptr), ACL_ERROR_INVALID_PARAM);
}

TEST_F(RuntimeTest, IdsAreUniqueOnTheDeviceAndCounted) {
  uint32_t before = 0;
  ASSERT_EQ(aclrtGetStreamAvailableNum(&before), ACL_SUCCESS);
  int32_t first = -1;
  int32_t second = -1;
  EXPECT_EQ(aclrtStreamGetId(stream_, &first), ACL_SUCCESS);
  EXPECT_EQ(aclrtStreamGetId(other_, &second), ACL_SUCCESS);
  EXPECT_GE(first, 0);
  EXPECT_NE(first, second);
  aclrtStream more = nullptr;
  ASSERT_EQ(aclrtCreateStream(&more), ACL_SUCCESS);
  uint32_t after = 0;
  ASSERT_EQ(aclrtGetStreamAvailableNum(&after), ACL_SUCCESS);
  EXPECT_EQ(after, before - 1);
  EXPECT_EQ(aclrtDestroyStream(more), ACL_SUCCESS);
  ASSERT_EQ(aclrtGetStreamAvailableNum(&after), ACL_SUCCESS);
  EXPECT_EQ(after, before);
}

TEST_F(RuntimeTest, DeviceRunsOutOfStreams) {
  uint32_t available = 0;
  ASSERT_EQ(aclrtGetStreamAvailableNum(&available), ACL_SUCCESS);
  std::vector<aclrtStream> streams(available);
  for (aclrtStream& stream : streams) ASSERT_EQ(aclrtCreateStream(&stream), ACL_SUCCESS);
  aclrtStream one_more = nullptr;
  EXPECT_EQ(aclrtCreateStream(&one_more), ACL_ERROR_RT_NO_STREAM_RESOURCE);
  EXPECT_EQ(one_more, nullptr);
  for (aclrtStream stream : streams) ASSERT_EQ(aclrtDestroyStream(stream), ACL_SUCCESS);
  EXPECT_EQ(aclrtCreateStream(&one_more), ACL_SUCCESS);
  EXPECT_EQ(aclrtDestroyStream(one_more), ACL_SUCCESS);
}

TEST_F(RuntimeTest, SubmittingReturnsWhileTheStreamIsBusy) {
  constexpr size_t kBytes = size_t{64} << 20;
  void* data = nullptr;
  ASSERT_EQ(aclrtMalloc(&data, kBytes, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
  *static_cast<volatile unsigned char*>(data) = 1;
  Gate gate(stream_);
  ASSERT_EQ(aclrtMemsetAsync(data, kBytes, 7, kBytes, stream_), ACL_SUCCESS);
  EXPECT_EQ(StatusOf(stream_), ACL_STREAM_STATUS_NOT_READY);
  EXPECT_EQ(*static_cast<volatile unsigned char*>(data), 1) << "the set waits for the event before it";
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(stream_, 5), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
  EXPECT_EQ(aclrtGetLastError(ACL_RT_THREAD_LEVEL), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
  gate.Open(other_);
  EXPECT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS)
      << "a timed-out synchronize leaves everything running";
  EXPECT_EQ(static_cast<unsigned char*>(data)[kBytes - 1], 7);
  EXPECT_EQ(StatusOf(stream_), ACL_STREAM_STATUS_COMPLETE);
  EXPECT_EQ(aclrtFree(data), ACL_SUCCESS);
}

TEST_F(RuntimeTest, StreamsDoNotWaitForEachOtherNorForTheDefaultStream) {
  Gate gate(nullptr);
  EXPECT_EQ(StatusOf(nullptr), ACL_STREAM_STATUS_NOT_READY);
  void* data = nullptr;
  ASSERT_EQ(aclrtMalloc(&data, 64, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
  ASSERT_EQ(aclrtMemsetAsync(data, 64, 3, 64, stream_), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS);
  EXPECT_EQ(static_cast<unsigned char*>(data)[63], 3);
  gate.Open(stream_);
  EXPECT_EQ(aclrtSynchronizeStream(nullptr), ACL_SUCCESS);
  EXPECT_EQ(aclrtFree(data), ACL_SUCCESS);
}

TEST_F(RuntimeTest, ManyBlockedStreamsDoNotHoldUpTheOneThatFreesThem) {
  std::vector<aclrtStream> streams(200);
  std::vector<aclrtEvent> links(streams.size() + 1);
  for (aclrtEvent& link : links) ASSERT_EQ(aclrtCreateEventWithFlag(&link, ACL_EVENT_SYNC), ACL_SUCCESS);
  for (size_t i = 0; i < streams.size(); ++i) {
    ASSERT_EQ(aclrtCreateStream(&streams[i]), ACL_SUCCESS);
    ASSERT_EQ(aclrtStreamWaitEvent(streams[i], links[i + 1]), ACL_SUCCESS);
    ASSERT_EQ(aclrtRecordEvent(links[i], streams[i]), ACL_SUCCESS);
  }
  ASSERT_EQ(aclrtRecordEvent(links.back(), other_), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeEvent(links.front()), ACL_SUCCESS)
      << "the chain runs from the last stream to the first";
  for (aclrtStream stream : streams) EXPECT_EQ(aclrtDestroyStream(stream), ACL_SUCCESS);
  for (aclrtEvent link : links) EXPECT_EQ(aclrtDestroyEvent(link), ACL_SUCCESS);
}

TEST_F(RuntimeTest, DestroyWaitsForQueuedWork) {
  aclrtStream stream = nullptr;
  ASSERT_EQ(aclrtCreateStream(&stream), ACL_SUCCESS);
  Gate gate(stream);
  std::atomic<bool> opened{false};
  std::thread opener([&] {
    ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
    opened = true;
    gate.Open(other_);
    ASSERT_EQ(aclrtResetDevice(0), ACL_SUCCESS);
  });
  EXPECT_EQ(aclrtDestroyStream(stream), ACL_SUCCESS);
  EXPECT_TRUE(opened);
  opener.join();
}

TEST_F(RuntimeTest, ForcedDestroyDropsQueuedWork) {
  void* data = nullptr;
  ASSERT_EQ(aclrtMalloc(&data, 64, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
  ASSERT_EQ(aclrtMemset(data, 64, 1, 64), ACL_SUCCESS);
  aclrtStream stream = nullptr;
  ASSERT_EQ(aclrtCreateStream(&stream), ACL_SUCCESS);
  Gate gate(stream);
  ASSERT_EQ(aclrtMemsetAsync(data, 64, 2, 64, stream), ACL_SUCCESS);
  EXPECT_EQ(aclrtDestroyStreamForce(stream), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStream(stream), ACL_ERROR_RT_INVALID_HANDLE);
  EXPECT_EQ(*static_cast<unsigned char*>(data), 1);
  EXPECT_EQ(aclrtFree(data), ACL_SUCCESS);
}

TEST_F(RuntimeTest, AbortEmptiesTheStreamAndLeavesItUsable) {
  void* data = nullptr;
  ASSERT_EQ(aclrtMalloc(&data, 64, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
  ASSERT_EQ(aclrtMemset(data, 64, 1, 64), ACL_SUCCESS);
  Gate gate(stream_);
  ASSERT_EQ(aclrtMemsetAsync(data, 64, 2, 64, stream_), ACL_SUCCESS);
  EXPECT_EQ(aclrtStreamAbort(stream_), ACL_SUCCESS);
  EXPECT_EQ(StatusOf(stream_), ACL_STREAM_STATUS_COMPLETE);
  EXPECT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS);
  EXPECT_EQ(*static_cast<unsigned char*>(data), 1) << "what was queued was dropped";
  ASSERT_EQ(aclrtMemsetAsync(data, 64, 3, 64, stream_), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS);
  EXPECT_EQ(*static_cast<unsigned char*>(data), 3);
  EXPECT_EQ(aclrtFree(data), ACL_SUCCESS);
}

TEST_F(RuntimeTest, AbortReleasesThreadsThatWait) {
  Gate gate(stream_);
  aclrtEvent event = nullptr;
  ASSERT_EQ(aclrtCreateEvent(&event), ACL_SUCCESS);
  ASSERT_EQ(aclrtRecordEvent(event, stream_), ACL_SUCCESS);
  std::atomic<int> about_to_wait{0};
  const auto waiter = [&](auto wait) {
    ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
    ++about_to_wait;
    const aclError result = wait();
    // A thread that comes only after the abort finds the stream empty.
    EXPECT_TRUE(result == ACL_ERROR_RT_STREAM_ABORT || result == ACL_SUCCESS) << result;
    ASSERT_EQ(aclrtResetDevice(0), ACL_SUCCESS);
  };
  std::thread first([&] { waiter([&] { return aclrtSynchronizeStream(stream_); }); });
  std::thread second([&] { waiter([&] { return aclrtSynchronizeEvent(event); }); });
  while (about_to_wait < 2) std::this_thread::yield();
  EXPECT_EQ(aclrtStreamAbort(stream_), ACL_SUCCESS);
  first.join();
  second.join();
  EXPECT_EQ(aclrtSynchronizeEvent(event), ACL_ERROR_RT_STREAM_ABORT) << "its recording was dropped";
  EXPECT_EQ(aclrtDestroyEvent(event), ACL_SUCCESS);
}

TEST_F(RuntimeTest, StreamsThatAreNeverWaitedFor) {
  for (const uint32_t flag : {ACL_STREAM_PERSISTENT, ACL_STREAM_CPU_SCHEDULE, ACL_STREAM_DEVICE_USE_ONLY}) {
    aclrtStream stream = nullptr;
    ASSERT_EQ(aclrtCreateStreamWithConfig(&stream, 0, flag), ACL_SUCCESS);
    Gate gate(stream);
    EXPECT_EQ(aclrtSynchronizeStream(stream), ACL_SUCCESS);
    EXPECT_EQ(aclrtDestroyStreamForce(stream), ACL_SUCCESS);
  }
}

using SeenStates = std::vector<std::pair<aclrtStream, aclrtStreamState>>;

TEST_F(RuntimeTest, StateCallbackSeesStreamsComeAndGo) {
  SeenStates seen;
  const auto note = [](aclrtStream stream, aclrtStreamState state, void* args) {
    static_cast<SeenStates*>(args)->emplace_back(stream, state);
  };
  EXPECT_EQ(aclrtRegStreamStateCallback(nullptr, note, &seen), ACL_ERROR_INVALID_PARAM);
  ASSERT_EQ(aclrtRegStreamStateCallback("note", note, &seen), ACL_SUCCESS);
  EXPECT_EQ(aclrtRegStreamStateCallback("note", note, &seen), ACL_ERROR_RT_PARAM_INVALID);
  aclrtContext context = nullptr;
  ASSERT_EQ(aclrtCreateContext(&context, 0), ACL_SUCCESS);
  aclrtStream by_default = nullptr;
  ASSERT_EQ(aclrtCtxGetCurrentDefaultStream(&by_default), ACL_SUCCESS);
  aclrtStream stream = nullptr;
  ASSERT_EQ(aclrtCreateStream(&stream), ACL_SUCCESS);
  ASSERT_EQ(aclrtDestroyStream(stream), ACL_SUCCESS);
  ASSERT_EQ(aclrtDestroyContext(context), ACL_SUCCESS);
  ASSERT_EQ(aclrtRegStreamStateCallback("note", nullptr, nullptr), ACL_SUCCESS);
  EXPECT_EQ(seen, (SeenStates{{by_default, ACL_RT_STREAM_STATE_CREATE_POST},
                              {stream, ACL_RT_STREAM_STATE_CREATE_POST},
                              {stream, ACL_RT_STREAM_STATE_DESTROY_PRE},
                              {by_default, ACL_RT_STREAM_STATE_DESTROY_PRE}}));
}

}  // namespace
}  // namespace tandem::test
