// SPDX-License-Identifier: Apache-2.0
// Communicators cut out of another one, and several over the same ranks.
#include <cstdio>
#include <string>
#include <vector>

#include "support/job.h"
#include "support/surroundings.h"

namespace tandem::test {
namespace {

class SubComm : public JobTest {};
TANDEM_BOTH_MODES(SubComm);

HcclCommConfig Config(const char* name = "") {
  HcclCommConfig config;
  HcclCommConfigInit(&config);
  std::snprintf(config.hcclCommName, sizeof(config.hcclCommName), "%s", name);
  return config;
}

HcclComm Split(Rank& rank, std::vector<uint32_t> ranks, uint32_t own, uint64_t id, const char* name = "") {
  HcclComm parent = rank.comm();
  HcclCommConfig config = Config(name);
  HcclComm sub = nullptr;
  rank.Ok(HcclCreateSubCommConfig(&parent, static_cast<uint32_t>(ranks.size()), ranks.data(), id, own,
                                  &config, &sub));
  return sub;
}

std::string NameOf(Rank& rank, HcclComm comm) {
  char name[COMM_NAME_MAX_LENGTH];
  rank.Ok(HcclGetCommName(comm, name));
  return name;
}

// Sends to the next of `size` ranks and receives from the one before, with plain calls on two streams.
void Ring(Rank& rank, HcclComm comm, uint32_t own, uint32_t size, uint32_t number) {
  const uint32_t to = (own + 1) % size;
  const uint32_t from = (own + size - 1) % size;
  Buffer out(Memory::kDevice, 4096);
  out.Fill({own, to, number});
  const Buffer in = rank.Incoming(4096);
  aclrtStream second = nullptr;
  rank.Ok(aclrtCreateStream(&second));
  rank.Ok(HcclSend(out.data(), 4096, HCCL_DATA_TYPE_INT8, to, comm, rank.stream()));
  rank.Ok(HcclRecv(in.data(), 4096, HCCL_DATA_TYPE_INT8, from, comm, second));
  rank.Ok(aclrtSynchronizeStream(second));
  rank.Synchronize();
  rank.Ok(aclrtDestroyStream(second));
  const std::string wrong = in.Check({from, own, number});
  rank.Require(wrong.empty(), wrong);
}

TEST_P(SubComm, MembersTalkByTheirNewNumbers) {
  Run(4, [](Rank& rank) {
    if (rank.index() == 2) {
      HcclComm parent = rank.comm();
      HcclCommConfig config = Config();
      HcclComm none = nullptr;
      rank.Ok(HcclCreateSubCommConfig(&parent, 3, nullptr, 0xFFFFFFFF, 0, &config, &none));
      rank.Require(none == nullptr, "a rank outside got a handle");
      rank.Meet();
      return;
    }
    const uint32_t own = rank.index() == 3 ? 2 : rank.index();
    const HcclComm sub = Split(rank, {0, 1, 3}, own, 7);
    uint32_t number = 0;
    rank.Ok(HcclGetRankSize(sub, &number));
    rank.Require(number == 3, "not 3 ranks");
    rank.Ok(HcclGetRankId(sub, &number));
    rank.Require(number == own, "another rank");
    rank.Require(NameOf(rank, sub) == NameOf(rank, rank.comm()) + "_sub_7", NameOf(rank, sub));
    for (uint32_t i = 0; i < 3; ++i) Ring(rank, sub, own, 3, i);
    rank.Meet();
    rank.Ok(HcclCommDestroy(sub));
  });
}

// Equal calls on two communicators of the same ranks never meet each other.
TEST_P(SubComm, EachHasItsOwnMatchingSpace) {
  Run(2, [](Rank& rank) {
    const HcclComm first = Split(rank, {0, 1}, rank.index(), 1, "first");
    const HcclComm second = Split(rank, {0, 1}, rank.index(), 1, "second");
    const HcclComm third = rank.Join();
    std::vector<HcclComm> comms = {rank.comm(), first, second, third};
    std::vector<aclrtStream> streams(comms.size());
    std::vector<Buffer> buffers;
    for (uint32_t i = 0; i < comms.size(); ++i) {
      rank.Ok(aclrtCreateStream(&streams[i]));
      buffers.push_back(rank.index() == 0 ? rank.Outgoing(1, i, 1024) : rank.Incoming(1024));
    }
    // The receiver asks in the opposite order.
    for (uint32_t i = 0; i < comms.size(); ++i) {
      const size_t n = rank.index() == 0 ? i : comms.size() - 1 - i;
      void* data = buffers[n].data();
      if (rank.index() == 0) {
        rank.Ok(HcclSend(data, 1024, HCCL_DATA_TYPE_INT8, 1, comms[n], streams[n]));
      } else {
        rank.Ok(HcclRecv(data, 1024, HCCL_DATA_TYPE_INT8, 0, comms[n], streams[n]));
      }
    }
    for (const aclrtStream stream : streams) rank.Ok(aclrtSynchronizeStream(stream));
    if (rank.index() == 1) {
      for (uint32_t i = 0; i < comms.size(); ++i) rank.ExpectArrived(buffers[i], 0, i);
    }
    rank.Meet();
    for (const HcclComm comm : {first, second, third}) rank.Ok(HcclCommDestroy(comm));
    for (const aclrtStream stream : streams) rank.Ok(aclrtDestroyStream(stream));
  });
}

TEST_P(SubComm, MadeAgainAfterADestroyAndWithoutTheWhole) {
  Run(3, [](Rank& rank) {
    for (uint32_t round = 0; round < 4; ++round) {
      const HcclComm sub = Split(rank, {0, 1, 2}, rank.index(), 1);
      Ring(rank, sub, rank.index(), 3, round);
      rank.Ok(HcclCommDestroy(sub));
    }
    // The part lives on when the whole is gone.
    const HcclComm whole = rank.Join();
    HcclComm parent = whole;
    HcclCommConfig config = Config("part");
    HcclComm part = nullptr;
    uint32_t ranks[] = {0, 1, 2};
    rank.Ok(HcclCreateSubCommConfig(&parent, 3, ranks, 2, rank.index(), &config, &part));
    rank.Ok(HcclCommDestroy(whole));
    Ring(rank, part, rank.index(), 3, 9);
    rank.Ok(HcclCommDestroy(part));
  });
}

TEST_P(SubComm, WhoWaitsForARankThatLeftIsTold) {
  Run(2, [](Rank& rank) {
    const HcclComm known = Split(rank, {0, 1}, rank.index(), 1, "known");
    const HcclComm unknown = Split(rank, {0, 1}, rank.index(), 2, "unknown");
    Ring(rank, known, rank.index(), 2, 0);
    if (rank.index() == 1) {
      rank.Ok(HcclCommDestroy(known));
      rank.Ok(HcclCommDestroy(unknown));
      rank.Meet();
      rank.Meet();
      return;
    }
    rank.Meet();
    const Buffer in = rank.Incoming(16);
    // Whether or not the two have talked before.
    for (const HcclComm comm : {known, unknown}) {
      rank.Ok(HcclRecv(in.data(), 16, HCCL_DATA_TYPE_INT8, 1, comm, rank.stream()));
      rank.Says(rank.TrySynchronize(), ACL_ERROR_RT_SUSPECT_REMOTE_ERROR, {"rank 1", "left"});
      rank.Ok(HcclCommDestroy(comm));
    }
    // The whole is not touched by it.
    rank.Meet();
  });
}

TEST(SubCommProcesses, AnEndedProcessIsToldToThoseWhoNeverTalkedWithIt) {
  JobOptions options;
  options.ranks = 3;
  options.open = true;
  const JobEnd end = RunJob(options, [](Rank& rank) {
    const HcclComm sub = Split(rank, {0, 1, 2}, rank.index(), 1);
    if (rank.index() == 2) std::_Exit(0);
    AwaitEnd(rank.board().pids[2].load());
    const Buffer in = rank.Incoming(16);
    rank.Ok(HcclRecv(in.data(), 16, HCCL_DATA_TYPE_INT8, 2, sub, rank.stream()));
    rank.Says(rank.TrySynchronize(), ACL_ERROR_RT_SUSPECT_REMOTE_ERROR, {"rank 2"});
    // Known when the part is made.
    const HcclComm late = Split(rank, {0, 1, 2}, rank.index(), 2);
    rank.Ok(HcclRecv(in.data(), 16, HCCL_DATA_TYPE_INT8, 2, late, rank.stream()));
    rank.Says(rank.TrySynchronize(), ACL_ERROR_RT_SUSPECT_REMOTE_ERROR, {"rank 2"});
    rank.Ok(HcclCommDestroy(sub));
    rank.Ok(HcclCommDestroy(late));
    // The root is in rank 0's process.
    if (rank.index() == 1) {
      rank.board().Raise(1);
    } else {
      rank.board().Await(1);
    }
  });
  EXPECT_FALSE(end.timed_out);
  EXPECT_EQ(end.processes[0].exit_code, 0) << end.Text();
  EXPECT_EQ(end.processes[1].exit_code, 0) << end.Text();
}

TEST_P(SubComm, ChecksInTheOrderOfTheDevice) {
  Run(2, [](Rank& rank) {
    HcclComm parent = rank.comm();
    HcclComm sub = nullptr;
    HcclCommConfig config = Config();
    uint32_t both[] = {0, 1};
    const uint32_t own = rank.index();
    const auto create = [&](HcclComm* comm, uint32_t count, uint32_t* ranks, uint64_t id, uint32_t sub_rank,
                            HcclCommConfig* settings) {
      return HcclCreateSubCommConfig(comm, count, ranks, id, sub_rank, settings, &sub);
    };
    rank.Refused(HcclCreateSubCommConfig(nullptr, 0, nullptr, 1, 5, nullptr, nullptr), HCCL_E_PTR,
                 {"EI0003", "subComm is null"});
    rank.Refused(create(nullptr, 0, nullptr, 1, 5, nullptr), HCCL_E_PARA,
                 {"rankIds is null", "subCommId is 1"});
    rank.Refused(create(nullptr, 0, both, 0xFFFFFFFF, 5, nullptr), HCCL_E_PARA, {"rankIds is not null"});
    rank.Refused(create(nullptr, 0, both, 1, 5, nullptr), HCCL_E_PARA, {"rankNum is 0"});
    rank.Refused(create(nullptr, 2, both, 1, 2, nullptr), HCCL_E_PARA, {"subCommRankId is 2"});
    rank.Refused(create(nullptr, 2, both, 1, own, nullptr), HCCL_E_PTR, {"config is null"});
    rank.Refused(create(nullptr, 2, both, 1, own, &config), HCCL_E_PTR, {"comm is null"});
    HcclComm none = nullptr;
    rank.Refused(create(&none, 2, both, 1, own, &config), HCCL_E_PTR, {"*comm is null"});
    uint32_t far[] = {0, 2};
    rank.Refused(create(&parent, 2, far, 1, own, &config), HCCL_E_PARA, {"rankIds[1] is 2"});
    uint32_t twice[] = {1, 1};
    rank.Refused(create(&parent, 2, twice, 1, own, &config), HCCL_E_PARA,
                 {"rankIds[1] is 1 after 1", "ascending"});
    rank.Refused(create(&parent, 2, both, 1, 1 - own, &config), HCCL_E_PARA,
                 {"subCommRankId", "calling rank"});
    HcclCommConfig damaged = Config();
    damaged.reserved[8] = 0;
    rank.Refused(create(&parent, 2, both, 1, own, &damaged), HCCL_E_PARA, {"EI0003", "magic word"});
    rank.Ok(create(&parent, 2, both, 1, own, &config));
    HcclComm first = sub;
    rank.Refused(create(&parent, 2, both, 1, own, &config), HCCL_E_PARA, {"_sub_1", "used by another"});
    rank.Refused(create(&first, 2, both, 3, own, &config), HCCL_E_PARA, {"itself a part"});
    rank.Meet();
    rank.Ok(HcclCommDestroy(first));
  });
}

}  // namespace
}  // namespace tandem::test
