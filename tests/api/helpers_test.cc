// SPDX-License-Identifier: Apache-2.0
// Data types, half precision, data buffers, versions.
#include <acl/acl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <array>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <string>

#include "api/runtime_fixture.h"

namespace tandem::test {
namespace {

TEST(HelpersTest, SizesOfDataTypes) {
  struct Case {
    aclDataType type;
    size_t bytes;
  };
  const Case cases[] = {{ACL_DT_UNDEFINED, 0}, {ACL_STRING, 0},      {ACL_INT8, 1},
                        {ACL_BOOL, 1},         {ACL_INT4, 1},        {ACL_UINT1, 1},
                        {ACL_FLOAT8_E8M0, 1},  {ACL_HIFLOAT8, 1},    {ACL_FLOAT16, 2},
                        {ACL_BF16, 2},         {ACL_UINT16, 2},      {ACL_FLOAT, 4},
                        {ACL_INT32, 4},        {ACL_COMPLEX32, 4},   {ACL_DOUBLE, 8},
                        {ACL_COMPLEX64, 8},    {ACL_COMPLEX128, 16}, {AnyValue<aclDataType>(39), 1}};
  for (const Case& c : cases) EXPECT_EQ(aclDataTypeSize(c.type), c.bytes) << c.type;
}

TEST(HelpersTest, EveryHalfSurvivesTheWayThroughFloat) {
  for (uint32_t half = 0; half <= 0xFFFF; ++half) {
    const float value = aclFloat16ToFloat(static_cast<aclFloat16>(half));
    const aclFloat16 back = aclFloatToFloat16(value);
    if (std::isnan(value)) {
      EXPECT_EQ(back & 0x7E00, 0x7E00);
    } else {
      EXPECT_EQ(back, half);
    }
  }
}

TEST(HelpersTest, FloatsAreRoundedToTheNearestHalf) {
  EXPECT_EQ(aclFloatToFloat16(1.625F), 0x3E80);
  EXPECT_EQ(aclFloatToFloat16(65504.0F), 0x7BFF);
  EXPECT_EQ(aclFloatToFloat16(65519.9F), 0x7BFF);
  EXPECT_EQ(aclFloatToFloat16(65520.0F), 0x7C00) << "rounds up to infinity";
  EXPECT_EQ(aclFloatToFloat16(std::numeric_limits<float>::infinity()), 0x7C00);
  EXPECT_EQ(aclFloatToFloat16(-0.0F), 0x8000);
  EXPECT_EQ(aclFloatToFloat16(1.0F + 0x1p-11F), 0x3C00) << "a tie goes to the even neighbour";
  EXPECT_EQ(aclFloatToFloat16(1.0F + 3 * 0x1p-11F), 0x3C02);
  EXPECT_EQ(aclFloatToFloat16(0x1p-24F), 0x0001);
  EXPECT_EQ(aclFloatToFloat16(0x1p-25F), 0x0000) << "a tie goes to zero";
  EXPECT_EQ(aclFloatToFloat16(0x1.8p-25F), 0x0001);
}

TEST(HelpersTest, DataBufferKeepsAddressAndSize) {
  int value = 0;
  aclDataBuffer* buffer = aclCreateDataBuffer(&value, size_t{5} << 30);
  ASSERT_NE(buffer, nullptr);
  EXPECT_EQ(aclGetDataBufferAddr(buffer), &value);
  EXPECT_EQ(aclGetDataBufferSizeV2(buffer), size_t{5} << 30);
  EXPECT_EQ(aclUpdateDataBuffer(buffer, nullptr, 3), ACL_SUCCESS);
  EXPECT_EQ(aclGetDataBufferAddr(buffer), nullptr);
  EXPECT_EQ(aclGetDataBufferSizeV2(buffer), 3U);
  EXPECT_EQ(aclDestroyDataBuffer(buffer), ACL_SUCCESS);
  EXPECT_EQ(aclDestroyDataBuffer(nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclUpdateDataBuffer(nullptr, nullptr, 0), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclGetDataBufferAddr(nullptr), nullptr);
  EXPECT_EQ(aclGetDataBufferSizeV2(nullptr), 0U);
}

class VersionTest : public ::testing::Test {
 protected:
  void SetUp() override {
    home_ = ::testing::TempDir() + "tandem_version_test";
    for (const char* folder : {"", "/share", "/share/info", "/share/info/runtime"})
      mkdir((home_ + folder).c_str(), 0755);
    ASSERT_EQ(setenv("ASCEND_HOME_PATH", home_.c_str(), 1), 0);
  }
  void TearDown() override {
    unsetenv("ASCEND_HOME_PATH");
    std::remove((home_ + "/share/info/runtime/version.info").c_str());
    for (const char* folder : {"/share/info/runtime", "/share/info", "/share", ""})
      rmdir((home_ + folder).c_str());
  }
  void Write(const std::string& version) const {
    std::ofstream(home_ + "/share/info/runtime/version.info") << "# comment\nVersion=" << version << "\n";
  }
  std::string home_;
  std::string package_ = "runtime";
};

TEST_F(VersionTest, TextAndNumberComeFromTheFile) {
  struct Case {
    const char* text;
    int32_t number;
  };
  const Case cases[] = {{"9.1.0", 90100000},
                        {"9.1.0-beta.2", 90099802},
                        {"8.5.0-alpha.1", 80499701},
                        {"8.5.1-rc.3", 80500903},
                        {"9.0", 90000000}};
  for (const Case& c : cases) {
    Write(c.text);
    std::array<char, ACL_PKG_VERSION_MAX_SIZE> text{};
    EXPECT_EQ(aclsysGetVersionStr(package_.data(), text.data()), ACL_SUCCESS);
    EXPECT_STREQ(text.data(), c.text);
    int32_t number = 0;
    EXPECT_EQ(aclsysGetVersionNum(package_.data(), &number), ACL_SUCCESS);
    EXPECT_EQ(number, c.number) << c.text;
  }
}

TEST_F(VersionTest, ErrorsOfVersionCalls) {
  std::string missing = "hccl";
  std::array<char, ACL_PKG_VERSION_MAX_SIZE> text{};
  int32_t number = 0;
  EXPECT_EQ(aclsysGetVersionStr(missing.data(), text.data()), ACL_ERROR_INVALID_FILE);
  EXPECT_EQ(aclsysGetVersionStr(nullptr, text.data()), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclsysGetVersionStr(package_.data(), nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclsysGetVersionNum(package_.data(), nullptr), ACL_ERROR_INVALID_PARAM);
  unsetenv("ASCEND_HOME_PATH");
  EXPECT_EQ(aclsysGetVersionNum(package_.data(), &number), ACL_ERROR_INVALID_FILE);
}

TEST(HelpersTest, ApplicationLogTakesAnyArguments) {
  ACL_APP_LOG(ACL_DEBUG, "value %d", 3);
  aclAppLog(ACL_DEBUG, nullptr, nullptr, 0, "text");
  aclAppLog(ACL_DEBUG, nullptr, nullptr, 0, nullptr);
}

}  // namespace
}  // namespace tandem::test
