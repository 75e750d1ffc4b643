// SPDX-License-Identifier: Apache-2.0
#include "unit/bootstrap/worker.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstring>
#include <iostream>
#include <mutex>
#include <optional>
#include <sstream>
#include <thread>

#include "comm/bootstrap/keys.h"
#include "unit/bootstrap/ranks.h"

namespace tandem::bootstrap::test {
namespace {

constexpr const char* kMark = "@ ";

void Say(const std::string& line) {
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  std::cout << kMark << line << std::endl;
}

std::string HexOf(const RootInfoBytes& info) {
  return ToHex(reinterpret_cast<const uint8_t*>(info.data()), info.size());
}

RootInfoBytes InfoOf(const std::string& hex) {
  RootInfoBytes info{};
  EXPECT_TRUE(FromHex(hex, reinterpret_cast<uint8_t*>(info.data()), info.size()));
  return info;
}

// What runs inside the worker.
class Commands {
 public:
  void Run(const std::string& line) {
    std::istringstream words(line);
    std::string verb;
    words >> verb;
    if (verb == "root") Say("root " + HexOf(*bootstrap::StartRoot(0)));
    if (verb == "join") Join(words);
    if (verb == "child") StartChild();
    if (verb == "leave") {
      memberships_.clear();
      Say("left");
    }
  }

 private:
  void Join(std::istringstream& words) {
    std::string hex;
    uint32_t first = 0;
    uint32_t local = 0;
    uint32_t count = 0;
    int64_t wait_ms = 0;
    words >> hex >> first >> local >> count >> wait_ms;
    std::vector<Rank> ranks;
    for (uint32_t i = 0; i < local; ++i) ranks.push_back({Record(first + i), count, false});
    auto joined = JoinAll(InfoOf(hex), ranks, Clock::now() + std::chrono::milliseconds(wait_ms));
    for (uint32_t i = 0; i < local; ++i) Report(first + i, std::move(joined[i]));
  }

  void Report(uint32_t rank, Joined joined) {
    const std::string by = std::to_string(rank);
    if (!joined) {
      const Status& status = joined.status();
      return Say("failed " + by + " " + std::to_string(static_cast<int>(status.code())) + " " +
                 std::string(status.id()) + " " + std::string(status.text()));
    }
    Say("joined " + by + " " + (*joined)->table().name);
    (*joined)->SetLossHandler([by](const RankLoss& loss) {
      Say("lost " + by + " " + std::to_string(loss.rank) + " " + (loss.left ? "1 " : "0 ") + loss.cause);
    });
    memberships_.push_back(std::move(*joined));
  }

  static void StartChild() {
    const char* arguments[] = {"sleep", "3600", nullptr};
    pid_t pid = -1;
    const int error = posix_spawnp(&pid, "sleep", nullptr, nullptr, const_cast<char**>(arguments), environ);
    Say("child " + std::to_string(error == 0 ? pid : -1));
  }

  std::vector<std::unique_ptr<Membership>> memberships_;
};

// Not a test of its own: the body of a worker, chosen by name on its command line.
TEST(DISABLED_BootstrapWorker, Run) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  const Environment environment;
  Commands commands;
  std::string line;
  while (std::getline(std::cin, line)) commands.Run(line);
}

}  // namespace

Worker::Worker() {
  int to[2];
  int from[2];
  EXPECT_EQ(pipe2(to, O_CLOEXEC), 0);
  EXPECT_EQ(pipe2(from, O_CLOEXEC), 0);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, to[0], STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, from[1], STDOUT_FILENO);
  const char* arguments[] = {"bootstrap-worker", "--gtest_filter=DISABLED_BootstrapWorker.Run",
                             "--gtest_also_run_disabled_tests", nullptr};
  EXPECT_EQ(posix_spawn(&pid_, "/proc/self/exe", &actions, nullptr, const_cast<char**>(arguments), environ),
            0);
  posix_spawn_file_actions_destroy(&actions);
  close(to[0]);
  close(from[1]);
  to_ = fdopen(to[1], "w");
  from_ = fdopen(from[0], "r");
}

Worker::~Worker() {
  fclose(to_);  // the worker's end of input: it leaves and ends
  while (!Line().empty()) continue;
  fclose(from_);
  if (pid_ > 0) waitpid(pid_, nullptr, 0);
}

void Worker::Tell(const std::string& line) {
  fputs((line + "\n").c_str(), to_);
  fflush(to_);
}

std::string Worker::Line() {
  char* text = nullptr;
  size_t capacity = 0;
  std::string found;
  while (found.empty() && getline(&text, &capacity, from_) > 0) {
    if (std::strncmp(text, kMark, std::strlen(kMark)) == 0) found = text + std::strlen(kMark);
  }
  free(text);
  if (!found.empty() && found.back() == '\n') found.pop_back();
  return found;
}

RootInfoBytes Worker::StartRoot() {
  Tell("root");
  const std::string line = Line();
  EXPECT_EQ(line.rfind("root ", 0), 0U) << line;
  return InfoOf(line.substr(5));
}

void Worker::Join(const RootInfoBytes& info, uint32_t first, uint32_t local, uint32_t count,
                  std::chrono::milliseconds wait) {
  Tell("join " + HexOf(info) + " " + std::to_string(first) + " " + std::to_string(local) + " " +
       std::to_string(count) + " " + std::to_string(wait.count()));
}

void Worker::Kill(int signal) {
  kill(pid_, signal);
  waitpid(pid_, nullptr, 0);
  pid_ = -1;
}

}  // namespace tandem::bootstrap::test
