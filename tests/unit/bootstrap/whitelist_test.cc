// SPDX-License-Identifier: Apache-2.0
#include "comm/bootstrap/whitelist.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "unit/bootstrap/worker.h"

namespace tandem::bootstrap::test {
namespace {

constexpr auto kShort = std::chrono::milliseconds(1'000);

class WhitelistTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = std::filesystem::temp_directory_path() / "tandem-whitelist-XXXXXX";
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override {
    unsetenv("HCCL_WHITELIST_DISABLE");
    unsetenv("HCCL_WHITELIST_FILE");
    std::filesystem::remove_all(folder_);
  }

  std::string Write(const std::string& text) {
    const std::string path = folder_ + "/list";
    std::ofstream(path) << text;
    return path;
  }

  // A process whose roots have this list; processes started later have none.
  std::unique_ptr<Worker> Guarded(const std::string& text) {
    setenv("HCCL_WHITELIST_DISABLE", "0", 1);
    setenv("HCCL_WHITELIST_FILE", Write(text).c_str(), 1);
    auto worker = std::make_unique<Worker>();
    unsetenv("HCCL_WHITELIST_DISABLE");
    unsetenv("HCCL_WHITELIST_FILE");
    return worker;
  }

  std::string folder_;
};

TEST_F(WhitelistTest, AddressesAreSpelledAsTheSystemDoes) {
  const auto list =
      ReadWhitelist(Write(R"({"host_ip": ["10.1.2.3", "::1", "FE80:0:0::0:1"], "device_ip": [7]})"));
  ASSERT_TRUE(list) << list.status().text();
  EXPECT_EQ(*list, (std::vector<std::string>{"10.1.2.3", "::1", "fe80::1"}));
}

TEST_F(WhitelistTest, WhatIsNoListIsRefused) {
  for (const char* text :
       {"", "[", R"({"host_ip": []})", R"({"host_ip": ["1.2.3"]})", R"({"host_ip": [null]})",
        R"({"device_ip": ["1.2.3.4"]})", "{\"host_ip\": [\"\xff\"]}"}) {
    const auto list = ReadWhitelist(Write(text));
    ASSERT_FALSE(list) << text;
    EXPECT_EQ(list.status().id(), "EI0001");
    EXPECT_EQ(list.status().code(), Code::kInvalidArgument);
  }
  EXPECT_FALSE(ReadWhitelist(folder_));
  EXPECT_FALSE(ReadWhitelist(folder_ + "/missing"));
  EXPECT_FALSE(ReadWhitelist(""));
}

TEST_F(WhitelistTest, WhoIsListedJoins) {
  const auto root = Guarded(R"({"host_ip": ["127.0.0.1"]})");
  Worker other;
  const auto info = root->StartRoot();
  other.Join(info, 1, 1, 2, kLong);
  root->Join(info, 0, 1, 2, kLong);
  EXPECT_EQ(root->Line().rfind("joined ", 0), 0U);
  EXPECT_EQ(other.Line().rfind("joined ", 0), 0U);
}

TEST_F(WhitelistTest, WhoIsNotListedIsKeptOut) {
  const auto root = Guarded(R"({"host_ip": ["10.1.2.3"]})");
  Worker other;
  const auto info = root->StartRoot();
  other.Join(info, 1, 1, 2, kShort);
  const std::string line = other.Line();
  EXPECT_EQ(line.rfind("failed 1 ", 0), 0U) << line;
  EXPECT_NE(line.find("EI0015"), std::string::npos) << line;
}

}  // namespace
}  // namespace tandem::bootstrap::test
