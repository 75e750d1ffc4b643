// SPDX-License-Identifier: Apache-2.0
// R18: a rank table that is wrong says where, and one that is right brings the ranks together in any order.
#include "support/rank_table.h"

#include <sys/stat.h>
#include <unistd.h>

#include <string>

#include "support/job.h"

namespace tandem::test {
namespace {

class R18 : public JobTest {};
TANDEM_BOTH_MODES(R18);

JobOptions Closed(uint32_t ranks) {
  JobOptions options;
  options.ranks = ranks;
  options.open = false;
  return options;
}

void SetDevice(Rank& rank) { rank.Ok(aclrtSetDevice(static_cast<int32_t>(rank.index()))); }

// One element around the ring of the communicator.
void Ring(Rank& rank, HcclComm comm, uint32_t number) {
  aclrtStream stream = nullptr;
  rank.Ok(aclrtCreateStream(&stream));
  const Buffer out = rank.Outgoing(rank.next(), number, 512);
  const Buffer in = rank.Incoming(512);
  HcclSendRecvItem items[] = {SendItem(out, rank.next()), ReceiveItem(in, rank.previous())};
  rank.Ok(HcclBatchSendRecv(items, 2, comm, stream));
  rank.Ok(aclrtSynchronizeStream(stream));
  rank.ExpectArrived(in, rank.previous(), number);
  rank.Ok(aclrtDestroyStream(stream));
}

// The control: rank `last` begins when all others are about to call.
TEST_P(R18, GoodTableWorksInAnyOrder) {
  for (uint32_t last = 0; last < 3; ++last) {
    const Scratch scratch;
    const std::string path = scratch.Write("table.json", TableText(3));
    Run(Closed(3), [&](Rank& rank) {
      SetDevice(rank);
      if (rank.index() == last) {
        rank.board().AwaitCount(0, 2);
      } else {
        rank.board().Count(0);
      }
      // Again after a destroy: nothing of the first meeting is in the way of the second.
      for (uint32_t round = 0; round < 3; ++round) {
        HcclComm comm = nullptr;
        rank.Ok(HcclCommInitClusterInfo(path.c_str(), rank.index(), &comm));
        uint32_t number = 0;
        rank.Ok(HcclGetRankSize(comm, &number));
        rank.Require(number == 3, "not 3 ranks");
        rank.Ok(HcclGetRankId(comm, &number));
        rank.Require(number == rank.index(), "another rank");
        char name[COMM_NAME_MAX_LENGTH];
        rank.Ok(HcclGetCommName(comm, name));
        rank.Require(std::string(name) == "hccl_world_group", name);
        Ring(rank, comm, round);
        rank.Ok(HcclCommDestroy(comm));
      }
    });
  }
}

TEST_P(R18, OneOfADeviceAtATimeAndNamesAreUnique) {
  const Scratch scratch;
  const std::string path = scratch.Write("table.json", TableText(2));
  Run(Closed(2), [&](Rank& rank) {
    SetDevice(rank);
    HcclCommConfig config;
    HcclCommConfigInit(&config);
    std::snprintf(config.hcclCommName, sizeof(config.hcclCommName), "mine");
    HcclComm comm = nullptr;
    rank.Ok(HcclCommInitClusterInfoConfig(path.c_str(), rank.index(), &config, &comm));
    HcclComm found = nullptr;
    rank.Ok(HcclCommGetHandleWithName("mine", &found));
    rank.Require(found == comm, "another communicator");
    HcclComm second = nullptr;
    rank.Refused(HcclCommInitClusterInfo(path.c_str(), rank.index(), &second), HCCL_E_UNAVAIL,
                 {"rank table", "mine", "HCCL_E_UNAVAIL (7)"});
    rank.Require(second == nullptr, "a handle was given out");
    Ring(rank, comm, 0);
    rank.Meet();
    rank.Ok(HcclCommDestroy(comm));
    rank.Meet();
    rank.Refused(HcclCommGetHandleWithName("mine", &found), HCCL_E_PARA, {"commName is \"mine\""});
  });
}

TEST_P(R18, TableThatIsStillBeingWrittenIsReadAgain) {
  const Scratch scratch;
  const std::string path = scratch.Write("table.json", TableText({{"0", "0"}}, "initializing"));
  Run(Closed(2), [&](Rank& rank) {
    SetDevice(rank);
    rank.Meet();
    if (rank.index() == 1) static_cast<void>(scratch.Write("table.json", TableText(2)));
    HcclComm comm = nullptr;
    rank.Ok(HcclCommInitClusterInfo(path.c_str(), rank.index(), &comm));
    Ring(rank, comm, 0);
    rank.Ok(HcclCommDestroy(comm));
  });
}

// (i) Found when the ranks meet, told to all of them.
TEST_P(R18, TablesThatDifferFailOnAllRanks) {
  const Scratch scratch;
  const std::string three = scratch.Write("three.json", TableText(3));
  const std::string two = scratch.Write("two.json", TableText(2));
  Run(Closed(2), [&](Rank& rank) {
    SetDevice(rank);
    HcclComm comm = nullptr;
    const std::string& path = rank.index() == 0 ? three : two;
    rank.Refused(HcclCommInitClusterInfo(path.c_str(), rank.index(), &comm), HCCL_E_PARA,
                 {"EI0014", "the number of ranks is 2", "rank 1", "3 in that of rank 0"});
    rank.Require(comm == nullptr, "a handle was given out");
    rank.Meet();
    // Who has corrected the table can try again at once.
    rank.Ok(HcclCommInitClusterInfo(two.c_str(), rank.index(), &comm));
    Ring(rank, comm, 0);
    rank.Ok(HcclCommDestroy(comm));
  });
}

TEST(R18Alone, RankZeroThatNeverComesIsATimeout) {
  const Scratch scratch;
  const std::string path = scratch.Write("table.json", TableText(2));
  JobOptions options = Closed(1);
  options.environment["TANDEM_CONNECT_TIMEOUT"] = "0.3";
  const JobEnd end = RunJob(options, [&](Rank& rank) {
    rank.Ok(aclrtSetDevice(1));
    HcclComm comm = nullptr;
    rank.Refused(HcclCommInitClusterInfo(path.c_str(), 1, &comm), HCCL_E_TIMEOUT, {"EI0015", "rank 0"});
    rank.Ok(aclrtSetDevice(0));
    rank.Refused(HcclCommInitClusterInfo(path.c_str(), 0, &comm), HCCL_E_INTERNAL, {"EI0015", "missing 1"});
  });
  EXPECT_TRUE(end.Good()) << end.Text();
}

TEST(R18Alone, TableThatIsNeverCompletedIsATimeout) {
  const Scratch scratch;
  const std::string path = scratch.Write("table.json", TableText({{"0", "0"}}, "initializing"));
  JobOptions options = Closed(1);
  options.environment["TANDEM_CONNECT_TIMEOUT"] = "0.2";
  const JobEnd end = RunJob(options, [&](Rank& rank) {
    SetDevice(rank);
    HcclComm comm = nullptr;
    rank.Refused(HcclCommInitClusterInfo(path.c_str(), 0, &comm), HCCL_E_TIMEOUT,
                 {"EI0014", "$.status is \"initializing\"", "completed"});
  });
  EXPECT_TRUE(end.Good()) << end.Text();
}

// What one rank alone sees of a bad table: nothing else is needed to refuse it.
struct Bad {
  const char* what;
  std::string text;
  HcclResult code;
  std::vector<std::string> said;
  uint32_t rank = 0;
};

std::string Servers(const std::string& first, const std::string& second) {
  return R"({"status": "completed", "version": "1.0", "server_count": "2", "server_list": [
    {"server_id": ")" +
         first + R"(", "device": [{"device_id": "0", "rank_id": "0", "device_ip": "10.1.0.1"}]},
    {"server_id": ")" +
         second + R"(", "device": [{"device_id": "0", "rank_id": "1", "device_ip": "10.1.0.2"}]}]})";
}

