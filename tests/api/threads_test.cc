// SPDX-License-Identifier: Apache-2.0
// Many threads that use the runtime at the same time.
#include <acl/acl.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cstring>
#include <thread>
#include <vector>

#include "api/runtime_fixture.h"

namespace tandem::test {
namespace {

template <typename Body>
void RunThreads(int count, Body body) {
  std::vector<std::thread> threads;
  threads.reserve(static_cast<size_t>(count));
  for (int i = 0; i < count; ++i) threads.emplace_back([i, &body] { body(i); });
  for (std::thread& thread : threads) thread.join();
}

TEST(ThreadsTest, OneDeviceEach) {
  RunThreads(8, [](int id) {
    for (int round = 0; round < 20; ++round) {
      ASSERT_EQ(aclrtSetDevice(id), ACL_SUCCESS);
      aclrtStream stream = nullptr;
      ASSERT_EQ(aclrtCreateStream(&stream), ACL_SUCCESS);
      void* device = nullptr;
      void* host = nullptr;
      ASSERT_EQ(aclrtMalloc(&device, 10'000, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
      ASSERT_EQ(aclrtMallocHost(&host, 10'000), ACL_SUCCESS);
      ASSERT_EQ(aclrtMemsetAsync(device, 10'000, id + round, 10'000, stream), ACL_SUCCESS);
      ASSERT_EQ(aclrtMemcpyAsync(host, 10'000, device, 10'000, ACL_MEMCPY_DEVICE_TO_HOST, stream),
                ACL_SUCCESS);
      ASSERT_EQ(aclrtSynchronizeStream(stream), ACL_SUCCESS);
      EXPECT_EQ(static_cast<unsigned char*>(host)[9'999], static_cast<unsigned char>(id + round));
      ASSERT_EQ(aclrtFree(device), ACL_SUCCESS);
      ASSERT_EQ(aclrtFreeHost(host), ACL_SUCCESS);
      ASSERT_EQ(aclrtDestroyStream(stream), ACL_SUCCESS);
      ASSERT_EQ(aclrtResetDevice(id), ACL_SUCCESS);
    }
  });
}

TEST(ThreadsTest, SetAndResetOfOneDevice) {
  RunThreads(8, [](int) {
    for (int round = 0; round < 100; ++round) {
      ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
      ASSERT_EQ(aclrtSynchronizeStream(nullptr), ACL_SUCCESS);
      ASSERT_EQ(aclrtResetDevice(0), ACL_SUCCESS);
    }
  });
}

TEST(ThreadsTest, SubmittingToAndWaitingForOneStream) {
  ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
  aclrtStream stream = nullptr;
  ASSERT_EQ(aclrtCreateStream(&stream), ACL_SUCCESS);
  std::atomic<int> calls{0};
  int unguarded = 0;  // only host functions touch it, and they run one after the other
  struct Shared {
    std::atomic<int>* calls;
    int* unguarded;
  } shared{&calls, &unguarded};
  RunThreads(6, [&](int) {
    ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
    for (int i = 0; i < 100; ++i) {
      ASSERT_EQ(aclrtLaunchHostFunc(
                    stream,
                    [](void* args) {
                      auto* both = static_cast<Shared*>(args);
                      ++*both->calls;
                      ++*both->unguarded;
                    },
                    &shared),
                ACL_SUCCESS);
      if (i % 10 == 0) {
        ASSERT_EQ(aclrtSynchronizeStream(stream), ACL_SUCCESS);
      }
    }
    ASSERT_EQ(aclrtSynchronizeStream(stream), ACL_SUCCESS);
    ASSERT_EQ(aclrtResetDevice(0), ACL_SUCCESS);
  });
  EXPECT_EQ(calls, 600);
  EXPECT_EQ(unguarded, 600);
  EXPECT_EQ(aclrtDestroyStream(stream), ACL_SUCCESS);
  EXPECT_EQ(aclrtResetDevice(0), ACL_SUCCESS);
}

// A token goes round through events: stream i may write only after stream i - 1 has.
TEST(ThreadsTest, EventsBetweenStreamsOfDifferentThreads) {
  constexpr int kThreads = 4;
  constexpr int kRounds = 50;
  ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
  int counter = 0;  // guarded by the events
  std::vector<std::vector<aclrtEvent>> turn(kRounds, std::vector<aclrtEvent>(kThreads));
  for (auto& round : turn) {
    for (aclrtEvent& event : round) ASSERT_EQ(aclrtCreateEventWithFlag(&event, ACL_EVENT_SYNC), ACL_SUCCESS);
  }
  RunThreads(kThreads, [&](int id) {
    ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
    aclrtStream stream = nullptr;
    ASSERT_EQ(aclrtCreateStream(&stream), ACL_SUCCESS);
    for (int round = 0; round < kRounds; ++round) {
      const int step = round * kThreads + id;
      if (step > 0) {
        const int before = step - 1;
        ASSERT_EQ(
            aclrtStreamWaitEvent(stream, turn[static_cast<size_t>(before / kThreads)][before % kThreads]),
            ACL_SUCCESS);
      }
      ASSERT_EQ(aclrtLaunchHostFunc(
                    stream, [](void* args) { ++*static_cast<int*>(args); }, &counter),
                ACL_SUCCESS);
      ASSERT_EQ(aclrtRecordEvent(turn[static_cast<size_t>(round)][static_cast<size_t>(id)], stream),
                ACL_SUCCESS);
    }
    ASSERT_EQ(aclrtSynchronizeStream(stream), ACL_SUCCESS);
    ASSERT_EQ(aclrtDestroyStream(stream), ACL_SUCCESS);
    ASSERT_EQ(aclrtResetDevice(0), ACL_SUCCESS);
  });
  EXPECT_EQ(counter, kThreads * kRounds);
  for (auto& round : turn) {
    for (aclrtEvent event : round) EXPECT_EQ(aclrtDestroyEvent(event), ACL_SUCCESS);
  }
  EXPECT_EQ(aclrtResetDevice(0), ACL_SUCCESS);
}

TEST(ThreadsTest, SynchronizeDeviceWhileStreamsComeAndGo) {
  ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
  RunThreads(4, [](int id) {
    ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
    for (int i = 0; i < 100; ++i) {
      if (id == 0) {
        ASSERT_EQ(aclrtSynchronizeDevice(), ACL_SUCCESS);
        continue;
      }
      aclrtStream stream = nullptr;
      ASSERT_EQ(aclrtCreateStream(&stream), ACL_SUCCESS);
      ASSERT_EQ(aclrtLaunchHostFunc(
                    stream, [](void*) {}, nullptr),
                ACL_SUCCESS);
      ASSERT_EQ(aclrtDestroyStream(stream), ACL_SUCCESS);
    }
    ASSERT_EQ(aclrtResetDevice(0), ACL_SUCCESS);
  });
  EXPECT_EQ(aclrtResetDevice(0), ACL_SUCCESS);
}

TEST(ThreadsTest, AbortWhileOthersSubmitAndWait) {
  ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
  aclrtStream stream = nullptr;
  ASSERT_EQ(aclrtCreateStream(&stream), ACL_SUCCESS);
  std::atomic<bool> stop{false};
  RunThreads(4, [&](int id) {
    ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
    if (id == 0) {
      for (int i = 0; i < 100; ++i) EXPECT_EQ(aclrtStreamAbort(stream), ACL_SUCCESS);
      stop = true;
    }
    while (!stop) {
      ASSERT_EQ(aclrtLaunchHostFunc(
                    stream, [](void*) {}, nullptr),
                ACL_SUCCESS);
      const aclError result = aclrtSynchronizeStream(stream);
      EXPECT_TRUE(result == ACL_SUCCESS || result == ACL_ERROR_RT_STREAM_ABORT) << result;
    }
    static_cast<void>(aclGetRecentErrMsg());
    ASSERT_EQ(aclrtResetDevice(0), ACL_SUCCESS);
  });
  EXPECT_EQ(aclrtSynchronizeStream(stream), ACL_SUCCESS);
  EXPECT_EQ(aclrtDestroyStream(stream), ACL_SUCCESS);
  EXPECT_EQ(aclrtResetDevice(0), ACL_SUCCESS);
}

TEST(ThreadsTest, AllocatingAndFreeing) {
  RunThreads(8, [](int id) {
    ASSERT_EQ(aclrtSetDevice(id), ACL_SUCCESS);
    std::vector<std::pair<unsigned char*, size_t>> blocks;
    for (size_t i = 0; i < 300; ++i) {
      const size_t bytes = 1 + (i * 7919 + static_cast<size_t>(id) * 104729) % 50'000;
      void* data = nullptr;
      ASSERT_EQ(aclrtMalloc(&data, bytes, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
      std::memset(data, id + 1, bytes);
      blocks.emplace_back(static_cast<unsigned char*>(data), bytes);
      if (i % 3 == 2) {
        const auto [start, size] = blocks[i % blocks.size()];
        EXPECT_EQ(start[0], id + 1) << "no other thread got the same memory";
        EXPECT_EQ(start[size - 1], id + 1);
        ASSERT_EQ(aclrtFree(start), ACL_SUCCESS);
        blocks.erase(blocks.begin() + static_cast<std::ptrdiff_t>(i % blocks.size()));
      }
    }
    for (const auto& [start, size] : blocks) ASSERT_EQ(aclrtFree(start), ACL_SUCCESS);
    ASSERT_EQ(aclrtResetDevice(id), ACL_SUCCESS);
  });
}

}  // namespace
}  // namespace tandem::test
