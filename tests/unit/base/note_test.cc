// SPDX-License-Identifier: Apache-2.0
#include "base/note.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <string>
#include <utility>

namespace tandem {
namespace {

using namespace std::chrono_literals;

TEST(NoteClock, FallingRate) {
  NoteClock clock;
  EXPECT_EQ(clock.next(), kNever);
  const Deadline begin = Clock::now();
  EXPECT_FALSE(clock.IsDue(begin + 30s));
  clock.Start(begin, 5s);
  EXPECT_EQ(clock.next(), begin + 5s);
  EXPECT_FALSE(clock.IsDue(begin + 4999ms));
  EXPECT_TRUE(clock.IsDue(begin + 5s));
  EXPECT_EQ(clock.next(), begin + 10s);
  EXPECT_FALSE(clock.IsDue(begin + 9s));
  // A late look does not bring the notes that it missed.
  EXPECT_TRUE(clock.IsDue(begin + 30s));
  EXPECT_EQ(clock.next(), begin + 60s);
  EXPECT_EQ(clock.Seconds(begin + 30s), 30);
}

// With a pipe in place of the standard error.
class NoteTest : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(pipe2(ends_, O_CLOEXEC), 0);
    saved_ = dup(STDERR_FILENO);
    ASSERT_GE(saved_, 0);
    ASSERT_EQ(dup2(ends_[1], STDERR_FILENO), STDERR_FILENO);
  }
  void TearDown() override {
    dup2(saved_, STDERR_FILENO);
    for (const int fd : {saved_, ends_[0], ends_[1]}) {
      if (fd >= 0) close(fd);
    }
  }
  int ends_[2] = {-1, -1};
  int saved_ = -1;
};

TEST_F(NoteTest, IsOneLineInOneWrite) {
  // Each write to such a pipe is read by itself.
  int packets[2];
  ASSERT_EQ(pipe2(packets, O_CLOEXEC | O_DIRECT), 0);
  ASSERT_EQ(dup2(packets[1], STDERR_FILENO), STDERR_FILENO);
  WriteNote("rank 1 waits\nfor rank 0");
  char bytes[1024];
  const ssize_t got = read(packets[0], bytes, sizeof(bytes));
  ASSERT_GT(got, 0);
  const std::string line(bytes, static_cast<size_t>(got));
  EXPECT_EQ(line.rfind("[NOTE] TANDEM(" + std::to_string(getpid()) + ",", 0), 0U) << line;
  EXPECT_NE(line.find(" rank 1 waits for rank 0\n"), std::string::npos) << line;
  close(packets[0]);
  close(packets[1]);
}

TEST_F(NoteTest, NobodyWhoReadsIsNoReasonToEnd) {
  close(std::exchange(ends_[0], -1));
  struct sigaction before {};
  struct sigaction fatal {};
  fatal.sa_handler = SIG_DFL;
  ASSERT_EQ(sigaction(SIGPIPE, &fatal, &before), 0);
  WriteNote("nobody reads this");
  sigset_t pending;
  ASSERT_EQ(sigpending(&pending), 0);
  EXPECT_EQ(sigismember(&pending, SIGPIPE), 0);
  ASSERT_EQ(sigaction(SIGPIPE, &before, nullptr), 0);
}

TEST_F(NoteTest, FullPipeIsNotWaitedFor) {
  ASSERT_EQ(fcntl(ends_[1], F_SETFL, O_NONBLOCK), 0);
  const std::string page(4096, 'x');
  while (write(ends_[1], page.data(), page.size()) > 0) {
  }
  ASSERT_EQ(fcntl(ends_[1], F_SETFL, 0), 0);
  WriteNote("no room for this");  // the test's time limit is what fails it
}

}  // namespace
}  // namespace tandem