// NOLINTNEXTLINE(readability-function-size): a table
std::vector<Bad> BadTables() {
  std::string count = TableText(2);
  count.replace(count.find("\"server_count\": \"1\""), 19, "\"server_count\": \"3\"");
  std::string comma = TableText(2);
  comma.insert(comma.rfind('}'), ",");
  return {
      {"(c) cut in the middle", TableText(2).substr(0, 150), HCCL_E_INTERNAL, {"EI0004", "line 7, column"}},
      {"(d) server_count", count, HCCL_E_PARA, {"EI0014", "$.server_count is \"3\"", "expected 1"}},
      {"(e) rank_id twice",
       TableText({{"0", "0"}, {"1", "0"}}),
       HCCL_E_UNAVAIL,
       {"EI0014", "rank_id 0 is given twice", "$.server_list[0].device[0]", "$.server_list[0].device[1]"}},
      {"(f) a gap",
       TableText({{"0", "0"}, {"1", "1"}, {"2", "3"}}),
       HCCL_E_UNAVAIL,
       {"EI0014", "$.server_list[0].device[2].rank_id is 3", "expected 2"}},
      {"(g) a rank that is not there", TableText(3), HCCL_E_PARA, {"EI0014", "rank is 3", "3 ranks"}, 3},
      {"(g) a rank of another host",
       Servers("127.0.0.1", "192.0.2.1"),
       HCCL_E_UNAVAIL,
       {"EI0014", "rank 1", "192.0.2.1", "this host"},
       1},
      {"(g) more than one host",
       Servers("127.0.0.1", "192.0.2.1"),
       HCCL_E_NOT_SUPPORT,
       {"EI0014", "127.0.0.1", "192.0.2.1", "one host"}},
      {"(j) host_ip of another host",
       R"({"status": "completed", "version": "1.0", "server_count": "1", "server_list": [{"server_id": "s",
           "host_ip": "192.0.2.1", "device": [{"device_id": "0", "rank_id": "0"}]}]})",
       HCCL_E_UNAVAIL,
       {"EI0014", "host_ip 192.0.2.1", "this host"}},
      {"(k) both address families",
       TableText({{"0", "0", R"(, "device_ip": "10.0.0.1")"}, {"1", "1", R"(, "device_ip": "fd00::1")"}}),
       HCCL_E_PARA,
       {"EI0001", "10.0.0.1 (IPv4)", "fd00::1 (IPv6)", "$.server_list[0].device[1]"}},
      {"(l) a device twice",
       TableText({{"0", "0"}, {"0", "1"}}),
       HCCL_E_PARA,
       {"EI0014", "$.server_list[0].device[1].device_id is 0", "$.server_list[0].device[0]"}},
      {"(m) a byte order mark",
       "\xEF\xBB\xBF" + TableText(1),
       HCCL_E_INTERNAL,
       {"EI0004", "byte order mark", "line 1"}},
      {"(m) a comma too many", comma, HCCL_E_INTERNAL, {"EI0004", "line 10, column 2"}},
      {"another device than the current one",
       TableText({{"1", "0"}}),
       HCCL_E_UNAVAIL,
       {"EI0014", "device_id of rank 0 is 1", "current device is 0", "aclrtSetDevice"}},
      {"no server_list",
       R"({"status": "completed", "version": "1.0", "server_count": "1"})",
       HCCL_E_NOT_FOUND,
       {"EI0017", "$.server_list is missing"}},
      {"a number without quotation marks",
       R"({"status": "completed", "version": "1.0", "server_count": 1, "server_list": []})",
       HCCL_E_PARA,
       {"EI0017", "$.server_count is 1", "quotation marks"}},
      {"an unknown version",
       R"({"status": "completed", "version": "3.1"})",
       HCCL_E_NOT_SUPPORT,
       {"EI0014", "3.1"}},
  };
}

