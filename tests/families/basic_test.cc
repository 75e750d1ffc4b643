// SPDX-License-Identifier: Apache-2.0
// The families without streams that depend on each other: errors, versions, contexts, copies between devices
// and within the host, a user's allocator. Each test does what a whole program does between aclInit and
// aclFinalize.
#include <acl/acl.h>
#include <acl/acl_rt_allocator.h>
#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace tandem::test {
namespace {

// aclFinalize ends a process's use of the library for good, so there is one for all tests.
class Once : public ::testing::Environment {
 public:
  void SetUp() override { ASSERT_EQ(aclInit(nullptr), ACL_SUCCESS); }
  void TearDown() override { EXPECT_EQ(aclFinalize(), ACL_SUCCESS); }
};
const ::testing::Environment* const once = ::testing::AddGlobalTestEnvironment(new Once);

TEST(Families, ErrorHandling) {
  ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
  aclrtRunMode mode{};
  ASSERT_EQ(aclrtGetRunMode(&mode), ACL_SUCCESS);
  EXPECT_EQ(mode, ACL_HOST);
  static_cast<void>(aclGetRecentErrMsg());
  EXPECT_EQ(aclrtGetRunMode(nullptr), 100000);
  EXPECT_EQ(aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL), 0) << "the outer layer leaves no last error";
  EXPECT_EQ(aclrtGetLastError(ACL_RT_THREAD_LEVEL), 0);
  const char* text = aclGetRecentErrMsg();
  ASSERT_NE(text, nullptr);
  EXPECT_NE(std::string(text).find("aclrtGetRunMode"), std::string::npos);
  EXPECT_EQ(aclGetRecentErrMsg(), nullptr) << "read once";
  EXPECT_EQ(aclrtGetLastError(ACL_RT_THREAD_LEVEL), 0);
  aclrtErrorInfo info;
  std::memset(&info, 0xFF, sizeof info);
  ASSERT_EQ(aclrtGetErrorVerbose(0, &info), ACL_SUCCESS);
  EXPECT_EQ(info.tryRepair, 0);
  EXPECT_EQ(info.hasDetail, 0);
  EXPECT_EQ(info.errorType, ACL_RT_NO_ERROR);
  EXPECT_EQ(aclrtResetDevice(0), ACL_SUCCESS);
}

TEST(Families, SystemInformation) {
  const aclFloat16 half = aclFloatToFloat16(1.625F);
  EXPECT_EQ(half, 0x3E80);
  EXPECT_EQ(aclFloat16ToFloat(half), 1.625F);
  EXPECT_EQ(aclDataTypeSize(ACL_FLOAT), 4U);
  EXPECT_EQ(aclDataTypeSize(ACL_FLOAT16), 2U);
  EXPECT_EQ(aclDataTypeSize(ACL_INT64), 8U);
  const char* name = aclrtGetSocName();
  ASSERT_NE(name, nullptr);
  EXPECT_EQ(std::string(name).rfind("Ascend", 0), 0U) << name;
}

TEST(Families, CompatibilityOfVersions) {
  const aclCannAttr* attributes = nullptr;
  size_t count = 0;
  ASSERT_EQ(aclGetCannAttributeList(&attributes, &count), ACL_SUCCESS);
  ASSERT_GE(count, 1U);
  for (size_t i = 0; i < count; ++i) {
    int32_t value = -1;
    EXPECT_EQ(aclGetCannAttribute(attributes[i], &value), ACL_SUCCESS);
    EXPECT_TRUE(value == 0 || value == 1) << value;
  }
  int32_t compatible = -1;
  ASSERT_EQ(aclrtCheckArchCompatibility(aclrtGetSocName(), &compatible), ACL_SUCCESS);
  EXPECT_EQ(compatible, 1);
  int32_t capability = -1;
  ASSERT_EQ(aclrtGetDeviceCapability(0, ACL_FEATURE_TSCPU_TASK_UPDATE_SUPPORT_AIC_AIV, &capability),
            ACL_SUCCESS);
  EXPECT_TRUE(capability == ACL_DEV_FEATURE_NOT_SUPPORT || capability == ACL_DEV_FEATURE_SUPPORT);
}

