// SPDX-License-Identifier: Apache-2.0
// Runs the tables of bad arguments, and checks that they name every exported function.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <fstream>
#include <set>
#include <sstream>
#include <thread>
#include <utility>

#include "badargs/rows.h"
#include "badargs/world.h"

namespace tandem::test::badargs {
namespace {

class BadArgs : public WithWorld {
 protected:
  void Check(const Rows& rows);
  void CheckRow(const Row& row);
};

struct Answer {
  int64_t code = 0;
  std::string text;
  aclError last_error = 0;
};

Answer AuditTestAsk(World& world, const Row& row) {
  Answer answer;
  answer.code = row.call(world);
  answer.last_error = aclrtGetLastError(ACL_RT_THREAD_LEVEL);
  if (const char* text = aclGetRecentErrMsg()) answer.text = text;
  return answer;
}

// Only what the runtime layer refuses is kept as the thread's last error, and "not supported" is not.
aclError KeptError(const Answer& answer) {
  const bool kept = answer.text.starts_with("EE") && answer.code != ACL_ERROR_RT_FEATURE_NOT_SUPPORT;
  return kept ? static_cast<aclError>(answer.code) : ACL_SUCCESS;
}

void CheckText(const Row& row, const Answer& answer) {
  if (row.words.size() == 1 && row.words.front().empty()) {
    EXPECT_EQ(answer.text, "");
    return;
  }
  if (row.words.empty()) return;
  std::vector<std::string> words = row.words;
  words.push_back(std::string(row.function) + ": ");
  if (answer.code != 0) words.push_back("(" + std::to_string(answer.code) + ")");
  // The newest message comes first, and is the one that is meant.
  const std::string newest = answer.text.substr(0, answer.text.find("\nE"));
  for (const std::string& word : words) {
    EXPECT_NE(newest.find(word), std::string::npos) << "not said: " << word << "\n" << newest;
  }
  if (answer.code != 0) {
    EXPECT_EQ(answer.last_error, KeptError(answer)) << newest;
  }
}

void BadArgs::CheckRow(const Row& row) {
  SCOPED_TRACE(std::string(row.function) + ": " + row.bad +
               (row.thread == Thread::kBare ? " (no context)" : ""));
  Answer answer;
  std::thread([&] {
    const bool with_device = row.thread == Thread::kWithDevice;
    if (with_device) {
      EXPECT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
    }
    answer = AuditTestAsk(world_, row);
    if (with_device) {
      EXPECT_EQ(aclrtResetDevice(0), ACL_SUCCESS);
    }
  }).join();
  EXPECT_EQ(answer.code, row.code) << answer.text;
  CheckText(row, answer);
}

void BadArgs::Check(const Rows& rows) {
  ASSERT_FALSE(rows.empty());
  for (const Row& row : rows) CheckRow(row);
}

TEST_F(BadArgs, Allocator) { Check(AllocatorRows()); }
TEST_F(BadArgs, BatchCopy) { Check(BatchCopyRows()); }
TEST_F(BadArgs, Callback) { Check(CallbackRows()); }
TEST_F(BadArgs, CommMemory) { Check(CommMemoryRows()); }
TEST_F(BadArgs, CommSetting) { Check(CommSettingRows()); }
TEST_F(BadArgs, CommState) { Check(CommStateRows()); }
TEST_F(BadArgs, Communicator) { Check(CommunicatorRows()); }
TEST_F(BadArgs, Context) { Check(ContextRows()); }
TEST_F(BadArgs, Copy) { Check(CopyRows()); }
TEST_F(BadArgs, DataBuffer) { Check(DataBufferRows()); }
TEST_F(BadArgs, DeviceInfo) { Check(DeviceInfoRows()); }
TEST_F(BadArgs, Device) { Check(DeviceRows()); }
TEST_F(BadArgs, Event) { Check(EventRows()); }
TEST_F(BadArgs, EventState) { Check(EventStateRows()); }
TEST_F(BadArgs, Fill) { Check(FillRows()); }
TEST_F(BadArgs, HostMemory) { Check(HostMemoryRows()); }
TEST_F(BadArgs, Init) { Check(InitRows()); }
TEST_F(BadArgs, Ipc) { Check(IpcRows()); }
TEST_F(BadArgs, Memory) { Check(MemoryRows()); }
TEST_F(BadArgs, MemoryTask) { Check(MemoryTaskRows()); }
TEST_F(BadArgs, Notify) { Check(NotifyRows()); }
TEST_F(BadArgs, PointToPoint) { Check(P2pRows()); }
TEST_F(BadArgs, PhysicalMemory) { Check(PhysicalMemoryRows()); }
TEST_F(BadArgs, Pool) { Check(PoolRows()); }
TEST_F(BadArgs, Query) { Check(QueryRows()); }
TEST_F(BadArgs, RankTable) { Check(RankTableRows()); }
TEST_F(BadArgs, Stream) { Check(StreamRows()); }
TEST_F(BadArgs, StreamState) { Check(StreamStateRows()); }
TEST_F(BadArgs, SubComm) { Check(SubCommRows()); }
TEST_F(BadArgs, Unsupported) { Check(UnsupportedRows()); }
TEST_F(BadArgs, VirtualMemory) { Check(VirtualMemoryRows()); }

// In a child of a process that used the library: refused, or answered without anything of the parent.
int RunInChild(World& world, const Rows& rows) {
  alarm(60);  // a call that hangs ends the child
  int wrong = 0;
  for (const Row& row : rows) {
    while (aclGetRecentErrMsg() != nullptr) {
    }
    const int64_t code = row.call(world);
    const bool refused = code == ACL_ERROR_RT_NO_PERMISSION || code == HCCL_E_UNAVAIL;
    // All ones: what the questions about an exception answer to null, which are no calls of the runtime.
    const bool no_error = (row.code >= 0 && row.code < ACL_ERROR_INVALID_PARAM) || row.code == 0xFFFFFFFF;
    const bool same = code == row.code && no_error;
    // Rows that give back something else than a code say so by -1 when a call inside them was refused.
    if (refused || same || code == -1) continue;
    ++wrong;
    std::fprintf(stderr, "after fork: %s: %s: %lld\n", row.function, row.bad.c_str(),
                 static_cast<long long>(code));
  }
  return wrong;
}

TEST_F(BadArgs, AfterForkInTheChild) {
  const Rows rows = AllRows();
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) _exit(RunInChild(world_, rows) == 0 ? 0 : 1);
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status)) << "signal " << WTERMSIG(status);
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

