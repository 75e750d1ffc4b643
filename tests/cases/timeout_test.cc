// SPDX-License-Identifier: Apache-2.0
// R19: a time limit that is set is obeyed, for single calls and batches, and one who waits says so.
#include <chrono>
#include <csignal>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "support/job.h"

namespace tandem::test {
namespace {

using Clock = std::chrono::steady_clock;

class R19 : public JobTest {};
TANDEM_BOTH_MODES(R19);

constexpr uint64_t kBytes = 64 * sizeof(float);

JobOptions With(std::map<std::string, std::string> environment) {
  JobOptions options;
  options.environment = std::move(environment);
  return options;
}

void Receive64(Rank& rank, const Buffer& in, bool batch) {
  if (batch) return rank.Batch({ReceiveItem(in, 0, HCCL_DATA_TYPE_FP32)});
  rank.Receive(in, 0, HCCL_DATA_TYPE_FP32);
}

void Send64(Rank& rank, const Buffer& out, bool batch) {
  if (batch) return rank.Batch({SendItem(out, 1, HCCL_DATA_TYPE_FP32)});
  rank.Send(out, 1, HCCL_DATA_TYPE_FP32);
}

// r1 receives, r0 does nothing. The limit is neither the default, which the job would not live to see, nor
// ignored. `before`: both have talked, so that the pair is set up.
void WaitInVain(Rank& rank, bool batch, bool before, std::chrono::milliseconds limit, const char* shown) {
  const Buffer in = rank.Incoming(kBytes);
  if (before) {
    const Buffer out = rank.Outgoing(1, 0, kBytes);
    if (rank.index() == 0) Send64(rank, out, batch);
    if (rank.index() == 1) Receive64(rank, in, batch);
    rank.Synchronize();
  }
  rank.Meet();
  if (rank.index() == 1) {
    const Buffer late = rank.Incoming(kBytes);
    const auto begin = Clock::now();
    Receive64(rank, late, batch);
    const Outcome outcome = rank.TrySynchronize();
    rank.Require(Clock::now() - begin >= limit, "before the limit");
    rank.Says(outcome, ACL_ERROR_RT_TASK_TIMEOUT,
              {"EI0002", batch ? "HcclBatchSendRecv" : "HcclRecv", "rank 1, receive from rank 0",
               before ? "number 2 " : "number 1 ", "64 x fp32", shown, "HCCL_EXEC_TIMEOUT"});
    rank.ExpectUntouched(late);
    HcclResult error = HCCL_SUCCESS;
    rank.Ok(HcclGetCommAsyncError(rank.comm(), &error));
    rank.Require(error == HCCL_E_TIMEOUT, "asynchronous error " + std::to_string(error));
    // An error of one operation: the stream is clean again.
    rank.Synchronize();
  }
  rank.Meet();
}

// (a), (e)
TEST_P(R19, LimitIsObeyedBySingleCallsAndBatches) {
  for (const bool batch : {false, true}) {
    for (const bool before : {false, true}) {
      Run(With({{"HCCL_EXEC_TIMEOUT", "0.4"}}), [=](Rank& rank) {
        WaitInVain(rank, batch, before, std::chrono::milliseconds(400), "waited 0.40 s");
      });
    }
  }
}

TEST_P(R19, WholeSecondsAreSeconds) {
  Run(With({{"HCCL_EXEC_TIMEOUT", "2"}}),
      [](Rank& rank) { WaitInVain(rank, false, true, std::chrono::seconds(2), "waited 2.00 s"); });
}

// Who never waits for the stream is told, too: by whoever runs it.
TEST_P(R19, LimitIsObeyedWithoutAThreadThatWaits) {
  Run(With({{"HCCL_EXEC_TIMEOUT", "0.4"}}), [](Rank& rank) {
    if (rank.index() == 1) {
      const Buffer in = rank.Incoming(kBytes);
      rank.Receive(in, 0, HCCL_DATA_TYPE_FP32);
      aclrtStreamStatus status = ACL_STREAM_STATUS_NOT_READY;
      HcclResult error = HCCL_SUCCESS;
      while (error == HCCL_SUCCESS) rank.Ok(HcclGetCommAsyncError(rank.comm(), &error));
      rank.Require(error == HCCL_E_TIMEOUT, "asynchronous error " + std::to_string(error));
      while (status == ACL_STREAM_STATUS_NOT_READY) rank.Ok(aclrtStreamQuery(rank.stream(), &status));
      rank.Says(rank.TrySynchronize(), ACL_ERROR_RT_TASK_TIMEOUT, {"EI0002"});
    }
    rank.Meet();
  });
}

TEST_P(R19, WhoComesAfterTheLimitIsTold) {
  Run(With({{"HCCL_EXEC_TIMEOUT", "0.4"}}), [](Rank& rank) {
    const Buffer in = rank.Incoming(kBytes);
    if (rank.index() == 1) {
      rank.Receive(in, 0, HCCL_DATA_TYPE_FP32);
      rank.Says(rank.TrySynchronize(), ACL_ERROR_RT_TASK_TIMEOUT, {"EI0002"});
    }
    rank.Meet();
    if (rank.index() == 0) {
      const Buffer out = rank.Outgoing(1, 0, kBytes);
      rank.Send(out, 1, HCCL_DATA_TYPE_FP32);
      rank.Says(rank.TrySynchronize(), ACL_ERROR_RT_SUSPECT_REMOTE_ERROR, {"EI0012", "HcclSend", "rank 1"});
    }
    rank.Meet();
    rank.ExpectUntouched(in);
  });
}

// The seconds of every note of this text about rank 1's wait in `call`.
std::vector<double> NoteTimes(const std::string& text, const std::string& call) {
  std::vector<double> times;
  std::istringstream lines(text);
  const std::string begin = "rank 1 has waited ";
  for (std::string line; std::getline(lines, line);) {
    const size_t at = line.find(begin);
    if (at == std::string::npos || line.find(call, at) == std::string::npos) continue;
    EXPECT_NE(line.find("limit of the wait: no limit (HCCL_EXEC_TIMEOUT"), std::string::npos) << line;
    times.push_back(std::stod(line.substr(at + begin.size())));
  }
  return times;
}

// (b) Never means never: other operations complete meanwhile, notes go on at a falling rate, and the send
// ends the wait with success.
TEST_P(R19, ZeroIsNever) {
  for (const bool batch : {false, true}) {
    JobOptions options = With({{"HCCL_EXEC_TIMEOUT", "0"}, {"TANDEM_NOTE_AFTER_MS", "50"}});
    options.mode = GetParam();
    Job job(options, [batch](Rank& rank) {
      const HcclComm other = rank.Join();
      const Buffer in = rank.Incoming(kBytes);
      const Buffer out = rank.Outgoing(1, 0, kBytes);
      aclrtStream stream = nullptr;
      rank.Ok(aclrtCreateStream(&stream));
      if (rank.index() == 1) Receive64(rank, in, batch);
      for (int i = 0; i < 100; ++i) rank.Ok(HcclBarrier(other, stream));
      rank.Ok(aclrtSynchronizeStream(stream));
      if (rank.index() == 0) {
        rank.board().Await(0);
        Send64(rank, out, batch);
      }
      rank.Synchronize();
      if (rank.index() == 1) rank.ExpectArrived(in, 0, 0);
      rank.Ok(HcclCommDestroy(other));
      rank.Ok(aclrtDestroyStream(stream));
    });
    const size_t waiter = GetParam() == Mode::kThreads ? 0 : 1;
    const std::string call = batch ? "for rank 0: HcclBatchSendRecv" : "for rank 0: HcclRecv";
    EXPECT_TRUE(job.AwaitText(waiter, call, 4));
    job.board().Raise(0);
    const JobEnd end = job.Wait();
    EXPECT_TRUE(end.Good()) << end.Text();
    const std::vector<double> times = NoteTimes(end.processes[waiter].text, call);
    ASSERT_GE(times.size(), 4U) << end.Text();
    for (size_t i = 1; i < times.size(); ++i) EXPECT_GE(times[i], 1.9 * times[i - 1]) << end.Text();
  }
}

// (c) The reason is on the standard error before somebody else's limit ends the program.
TEST_P(R19, NoteIsThereBeforeAnOuterLimit) {
  // The default is 5 s: one kind of call for each mode is enough.
  const bool batch = GetParam() == Mode::kThreads;
  // Neither limit nor notes are set.
  JobOptions options = With({{"HCCL_EXEC_TIMEOUT", ""}, {"TANDEM_NOTE_AFTER_MS", ""}});
  options.mode = GetParam();
  Job job(options, [batch](Rank& rank) {
    if (rank.index() == 0) rank.board().Await(0);  // for ever
    const Buffer in = rank.Incoming(kBytes);
    Receive64(rank, in, batch);
    rank.Synchronize();
  });
  const size_t waiter = GetParam() == Mode::kThreads ? 0 : 1;
  EXPECT_TRUE(job.AwaitText(waiter, "TANDEM_NOTE_AFTER_MS"));
  job.Kill(waiter, SIGTERM);
  if (waiter != 0) job.Kill(0, SIGTERM);
  const JobEnd end = job.Wait();
  EXPECT_FALSE(end.timed_out);
  EXPECT_EQ(end.processes[waiter].signal, SIGTERM) << end.Text();
  const std::string& text = end.processes[waiter].text;
  EXPECT_EQ(text.rfind("[NOTE] TANDEM(", 0), 0U) << text;
  EXPECT_NE(text.find(" rank 1 has waited "), std::string::npos) << text;
  EXPECT_NE(
      text.find(batch
                    ? "for rank 0: HcclBatchSendRecv, receive of 64 x fp32 (256 bytes), number 1 from 0 to 1"
                    : "for rank 0: HcclRecv, receive of 64 x fp32 (256 bytes), number 1 from 0 to 1"),
      std::string::npos)
      << text;
  EXPECT_NE(text.find("limit of the wait: 1836 s (HCCL_EXEC_TIMEOUT"), std::string::npos) << text;
  EXPECT_EQ(text.back(), '\n');
}

TEST_P(R19, NotesCanBeSwitchedOff) {
  JobOptions options = With({{"HCCL_EXEC_TIMEOUT", "0.4"}, {"TANDEM_NOTE_AFTER_MS", "0"}});
  options.mode = GetParam();
  const JobEnd end = RunJob(options, [](Rank& rank) {
    WaitInVain(rank, true, false, std::chrono::milliseconds(400), "waited 0.40 s");
  });
  EXPECT_TRUE(end.Good()) << end.Text();
  for (const ProcessEnd& process : end.processes) {
    EXPECT_EQ(process.text.find("[NOTE]"), std::string::npos) << process.text;
  }
}

struct Invalid {
  const char* name;
  const char* value;
  const char* expected;
};
constexpr const char* kExecRange = "expected a number of seconds from 0 to 2147483647";
constexpr const char* kConnectRange = "expected a whole number of seconds from 120 to 7200";

// (d)
TEST_P(R19, InvalidLimitsAreRefusedByTheFirstCallThatReadsThem) {
  for (const Invalid& wrong : {Invalid{"HCCL_EXEC_TIMEOUT", "-1", kExecRange},
                               {"HCCL_EXEC_TIMEOUT", "abc", kExecRange},
                               {"HCCL_CONNECT_TIMEOUT", "60", kConnectRange},
                               {"HCCL_CONNECT_TIMEOUT", "7201", kConnectRange},
                               {"HCCL_CONNECT_TIMEOUT", "1.5", kConnectRange}}) {
    JobOptions options = With({{wrong.name, wrong.value}, {"TANDEM_CONNECT_TIMEOUT", ""}});
    options.open = false;
    Run(options, [&wrong](Rank& rank) {
      const std::vector<std::string> parts = {"EI0001", std::string(wrong.name) + "=\"" + wrong.value + "\"",
                                              wrong.expected};
      // Nothing of the runtime reads it.
      rank.Ok(aclrtSetDevice(static_cast<int32_t>(rank.index())));
      HcclRootInfo root{};
      HcclComm comm = nullptr;
      // Each call is the first one of some program.
      if (rank.index() == 0) rank.Refused(HcclGetRootInfo(&root), HCCL_E_PARA, parts);
      if (rank.index() == 1) rank.Refused(HcclCommInitRootInfo(2, &root, 1, &comm), HCCL_E_PARA, parts);
    });
  }
}

}  // namespace
}  // namespace tandem::test