TEST(R18Alone, BadTablesSayWhatIsWrongAndWhere) {
  const Scratch scratch;
  const JobEnd end = RunJob(Closed(1), [&](Rank& rank) {
    SetDevice(rank);
    for (const Bad& bad : BadTables()) {
      const std::string path = scratch.Write("bad.json", bad.text);
      HcclComm comm = nullptr;
      std::vector<std::string> said = bad.said;
      if (bad.code != HCCL_E_TIMEOUT) said.push_back(path);
      try {
        rank.Refused(HcclCommInitClusterInfo(path.c_str(), bad.rank, &comm), bad.code, said);
      } catch (const CheckFailed& failure) {
        throw CheckFailed(std::string(bad.what) + ": " + failure.what());
      }
      rank.Require(comm == nullptr, "a handle was given out");
    }
  });
  EXPECT_TRUE(end.Good()) << end.Text();
}

TEST(R18Alone, FilesThatCannotBeReadSayWhy) {
  const Scratch scratch;
  const std::string good = scratch.Write("good.json", TableText(1));
  const std::string other_name = scratch.Write("table.txt", TableText(1));
  const std::string directory = scratch.Path("directory.json");
  ASSERT_EQ(mkdir(directory.c_str(), 0700), 0);
  const std::string pipe = scratch.Path("pipe.json");
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  const std::string closed = scratch.Write("closed.json", TableText(1));
  ASSERT_EQ(chmod(closed.c_str(), 0), 0);
  const JobEnd end = RunJob(Closed(1), [&](Rank& rank) {
    SetDevice(rank);
    HcclComm comm = nullptr;
    const auto refused = [&](const std::string& path, const std::vector<std::string>& said) {
      rank.Refused(HcclCommInitClusterInfo(path.c_str(), 0, &comm), HCCL_E_INTERNAL, said);
    };
    refused(scratch.Path("nothing.json"), {"EI0004", "nothing.json", "No such file"});  // (a)
    refused(directory, {"EI0004", "directory.json", "no ordinary file"});               // (b)
    refused(pipe, {"EI0004", "pipe.json", "no ordinary file"});                         // (b)
    if (access(closed.c_str(), R_OK) != 0)
      refused(closed, {"EI0004", "closed.json", "Permission denied"});                         // (b)
    refused(std::string(4092, 'a') + ".json", {"EI0004", "4097 characters", "at most 4095"});  // (h)
    refused(std::string(4091, 'a') + ".json", {"EI0004", "4096 characters", "at most 4095"});  // (h)
    refused(other_name, {"EI0004", "table.txt", ".json"});
    rank.Refused(HcclCommInitClusterInfo(nullptr, 0, &comm), HCCL_E_PTR, {"EI0003", "clusterInfo is null"});
    rank.Refused(HcclCommInitClusterInfo(good.c_str(), 0, nullptr), HCCL_E_PTR, {"EI0003", "comm is null"});
    rank.Refused(HcclCommInitClusterInfoConfig(good.c_str(), 0, nullptr, &comm), HCCL_E_PTR,
                 {"EI0003", "config is null"});
  });
  EXPECT_TRUE(end.Good()) << end.Text();
}

