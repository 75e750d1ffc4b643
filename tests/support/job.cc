// SPDX-License-Identifier: Apache-2.0
#include "support/job.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <thread>
#include <utility>

namespace tandem::test {
namespace {

using std::chrono::duration_cast;
using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr int kFailed = 9;

// A rank that failed must not leave the others waiting: the process ends at once.
[[noreturn]] void EndFailed(const std::string& why) {
  std::fprintf(stderr, "FAILED: %s\n", why.c_str());
  std::fflush(nullptr);
  _exit(kFailed);
}

void RunRank(Rank& rank, const Body& body, bool open) {
  try {
    if (open) rank.Open();
    body(rank);
    if (open) rank.Close();
  } catch (const std::exception& failure) {
    EndFailed(failure.what());
  }
}

}  // namespace

bool JobEnd::Good() const {
  return !timed_out && std::all_of(processes.begin(), processes.end(),
                                   [](const ProcessEnd& end) { return end.exit_code == 0; });
}

std::string JobEnd::Text() const {
  std::string all = timed_out ? "the job did not end in time\n" : "";
  for (size_t i = 0; i < processes.size(); ++i) {
    const ProcessEnd& end = processes[i];
    if (end.exit_code == 0 && end.text.empty()) continue;
    all += "process " + std::to_string(i) + ": ";
    all += end.signal != 0 ? "signal " + std::to_string(end.signal)
                           : "exit code " + std::to_string(end.exit_code);
    all += "\n" + end.text + "\n";
  }
  return all;
}

Job::Job(JobOptions options, const Body& body)
    : options_(std::move(options)),
      deadline_(steady_clock::now() + options_.deadline),
      board_(Board::Create()) {
  uint32_t together = options_.ranks_per_process;
  if (together == 0) together = options_.mode == Mode::kProcesses ? 1 : options_.ranks;
  std::fflush(nullptr);
  for (uint32_t i = 0; i < options_.ranks; i += together)
    Start(body, i, std::min(together, options_.ranks - i));
}

Job::~Job() {
  for (Process& process : processes_) {
    if (!process.reaped) {
      kill(process.pid, SIGKILL);
      waitpid(process.pid, nullptr, 0);
    }
    if (process.output >= 0) close(process.output);
  }
}

void Job::Start(const Body& body, uint32_t first, uint32_t count) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error("no pipe for a rank");
  const pid_t parent = getpid();
  const pid_t pid = fork();
  if (pid < 0) throw std::runtime_error("no process for a rank");
  if (pid == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(kFailed);
    dup2(ends[1], STDERR_FILENO);
    dup2(ends[1], STDOUT_FILENO);
    // The rank sees the descriptors of an ordinary program, not the test's pipes to its siblings.
    for (const Process& sibling : processes_) close(sibling.output);
    close(ends[0]);
    close(ends[1]);
    RunChild(body, first, count);
  }
  close(ends[1]);
  board_->pids[first].store(pid);
  processes_.push_back({pid, ends[0]});
}

void Job::RunChild(const Body& body, uint32_t first, uint32_t count) {
  setenv("HCCL_IF_IP", "127.0.0.1", 1);
  setenv("TANDEM_CONNECT_TIMEOUT", "60", 1);
  // A machine that is busy for some seconds is no news; tests of notes ask for them sooner.
  setenv("TANDEM_NOTE_AFTER_MS", "30000", 1);
  setenv("TANDEM_DEVICES", std::to_string(std::max(8U, options_.ranks)).c_str(), 1);
  for (const auto& [name, value] : options_.environment) setenv(name.c_str(), value.c_str(), 1);
  if (options_.prepare) options_.prepare();
  if (count == 1) {
    Rank rank(*board_, first, options_.ranks, true);
    RunRank(rank, body, options_.open);
  } else {
    std::vector<std::thread> threads;
    for (uint32_t i = 0; i < count; ++i) {
      threads.emplace_back([this, &body, i, first] {
        Rank rank(*board_, first + i, options_.ranks, false);
        RunRank(rank, body, options_.open);
      });
    }
    for (std::thread& thread : threads) thread.join();
  }
  std::exit(0);
}

void Job::Kill(size_t process, int signal) { kill(processes_[process].pid, signal); }

// False: nobody can write any more.
bool Job::ReadOutput(int timeout_ms) {
  std::vector<pollfd> polled;
  std::vector<Process*> owners;
  for (Process& process : processes_) {
    if (process.output < 0) continue;
    polled.push_back({process.output, POLLIN, 0});
    owners.push_back(&process);
  }
  if (polled.empty()) return false;
  if (poll(polled.data(), polled.size(), timeout_ms) <= 0) return true;
  for (size_t i = 0; i < polled.size(); ++i) {
    if (polled[i].revents == 0) continue;
    char bytes[4096];
    const ssize_t got = read(polled[i].fd, bytes, sizeof(bytes));
    if (got > 0) {
      owners[i]->text.append(bytes, static_cast<size_t>(got));
    } else {
      close(std::exchange(owners[i]->output, -1));
    }
  }
  return true;
}

bool Job::AwaitText(size_t process, const std::string& text, size_t times) {
  const auto found = [&] {
    size_t count = 0;
    const std::string& all = processes_[process].text;
    for (size_t at = all.find(text); at != std::string::npos; at = all.find(text, at + 1)) ++count;
    return count;
  };
  while (found() < times) {
    const auto left = duration_cast<milliseconds>(deadline_ - steady_clock::now()).count();
    if (left <= 0 || processes_[process].output < 0 || !ReadOutput(static_cast<int>(left))) return false;
  }
  return true;
}

JobEnd Job::Wait() {
  JobEnd end;
  bool open = true;
  while (open) {
    const auto left = duration_cast<milliseconds>(deadline_ - steady_clock::now()).count();
    if (left <= 0 && !end.timed_out) {
      end.timed_out = true;
      for (const Process& process : processes_) kill(process.pid, SIGKILL);
    }
    open = ReadOutput(end.timed_out ? 1000 : static_cast<int>(std::max<int64_t>(left, 0)));
  }
  for (Process& process : processes_) {
    int status = 0;
    waitpid(process.pid, &status, 0);
    process.reaped = true;
    ProcessEnd one{process.pid, -1, 0, std::move(process.text)};
    if (WIFEXITED(status)) one.exit_code = WEXITSTATUS(status);
    if (WIFSIGNALED(status)) one.signal = WTERMSIG(status);
    end.processes.push_back(std::move(one));
  }
  return end;
}

}  // namespace tandem::test
