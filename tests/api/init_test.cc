// SPDX-License-Identifier: Apache-2.0
// aclInit and aclFinalize count for the process, so the order of what is tried matters: one test tells one
// story.
#include <acl/acl.h>
#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <thread>
#include <vector>

namespace tandem::test {
namespace {

std::string WriteConfig(const std::string& text) {
  std::string path = ::testing::TempDir() + "tandem_init_test.json";
  std::ofstream(path) << text;
  return path;
}

TEST(InitTest, TheVeryFirstFinalizeSucceedsAndTheSecondDoesNot) {
  EXPECT_EQ(aclFinalize(), ACL_SUCCESS);
  EXPECT_EQ(aclFinalize(), ACL_ERROR_REPEAT_FINALIZE);
}

TEST(InitTest, FilesThatCannotBeUsed) {
  EXPECT_EQ(aclInit("/nonexistent/acl.json"), ACL_ERROR_INVALID_FILE);
  EXPECT_EQ(aclInit(::testing::TempDir().c_str()), ACL_ERROR_INVALID_FILE) << "a folder";
  EXPECT_EQ(aclInit(WriteConfig("{ not json").c_str()), ACL_ERROR_PARSE_FILE);
  EXPECT_EQ(aclInit(WriteConfig("[1]").c_str()), ACL_ERROR_PARSE_FILE);
  EXPECT_EQ(aclInit(WriteConfig(std::string(11, '[') + std::string(11, ']')).c_str()), ACL_ERROR_PARSE_FILE);
  EXPECT_EQ(aclInit(WriteConfig(std::string(100'000, '[')).c_str()), ACL_ERROR_PARSE_FILE);
  for (const char* bad : {R"({"defaultDevice": {"default_device": "99"}})",
                          R"({"defaultDevice": {"default_device": "x"}})", R"({"defaultDevice": 3})"}) {
    EXPECT_EQ(aclInit(WriteConfig(bad).c_str()), ACL_ERROR_FAILURE) << bad;
  }
  EXPECT_EQ(aclInit(WriteConfig(R"({"err_msg_mode": "2"})").c_str()), ACL_ERROR_INVALID_PARAM);
}

TEST(InitTest, CallsAreCountedAndOneFinalizeUndoesThemAll) {
  const std::string path =
      WriteConfig(R"({"defaultDevice": {"default_device": "3"}, "err_msg_mode": "1", "dump": {}})");
  EXPECT_EQ(aclInit(path.c_str()), ACL_SUCCESS);
  EXPECT_EQ(aclInit(path.c_str()), ACL_ERROR_REPEAT_INITIALIZE);
  EXPECT_EQ(aclInit(nullptr), ACL_ERROR_REPEAT_INITIALIZE);
  EXPECT_EQ(aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL), ACL_SUCCESS);
  uint64_t count = 0;
  EXPECT_EQ(aclFinalizeReference(&count), ACL_SUCCESS);
  EXPECT_EQ(count, 2U);
  EXPECT_EQ(aclFinalizeReference(nullptr), ACL_SUCCESS);
  EXPECT_EQ(aclFinalizeReference(&count), ACL_SUCCESS);
  EXPECT_EQ(count, 0U);
  EXPECT_EQ(aclFinalizeReference(&count), ACL_ERROR_REPEAT_FINALIZE);
  EXPECT_EQ(aclInit(path.c_str()), ACL_SUCCESS);
  EXPECT_EQ(aclInit(path.c_str()), ACL_ERROR_REPEAT_INITIALIZE);
  EXPECT_EQ(aclFinalize(), ACL_SUCCESS);
  EXPECT_EQ(aclFinalize(), ACL_ERROR_REPEAT_FINALIZE);
  EXPECT_EQ(aclInit(nullptr), ACL_ERROR_INVALID_PARAM) << "another content than the first time";
}

TEST(InitTest, ConfiguredDeviceServesThreadsThatSelectedNone) {
  const std::string path =
      WriteConfig(R"({"defaultDevice": {"default_device": "3"}, "err_msg_mode": "1", "dump": {}})");
  ASSERT_EQ(aclInit(path.c_str()), ACL_SUCCESS);
  std::thread([] {
    int32_t device = -1;
    EXPECT_EQ(aclrtGetDevice(&device), ACL_SUCCESS);
    EXPECT_EQ(device, 3);
    EXPECT_EQ(aclrtSynchronizeStream(nullptr), ACL_SUCCESS);
  }).join();
  static_cast<void>(aclGetRecentErrMsg());
  std::thread([] { EXPECT_EQ(aclrtSetDevice(99), ACL_ERROR_RT_INVALID_DEVICEID); }).join();
  const char* text = aclGetRecentErrMsg();
  ASSERT_NE(text, nullptr) << "the messages of all threads in process mode";
  EXPECT_NE(std::string(text).find("device 99"), std::string::npos);
  EXPECT_EQ(aclFinalize(), ACL_SUCCESS);
}

struct Log {
  std::vector<std::string> lines;
  aclError answer = ACL_SUCCESS;
};

aclError OnInit(const char* config, size_t bytes, void* data) {
  auto* log = static_cast<Log*>(data);
  log->lines.push_back("init " + std::string(config, bytes).substr(0, 2));
  return log->answer;
}

aclError OnFinalize(void* data) {
  auto* log = static_cast<Log*>(data);
  log->lines.emplace_back("finalize");
  return log->answer;
}

TEST(InitTest, CallbacksRunInsideInitAndFinalizeAndCanStopThem) {
  const std::string path =
      WriteConfig(R"({"defaultDevice": {"default_device": "3"}, "err_msg_mode": "1", "dump": {}})");
  Log log;
  const auto type = ACL_REG_TYPE_ACL_DVPP;
  EXPECT_EQ(aclInitCallbackRegister(type, nullptr, &log), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclFinalizeCallbackRegister(type, nullptr, &log), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclInitCallbackUnRegister(type, OnInit), ACL_ERROR_INTERNAL_ERROR) << "not registered";
  ASSERT_EQ(aclInitCallbackRegister(type, OnInit, &log), ACL_SUCCESS);
  EXPECT_EQ(aclInitCallbackRegister(type, OnInit, &log), ACL_ERROR_INTERNAL_ERROR) << "the type is taken";
  ASSERT_EQ(aclFinalizeCallbackRegister(type, OnFinalize, &log), ACL_SUCCESS);
  log.answer = 77;
  EXPECT_EQ(aclInit(path.c_str()), 77);
  EXPECT_EQ(aclFinalize(), ACL_ERROR_REPEAT_FINALIZE) << "it did not become initialised";
  log.answer = ACL_SUCCESS;
  EXPECT_EQ(aclInit(path.c_str()), ACL_SUCCESS);
  ASSERT_EQ(aclInitCallbackRegister(ACL_REG_TYPE_OTHER, OnInit, &log), ACL_SUCCESS) << "runs at once";
  ASSERT_EQ(aclInitCallbackRegister(ACL_REG_TYPE_OTHER, OnInit, &log), ACL_SUCCESS)
      << "may be there many times";
  log.answer = 78;
  EXPECT_EQ(aclFinalize(), 78);
  log.answer = ACL_SUCCESS;
  EXPECT_EQ(aclFinalize(), ACL_SUCCESS);
  EXPECT_EQ(log.lines, (std::vector<std::string>{"init {\"", "init {\"", "init {\"", "init {\"", "finalize",
                                                 "finalize"}));
  EXPECT_EQ(aclInitCallbackUnRegister(type, OnInit), ACL_SUCCESS);
  EXPECT_EQ(aclInitCallbackUnRegister(ACL_REG_TYPE_OTHER, OnInit), ACL_SUCCESS);
  EXPECT_EQ(aclInitCallbackUnRegister(ACL_REG_TYPE_OTHER, OnInit), ACL_SUCCESS);
  EXPECT_EQ(aclFinalizeCallbackUnRegister(type, OnFinalize), ACL_SUCCESS);
}

TEST(InitTest, FinalizeWithALiveDeviceNeitherHangsNorCrashes) {
  const std::string path =
      WriteConfig(R"({"defaultDevice": {"default_device": "3"}, "err_msg_mode": "1", "dump": {}})");
  ASSERT_EQ(aclInit(path.c_str()), ACL_SUCCESS);
  ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
  aclrtEvent never = nullptr;
  ASSERT_EQ(aclrtCreateEventWithFlag(&never, ACL_EVENT_SYNC), ACL_SUCCESS);
  ASSERT_EQ(aclrtStreamWaitEvent(nullptr, never), ACL_SUCCESS);
  EXPECT_EQ(aclFinalize(), ACL_SUCCESS);
  // The process ends with the stream blocked.
}

}  // namespace
}  // namespace tandem::test