TEST(Families, ContextQuery) {
  aclrtContext made = nullptr;
  ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
  ASSERT_EQ(aclrtCreateContext(&made, 0), ACL_SUCCESS);
  aclrtContext current = nullptr;
  ASSERT_EQ(aclrtGetCurrentContext(&current), ACL_SUCCESS);
  EXPECT_EQ(current, made);
  aclrtStream stream = nullptr;
  ASSERT_EQ(aclrtCtxGetCurrentDefaultStream(&stream), ACL_SUCCESS);
  EXPECT_NE(stream, nullptr);
  for (const aclrtDevResLimitType type : {ACL_RT_DEV_RES_CUBE_CORE, ACL_RT_DEV_RES_VECTOR_CORE}) {
    uint32_t cores = 0;
    EXPECT_EQ(aclrtGetResInCurrentThread(type, &cores), ACL_SUCCESS);
    EXPECT_GT(cores, 0U);
  }
  EXPECT_EQ(aclrtDestroyContext(made), ACL_SUCCESS);
  EXPECT_EQ(aclrtResetDevice(0), ACL_SUCCESS);
}

TEST(Families, CopyBetweenDevices) {
  int32_t possible = 0;
  void* from = nullptr;
  void* to = nullptr;
  unsigned char read = 0;
  ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
  ASSERT_EQ(aclrtDeviceCanAccessPeer(&possible, 0, 1), ACL_SUCCESS);
  ASSERT_EQ(possible, 1);
  ASSERT_EQ(aclrtDeviceEnablePeerAccess(1, 0), ACL_SUCCESS);
  ASSERT_EQ(aclrtMalloc(&from, 4096, ACL_MEM_MALLOC_HUGE_FIRST_P2P), ACL_SUCCESS);
  ASSERT_EQ(aclrtMemset(from, 4096, 0x2A, 4096), ACL_SUCCESS);
  ASSERT_EQ(aclrtSetDevice(1), ACL_SUCCESS);
  ASSERT_EQ(aclrtDeviceEnablePeerAccess(0, 0), ACL_SUCCESS);
  ASSERT_EQ(aclrtMalloc(&to, 4096, ACL_MEM_MALLOC_HUGE_FIRST_P2P), ACL_SUCCESS);
  ASSERT_EQ(aclrtMemcpy(to, 4096, from, 4096, ACL_MEMCPY_DEVICE_TO_DEVICE), ACL_SUCCESS);
  ASSERT_EQ(aclrtMemcpy(&read, 1, static_cast<char*>(to) + 4095, 1, ACL_MEMCPY_DEVICE_TO_HOST), ACL_SUCCESS);
  EXPECT_EQ(read, 0x2A);
  EXPECT_EQ(aclrtDeviceDisablePeerAccess(0), ACL_SUCCESS);
  EXPECT_EQ(aclrtFree(to), ACL_SUCCESS);
  EXPECT_EQ(aclrtResetDevice(1), ACL_SUCCESS);
  ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
  EXPECT_EQ(aclrtDeviceDisablePeerAccess(1), ACL_SUCCESS);
  EXPECT_EQ(aclrtFree(from), ACL_SUCCESS);
  EXPECT_EQ(aclrtResetDevice(0), ACL_SUCCESS);
  EXPECT_EQ(aclrtResetDevice(0), ACL_SUCCESS);
}

TEST(Families, CopyWithinTheHost) {
  void* from = nullptr;
  void* to = nullptr;
  ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
  ASSERT_EQ(aclrtMallocHost(&from, sizeof(int)), ACL_SUCCESS);
  ASSERT_EQ(aclrtMallocHost(&to, sizeof(int)), ACL_SUCCESS);
  *static_cast<int*>(from) = 123;
  *static_cast<int*>(to) = 0;
  ASSERT_EQ(aclrtMemcpy(to, sizeof(int), from, sizeof(int), ACL_MEMCPY_HOST_TO_HOST), ACL_SUCCESS);
  EXPECT_EQ(*static_cast<int*>(to), 123);
  EXPECT_EQ(aclrtFreeHost(from), ACL_SUCCESS);
  EXPECT_EQ(aclrtFreeHost(to), ACL_SUCCESS);
  EXPECT_EQ(aclrtResetDevice(0), ACL_SUCCESS);
}

