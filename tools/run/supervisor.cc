// SPDX-License-Identifier: Apache-2.0
#include "run/supervisor.h"
#include "base/cores.h"

#include <signal.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

#include "run/rank_environment.h"
#include "run/spawn.h"
#include "verb.h"

namespace tandem::tools {
namespace {

using namespace std::chrono_literals;

constexpr auto kDrain = 500ms;     // for whoever still writes when all ranks have ended
constexpr auto kSweepGrace = 2s;   // the most that a process which a rank left behind gets after SIGTERM
constexpr auto kRepeat = 250ms;    // timeout(1) sends SIGTERM twice; within this it means one request
constexpr auto kSweepLook = 20ms;  // between looks for orphans, whose arrival no signal tells

std::string InSeconds(std::chrono::milliseconds time) {
  char text[32];
  std::snprintf(text, sizeof(text), "%g s", static_cast<double>(time.count()) / 1000);
  return text;
}

}  // namespace

Supervisor::Supervisor(const RunOptions& options, Signals& signals, const FileLimit& file_limit)
    : options_(options), signals_(signals), file_limit_(file_limit), output_(options.label) {}

int Supervisor::Run(uint16_t master_port, const std::string& run_directory) {
  if (const std::string remark = TooFewDevices(options_); !remark.empty()) Say(remark);
  StartRanks(master_port, run_directory);
  if (options_.timeout) timeout_ = Clock::now() + *options_.timeout;
  while (phase_ != Phase::kDone) {
    WaitForSomething();
    const Clock::time_point now = Clock::now();
    output_.Handle(polled_, now);
    input_.Handle();
    HandleSignals(now);
    output_.OnTime(now);
    HandleOutputFailure(now);
    Advance(now);
  }
  return exit_code_;
}

void Supervisor::StartRanks(uint16_t master_port, const std::string& run_directory) {
  const std::vector<int> cores = options_.bind_to_cores ? AllowedCores() : std::vector<int>();
  for (int rank = 0; rank < options_.ranks; ++rank) {
    const auto environment = RankEnvironment(options_, rank, master_port, run_directory);
    Spawned spawned = Spawn({.command = options_.command,
                             .environment = environment,
                             .stdin_fd = rank == 0 ? input_.RankZeroFd() : input_.OtherFd(),
                             .core = cores.empty() ? -1 : cores[static_cast<size_t>(rank) % cores.size()],
                             .signals = signals_,
                             .file_limit = file_limit_});
    if (!spawned.problem.empty()) {
      Say(spawned.problem);
      Stop(SIGKILL, spawned.exit_code, Clock::now());
      break;
    }
    ranks_.Add(rank, spawned.pid);
    output_.Add(rank, std::move(spawned.out), std::move(spawned.err));
  }
  input_.Started();
}

void Supervisor::WaitForSomething() {
  polled_.clear();
  polled_.push_back({.fd = signals_.fd(), .events = POLLIN, .revents = 0});
  output_.Watch(polled_);
  input_.Watch(polled_);
  if (poll(polled_.data(), polled_.size(), PollTimeout(Clock::now())) < 0) {
    for (pollfd& entry : polled_) entry.revents = 0;
  }
}

int Supervisor::PollTimeout(Clock::time_point now) const {
  std::optional<Clock::time_point> next = output_.NextDeadline();
  const auto consider = [&next](Clock::time_point time) { next = next ? std::min(*next, time) : time; };
  if (timeout_ && phase_ == Phase::kRunning) consider(*timeout_);
  if (phase_ == Phase::kStopping && !killed_) consider(deadline_);
  if (phase_ == Phase::kDraining || phase_ == Phase::kFinishing) consider(deadline_);
  if (phase_ == Phase::kSweeping) consider(std::min(deadline_, now + kSweepLook));
  // Before the first look: the state may need no event at all to move on.
  if (ranks_.AllEnded() && (phase_ == Phase::kRunning || phase_ == Phase::kStopping)) return 0;
  if (!next) return -1;
  const auto wait = std::chrono::ceil<std::chrono::milliseconds>(*next - now).count();
  return static_cast<int>(std::clamp<decltype(wait)>(wait, 0, 60'000));
}

void Supervisor::HandleSignals(Clock::time_point now) {
  bool child = false;
  while (const int number = signals_.Next()) {
    if (number == SIGCHLD) {
      child = true;
    } else {
      HandleSignal(number, now);
    }
  }
  if (child) HandleEndedRanks(now);
}

void Supervisor::HandleSignal(int number, Clock::time_point now) {
  switch (number) {
    case SIGTSTP:
      return Suspend();
    case SIGQUIT:
    case SIGUSR1:
    case SIGUSR2:
      // The ranks decide what these mean; if they die of them, that is reported as any failure.
      return ranks_.SignalGroups(number);
    default:
      return HandleInterrupt(number, now);
  }
}

void Supervisor::HandleInterrupt(int number, Clock::time_point now) {
  if (number != SIGINT && interrupted_ && now - *interrupted_ < kRepeat) return;
  const bool first = phase_ == Phase::kRunning;
  interrupted_ = now;
  if (first) {
    Say(SignalName(number) + " received; passing it on to all ranks (again: kill them at once)");
    Stop(number, kExitSignalBase + number, now);
    return;
  }
  if (exit_code_ == 0) exit_code_ = kExitSignalBase + number;
  if (phase_ == Phase::kStopping) {
    Say(SignalName(number) + " received again; killing all ranks");
    KillAll();
  } else if (phase_ == Phase::kFlushing) {
    Enter(Phase::kDone, now);  // nobody reads our output, and somebody has lost patience
  } else {
    deadline_ = now;
  }
}

void Supervisor::Suspend() {
  ranks_.SignalGroups(SIGSTOP);
  // By the default action and not by SIGSTOP: where no shell could continue us, the kernel then does nothing.
  sigset_t stop;
  sigemptyset(&stop);
  sigaddset(&stop, SIGTSTP);
  raise(SIGTSTP);
  sigprocmask(SIG_UNBLOCK, &stop, nullptr);
  sigprocmask(SIG_BLOCK, &stop, nullptr);
  ranks_.SignalGroups(SIGCONT);
}

void Supervisor::HandleEndedRanks(Clock::time_point now) {
  std::vector<const RankProcess*> failed = ranks_.Collect();
  std::erase_if(failed, [](const RankProcess* process) { return !process->ending->Failed(); });
  if (failed.empty() || phase_ != Phase::kRunning) return;
  // Of several that ended between two looks, one that was killed is the cause: the others noticed its end.
  std::stable_partition(failed.begin(), failed.end(),
                        [](const RankProcess* process) { return process->ending->by_signal; });
  for (const RankProcess* process : failed) output_.CatchUp(process->rank, now);
  const RankProcess& first = *failed.front();
  Say(Describe(first.rank, first.pid, *first.ending));
  constexpr size_t kMostNamed = 4;
  for (size_t i = 1; i < failed.size() && i <= kMostNamed; ++i) {
    Say("at the same time " + Describe(failed[i]->rank, failed[i]->pid, *failed[i]->ending));
  }
  if (const auto running = ranks_.Running(); !running.empty())
    Say("stopping the other ranks: " + RankList(running));
  Stop(SIGTERM, first.ending->ExitCode(), now);
}

void Supervisor::HandleOutputFailure(Clock::time_point now) {
  const int failure = output_.failure();
  if (failure == 0 || output_failed_) return;
  output_failed_ = true;
  Say(failure == EPIPE ? std::string("nobody reads the output any more; stopping")
                       : std::string("cannot write the output: ") + std::strerror(failure));
  const int exit_code = failure == EPIPE ? kExitSignalBase + SIGPIPE : kExitInternal;
  if (phase_ == Phase::kRunning) Stop(SIGTERM, exit_code, now);
  if (exit_code_ == 0) exit_code_ = exit_code;
}

void Supervisor::Stop(int number, int exit_code, Clock::time_point now) {
  if (exit_code_ == 0) exit_code_ = exit_code;
  Enter(Phase::kStopping, now + options_.grace);
  if (number == SIGKILL) {
    KillAll();
  } else {
    ranks_.SignalGroups(number);
  }
}

void Supervisor::KillAll() {
  killed_ = true;
  ranks_.SignalGroups(SIGKILL);
}

void Supervisor::Enter(Phase phase, Clock::time_point deadline) {
  phase_ = phase;
  deadline_ = deadline;
}

void Supervisor::Advance(Clock::time_point now) {
  if (phase_ == Phase::kRunning && timeout_ && now >= *timeout_) {
    Say("the time of " + InSeconds(*options_.timeout) +
        " is over; still running: " + RankList(ranks_.Running()));
    Stop(SIGTERM, kExitTimedOut, now);
  }
  if (phase_ == Phase::kStopping && !killed_ && now >= deadline_ && !ranks_.AllEnded()) {
    Say("killing what still runs " + InSeconds(options_.grace) + " after it was asked to stop: rank " +
        RankList(ranks_.Running()));
    KillAll();
  }
  if ((phase_ == Phase::kRunning || phase_ == Phase::kStopping) && ranks_.AllEnded()) {
    Enter(Phase::kDraining, now + kDrain);
  }
  if (phase_ == Phase::kDraining) {
    // Output that waits for a slow reader does not count as somebody holding on to a pipe.
    if (exit_code_ == 0 && !output_.Flushed()) deadline_ = now + kDrain;
    if (output_.AllClosed() || now >= deadline_) {
      killed_ = false;
      if (!ranks_.Leftovers().empty()) ranks_.SignalLeftovers(SIGTERM);
      Enter(Phase::kSweeping, now + std::min<std::chrono::milliseconds>(options_.grace, kSweepGrace));
    }
  }
  if (phase_ == Phase::kSweeping) AdvanceSweep(now);
  if (phase_ == Phase::kFinishing && (output_.AllClosed() || now >= deadline_)) {
    output_.CloseAll(now);
    Enter(Phase::kFlushing, now);
  }
  if (phase_ == Phase::kFlushing && output_.Flushed()) Enter(Phase::kDone, now);
}

void Supervisor::AdvanceSweep(Clock::time_point now) {
  const bool clean = ranks_.Leftovers().empty();
  if (!clean && now < deadline_) return;
  if (!clean && !killed_) {
    killed_ = true;
    ranks_.SignalLeftovers(SIGKILL);
    deadline_ = now + kSweepGrace;
    return;
  }
  if (!clean) {
    ranks_.SignalLeftovers(SIGKILL);
    Say("some processes that ranks started could not be killed");
  }
  ranks_.SignalGroups(SIGKILL);
  ranks_.ReapAll();
  Enter(Phase::kFinishing, now + kDrain);
}

}  // namespace tandem::tools