TEST_F(BadArgs, AfterForkTheTextSaysWhatToDo) {
  std::array<int, 2> pipe_ends{};
  ASSERT_EQ(pipe(pipe_ends.data()), 0);
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    alarm(60);
    static_cast<void>(aclrtSynchronizeStream(world_.stream));
    const char* text = aclGetRecentErrMsg();
    const std::string said = text == nullptr ? "" : text;
    _exit(write(pipe_ends[1], said.data(), said.size()) == static_cast<ssize_t>(said.size()) ? 0 : 1);
  }
  static_cast<void>(close(pipe_ends[1]));
  std::string text(4096, '\0');
  text.resize(static_cast<size_t>(std::max<ssize_t>(0, read(pipe_ends[0], text.data(), text.size()))));
  static_cast<void>(close(pipe_ends[0]));
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  for (const std::string& word :
       {std::string("aclrtSynchronizeStream: "), "forked from pid " + std::to_string(getpid()),
        std::string("fork first"), std::string("(207006)")}) {
    EXPECT_NE(text.find(word), std::string::npos) << text;
  }
}

TEST_F(BadArgs, ItemsOfABatchThatOverlapAreReported) {
  auto* bytes = static_cast<char*>(world_.device_memory);
  const auto type = HCCL_DATA_TYPE_INT8;
  const auto log_of = [&](std::vector<HcclSendRecvItem> items) {
    ::testing::internal::CaptureStderr();
    EXPECT_EQ(
        HcclBatchSendRecv(items.data(), static_cast<uint32_t>(items.size()), world_.comm, world_.stream),
        HCCL_SUCCESS);
    // Nobody is on the other side, and nothing is to be moved.
    EXPECT_EQ(aclrtStreamAbort(world_.stream), ACL_SUCCESS);
    return ::testing::internal::GetCapturedStderr();
  };
  const std::string apart = log_of({{HCCL_SEND, bytes, 64, type, 1}, {HCCL_RECV, bytes + 64, 64, type, 1}});
  EXPECT_EQ(apart.find("overlap"), std::string::npos) << apart;
  const std::string crossed = log_of({{HCCL_SEND, bytes, 64, type, 1}, {HCCL_RECV, bytes + 63, 64, type, 1}});
  for (const char* word :
       {"sendRecvInfo[0] (send to rank 1", "sendRecvInfo[1] (receive from rank 1", "overlap"}) {
    EXPECT_NE(crossed.find(word), std::string::npos) << crossed;
  }
}

std::set<std::string> ExportedFunctions() {
  std::ifstream file(TANDEM_MAP);
  std::set<std::string> names;
  std::string line;
  while (std::getline(file, line)) {
    std::istringstream words(line.substr(0, line.find('#')));
    std::string word;
    while (words >> word) {
      if (word.back() == ';' && word != "*;" && word != "};") names.insert(word.substr(0, word.size() - 1));
    }
  }
  return names;
}

TEST(BadArgsAudit, EveryExportedFunctionHasARow) {
  const std::set<std::string> exported = ExportedFunctions();
  ASSERT_GT(exported.size(), 400U) << TANDEM_MAP;
  std::set<std::string> named;
  for (const Row& row : AllRows()) named.insert(row.function);
  for (const std::string& name : exported) EXPECT_TRUE(named.contains(name)) << name << " has no row";
  for (const std::string& name : named) EXPECT_TRUE(exported.contains(name)) << name << " is not exported";
}

}  // namespace
}  // namespace tandem::test::badargs
