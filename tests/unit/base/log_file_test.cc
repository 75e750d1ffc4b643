// SPDX-License-Identifier: Apache-2.0
#include "base/log_file.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

namespace tandem {
namespace {

class LogFileTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = std::filesystem::temp_directory_path() / "tandem-log-XXXXXX";
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::vector<std::string> Files() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder_ + "/log/debug/plog")) {
      names.push_back(entry.path());
    }
    std::sort(names.begin(), names.end());
    return names;
  }
  static std::string Content(const std::string& path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  std::string folder_;
};

// Runs `body` in a child and returns how that ended, as waitpid tells it.
template <typename Body>
int InChild(Body body) {
  const pid_t pid = fork();
  if (pid == 0) _exit(body());
  int status = -1;
  waitpid(pid, &status, 0);
  return status;
}

TEST_F(LogFileTest, FoldersAreMadeAndLinesAdded) {
  LogFile file(folder_ + "/log", 10);
  EXPECT_EQ(file.Write("one"), 0);
  EXPECT_EQ(file.Write("two"), 0);
  ASSERT_EQ(Files().size(), 1U);
  const std::string name = std::filesystem::path(Files()[0]).filename();
  EXPECT_EQ(name.rfind("plog-" + std::to_string(getpid()) + "_", 0), 0U) << name;
  EXPECT_EQ(Content(Files()[0]), "one\ntwo\n");
  EXPECT_EQ(file.path(), Files()[0]);
}

TEST_F(LogFileTest, AFullFileIsFollowedByAnotherAndTheOldestGoes) {
  LogFile file(folder_ + "/log", 2, 8);
  for (const char* line : {"first-1", "second2", "third-3"}) EXPECT_EQ(file.Write(line), 0);
  const auto files = Files();
  ASSERT_EQ(files.size(), 2U);
  const std::string both = Content(files[0]) + Content(files[1]);
  EXPECT_EQ(both.find("first-1"), std::string::npos) << both;
  EXPECT_NE(both.find("second2"), std::string::npos) << both;
  EXPECT_NE(both.find("third-3"), std::string::npos) << both;
}

TEST_F(LogFileTest, AFolderThatCannotBeIsAnError) {
  std::ofstream(folder_ + "/log") << "a file";
  LogFile file(folder_ + "/log", 10);
  EXPECT_EQ(file.Write("one"), ENOTDIR);
  std::filesystem::remove(folder_ + "/log");
  EXPECT_EQ(file.Write("two"), 0) << "it is tried again";
  EXPECT_EQ(Content(Files()[0]), "two\n");
}

TEST_F(LogFileTest, AChildWritesItsOwnFile) {
  LogFile file(folder_ + "/log", 1);
  EXPECT_EQ(file.Write("parent"), 0);
  EXPECT_EQ(InChild([&] { return file.Write("child") == 0 ? 0 : 1; }), 0);
  EXPECT_EQ(file.Write("parent"), 0);
  ASSERT_EQ(Files().size(), 2U) << "and leaves the parent's where it is";
  const std::string own = Content(file.path());
  EXPECT_EQ(own, "parent\nparent\n");
}

TEST_F(LogFileTest, ALimitForTheSizeOfFilesDoesNotEndTheProcess) {
  LogFile file(folder_ + "/log", 1);
  const int status = InChild([&] {
    const rlimit limit{10, 10};
    if (setrlimit(RLIMIT_FSIZE, &limit) != 0) return 1;
    if (file.Write("12345678") != 0) return 2;
    if (file.Write("12345678") == 0) return 3;  // one byte fits
    if (file.Write("12345678") != EFBIG) return 4;
    // The signal that the write above caused is gone, too.
    sigset_t pending;
    sigpending(&pending);
    return sigismember(&pending, SIGXFSZ);
  });
  EXPECT_TRUE(WIFEXITED(status)) << status;
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

TEST_F(LogFileTest, ATornLineDoesNotSpoilTheNext) {
  LogFile file(folder_ + "/log", 1);
  const int status = InChild([&] {
    rlimit limit{4, RLIM_INFINITY};
    if (setrlimit(RLIMIT_FSIZE, &limit) != 0) return 1;
    if (file.Write("abcdefgh") == 0) return 2;
    limit.rlim_cur = RLIM_INFINITY;
    if (setrlimit(RLIMIT_FSIZE, &limit) != 0) return 3;
    if (file.Write("next") != 0) return 4;
    return Content(file.path()) == "abcd\nnext\n" ? 0 : 5;
  });
  EXPECT_TRUE(WIFEXITED(status)) << status;
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

}  // namespace
}  // namespace tandem
