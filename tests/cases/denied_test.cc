// SPDX-License-Identifier: Apache-2.0
// R22: tiny /dev/shm. R23: reading another process's memory is forbidden.
#include <fcntl.h>
#include <grp.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <sstream>
#include "cases/units.h"
#include "support/job.h"
#include "support/surroundings.h"

namespace tandem::test {
namespace {

void RingOf(Rank& rank, uint64_t bytes, Memory memory, uint32_t number = 0) {
  const Buffer out = rank.Outgoing(rank.next(), number, bytes, memory);
  const Buffer in = rank.Incoming(bytes, memory);
  rank.Batch({SendItem(out, rank.next()), ReceiveItem(in, rank.previous())});
  rank.Synchronize();
  rank.ExpectArrived(in, rank.previous(), number);
}

// A leak checker in a process id name space of its own says that it cannot stop threads; that is not the
// library.
int LinesOfLibrary(const std::string& text) {
  std::istringstream lines(text);
  std::string line;
  int count = 0;
  while (std::getline(lines, line)) {
    if (!line.empty() && !line.starts_with("==")) ++count;
  }
  return count;
}

// No more than one line of each process, and no failed check.
void ExpectQuiet(const JobEnd& end) {
  EXPECT_TRUE(end.Good()) << end.Text();
  for (const ProcessEnd& process : end.processes) {
    EXPECT_LE(LinesOfLibrary(process.text), 1) << process.text;
  }
}

class R22 : public JobTest {
 protected:
  void SetUp() override {
    if (!MayDo([] { return MountPrivateTmpfs("/dev/shm", "size=1m"); })) {
      GTEST_SKIP() << "an own mount name space with a small /dev/shm needs root";
    }
  }
  void RunWith(const char* mount_options, bool read_only) {
    for (const uint32_t ranks : {2U, kSanitized ? 3U : 8U}) {
      JobOptions options;
      options.ranks = ranks;
      options.mode = GetParam();
      options.prepare = [mount_options, read_only] {
        if (!MountPrivateTmpfs("/dev/shm", mount_options, read_only)) std::abort();
      };
      ExpectQuiet(RunJob(options, [](Rank& rank) {
        RingOf(rank, Times(64) * kMiB, Memory::kDevice);
        RingOf(rank, Times(16) * kMiB, Memory::kPlain, 1);
        rank.Require(Entries("/dev/shm").empty(), "something lies in /dev/shm");
      }));
    }
  }
};
TANDEM_BOTH_MODES(R22);

TEST_P(R22, SixteenMebibytes) { RunWith("size=16m", false); }
TEST_P(R22, OneMebibyte) { RunWith("size=1m", false); }
TEST_P(R22, ReadOnly) { RunWith("size=1m", true); }

TEST_P(R22, FullAfterTheStart) {
  JobOptions options;
  options.mode = GetParam();
  options.prepare = [] {
    if (!MountPrivateTmpfs("/dev/shm", "size=1m")) std::abort();
  };
  ExpectQuiet(RunJob(options, [](Rank& rank) {
    RingOf(rank, 4, Memory::kDevice);
    const std::string path = "/dev/shm/full" + std::to_string(rank.index());
    const int file = open(path.c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
    const std::vector<char> bytes(4096);
    while (write(file, bytes.data(), bytes.size()) > 0) continue;
    rank.Require(errno == ENOSPC, "the file system did not fill");
    close(file);
    RingOf(rank, 64 * kMiB, Memory::kDevice, 1);
    RingOf(rank, 16 * kMiB, Memory::kPlain, 2);
  }));
}

// The denial is real: the test must not pass because everything is allowed.
void RequireDenied(Rank& rank) {
  static std::byte mine{};
  std::byte copy{};
  const iovec local{&copy, 1};
  const iovec remote{&mine, 1};  // the same address in every rank, since all were forked from one program
  const ssize_t got = process_vm_readv(rank.board().pids[rank.next()].load(), &local, 1, &remote, 1, 0);
  rank.Require(got < 0, "this process may read its peer's memory");
}

void AllSizes(Rank& rank) {
  uint32_t number = 0;
  for (const uint64_t bytes :
       {uint64_t{4}, uint64_t{33}, uint64_t{4096}, 128 * 1024 - uint64_t{1}, uint64_t{128} * 1024,
        uint64_t{128} * 1024 + 1, kMiB, 5 * kMiB + 3, 64 * kMiB}) {
    RingOf(rank, bytes, Memory::kPlain, number++);
    RingOf(rank, bytes, Memory::kDevice, number++);
  }
  // Many at once want the same way round.
  std::vector<Buffer> out;
  std::vector<Buffer> in;
  for (uint32_t i = 0; i < 20; ++i) {
    out.push_back(rank.Outgoing(rank.next(), number + i, uint64_t{300} * 1024 + i, Memory::kPlain));
    in.push_back(rank.Incoming(uint64_t{300} * 1024 + i, Memory::kPlain));
  }
  std::vector<HcclSendRecvItem> items;
  items.reserve(out.size() + in.size());
  for (const Buffer& buffer : out) items.push_back(SendItem(buffer, rank.next()));
  for (const Buffer& buffer : in) items.push_back(ReceiveItem(buffer, rank.previous()));
  rank.Batch(std::move(items));
  rank.Synchronize();
  for (uint32_t i = 0; i < 20; ++i) rank.ExpectArrived(in[i], rank.previous(), number + i);
}

JobOptions Denied(std::function<void()> prepare) {
  JobOptions options;
  options.environment["TANDEM_BATCH_DUPLICATES"] = "list";
  options.prepare = std::move(prepare);
  return options;
}

TEST(R23Processes, SeccompFilterRefuses) {
  for (const int error_number : {EPERM, ENOSYS}) {
    const auto forbid = [error_number] {
      if (!ForbidReadingOtherProcesses(error_number)) std::abort();
    };
    ExpectQuiet(RunJob(Denied(forbid), [](Rank& rank) {
      RequireDenied(rank);
      AllSizes(rank);
    }));
  }
}

TEST(R23Processes, OnlyOneSideIsRefused) {
  for (const uint32_t refused : {0U, 1U}) {
    JobOptions options = Denied({});
    options.open = false;
    ExpectQuiet(RunJob(options, [refused](Rank& rank) {
      if (rank.index() == refused) rank.Require(ForbidReadingOtherProcesses(EPERM), "no filter");
      rank.Open();
      AllSizes(rank);
      rank.Close();
    }));
  }
}

TEST(R23Processes, PermissionIsLostAfterTheFirstMessages) {
  ExpectQuiet(RunJob(Denied({}), [](Rank& rank) {
    RingOf(rank, 5 * kMiB, Memory::kPlain, 1000);
    rank.Require(ForbidReadingOtherProcesses(EPERM), "no filter");
    RequireDenied(rank);
    AllSizes(rank);
  }));
}

// In the middle of a stream of messages, so that some have begun the one way.
TEST(R23Processes, PermissionIsLostInTheMiddle) {
  ExpectQuiet(RunJob(Denied({}), [](Rank& rank) {
    std::vector<Buffer> out;
    std::vector<Buffer> in;
    constexpr uint32_t kMessages = 40;
    for (uint32_t i = 0; i < kMessages; ++i) {
      out.push_back(rank.Outgoing(rank.next(), i, 3 * kMiB + i, Memory::kPlain));
      in.push_back(rank.Incoming(3 * kMiB + i, Memory::kPlain));
    }
    for (uint32_t i = 0; i < kMessages; ++i) {
      rank.Batch({SendItem(out[i], rank.next()), ReceiveItem(in[i], rank.previous())});
      if (i == kMessages / 4) rank.Require(ForbidReadingOtherProcesses(EPERM), "no filter");
    }
    rank.Synchronize();
    for (uint32_t i = 0; i < kMessages; ++i) rank.ExpectArrived(in[i], rank.previous(), i);
  }));
}

// Both under another user id than root's, and not dumpable: then the kernel refuses even to the same user.
TEST(R23Processes, NotDumpable) {
  const auto give_up = [] {
    const bool root = geteuid() == 0;
    if (root && (setgroups(0, nullptr) != 0 || setgid(65534) != 0 || setuid(65534) != 0)) std::abort();
    if (prctl(PR_SET_DUMPABLE, 0) != 0) std::abort();
  };
  ExpectQuiet(RunJob(Denied(give_up), [](Rank& rank) {
    RequireDenied(rank);
    AllSizes(rank);
  }));
}

// Every rank is process 1 of a name space of its own, so process ids name the wrong processes.
TEST(R23Processes, OwnProcessIdNameSpaces) {
  if (!MayDo([] { return unshare(CLONE_NEWPID) == 0; }))
    GTEST_SKIP() << "an own process id name space needs root";
  const auto enter = [] {
    if (unshare(CLONE_NEWPID) != 0) std::abort();
    const pid_t first = fork();
    if (first < 0) std::abort();
    if (first > 0) {
      int status = 1;
      waitpid(first, &status, 0);
      _exit(WIFEXITED(status) ? WEXITSTATUS(status) : 1);
    }
    prctl(PR_SET_PDEATHSIG, SIGKILL);
  };
  ExpectQuiet(RunJob(Denied(enter), [](Rank& rank) {
    rank.Require(getpid() == 1, "not in a name space of its own");
    AllSizes(rank);
  }));
}

}  // namespace
}  // namespace tandem::test
