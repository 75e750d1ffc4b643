// SPDX-License-Identifier: Apache-2.0
// R17: a rank that is missing, late or there twice, and a root info that is used again, are named on all
// ranks.
#include <unistd.h>

#include <csignal>
#include <string>

#include "support/job.h"
#include "support/surroundings.h"

namespace tandem::test {
namespace {

class R17 : public JobTest {};
TANDEM_BOTH_MODES(R17);

// Nobody is to wait as long as this: the job's own deadline is much shorter.
const std::map<std::string, std::string> kEndless = {{"TANDEM_CONNECT_TIMEOUT", "6000"}};
const std::map<std::string, std::string> kNotes = {{"TANDEM_CONNECT_TIMEOUT", "6000"},
                                                   {"TANDEM_NOTE_AFTER_MS", "50"}};

JobOptions Closed(uint32_t ranks, std::map<std::string, std::string> environment = kEndless) {
  JobOptions options;
  options.ranks = ranks;
  options.open = false;
  options.environment = std::move(environment);
  return options;
}

void SetDevice(Rank& rank) { rank.Ok(aclrtSetDevice(static_cast<int32_t>(rank.index()))); }

// The root info that rank 0 makes, on every rank.
HcclRootInfo ShareRoot(Rank& rank, uint32_t number = 0) {
  if (rank.index() != 0) return rank.board().AwaitRoot(number);
  HcclRootInfo root{};
  rank.Ok(HcclGetRootInfo(&root));
  rank.board().PublishRoot(number, root);
  return root;
}

HcclResult Init(uint32_t count, const HcclRootInfo& root, uint32_t rank) {
  HcclComm comm = nullptr;
  const HcclResult result = HcclCommInitRootInfo(count, &root, rank, &comm);
  return result;
}

// A communicator of `count` ranks that works: each tells the next one something.
void Work(Rank& rank, const HcclRootInfo& root, uint32_t count) {
  HcclComm comm = nullptr;
  rank.Ok(HcclCommInitRootInfo(count, &root, rank.index(), &comm));
  aclrtStream stream = nullptr;
  rank.Ok(aclrtCreateStream(&stream));
  const uint32_t next = (rank.index() + 1) % count;
  const uint32_t previous = (rank.index() + count - 1) % count;
  const Buffer out = rank.Outgoing(next, 0, 512);
  const Buffer in = rank.Incoming(512);
  HcclSendRecvItem items[] = {SendItem(out, next), ReceiveItem(in, previous)};
  rank.Ok(HcclBatchSendRecv(items, 2, comm, stream));
  rank.Ok(aclrtSynchronizeStream(stream));
  rank.ExpectArrived(in, previous, 0);
  rank.Ok(aclrtDestroyStream(stream));
  // Nobody leaves while another still waits for it.
  rank.Ok(HcclCommDestroy(comm));
}

// (a) The last rank never comes.
TEST_P(R17, MissingRankIsNamedOnEveryRankByNoteAndError) {
  JobOptions options = Closed(4, {{"TANDEM_CONNECT_TIMEOUT", "8"}, {"TANDEM_NOTE_AFTER_MS", "50"}});
  options.mode = GetParam();
  const JobEnd end = RunJob(options, [](Rank& rank) {
    SetDevice(rank);
    const HcclRootInfo root = ShareRoot(rank);
    rank.Meet();
    if (rank.index() == 3) return;
    rank.Refused(Init(4, root, rank.index()), HCCL_E_INTERNAL, {"EI0015", "connected 0,1,2; missing 3"});
  });
  EXPECT_TRUE(end.Good()) << end.Text();
  for (size_t i = 0; i < (GetParam() == Mode::kThreads ? 1 : 3); ++i) {
    const std::string& text = end.processes[i].text;
    const size_t note = text.find("[NOTE] ");
    ASSERT_NE(note, std::string::npos) << end.Text();
    EXPECT_NE(text.find("connected 0,1,2; missing 3", note), std::string::npos) << text;
    EXPECT_NE(text.find("HCCL_CONNECT_TIMEOUT", note), std::string::npos) << text;
  }
}

// (b) It comes when the others have been seen waiting.
TEST_P(R17, LateRankIsWaitedFor) {
  JobOptions options = Closed(4, kNotes);
  options.mode = GetParam();
  Job job(options, [](Rank& rank) {
    SetDevice(rank);
    const HcclRootInfo root = ShareRoot(rank);
    if (rank.index() == 3) rank.board().Await(0);
    Work(rank, root, 4);
  });
  for (size_t i = 0; i < (GetParam() == Mode::kThreads ? 1 : 3); ++i) {
    EXPECT_TRUE(job.AwaitText(i, "connected 0,1,2; missing 3")) << i;
  }
  job.board().Raise(0);
  const JobEnd end = job.Wait();
  EXPECT_TRUE(end.Good()) << end.Text();
}

const std::vector<std::string> kGone = {"EI0015", "root rank's process at ", " is gone"};

// (c) The root's process has died before the others call.
TEST(R17Processes, RootThatIsGoneBeforeTheOthersComeIsNamed) {
  for (const uint32_t together : {1U, 2U}) {
    JobOptions options = Closed(4);
    options.ranks_per_process = together;
    const JobEnd end = RunJob(options, [together](Rank& rank) {
      SetDevice(rank);
      const HcclRootInfo root = ShareRoot(rank);
      const pid_t pid = rank.board().pids[0].load();
      if (rank.index() == 0) raise(SIGKILL);
      if (rank.index() < together) return;
      AwaitEnd(pid);
      std::vector<std::string> parts = kGone;
      parts.push_back("pid " + std::to_string(pid));
      rank.Refused(Init(4, root, rank.index()), HCCL_E_TCP_CONNECT, parts);
    });
    EXPECT_FALSE(end.timed_out);
    EXPECT_EQ(end.processes[0].signal, SIGKILL);
    for (size_t i = 1; i < end.processes.size(); ++i) EXPECT_EQ(end.processes[i].exit_code, 0) << end.Text();
  }
}

// (c) It dies when the others have been seen waiting.
TEST(R17Processes, RootThatGoesWhileTheOthersWaitIsNamed) {
  Job job(Closed(4, kNotes), [](Rank& rank) {
    SetDevice(rank);
    const HcclRootInfo root = ShareRoot(rank);
    if (rank.index() == 0) rank.board().Await(0);  // until it is killed
    rank.Refused(Init(4, root, rank.index()), HCCL_E_TCP_CONNECT, kGone);
  });
  for (size_t i = 1; i < 4; ++i) EXPECT_TRUE(job.AwaitText(i, "connected 1,2,3; missing 0")) << i;
  job.Kill(0, SIGKILL);
  const JobEnd end = job.Wait();
  EXPECT_FALSE(end.timed_out);
  for (size_t i = 1; i < 4; ++i) EXPECT_EQ(end.processes[i].exit_code, 0) << end.Text();
}

// (d) The second communicator with the root info of the first.
TEST_P(R17, UsedRootInfoIsRefusedAtOnce) {
  Run(Closed(4), [](Rank& rank) {
    SetDevice(rank);
    const HcclRootInfo root = ShareRoot(rank);
    Work(rank, root, 4);
    rank.Refused(Init(4, root, rank.index()), HCCL_E_PARA, {"EI0015", "root info already used"});
    rank.Meet();
    rank.Refused(Init(4, root, rank.index()), HCCL_E_PARA, {"EI0015", "root info already used"});
    rank.Meet();
    Work(rank, ShareRoot(rank, 1), 4);
  });
}

// (d) A process that was not there the first time, while the root's process lives: it listens no more, or for
// another communicator.
TEST(R17Processes, UsedRootInfoIsRefusedForANewProcessToo) {
  for (const bool listens : {false, true}) {
    const JobEnd end = RunJob(Closed(3), [listens](Rank& rank) {
      SetDevice(rank);
      const HcclRootInfo root = ShareRoot(rank);
      if (rank.index() < 2) {
        Work(rank, root, 2);
        HcclRootInfo other{};
        if (listens && rank.index() == 0) rank.Ok(HcclGetRootInfo(&other));
      }
      rank.Meet();
      if (rank.index() == 2) {
        rank.Refused(Init(2, root, 1), HCCL_E_PARA, {"EI0015", "root info already used"});
      }
      rank.Meet();
    });
    EXPECT_TRUE(end.Good()) << end.Text();
  }
}

// (e) In whatever order they come.
TEST_P(R17, DifferentNumbersOfRanksAreNamedOnAllRanks) {
  for (uint32_t first = 0; first < 4; ++first) {
    Run(Closed(4), [first](Rank& rank) {
      SetDevice(rank);
      const HcclRootInfo root = ShareRoot(rank);
      if (rank.index() == first) {
        rank.board().Raise(0);
      } else {
        rank.board().Await(0);
      }
      rank.Refused(Init(rank.index() == 2 ? 3 : 4, root, rank.index()), HCCL_E_PARA,
                   {"EI0015", "rank 2 says 3 ranks, root says 4"});
      rank.Meet();
    });
  }
}

// (f) Rank 2 says that it is rank 1.
TEST_P(R17, RankThatIsThereTwiceIsNamedWithBothProcesses) {
  Run(Closed(4), [](Rank& rank) {
    SetDevice(rank);
    const HcclRootInfo root = ShareRoot(rank);
    rank.board().values[rank.index()].store(static_cast<uint64_t>(getpid()));
    rank.Meet();
    const auto process = [&](uint32_t index) {
      return "pid " + std::to_string(rank.board().values[index].load());
    };
    rank.Refused(Init(4, root, rank.index() == 2 ? 1 : rank.index()), HCCL_E_PARA,
                 {"EI0015", "rank 1 was claimed twice", process(1), process(2), "(device 1)", "(device 2)"});
    rank.Meet();
  });
}

// (g) Refused without the others hearing of it.
TEST_P(R17, RankOutsideIsRefusedLocally) {
  Run(Closed(4), [](Rank& rank) {
    SetDevice(rank);
    const HcclRootInfo root = ShareRoot(rank);
    if (rank.index() == 3) {
      rank.Refused(Init(4, root, 4), HCCL_E_PARA,
                   {"EI0003", "rank is 4, expected less than nRanks, which is 4"});
    }
    Work(rank, root, 4);
  });
}

}  // namespace
}  // namespace tandem::test
