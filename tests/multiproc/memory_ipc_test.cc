// SPDX-License-Identifier: Apache-2.0
// Device memory of another process.
#include <unistd.h>

#include <csignal>

#include "multiproc/shared_key.h"
#include "support/job.h"
#include "support/surroundings.h"

namespace tandem::test {
namespace {

constexpr size_t kKeyRoom = 65;
constexpr size_t kBytes = size_t{3} * 4096;
constexpr uint64_t kToAll = ACL_RT_IPC_MEM_EXPORT_FLAG_DISABLE_PID_VALIDATION;

enum Flag : uint32_t { kKey, kSeen, kNamed, kWritten, kClosed, kMapped };

JobOptions Plain(uint32_t ranks) {
  JobOptions options;
  options.ranks = ranks;
  options.open = false;
  return options;
}

void* Export(Rank& rank, uint64_t flags, std::string& key) {
  void* data = nullptr;
  rank.Ok(aclrtMalloc(&data, kBytes, ACL_MEM_MALLOC_HUGE_FIRST));
  rank.Ok(aclrtMemset(data, kBytes, 1, kBytes));
  key.assign(kKeyRoom, '\0');
  rank.Ok(aclrtIpcMemGetExportKey(data, kBytes, key.data(), kKeyRoom, flags));
  PutKey(rank.board(), key.data(), kKeyRoom, kKey);
  return data;
}

unsigned char Last(Rank& rank, void* data) {
  unsigned char value = 0;
  rank.Ok(
      aclrtMemcpy(&value, 1, static_cast<unsigned char*>(data) + kBytes - 1, 1, ACL_MEMCPY_DEVICE_TO_HOST));
  return value;
}

void UseOnDeviceOne(Rank& rank, const std::string& key) {
  void* data = nullptr;
  rank.Require(aclrtIpcMemImportByKey(&data, key.c_str(), 0) == ACL_ERROR_RT_NO_PERMISSION,
               "nobody is named yet");
  rank.board().Raise(kSeen);
  rank.board().Await(kNamed);
  rank.Ok(aclrtIpcMemImportByKey(&data, key.c_str(), ACL_RT_IPC_MEM_IMPORT_FLAG_ENABLE_PEER_ACCESS));
  rank.Require(Last(rank, data) == 1, "the exporter's bytes");
  aclrtPtrAttributes attributes{};
  rank.Ok(aclrtPointerGetAttributes(data, &attributes));
  rank.Require(attributes.location.type == ACL_MEM_LOCATION_TYPE_DEVICE && attributes.location.id == 0,
               "it counts as memory of the exporter's device");
  // A queued copy between devices, from memory of this process.
  void* own = nullptr;
  aclrtStream stream = nullptr;
  rank.Ok(aclrtMalloc(&own, kBytes, ACL_MEM_MALLOC_HUGE_FIRST));
  rank.Ok(aclrtMemset(own, kBytes, 2, kBytes));
  rank.Ok(aclrtCreateStream(&stream));
  rank.Ok(aclrtMemcpyAsync(data, kBytes, own, kBytes, ACL_MEMCPY_DEVICE_TO_DEVICE, stream));
  rank.Ok(aclrtSynchronizeStream(stream));
  void* again = nullptr;
  rank.Ok(aclrtIpcMemImportByKey(&again, key.c_str(), 0));
  rank.Require(again != data && Last(rank, again) == 2, "a second mapping of the same bytes");
  rank.Ok(
      aclrtIpcMemSetAttr(key.c_str(), ACL_RT_IPC_MEM_ATTR_ACCESS_LINK, ACL_RT_IPC_MEM_ATTR_ACCESS_LINK_HCCS));
  rank.board().Raise(kWritten);
  rank.Ok(aclrtIpcMemClose(key.c_str()));
  rank.Ok(aclrtPointerGetAttributes(data, &attributes));
  rank.Require(attributes.location.type == ACL_MEM_LOCATION_TYPE_UNREGISTERED,
               "closed: no device memory any more");
  rank.Require(*static_cast<volatile unsigned char*>(data) == 0, "its pages are empty, and there");
  rank.Require(aclrtIpcMemClose(key.c_str()) == ACL_ERROR_RT_PARAM_INVALID,
               "all imports were closed at once");
  rank.Require(aclrtFree(data) == ACL_ERROR_RT_PARAM_INVALID, "it is not this process's to free");
  rank.Ok(aclrtFree(own));
  rank.Ok(aclrtDestroyStream(stream));
}

TEST(MemoryIpc, AnotherProcessReadsAndWrites) {
  const JobEnd end = RunJob(Plain(2), [](Rank& rank) {
    rank.Ok(aclrtSetDevice(static_cast<int32_t>(rank.index())));
    if (rank.index() == 0) {
      std::string key;
      void* data = Export(rank, ACL_RT_IPC_MEM_EXPORT_FLAG_DEFAULT, key);
      rank.board().Await(kSeen);
      int32_t pid = rank.board().pids[1].load();
      rank.Ok(aclrtIpcMemSetImportPid(key.c_str(), &pid, 1));
      rank.board().Raise(kNamed);
      rank.board().Await(kWritten);
      rank.Require(Last(rank, data) == 2, "the importer's bytes");
      rank.Meet();
      rank.Ok(aclrtIpcMemClose(key.c_str()));
      rank.board().Raise(kClosed);
      rank.Ok(aclrtFree(data));
    } else {
      const std::string key = GetKey(rank.board(), kKeyRoom, kKey);
      UseOnDeviceOne(rank, key);
      rank.Meet();
      rank.board().Await(kClosed);
      void* data = nullptr;
      rank.Require(aclrtIpcMemImportByKey(&data, key.c_str(), 0) == ACL_ERROR_RT_PARAM_INVALID,
                   "it was withdrawn");
    }
    rank.Ok(aclrtResetDevice(static_cast<int32_t>(rank.index())));
  });
  EXPECT_TRUE(end.Good()) << end.Text();
}

TEST(MemoryIpc, ImportingOverAndOverTakesNoMoreAddresses) {
  const JobEnd end = RunJob(Plain(2), [](Rank& rank) {
    rank.Ok(aclrtSetDevice(0));
    std::string key;
    if (rank.index() == 0) {
      Export(rank, kToAll, key);
    } else {
      key = GetKey(rank.board(), kKeyRoom, kKey);
      void* data = nullptr;
      rank.Ok(aclrtIpcMemImportByKey(&data, key.c_str(), 0));
      rank.Ok(aclrtIpcMemClose(key.c_str()));
      const Usage before = CurrentUsage();
      for (int i = 0; i < 100; ++i) {
        rank.Ok(aclrtIpcMemImportByKey(&data, key.c_str(), 0));
        rank.Require(Last(rank, data) == 1, "the exporter's bytes");
        rank.Ok(aclrtIpcMemClose(key.c_str()));
      }
      const Usage after = CurrentUsage();
      // Far fewer than the 100 that one for each time would be: the C library and the address sanitizer may
      // take some for themselves meanwhile.
      rank.Require(after.descriptors == before.descriptors && after.mappings <= before.mappings + 20,
                   before.Text() + " became " + after.Text());
    }
    rank.Meet();
    rank.Ok(aclrtResetDevice(0));
  });
  EXPECT_TRUE(end.Good()) << end.Text();
}

TEST(MemoryIpc, MappedMemoryOutlivesAKilledExporter) {
  Job job(Plain(2), [](Rank& rank) {
    rank.Ok(aclrtSetDevice(0));
    std::string key;
    if (rank.index() == 0) {
      Export(rank, kToAll, key);
      for (;;) pause();
    }
    key = GetKey(rank.board(), kKeyRoom, kKey);
    void* data = nullptr;
    rank.Ok(aclrtIpcMemImportByKey(&data, key.c_str(), 0));
    rank.board().Raise(kMapped);
    AwaitEnd(rank.board().pids[0].load());
    rank.Require(Last(rank, data) == 1, "the exporter's bytes");
    rank.Ok(aclrtIpcMemClose(key.c_str()));
    rank.Require(aclrtIpcMemImportByKey(&data, key.c_str(), 0) == ACL_ERROR_RT_PARAM_INVALID,
                 "its maker is gone");
    rank.Ok(aclrtResetDevice(0));
  });
  job.board().Await(kMapped);
  job.Kill(0, SIGKILL);
  const JobEnd end = job.Wait();
  EXPECT_EQ(end.processes[1].exit_code, 0) << end.Text();
}

void CheckArguments(Rank& rank) {
  const auto refused = [&](aclError code, aclError expected, int line = __builtin_LINE()) {
    rank.Require(code == expected, "aclError " + std::to_string(code) + ": " + TakeErrorText(), line);
  };
  constexpr aclError kNull = ACL_ERROR_INVALID_PARAM;
  constexpr aclError kBad = ACL_ERROR_RT_PARAM_INVALID;
  rank.Ok(aclrtSetDevice(0));
  std::string key;
  auto* data = static_cast<unsigned char*>(Export(rank, ACL_RT_IPC_MEM_EXPORT_FLAG_DEFAULT, key));
  void* small = nullptr;
  void* out = nullptr;
  int32_t pid = getpid();
  char text[kKeyRoom];
  rank.Ok(aclrtMalloc(&small, 64, ACL_MEM_MALLOC_HUGE_FIRST));
  refused(aclrtIpcMemGetExportKey(nullptr, kBytes, text, kKeyRoom, 0), kNull);
  refused(aclrtIpcMemGetExportKey(data, kBytes, nullptr, kKeyRoom, 0), kNull);
  refused(aclrtIpcMemGetExportKey(data, 0, text, kKeyRoom, 0), kBad);
  refused(aclrtIpcMemGetExportKey(data, kBytes, text, 0, 0), kBad);
  refused(aclrtIpcMemGetExportKey(data, kBytes, text, kKeyRoom, 2), kBad);
  refused(aclrtIpcMemGetExportKey(data + 64, 64, text, kKeyRoom, 0), kBad);
  refused(aclrtIpcMemGetExportKey(data, 2 * kBytes, text, kKeyRoom, 0), kBad);
  refused(aclrtIpcMemGetExportKey(small, 64, text, kKeyRoom, 0), kBad);
  refused(aclrtIpcMemGetExportKey(text, 1, text, kKeyRoom, 0), kBad);
  refused(aclrtIpcMemSetImportPid(nullptr, &pid, 1), kNull);
  refused(aclrtIpcMemSetImportPid(key.c_str(), nullptr, 1), kNull);
  refused(aclrtIpcMemSetImportPid(key.c_str(), &pid, 0), kBad);
  refused(aclrtIpcMemSetImportPid("nonsense", &pid, 1), kBad);
  refused(aclrtIpcMemImportByKey(nullptr, key.c_str(), 0), kNull);
  refused(aclrtIpcMemImportByKey(&out, nullptr, 0), kNull);
  refused(aclrtIpcMemImportByKey(&out, key.c_str(), 2), kBad);
  refused(aclrtIpcMemImportByKey(&out, key.c_str(), 0), kBad);  // by the process that exported it
  refused(aclrtIpcMemImportByKey(&out, "", 0), kBad);
  refused(aclrtIpcMemSetAttr(nullptr, ACL_RT_IPC_MEM_ATTR_ACCESS_LINK, 0), kNull);
  refused(aclrtIpcMemSetAttr(key.c_str(), ACL_RT_IPC_MEM_ATTR_ACCESS_LINK, 2), kBad);
  rank.Ok(aclrtIpcMemSetAttr(key.c_str(), ACL_RT_IPC_MEM_ATTR_ACCESS_LINK, 1));
  refused(aclrtIpcMemClose(nullptr), kNull);
  rank.Ok(aclrtIpcMemClose(key.c_str()));
  refused(aclrtIpcMemClose(key.c_str()), kBad);
  refused(aclrtIpcMemSetAttr(key.c_str(), ACL_RT_IPC_MEM_ATTR_ACCESS_LINK, 1), kBad);
  refused(aclrtIpcMemSetImportPid(key.c_str(), &pid, 1), kBad);
  rank.Ok(aclrtFree(small));
  rank.Ok(aclrtFree(data));
  rank.Ok(aclrtResetDevice(0));
  refused(aclrtIpcMemGetExportKey(text, 1, text, kKeyRoom, 0), ACL_ERROR_RT_CONTEXT_NULL);
}

TEST(MemoryIpc, ArgumentsAreChecked) {
  const JobEnd end = RunJob(Plain(1), &CheckArguments);
  EXPECT_TRUE(end.Good()) << end.Text();
}

}  // namespace
}  // namespace tandem::test