// A user's allocator that counts what it does; a block is its own address.
struct CountingAllocator {
  int taken = 0;
  int given = 0;
  std::map<void*, std::unique_ptr<char[]>> blocks;

  static void* Take(aclrtAllocator self, size_t bytes) {
    auto& allocator = *static_cast<CountingAllocator*>(self);
    ++allocator.taken;
    auto memory = std::make_unique<char[]>(bytes);
    void* const block = memory.get();
    allocator.blocks.emplace(block, std::move(memory));
    return block;
  }
  static void* TakeAt(aclrtAllocator self, size_t bytes, aclrtAllocatorAddr) { return Take(self, bytes); }
  static void Give(aclrtAllocator self, aclrtAllocatorBlock block) {
    auto& allocator = *static_cast<CountingAllocator*>(self);
    ++allocator.given;
    EXPECT_EQ(allocator.blocks.erase(block), 1U);
  }
  static void* Address(aclrtAllocatorBlock block) { return block; }
};

TEST(Families, CustomAllocator) {
  CountingAllocator own;
  aclrtStream stream = nullptr;
  ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
  ASSERT_EQ(aclrtCreateStream(&stream), ACL_SUCCESS);
  aclrtAllocatorDesc desc = aclrtAllocatorCreateDesc();
  ASSERT_EQ(aclrtAllocatorSetObjToDesc(desc, &own), ACL_SUCCESS);
  ASSERT_EQ(aclrtAllocatorSetAllocFuncToDesc(desc, &CountingAllocator::Take), ACL_SUCCESS);
  ASSERT_EQ(aclrtAllocatorSetFreeFuncToDesc(desc, &CountingAllocator::Give), ACL_SUCCESS);
  ASSERT_EQ(aclrtAllocatorSetAllocAdviseFuncToDesc(desc, &CountingAllocator::TakeAt), ACL_SUCCESS);
  ASSERT_EQ(aclrtAllocatorSetGetAddrFromBlockFuncToDesc(desc, &CountingAllocator::Address), ACL_SUCCESS);
  ASSERT_EQ(aclrtAllocatorRegister(stream, desc), ACL_SUCCESS);
  aclrtAllocatorDesc found = nullptr;
  aclrtAllocator object = nullptr;
  aclrtAllocatorAllocFunc take = nullptr;
  aclrtAllocatorFreeFunc give = nullptr;
  aclrtAllocatorAllocAdviseFunc take_at = nullptr;
  aclrtAllocatorGetAddrFromBlockFunc address = nullptr;
  ASSERT_EQ(aclrtAllocatorGetByStream(stream, &found, &object, &take, &give, &take_at, &address),
            ACL_SUCCESS);
  EXPECT_EQ(found, desc);
  aclrtAllocatorBlock first = take(object, 256);
  aclrtAllocatorBlock second = take_at(object, 128, address(first));
  EXPECT_NE(address(first), address(second));
  give(object, first);
  give(object, second);
  EXPECT_EQ(own.taken, 2) << "by the program itself; the library calls nothing";
  EXPECT_EQ(own.given, 2);
  EXPECT_EQ(aclrtAllocatorUnregister(stream), ACL_SUCCESS);
  EXPECT_EQ(aclrtAllocatorDestroyDesc(desc), ACL_SUCCESS);
  EXPECT_EQ(aclrtDestroyStream(stream), ACL_SUCCESS);
  EXPECT_EQ(aclrtResetDevice(0), ACL_SUCCESS);
}

TEST(Families, OverflowDetectionIsAbsent) {
  aclrtFloatOverflowMode mode{};
  EXPECT_EQ(aclrtGetDeviceSatMode(&mode), ACL_ERROR_RT_FEATURE_NOT_SUPPORT) << "the program goes without";
}

}  // namespace
}  // namespace tandem::test
