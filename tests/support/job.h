// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>
#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "support/board.h"
#include "support/rank.h"
#include "support/surroundings.h"

namespace tandem::test {

enum class Mode : uint8_t { kThreads, kProcesses };

using Body = std::function<void(Rank&)>;

struct JobOptions {
  uint32_t ranks = 2;
  Mode mode = Mode::kProcesses;
  uint32_t ranks_per_process = 0;  // threads of each process; 0: as the mode says
  // Then everything that still runs is killed, and the job has failed.
  std::chrono::seconds deadline{kSanitized ? 240 : 60};
  std::map<std::string, std::string> environment;
  std::function<void()> prepare;  // in each new process, before anything of the library is used
  bool open = true;               // Rank::Open before and Rank::Close after the body
};

// One process of a job.
struct ProcessEnd {
  pid_t pid = 0;
  int exit_code = -1;  // -1: ended by a signal
  int signal = 0;
  std::string text;  // standard error and output: the library's lines and failed checks
};

struct JobEnd {
  std::vector<ProcessEnd> processes;  // one for each rank, or one for all threads
  bool timed_out = false;
  bool Good() const;
  std::string Text() const;
};

// Ranks as real processes or as threads of one process. Both are forked from a test that never uses the
// library itself, so every job starts with a fresh library, its own environment, and ends as a program ends.
class Job {
 public:
  Job(JobOptions options, const Body& body);
  ~Job();
  Job(const Job&) = delete;
  Job& operator=(const Job&) = delete;

  Board& board() { return *board_; }
  pid_t pid(size_t process) const { return processes_[process].pid; }
  void Kill(size_t process, int signal);
  // Collects the output of a process until it holds the text so often. False: the process ended, or the
  // deadline has passed, before.
  bool AwaitText(size_t process, const std::string& text, size_t times = 1);
  // Collects the output until all processes have ended or the deadline has passed.
  JobEnd Wait();

 private:
  struct Process {
    pid_t pid = 0;
    int output = -1;
    bool reaped = false;
    std::string text;
  };
  void Start(const Body& body, uint32_t first, uint32_t count);
  [[noreturn]] void RunChild(const Body& body, uint32_t first, uint32_t count);
  bool ReadOutput(int timeout_ms);

  JobOptions options_;
  std::chrono::steady_clock::time_point deadline_;
  Board* board_;
  std::vector<Process> processes_;
};

inline JobEnd RunJob(JobOptions options, const Body& body) { return Job(std::move(options), body).Wait(); }

// A test whose ranks are threads in one run and processes in the other.
class JobTest : public ::testing::TestWithParam<Mode> {
 protected:
  // The body must succeed on all ranks.
  void Run(JobOptions options, const Body& body) {
    options.mode = GetParam();
    const JobEnd end = RunJob(std::move(options), body);
    EXPECT_TRUE(end.Good()) << end.Text();
  }
  void Run(uint32_t ranks, const Body& body) {
    JobOptions options;
    options.ranks = ranks;
    Run(options, body);
  }
};

inline std::string ModeName(const ::testing::TestParamInfo<Mode>& info) {
  return info.param == Mode::kThreads ? "Threads" : "Processes";
}

#define TANDEM_BOTH_MODES(suite)                                                                         \
  INSTANTIATE_TEST_SUITE_P(                                                                              \
      Ranks, suite, ::testing::Values(::tandem::test::Mode::kThreads, ::tandem::test::Mode::kProcesses), \
      ::tandem::test::ModeName)

}  // namespace tandem::test