// (j) What a host lists of its devices is what the table is held against; most hosts list nothing.
TEST(R18Alone, DeviceAddressIsComparedWithWhatTheHostLists) {
  const Scratch scratch;
  const std::string table =
      scratch.Write("table.json", TableText({{"0", "0", R"(, "device_ip": "192.0.2.9")"}}));
  const auto with = [&scratch, &table](const std::string& listed, const std::vector<std::string>& refusal) {
    JobOptions options = Closed(1);
    options.environment["TANDEM_HCCN_CONF"] =
        listed.empty() ? scratch.Path("nothing.conf") : scratch.Write("hccn.conf", listed);
    const JobEnd end = RunJob(options, [&](Rank& rank) {
      SetDevice(rank);
      HcclComm comm = nullptr;
      const HcclResult code = HcclCommInitClusterInfo(table.c_str(), 0, &comm);
      if (!refusal.empty()) {
        rank.Refused(code, HCCL_E_UNAVAIL, refusal);
        rank.Require(comm == nullptr, "a handle was given out");
      } else {
        rank.Ok(code);
        rank.Ok(HcclCommDestroy(comm));
      }
    });
    EXPECT_TRUE(end.Good()) << listed << ": " << end.Text();
  };
  with("", {});
  with("address_0=192.0.2.9\n", {});
  with("address_1=192.0.2.1\nnetmask_0=255.255.255.0\n", {});
  with("address_0=\naddress_0=no address\n", {});
  with("address_1=192.0.2.9\naddress_0=192.0.2.10 \r\n",
       {"EI0014", table, "$.server_list[0].device[0].device_ip is 192.0.2.9", "device 0 of this host",
        "192.0.2.10 (", "hccn.conf"});
  with("address_0=2001:db8::1\n", {"EI0014", "192.0.2.9", "2001:db8::1"});
}

}  // namespace
}  // namespace tandem::test
