// SPDX-License-Identifier: Apache-2.0
#include "base/log.h"

#include <gtest/gtest.h>

#include <regex>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "base/log_repeats.h"

namespace tandem {
namespace {

using namespace std::chrono_literals;

std::vector<std::string> LinesOf(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

TEST(LogTest, ALineHasTheLayoutOfCannsLog) {
  testing::internal::CaptureStderr();
  TANDEM_LOG(kWarn, "peer %d\nis silent", 7);
  const std::string text = testing::internal::GetCapturedStderr();
  const std::regex layout(R"(\[WARNING\] TANDEM\(\d+,[^)]+\):\d{4}-\d\d-\d\d-\d\d:\d\d:\d\d\.\d{3}\.\d{3} )"
                          R"(\[base/log_test\.cc:\d+\] peer 7 is silent\n)");
  EXPECT_TRUE(std::regex_match(text, layout)) << text;
}

TEST(LogTest, EqualLinesOfAllThreadsAreWrittenOnce) {
  testing::internal::CaptureStderr();
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([] {
      for (int k = 0; k < 200; ++k) TANDEM_LOG(kError, "the same flood");
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (int k = 0; k < 10; ++k) TANDEM_LOG(kError, "line %d of ten", k);
  EXPECT_EQ(LinesOf(testing::internal::GetCapturedStderr()).size(), 11U);
}

TEST(LogTest, LevelsBelowTheThresholdCostNothing) {
  ASSERT_FALSE(LogEnabled(LogLevel::kInfo)) << "the default is warnings and errors";
  bool evaluated = false;
  const auto touch = [&evaluated] {
    evaluated = true;
    return 0;
  };
  testing::internal::CaptureStderr();
  TANDEM_LOG(kInfo, "%d", touch());
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  EXPECT_FALSE(evaluated);
}

TEST(LogRepeatsTest, ALineComesAgainWithTheNumberLeftOut) {
  LogRepeats repeats;
  const LogRepeats::Time start{};
  EXPECT_EQ(repeats.Admit(1, start), 0U);
  EXPECT_FALSE(repeats.Admit(1, start));
  EXPECT_FALSE(repeats.Admit(1, start + LogRepeats::kQuiet - 1ns));
  EXPECT_EQ(repeats.Admit(2, start), 0U) << "another line";
  EXPECT_EQ(repeats.Admit(1, start + LogRepeats::kQuiet), 2U);
  EXPECT_FALSE(repeats.Admit(1, start + LogRepeats::kQuiet + 1ns));
}

TEST(LogRepeatsTest, OnlyTheLastLinesAreRemembered) {
  LogRepeats repeats;
  const LogRepeats::Time start{};
  for (size_t line = 0; line <= LogRepeats::kRemembered; ++line) {
    EXPECT_EQ(repeats.Admit(line, start + std::chrono::nanoseconds(line)), 0U);
  }
  EXPECT_FALSE(repeats.Admit(LogRepeats::kRemembered, start + 1ms));
  EXPECT_EQ(repeats.Admit(0, start + 1ms), 0U) << "the oldest made room";
}

}  // namespace
}  // namespace tandem
