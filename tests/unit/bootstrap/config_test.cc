// SPDX-License-Identifier: Apache-2.0
#include "base/config.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <set>

#include "base/config_parse.h"

namespace tandem {
namespace {

using namespace std::chrono_literals;

class ConfigTest : public testing::Test {
 protected:
  void SetUp() override {
    for (const Setting& setting : Settings()) unsetenv(setting.name);
    config::ReadAgainForTest();
  }
  void TearDown() override { SetUp(); }
  static void Set(const char* name, const char* value) {
    setenv(name, value, 1);
    config::ReadAgainForTest();
  }
};

TEST_F(ConfigTest, DefaultsAreThoseOfTheSpecification) {
  EXPECT_EQ(*config::ConnectTimeout(), 120s);
  EXPECT_EQ(*config::RootExchangeTimeout(), 140s);
  EXPECT_EQ(**config::ExecTimeout(), 1836s);
  EXPECT_EQ(*config::BasePort(), 60000);
  EXPECT_EQ(*config::BufferMebibytes(), 200U);
  EXPECT_EQ(*config::DeviceCount(), 8U);
  EXPECT_FALSE(config::HostPorts()->has_value());
  EXPECT_TRUE(config::CheckCommunicatorSettings().ok());
}

TEST_F(ConfigTest, NotesComeAfterFiveSecondsUnlessSet) {
  EXPECT_EQ(**config::NoteAfter(), 5s);
  Set("TANDEM_NOTE_AFTER_MS", "20");
  EXPECT_EQ(**config::NoteAfter(), 20ms);
  Set("TANDEM_NOTE_AFTER_MS", "0");
  EXPECT_FALSE(config::NoteAfter()->has_value());
  Set("TANDEM_NOTE_AFTER_MS", "1.5");
  EXPECT_FALSE(config::NoteAfter());
}

TEST_F(ConfigTest, EveryDefaultIsWithinItsOwnRange) {
  std::set<std::string> names;
  for (const Setting& setting : Settings()) {
    EXPECT_TRUE(names.insert(setting.name).second) << setting.name;
    const SettingValue value = EffectiveValue(setting);
    EXPECT_TRUE(value.valid.ok()) << value.valid.text();
    EXPECT_FALSE(value.from_environment);
    EXPECT_NE(std::string(setting.help), "");
  }
}

TEST_F(ConfigTest, NumbersAreDigitsOnly) {
  for (const char* bad :
       {"119", "7201", "abc", "+120", "-120", "120 ", " 120", "120.0", "0x78", "00000000120"}) {
    Set("HCCL_CONNECT_TIMEOUT", bad);
    const auto value = config::ConnectTimeout();
    ASSERT_FALSE(value) << bad;
    EXPECT_EQ(value.status().code(), Code::kInvalidArgument);
    EXPECT_EQ(value.status().id(), "EI0001");
    const std::string expected = "HCCL_CONNECT_TIMEOUT=\"" + std::string(bad) +
                                 "\" is not valid; expected a whole number of seconds from 120 to 7200";
    EXPECT_EQ(value.status().text(), expected);
    EXPECT_FALSE(config::CheckCommunicatorSettings().ok());
  }
  for (const char* good : {"120", "7200", "0000000120"}) {
    Set("HCCL_CONNECT_TIMEOUT", good);
    EXPECT_TRUE(config::ConnectTimeout()) << good;
  }
}

TEST_F(ConfigTest, EmptyCountsAsUnset) {
  Set("HCCL_CONNECT_TIMEOUT", "");
  EXPECT_EQ(*config::ConnectTimeout(), 120s);
}

TEST_F(ConfigTest, OwnTimeoutGoesFirstAndMayBeAFraction) {
  Set("HCCL_CONNECT_TIMEOUT", "200");
  EXPECT_EQ(*config::RootExchangeTimeout(), 220s);
  Set("TANDEM_CONNECT_TIMEOUT", "0.25");
  EXPECT_EQ(*config::ConnectTimeout(), 250ms);
  EXPECT_EQ(*config::RootExchangeTimeout(), 250ms);
  for (const char* bad : {"0", "0.0", ".5", "5.", "1e3", "-1", "1.0000000001"}) {
    Set("TANDEM_CONNECT_TIMEOUT", bad);
    EXPECT_FALSE(config::ConnectTimeout()) << bad;
  }
}

TEST_F(ConfigTest, ExecTimeoutHasTwoDecimalsAndZeroMeansNever) {
  Set("HCCL_EXEC_TIMEOUT", "2.55");
  EXPECT_EQ(**config::ExecTimeout(), 2550ms);
  Set("HCCL_EXEC_TIMEOUT", "2147483647");
  EXPECT_TRUE(config::ExecTimeout());
  Set("HCCL_EXEC_TIMEOUT", "0");
  EXPECT_FALSE(config::ExecTimeout()->has_value());
  for (const char* bad : {"2.555", "2147483648", "2147483647.5", "-1"}) {
    Set("HCCL_EXEC_TIMEOUT", bad);
    EXPECT_FALSE(config::ExecTimeout()) << bad;
  }
  Set("HCCL_EXEC_TIMEOUT", "100");
  Set("TANDEM_EXEC_TIMEOUT", "0.001");
  EXPECT_EQ(**config::ExecTimeout(), 1ms);
}

TEST_F(ConfigTest, PortSettings) {
  for (const char* bad : {"80", "65521", "abc", "1023"}) {
    Set("HCCL_IF_BASE_PORT", bad);
    EXPECT_FALSE(config::BasePort()) << bad;
  }
  Set("HCCL_IF_BASE_PORT", "65520");
  EXPECT_EQ(*config::BasePort(), 65520);
  for (const char* bad : {"0", "65536", "5-4", "1-2-3", "7,", ",7", "7-8,8", "AUTO", "7 "}) {
    EXPECT_FALSE(config::ParsePortRanges(bad)) << bad;
  }
  const auto ranges = config::ParsePortRanges("60000-60002,7");
  ASSERT_TRUE(ranges);
  EXPECT_EQ(ranges->ranges.size(), 2U);
  EXPECT_TRUE(config::ParsePortRanges("auto")->any);
}

TEST_F(ConfigTest, DeviceMemoryTakesSuffixes) {
  Set("TANDEM_DEVICE_MEMORY", "2G");
  EXPECT_EQ(*config::DeviceMemoryBytes(), uint64_t{2} << 30);
  Set("TANDEM_DEVICE_MEMORY", "123");
  EXPECT_EQ(*config::DeviceMemoryBytes(), 123U);
  for (const char* bad : {"0", "G", "1g", "1.5G", "99999999999999T"}) {
    EXPECT_FALSE(config::ParseBytes(bad)) << bad;
  }
}

TEST_F(ConfigTest, BatchRules) {
  EXPECT_EQ(*config::BatchDuplicatesRule(), BatchDuplicates::kReject);
  Set("TANDEM_BATCH_DUPLICATES", "sorted");
  EXPECT_EQ(*config::BatchDuplicatesRule(), BatchDuplicates::kSorted);
  Set("TANDEM_BATCH_DUPLICATES", "maybe");
  EXPECT_FALSE(config::BatchDuplicatesRule());
  Set("TANDEM_BATCH_SCHEDULE", "hccl");
  EXPECT_EQ(config::CheckBatchSchedule().code(), Code::kNotSupported);
  Set("TANDEM_BATCH_SCHEDULE", "free");
  EXPECT_TRUE(config::CheckBatchSchedule().ok());
}

TEST_F(ConfigTest, VariablesAreReadOnce) {
  EXPECT_EQ(*config::DeviceCount(), 8U);
  setenv("TANDEM_DEVICES", "16", 1);
  EXPECT_EQ(*config::DeviceCount(), 8U);
  config::ReadAgainForTest();
  EXPECT_EQ(*config::DeviceCount(), 16U);
}

TEST_F(ConfigTest, ValueAndSourceAreShown) {
  Set("TANDEM_DEVICES", "17");
  for (const Setting& setting : Settings()) {
    const SettingValue value = EffectiveValue(setting);
    EXPECT_EQ(value.from_environment, std::string(setting.name) == "TANDEM_DEVICES");
    EXPECT_EQ(value.text == "17", value.from_environment) << setting.name;
  }
}

}  // namespace
}  // namespace tandem
