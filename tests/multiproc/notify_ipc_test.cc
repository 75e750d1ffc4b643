// SPDX-License-Identifier: Apache-2.0
// Notifies of another process.
#include <unistd.h>
#include <csignal>

#include "multiproc/shared_key.h"
#include "support/device_rank.h"
#include "support/job.h"
#include "support/surroundings.h"

namespace tandem::test {
namespace {

enum Flag : uint32_t { kKey, kImported, kSecondKey, kSecondImported, kQueued, kSeen };

// A rank with its notifies.
struct Runtime : DeviceRank {
  using DeviceRank::DeviceRank;
  aclrtNotify Import(const std::string& key) {
    aclrtNotify notify = nullptr;
    of.Ok(aclrtNotifyImportByKey(&notify, key.c_str(), ACL_RT_NOTIFY_IMPORT_FLAG_DEFAULT));
    return notify;
  }
  aclrtNotify Export(uint32_t flag, uint64_t flags) {
    aclrtNotify notify = nullptr;
    of.Ok(aclrtCreateNotify(&notify, ACL_NOTIFY_DEFAULT));
    char key[65] = {};
    of.Ok(aclrtNotifyGetExportKey(notify, key, sizeof(key), flags));
    PutKey(of.board(), key, sizeof(key), flag);
    return notify;
  }
};

constexpr uint64_t kToAll = ACL_RT_NOTIFY_EXPORT_FLAG_DISABLE_PID_VALIDATION;

// Each rank waits for its own notify and records that of the other, over and over.
TEST(NotifyIpc, TwoProcessesTakeTurns) {
  const uint32_t rounds = Times(2000);
  const JobEnd end = RunJob(WithoutCommunicator(2), [rounds](Rank& rank) {
    Runtime runtime(rank);
    aclrtNotify mine = nullptr;
    aclrtNotify other = nullptr;
    if (rank.index() == 0) {
      mine = runtime.Export(kKey, kToAll);
      rank.board().Await(kImported);
      other = runtime.Import(GetKey(rank.board(), 65, kSecondKey));
    } else {
      other = runtime.Import(GetKey(rank.board(), 65, kKey));
      rank.board().Raise(kImported);
      mine = runtime.Export(kSecondKey, kToAll);
    }
    for (uint32_t i = 0; i < rounds; ++i) {
      if (rank.index() == 0) rank.Ok(aclrtRecordNotify(other, runtime.stream));
      rank.Ok(aclrtWaitAndResetNotify(mine, runtime.stream, 60));
      if (rank.index() == 1) rank.Ok(aclrtRecordNotify(other, runtime.stream));
      // Once with a thread that waits, once with the workers alone.
      if (i % 2 == 0) rank.Ok(aclrtSynchronizeStream(runtime.stream));
    }
    rank.Ok(aclrtSynchronizeStream(runtime.stream));
    rank.Meet();
    rank.Ok(aclrtDestroyNotify(other));
    rank.Ok(aclrtDestroyNotify(mine));
    runtime.End();
  });
  EXPECT_TRUE(end.Good()) << end.Text();
}

// The waiting process sleeps, with and without a thread in aclrtSynchronizeStream, when the record comes.
TEST(NotifyIpc, ARecordWakesASleepingProcess) {
  for (const bool synchronize : {true, false}) {
    const JobEnd end = RunJob(WithoutCommunicator(2), [synchronize](Rank& rank) {
      Runtime runtime(rank);
      if (rank.index() == 0) {
        aclrtNotify notify = runtime.Export(kKey, kToAll);
        rank.board().Await(kImported);
        rank.Ok(aclrtWaitAndResetNotify(notify, runtime.stream, 0));
        rank.Require(
            aclrtSynchronizeStreamWithTimeout(runtime.stream, 100) == ACL_ERROR_RT_STREAM_SYNC_TIMEOUT,
            "nobody has recorded it");
        rank.board().Raise(kQueued);
        if (!synchronize) {
          runtime.PollUntilComplete();
        }
        rank.Ok(aclrtSynchronizeStream(runtime.stream));
        rank.Ok(aclrtDestroyNotify(notify));
      } else {
        aclrtNotify notify = runtime.Import(GetKey(rank.board(), 65, kKey));
        rank.board().Raise(kImported);
        rank.board().Await(kQueued);
        rank.Ok(aclrtRecordNotify(notify, runtime.stream));
        rank.Ok(aclrtSynchronizeStream(runtime.stream));
        rank.Ok(aclrtDestroyNotify(notify));
      }
      runtime.End();
    });
    EXPECT_TRUE(end.Good()) << end.Text();
  }
}

TEST(NotifyIpc, OnlyNamedProcessesMayImport) {
  const JobEnd end = RunJob(WithoutCommunicator(3), [](Rank& rank) {
    Runtime runtime(rank);
    if (rank.index() == 0) {
      aclrtNotify notify = runtime.Export(kKey, ACL_RT_NOTIFY_EXPORT_FLAG_DEFAULT);
      rank.board().AwaitCount(kSeen, 2);
      int32_t named = rank.board().pids[1].load();
      rank.Ok(aclrtNotifySetImportPid(notify, &named, 1));
      rank.board().Raise(kQueued);
      rank.Meet();
      rank.Ok(aclrtDestroyNotify(notify));
    } else {
      const std::string key = GetKey(rank.board(), 65, kKey);
      aclrtNotify notify = nullptr;
      rank.Require(aclrtNotifyImportByKey(&notify, key.c_str(), 0) == ACL_ERROR_RT_NO_PERMISSION,
                   "nobody is named");
      rank.Require(TakeErrorText().find(std::to_string(getpid())) != std::string::npos,
                   "the text names the pid");
      rank.board().Count(kSeen);
      rank.board().Await(kQueued);
      const aclError code = aclrtNotifyImportByKey(&notify, key.c_str(), 0);
      if (rank.index() == 1) {
        rank.Ok(code);
        rank.Ok(aclrtDestroyNotify(notify));
      } else {
        rank.Require(code == ACL_ERROR_RT_NO_PERMISSION, "rank 2 is not named");
      }
      rank.Meet();
    }
    runtime.End();
  });
  EXPECT_TRUE(end.Good()) << end.Text();
}

TEST(NotifyIpc, AKilledProcessLeavesNothing) {
  const std::vector<std::string> shared = Entries("/dev/shm");
  Job job(WithoutCommunicator(2), [](Rank& rank) {
    Runtime runtime(rank);
    if (rank.index() == 0) {
      runtime.Export(kKey, kToAll);
      for (;;) pause();
    }
    const std::string key = GetKey(rank.board(), 65, kKey);
    aclrtNotify notify = runtime.Import(key);
    rank.board().Raise(kImported);
    AwaitEnd(rank.board().pids[0].load());
    rank.Ok(aclrtRecordNotify(notify, runtime.stream));
    rank.Ok(aclrtSynchronizeStream(runtime.stream));
    rank.Ok(aclrtDestroyNotify(notify));
    rank.Require(aclrtNotifyImportByKey(&notify, key.c_str(), 0) == ACL_ERROR_RT_PARAM_INVALID,
                 "its maker is gone");
    runtime.End();
  });
  job.board().Await(kImported);
  job.Kill(0, SIGKILL);
  const JobEnd end = job.Wait();
  EXPECT_EQ(end.processes[1].exit_code, 0) << end.Text();
  EXPECT_EQ(Entries("/dev/shm"), shared);
  // Other programs of this machine use it too, so only names of ours count.
  for (const std::string& name : Entries("/tmp"))
    EXPECT_EQ(name.find("tandem-notify"), std::string::npos) << name;
}

}  // namespace
}  // namespace tandem::test
