// SPDX-License-Identifier: Apache-2.0
// Questions that programs ask before they start, and calls that are another call under an older name.
#include <acl/acl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>

#include "api/runtime_fixture.h"

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

namespace tandem::test {
namespace {

TEST(QuestionsTest, InterfaceVersion) {
  int32_t major = 0;
  int32_t minor = 0;
  int32_t patch = -1;
  EXPECT_EQ(aclrtGetVersion(&major, &minor, &patch), ACL_SUCCESS);
  EXPECT_EQ(major, 1);
  EXPECT_EQ(minor, 17);
  EXPECT_EQ(patch, 0);
  EXPECT_EQ(aclrtGetVersion(nullptr, &minor, &patch), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtGetVersion(&major, nullptr, &patch), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtGetVersion(&major, &minor, nullptr), ACL_ERROR_INVALID_PARAM);
}

TEST(QuestionsTest, PackageVersionInParts) {
  const std::string home = ::testing::TempDir() + "tandem_questions_test_" + std::to_string(getpid());
  const std::array<const char*, 4> folders = {"", "/share", "/share/info", "/share/info/hccl"};
  for (const char* folder : folders) ASSERT_EQ(mkdir((home + folder).c_str(), 0755), 0) << folder;
  const std::string file = home + "/share/info/hccl/version.info";
  std::ofstream(file) << "Version=9.1.2-beta.3\n";
  ASSERT_EQ(setenv("ASCEND_HOME_PATH", home.c_str(), 1), 0);

  aclCANNPackageVersion version;
  std::memset(&version, 'x', sizeof(version));
  EXPECT_EQ(aclsysGetCANNVersion(ACL_PKG_NAME_HCCL, &version), ACL_SUCCESS);
  EXPECT_STREQ(version.version, "9.1.2-beta.3");
  EXPECT_STREQ(version.majorVersion, "9");
  EXPECT_STREQ(version.minorVersion, "1");
  EXPECT_STREQ(version.releaseVersion, "2");
  EXPECT_STREQ(version.patchVersion, "3");
  EXPECT_EQ(aclsysGetCANNVersion(ACL_PKG_NAME_CANN, &version), ACL_ERROR_INVALID_FILE);
  EXPECT_EQ(aclsysGetCANNVersion(AnyValue<aclCANNPackageName>(8), &version), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclsysGetCANNVersion(ACL_PKG_NAME_HCCL, nullptr), ACL_ERROR_INVALID_PARAM);

  unsetenv("ASCEND_HOME_PATH");
  EXPECT_EQ(std::remove(file.c_str()), 0);
  for (size_t i = folders.size(); i > 0; --i) EXPECT_EQ(rmdir((home + folders[i - 1]).c_str()), 0);
}

TEST(QuestionsTest, ChipsWhoseProgramsRunHere) {
  int32_t yes = -1;
  EXPECT_EQ(aclrtCheckArchCompatibility("Ascend910B2", &yes), ACL_SUCCESS);
  EXPECT_EQ(yes, 1);
  EXPECT_EQ(aclrtCheckArchCompatibility("Ascend310P3", &yes), ACL_SUCCESS);
  EXPECT_EQ(yes, 0);
  EXPECT_EQ(aclrtCheckArchCompatibility(nullptr, &yes), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtCheckArchCompatibility("Ascend910B2", nullptr), ACL_ERROR_INVALID_PARAM);
}

TEST(QuestionsTest, ProcessIdForImportLists) {
  int32_t pid = 0;
  EXPECT_EQ(aclrtDeviceGetBareTgid(&pid), ACL_SUCCESS);
  EXPECT_EQ(pid, getpid());
  EXPECT_EQ(aclrtDeviceGetBareTgid(nullptr), ACL_ERROR_INVALID_PARAM);
}

TEST(QuestionsTest, FeaturesOfADevice) {
  int32_t value = -1;
  EXPECT_EQ(aclrtGetDeviceCapability(0, AnyValue<aclrtDevFeatureType>(1), &value), ACL_SUCCESS);
  EXPECT_EQ(value, 0);
  EXPECT_EQ(aclrtGetDeviceCapability(8, AnyValue<aclrtDevFeatureType>(1), &value),
            ACL_ERROR_RT_INVALID_DEVICEID);
  EXPECT_EQ(aclrtGetDeviceCapability(0, AnyValue<aclrtDevFeatureType>(1), nullptr), ACL_ERROR_INVALID_PARAM);
}

TEST(QuestionsTest, UseOfADevice) {
  aclrtUtilizationInfo use{};
  EXPECT_EQ(aclrtGetDeviceUtilizationRate(0, &use), ACL_SUCCESS);
  EXPECT_EQ(use.cubeUtilization, -1);
  EXPECT_EQ(use.vectorUtilization, -1);
  EXPECT_EQ(use.aicpuUtilization, -1);
  EXPECT_GE(use.memoryUtilization, 0);
  EXPECT_LE(use.memoryUtilization, 100);
  EXPECT_EQ(aclrtGetDeviceUtilizationRate(8, &use), ACL_ERROR_RT_INVALID_DEVICEID);
  EXPECT_EQ(aclrtGetDeviceUtilizationRate(0, nullptr), ACL_ERROR_INVALID_PARAM);
  use.utilizationExtend = reinterpret_cast<aclrtUtilizationExtendInfo*>(&use);
  EXPECT_EQ(aclrtGetDeviceUtilizationRate(0, &use), ACL_ERROR_INVALID_PARAM);
}

TEST(QuestionsTest, SizeOfADataBufferIsCutToItsOldWidth) {
  aclDataBuffer* buffer = aclCreateDataBuffer(nullptr, (size_t{5} << 32) + 7);
  ASSERT_NE(buffer, nullptr);
  EXPECT_EQ(aclGetDataBufferSize(buffer), 7U);
  EXPECT_EQ(aclDestroyDataBuffer(buffer), ACL_SUCCESS);
  EXPECT_EQ(aclGetDataBufferSize(nullptr), 0U);
}

TEST_F(RuntimeTest, NothingIsEverCaptured) {
  aclmdlRICaptureStatus status = ACL_MODEL_RI_CAPTURE_STATUS_ACTIVE;
  aclmdlRI model = &status;
  EXPECT_EQ(aclmdlRICaptureGetInfo(stream_, &status, &model), ACL_SUCCESS);
  EXPECT_EQ(status, ACL_MODEL_RI_CAPTURE_STATUS_NONE);
  EXPECT_EQ(model, nullptr);
  EXPECT_EQ(aclmdlRICaptureGetInfo(stream_, &status, nullptr), ACL_SUCCESS);
  EXPECT_EQ(aclmdlRICaptureGetInfo(stream_, nullptr, nullptr), ACL_ERROR_INVALID_PARAM);
}

TEST_F(RuntimeTest, OtherNamesOfAllocationAndCopy) {
  constexpr size_t kBytes = 64;
  void* device = nullptr;
  void* host = nullptr;
  ASSERT_EQ(aclrtMallocForTaskScheduler(&device, kBytes, ACL_MEM_MALLOC_HUGE_FIRST, nullptr), ACL_SUCCESS);
  ASSERT_EQ(aclrtMallocHost(&host, kBytes), ACL_SUCCESS);
  std::memset(host, 5, kBytes);
  EXPECT_EQ(aclrtMemcpyAsyncWithCondition(device, kBytes, host, kBytes, ACL_MEMCPY_HOST_TO_DEVICE, stream_),
            ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS);
  EXPECT_EQ(std::memcmp(device, host, kBytes), 0);

  std::memset(host, 6, kBytes);
  void* to = device;
  void* from = host;
  size_t room = kBytes;
  size_t bytes = kBytes;
  aclrtMemcpyBatchAttr attribute{};
  attribute.dstLoc.type = ACL_MEM_LOCATION_TYPE_DEVICE;
  size_t first = 0;
  size_t failed = 0;
  EXPECT_EQ(aclrtMemcpyBatchAsync(&to, &room, &from, &bytes, 1, &attribute, &first, 1, &failed, stream_),
            ACL_SUCCESS);
  EXPECT_EQ(failed, SIZE_MAX);
  EXPECT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS);
  EXPECT_EQ(std::memcmp(device, host, kBytes), 0);
  room = kBytes - 1;
  EXPECT_EQ(aclrtMemcpyBatchAsync(&to, &room, &from, &bytes, 1, &attribute, &first, 1, &failed, stream_),
            ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(failed, 0U);
  EXPECT_EQ(aclrtMemcpyAsyncWithCondition(nullptr, kBytes, host, kBytes, ACL_MEMCPY_HOST_TO_DEVICE, stream_),
            ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMallocForTaskScheduler(nullptr, kBytes, ACL_MEM_MALLOC_HUGE_FIRST, nullptr),
            ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtFree(device), ACL_SUCCESS);
  EXPECT_EQ(aclrtFreeHost(host), ACL_SUCCESS);
}

TEST_F(RuntimeTest, VariantsOfAllocationGiveMemoryToo) {
  constexpr size_t kBytes = 4096;
  const auto policy = ACL_MEM_MALLOC_HUGE_FIRST;
  // Attributes say for which part of a device the memory is; there are none, so they change nothing.
  std::array<aclrtMallocAttribute, 1> attributes{};
  aclrtMallocConfig config{attributes.data(), attributes.size()};
  void* cached = nullptr;
  void* configured = nullptr;
  void* host = nullptr;
  ASSERT_EQ(aclrtMallocCached(&cached, kBytes, policy), ACL_SUCCESS);
  ASSERT_EQ(aclrtMallocWithCfg(&configured, kBytes, policy, &config), ACL_SUCCESS);
  ASSERT_EQ(aclrtMallocHostWithCfg(&host, kBytes, &config), ACL_SUCCESS);
  std::memset(host, 3, kBytes);
  for (void* device : {cached, configured}) {
    EXPECT_EQ(aclrtMemcpyAsync(device, kBytes, host, kBytes, ACL_MEMCPY_HOST_TO_DEVICE, stream_),
              ACL_SUCCESS);
  }
  // It waits for the copies, which read the memory that it frees.
  EXPECT_EQ(aclrtFreeHostWithDevSync(host), ACL_SUCCESS);
  EXPECT_EQ(StatusOf(stream_), ACL_STREAM_STATUS_COMPLETE);
  for (void* device : {cached, configured}) {
    EXPECT_EQ(static_cast<const char*>(device)[kBytes - 1], 3);
    EXPECT_EQ(aclrtFree(device), ACL_SUCCESS);
  }
}

}  // namespace
}  // namespace tandem::test
