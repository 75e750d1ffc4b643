// SPDX-License-Identifier: Apache-2.0
// Events of another process.
#include <unistd.h>

#include <csignal>
#include <cstring>

#include "multiproc/shared_key.h"
#include "support/device_rank.h"
#include "support/job.h"
#include "support/surroundings.h"

namespace tandem::test {
namespace {

enum Flag : uint32_t { kHandle, kOpened, kQueued, kSeen, kLate };

// A rank's device, stream and the one event of the job, which rank 0 makes.
struct Runtime : DeviceRank {
  explicit Runtime(Rank& rank) : DeviceRank(rank) {
    if (of.index() == 0) {
      of.Ok(aclrtCreateEventExWithFlag(&event, ACL_EVENT_IPC));
      of.Ok(aclrtIpcGetEventHandle(event, &bytes));
      PutKey(of.board(), &bytes, sizeof(bytes), kHandle);
    } else {
      const std::string read = GetKey(of.board(), sizeof(bytes), kHandle);
      std::memcpy(&bytes, read.data(), sizeof(bytes));
      of.Ok(aclrtIpcOpenEventHandle(bytes, &event));
    }
  }
  void End() {
    of.Ok(aclrtDestroyEvent(event));
    DeviceRank::End();
  }
  // The stream does nothing until the gate is recorded.
  aclrtEvent Close() {
    aclrtEvent gate = nullptr;
    of.Ok(aclrtCreateEventWithFlag(&gate, ACL_EVENT_SYNC));
    of.Ok(aclrtStreamWaitEvent(stream, gate));
    return gate;
  }
  void OpenGate(aclrtEvent gate) {
    of.Ok(aclrtRecordEvent(gate, nullptr));
    of.Ok(aclrtSynchronizeStream(stream));
    of.Ok(aclrtDestroyEvent(gate));
  }
  aclrtEventRecordedStatus Status() {
    auto status = ACL_EVENT_RECORDED_STATUS_NOT_READY;
    of.Ok(aclrtQueryEventStatus(event, &status));
    return status;
  }
  aclrtEvent event = nullptr;
  aclrtIpcEventHandle bytes{};
};

// In turn each rank records behind a gate; the others see it pending, then wait in one of three ways.
TEST(EventIpc, WhoeverRecordsAllWaitForIt) {
  const uint32_t rounds = Times(96);
  const JobEnd end = RunJob(WithoutCommunicator(3), [rounds](Rank& rank) {
    Runtime runtime(rank);
    rank.Require(runtime.Status() == ACL_EVENT_RECORDED_STATUS_COMPLETE, "never recorded");
    rank.Meet();
    for (uint32_t round = 0; round < rounds; ++round) {
      const bool records = round % 3 == rank.index();
      aclrtEvent gate = records ? runtime.Close() : nullptr;
      if (records) rank.Ok(aclrtRecordEvent(runtime.event, runtime.stream));
      rank.Meet();
      rank.Require(runtime.Status() == ACL_EVENT_RECORDED_STATUS_NOT_READY, "pending for all");
      if (!records) rank.Ok(aclrtStreamWaitEvent(runtime.stream, runtime.event));
      rank.Meet();
      if (records) runtime.OpenGate(gate);
      if (!records && round % 2 == 0) rank.Ok(aclrtSynchronizeEvent(runtime.event));
      rank.Ok(aclrtSynchronizeStream(runtime.stream));
      rank.Require(runtime.Status() == ACL_EVENT_RECORDED_STATUS_COMPLETE, "reached for all");
      rank.Meet();
    }
    runtime.End();
  });
  EXPECT_TRUE(end.Good()) << end.Text();
}

// No thread waits in the library, so the record of the other process must wake a worker.
TEST(EventIpc, ARecordWakesAProcessWhoseThreadsDoOtherThings) {
  const JobEnd end = RunJob(WithoutCommunicator(2), [](Rank& rank) {
    Runtime runtime(rank);
    if (rank.index() == 1) {
      aclrtEvent gate = runtime.Close();
      rank.Ok(aclrtRecordEvent(runtime.event, runtime.stream));
      rank.board().Raise(kOpened);
      rank.board().Await(kQueued);
      runtime.OpenGate(gate);
    } else {
      rank.board().Await(kOpened);
      rank.Ok(aclrtStreamWaitEvent(runtime.stream, runtime.event));
      rank.Require(aclrtSynchronizeEventWithTimeout(runtime.event, 20) == ACL_ERROR_RT_EVENT_SYNC_TIMEOUT,
                   "not reached");
      rank.board().Raise(kQueued);
      runtime.PollUntilComplete();
    }
    rank.Meet();
    runtime.End();
  });
  EXPECT_TRUE(end.Good()) << end.Text();
}

// The records of a process that is killed fail where others wait; the event goes on without its maker.
TEST(EventIpc, AKilledProcessFailsItsRecordsAndNothingElse) {
  const std::vector<std::string> shared = Entries("/dev/shm");
  Job job(WithoutCommunicator(3), [](Rank& rank) {
    Runtime runtime(rank);
    if (rank.index() == 0) {
      runtime.Close();
      rank.Ok(aclrtRecordEvent(runtime.event, runtime.stream));
      rank.board().Raise(kQueued);
      for (;;) pause();
    }
    rank.board().Await(kQueued);
    rank.Ok(aclrtStreamWaitEvent(runtime.stream, runtime.event));
    rank.board().Count(kSeen);
    rank.Require(aclrtSynchronizeEvent(runtime.event) == ACL_ERROR_RT_STREAM_ABORT, "the record is lost");
    rank.Require(TakeErrorText().find("ended") != std::string::npos, "the text says so");
    rank.Require(aclrtSynchronizeStream(runtime.stream) == ACL_ERROR_RT_STREAM_ABORT, "the wait as well");
    auto status = ACL_EVENT_RECORDED_STATUS_NOT_READY;
    rank.Require(aclrtQueryEventStatus(runtime.event, &status) == ACL_ERROR_RT_STREAM_ABORT, "and the query");
    rank.board().Count(kLate);
    rank.board().AwaitCount(kLate, 2);
    // The two that are left use it on.
    if (rank.index() == 1) {
      rank.Ok(aclrtRecordEvent(runtime.event, runtime.stream));
      rank.board().Raise(kOpened);
    } else {
      rank.board().Await(kOpened);
    }
    rank.Ok(aclrtSynchronizeEvent(runtime.event));
    aclrtEvent late = nullptr;
    AwaitEnd(rank.board().pids[0].load());
    rank.Ok(aclrtDestroyEvent(runtime.event));
    rank.Require(aclrtIpcOpenEventHandle(runtime.bytes, &late) == ACL_ERROR_RT_PARAM_INVALID,
                 "its maker is gone");
    rank.Ok(aclrtDestroyStream(runtime.stream));
    rank.Ok(aclrtResetDevice(static_cast<int32_t>(rank.index())));
  });
  job.board().AwaitCount(kSeen, 2);
  job.Kill(0, SIGKILL);
  const JobEnd end = job.Wait();
  EXPECT_EQ(end.processes[1].exit_code, 0) << end.Text();
  EXPECT_EQ(end.processes[2].exit_code, 0) << end.Text();
  EXPECT_EQ(Entries("/dev/shm"), shared);
}

}  // namespace
}  // namespace tandem::test
