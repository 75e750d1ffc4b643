// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "run/file_limit.h"
#include "run/input.h"
#include "run/options.h"
#include "run/output.h"
#include "run/rank_table.h"
#include "run/signals.h"

namespace tandem::tools {

// The launcher's one loop. It waits for output, input, signals and deadlines at once, in one thread, and
// never blocks on any one of them. A run passes through the phases in their order; it may skip kStopping.
class Supervisor {
 public:
  Supervisor(const RunOptions& options, Signals& signals, const FileLimit& file_limit);

  // Starts the ranks and stays until nothing of them is left. Returns the exit code.
  int Run(uint16_t master_port, const std::string& run_directory);

 private:
  enum class Phase {
    kRunning,
    kStopping,   // asked to end; at deadline_ they are killed
    kDraining,   // all ranks have ended; somebody else may still hold a pipe, until deadline_
    kSweeping,   // what the ranks left behind was asked to end; at deadline_ it is killed
    kFinishing,  // nobody is left; the pipes come to their end
    kFlushing,   // all is read, not all is written
    kDone,
  };

  void StartRanks(uint16_t master_port, const std::string& run_directory);
  void WaitForSomething();
  int PollTimeout(Clock::time_point now) const;
  void HandleSignals(Clock::time_point now);
  void HandleSignal(int number, Clock::time_point now);
  void HandleInterrupt(int number, Clock::time_point now);
  void Suspend();
  void HandleEndedRanks(Clock::time_point now);
  void HandleOutputFailure(Clock::time_point now);
  void Advance(Clock::time_point now);
  void AdvanceSweep(Clock::time_point now);

  void Say(const std::string& text) { output_.Announce("tandem run: " + text); }
  // Sends `number` to all and starts the grace time; `exit_code` counts only if it is the first reason to
  // stop.
  void Stop(int number, int exit_code, Clock::time_point now);
  void KillAll();
  void Enter(Phase phase, Clock::time_point deadline);

  const RunOptions& options_;
  Signals& signals_;
  const FileLimit& file_limit_;
  Output output_;
  Input input_;
  RankTable ranks_;
  Phase phase_ = Phase::kRunning;
  Clock::time_point deadline_{};  // of phase_
  std::optional<Clock::time_point> timeout_;
  std::optional<Clock::time_point> interrupted_;
  bool killed_ = false;
  bool output_failed_ = false;
  int exit_code_ = 0;
  std::vector<pollfd> polled_;
};

}  // namespace tandem::tools
