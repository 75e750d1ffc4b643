// SPDX-License-Identifier: Apache-2.0
// Settings of the process and of communicators, states, memory hints.
#include <array>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "support/job.h"

namespace tandem::test {
namespace {

template <typename Enum>
Enum AnyValue(int value) {
  return static_cast<Enum>(value);
}

// A communicator of one rank with this configuration.
HcclResult Create(const HcclCommConfig* config, HcclComm* comm) {
  HcclRootInfo root{};
  const HcclResult made = HcclGetRootInfo(&root);
  return made != HCCL_SUCCESS ? made : HcclCommInitRootInfoConfig(1, &root, 0, config, comm);
}

void RunAlone(const Body& body, std::map<std::string, std::string> environment = {}) {
  JobOptions options;
  options.ranks = 1;
  options.environment = std::move(environment);
  const JobEnd end = RunJob(options, body);
  EXPECT_TRUE(end.Good()) << end.Text();
}

HcclCommConfig Fresh() {
  HcclCommConfig config;
  HcclCommConfigInit(&config);
  return config;
}

void SetHead(HcclCommConfig& config, uint64_t size, uint32_t version) {
  std::memcpy(config.reserved, &size, sizeof(size));
  std::memcpy(config.reserved + 12, &version, sizeof(version));
}

TEST(CommConfig, ValuesThatAreRefused) {
  RunAlone([](Rank& rank) {
    HcclComm comm = nullptr;
    const auto refused = [&](const HcclCommConfig& config, const std::vector<std::string>& said) {
      rank.Refused(Create(&config, &comm), HCCL_E_PARA, said);
    };
    rank.Refused(Create(nullptr, &comm), HCCL_E_PARA, {"EI0003", "config is null"});
    HcclCommConfig config = Fresh();
    config.hcclBufferSize = 0;
    refused(config, {"EI0003", "hcclBufferSize is 0"});
    config = Fresh();
    config.hcclDeterministic = 3;
    refused(config, {"hcclDeterministic is 3"});
    config = Fresh();
    config.aclGraphZeroCopyEnable = 2;
    refused(config, {"aclGraphZeroCopyEnable is 2"});
    config = Fresh();
    std::memset(config.hcclUdi, 'x', sizeof(config.hcclUdi));
    refused(config, {"hcclUdi has no terminating zero in its 128 bytes"});
    config = Fresh();
    config.reserved[8] = 0;
    refused(config, {"magic word"});
    config = Fresh();
    SetHead(config, 8, 11);
    refused(config, {"declares 8 bytes"});
  });
}

TEST(CommConfig, FieldsCountFromTheVersionThatHasThem) {
  RunAlone([](Rank& rank) {
    const auto accepted = [&](const HcclCommConfig& config) {
      HcclComm comm = nullptr;
      rank.Ok(Create(&config, &comm));
      char name[COMM_NAME_MAX_LENGTH];
      rank.Ok(HcclGetCommName(comm, name));
      rank.Ok(HcclCommDestroy(comm));
      return std::string(name);
    };
    HcclCommConfig config = Fresh();
    std::snprintf(config.hcclCommName, sizeof(config.hcclCommName), "given");
    rank.Require(accepted(config) == "given", "the name was not taken");
    SetHead(config, 32, 11);
    rank.Require(accepted(config) != "given", "a name beyond the declared size was taken");
    SetHead(config, sizeof(config), 1);
    config.aclGraphZeroCopyEnable = 9;
    rank.Require(accepted(config) != "given", "version 1 has no name");
    SetHead(config, sizeof(config), 0);
    config.hcclBufferSize = 0;
    static_cast<void>(accepted(config));
    // Only a line in the log.
    config = Fresh();
    config.hcclOpExpansionMode = 77;
    config.hcclRdmaTrafficClass = 5;
    config.hcclRdmaServiceLevel = 8;
    config.hcclQos = 8;
    config.hcclExecTimeOut = -5;
    SetHead(config, sizeof(config) + 64, 99);
    static_cast<void>(accepted(config));
  });
}

// The limit of the environment is far longer.
TEST(CommConfig, ExecutionTimeLimitIsTaken) {
  JobOptions options;
  options.open = false;
  options.environment["HCCL_EXEC_TIMEOUT"] = "1000";
  const JobEnd end = RunJob(options, [](Rank& rank) {
    rank.Ok(aclrtSetDevice(static_cast<int32_t>(rank.index())));
    HcclRootInfo root{};
    if (rank.index() == 0) {
      rank.Ok(HcclGetRootInfo(&root));
      rank.board().PublishRoot(0, root);
    } else {
      root = rank.board().AwaitRoot(0);
    }
    HcclCommConfig config = Fresh();
    config.hcclExecTimeOut = 1;
    HcclComm comm = nullptr;
    rank.Ok(HcclCommInitRootInfoConfig(2, &root, rank.index(), &config, &comm));
    if (rank.index() == 0) {
      aclrtStream stream = nullptr;
      rank.Ok(aclrtCreateStream(&stream));
      const Buffer in = rank.Incoming(64);
      rank.Ok(HcclRecv(in.data(), 64, HCCL_DATA_TYPE_INT8, 1, comm, stream));
      const aclError code = aclrtSynchronizeStream(stream);
      const std::string text = TakeErrorText();
      rank.Require(code != ACL_SUCCESS && text.find("EI0002") != std::string::npos, text);
      rank.Ok(aclrtDestroyStream(stream));
    }
    rank.Meet();
    rank.Ok(HcclCommDestroy(comm));
  });
  EXPECT_TRUE(end.Good()) << end.Text();
}

TEST(CommConfig, InfoGivesWhatIsInEffect) {
  RunAlone([](Rank& rank) {
    HcclCommConfig config = Fresh();
    config.hcclOpExpansionMode = 3;
    std::snprintf(config.hcclAlgo, sizeof(config.hcclAlgo), "level0:ring");
    HcclComm comm = nullptr;
    rank.Ok(Create(&config, &comm));
    HcclOpExpansionMode mode = HCCL_OP_EXPANSION_MODE_INVALID;
    const auto get = [&](HcclComm of, HcclConfigType type, uint32_t length, void* info) {
      return HcclConfigGetInfo(of, type, length, info);
    };
    rank.Ok(get(comm, HCCL_CONFIG_TYPE_OP_EXPANSION_MODE, sizeof(mode), &mode));
    rank.Require(mode == HCCL_OP_EXPANSION_MODE_AIV, "another mode");
    rank.Ok(get(rank.comm(), HCCL_CONFIG_TYPE_OP_EXPANSION_MODE, sizeof(mode), &mode));
    rank.Require(mode == HCCL_OP_EXPANSION_MODE_HOST, "another default");
    std::array<char, 16> text{};
    rank.Ok(get(comm, HCCL_CONFIG_TYPE_HCCL_ALGO, text.size(), text.data()));
    rank.Require(std::string(text.data()) == "level0:ring", text.data());
    rank.Refused(get(comm, HCCL_CONFIG_TYPE_HCCL_ALGO, 11, text.data()), HCCL_E_PARA,
                 {"infoLen is 11", "12"});
    rank.Refused(get(comm, HCCL_CONFIG_TYPE_OP_EXPANSION_MODE, 3, &mode), HCCL_E_PARA, {"infoLen is 3"});
    rank.Refused(get(comm, AnyValue<HcclConfigType>(2), 4, &mode), HCCL_E_PARA, {"cfgType is 2"});
    rank.Refused(get(comm, HCCL_CONFIG_TYPE_HCCL_ALGO, 4, nullptr), HCCL_E_PTR, {"info is null"});
    rank.Refused(get(nullptr, HCCL_CONFIG_TYPE_HCCL_ALGO, 4, nullptr), HCCL_E_PTR, {"comm is null"});
    rank.Ok(HcclCommDestroy(comm));
  });
}

TEST(ProcessConfig, DeterministicIsKept) {
  RunAlone([](Rank& rank) {
    HcclConfigValue value{};
    rank.Ok(HcclGetConfig(HCCL_DETERMINISTIC, &value));
    rank.Require(value.value == 0, "another start value");
    for (const int32_t good : {1, 2, 0, 1}) {
      rank.Ok(HcclSetConfig(HCCL_DETERMINISTIC, HcclConfigValue{good}));
      rank.Ok(HcclGetConfig(HCCL_DETERMINISTIC, &value));
      rank.Require(value.value == good, "another value");
    }
    for (const int32_t bad : {-1, 3}) {
      rank.Refused(HcclSetConfig(HCCL_DETERMINISTIC, HcclConfigValue{bad}), HCCL_E_PARA,
                   {"EI0003", "configValue.value is " + std::to_string(bad)});
    }
    rank.Ok(HcclSetConfig(AnyValue<HcclConfig>(5), HcclConfigValue{77}));
    rank.Refused(HcclGetConfig(HCCL_DETERMINISTIC, nullptr), HCCL_E_PTR, {"configValue is null"});
    // A communicator's own value goes before that of the process.
    rank.Ok(HcclGetCommConfig(rank.comm(), HCCL_DETERMINISTIC, &value));
    rank.Require(value.value == 1, "not the value of the process");
    rank.Ok(HcclSetCommConfig(rank.comm(), HCCL_DETERMINISTIC, HcclConfigValue{2}));
    rank.Ok(HcclGetCommConfig(rank.comm(), HCCL_DETERMINISTIC, &value));
    rank.Require(value.value == 2, "not its own value");
    rank.Ok(HcclSetCommConfig(rank.comm(), AnyValue<HcclConfig>(1), HcclConfigValue{6}));
    rank.Ok(HcclGetCommConfig(rank.comm(), AnyValue<HcclConfig>(1), &value));
    rank.Require(value.value == 6, "not the accelerator that was set");
    rank.Refused(HcclSetCommConfig(rank.comm(), AnyValue<HcclConfig>(2), value), HCCL_E_PARA,
                 {"config is 2"});
    rank.Refused(HcclSetCommConfig(nullptr, HCCL_DETERMINISTIC, value), HCCL_E_PTR, {"comm is null"});
    rank.Refused(HcclGetCommConfig(rank.comm(), HCCL_DETERMINISTIC, nullptr), HCCL_E_PTR, {"configValue"});
  });
}

TEST(ProcessConfig, EnvironmentGoesFirst) {
  RunAlone(
      [](Rank& rank) {
        HcclConfigValue value{};
        rank.Ok(HcclSetConfig(HCCL_DETERMINISTIC, HcclConfigValue{1}));
        rank.Ok(HcclGetConfig(HCCL_DETERMINISTIC, &value));
        rank.Require(value.value == 2, "not the value of the environment");
      },
      {{"HCCL_DETERMINISTIC", "Strict"}});
}

class CommState : public JobTest {};
TANDEM_BOTH_MODES(CommState);

TEST_P(CommState, SuspendedTakesNoOperations) {
  Run(2, [](Rank& rank) {
    const Buffer out = rank.Outgoing(rank.next(), 1, 64);
    const Buffer in = rank.Incoming(64);
    HcclSendRecvItem items[] = {SendItem(out, rank.next()), ReceiveItem(in, rank.next())};
    char name[COMM_NAME_MAX_LENGTH];
    rank.Ok(HcclGetCommName(rank.comm(), name));
    HcclCommStatus status = HCCL_COMM_STATUS_RESERVED;
    rank.Ok(HcclCommGetStatus(name, &status));
    rank.Require(status == HCCL_COMM_STATUS_READY, "not ready");
    rank.Ok(HcclCommSuspend(rank.comm()));
    rank.Ok(HcclCommGetStatus(name, &status));
    rank.Require(status == HCCL_COMM_STATUS_SUSPENDING, "not suspended");
    void* data = in.data();
    const auto type = HCCL_DATA_TYPE_INT8;
    // A wrong rank is told first.
    rank.Refused(HcclSend(data, 4, type, 9, rank.comm(), rank.stream()), HCCL_E_PARA, {"destRank is 9"});
    rank.Refused(HcclSend(data, 4, type, rank.next(), rank.comm(), rank.stream()), HCCL_E_SUSPENDING,
                 {"HcclSend", "suspended", "HcclCommResume"});
    rank.Refused(HcclRecv(data, 4, type, rank.next(), rank.comm(), rank.stream()), HCCL_E_SUSPENDING,
                 {"HcclRecv", "HCCL_E_SUSPENDING (22)"});
    rank.Refused(HcclBatchSendRecv(items, 2, rank.comm(), rank.stream()), HCCL_E_SUSPENDING, {"suspended"});
    rank.Refused(HcclBarrier(rank.comm(), rank.stream()), HCCL_E_SUSPENDING, {"suspended"});
    rank.Ok(HcclCommResume(rank.comm()));
    rank.Ok(HcclBatchSendRecv(items, 2, rank.comm(), rank.stream()));
    rank.Synchronize();
    rank.ExpectArrived(in, rank.next(), 1);
    rank.Refused(HcclCommSuspend(nullptr), HCCL_E_PTR, {"comm is null"});
    rank.Refused(HcclCommResume(nullptr), HCCL_E_PTR, {"comm is null"});
    rank.Refused(HcclCommGetStatus("nobody", &status), HCCL_E_PARA, {"commId is \"nobody\""});
    rank.Require(status == HCCL_COMM_STATUS_INVALID, "a state of nobody");
    rank.Refused(HcclCommGetStatus(nullptr, &status), HCCL_E_PTR, {"commId is null"});
    rank.Refused(HcclCommGetStatus(name, nullptr), HCCL_E_PTR, {"status is null"});
  });
}

struct Heard {
  std::vector<HcclCommStatePhase> phases;
  HcclComm last = nullptr;
};

HcclResult Hear(HcclComm comm, HcclCommStatePhase state, void* args) {
  auto* heard = static_cast<Heard*>(args);
  heard->phases.push_back(state);
  heard->last = comm;
  return HCCL_E_INTERNAL;
}

TEST(CommStateAlone, CallbacksHearOfResumeAndDestroy) {
  RunAlone([](Rank& rank) {
    static Heard heard;
    rank.Ok(HcclCommRegCommStateCallback("test", Hear, &heard));
    rank.Refused(HcclCommRegCommStateCallback("test", Hear, nullptr), HCCL_E_PARA, {"registered already"});
    rank.Refused(HcclCommRegCommStateCallback(nullptr, Hear, nullptr), HCCL_E_PTR, {"regName is null"});
    rank.Refused(HcclCommRegCommStateCallback(std::string(160, 'n').c_str(), Hear, nullptr), HCCL_E_PARA,
                 {"regName", "159"});
    HcclCommConfig config = Fresh();
    HcclComm comm = nullptr;
    rank.Ok(Create(&config, &comm));
    rank.Ok(HcclCommSuspend(comm));
    rank.Ok(HcclCommResume(comm));
    rank.Ok(HcclCommDestroy(comm));
    const std::vector<HcclCommStatePhase> expected = {
        HCCL_COMM_STATE_PHASE_RESUME_PRE, HCCL_COMM_STATE_PHASE_RESUME_POST,
        HCCL_COMM_STATE_PHASE_DESTROY_PRE, HCCL_COMM_STATE_PHASE_DESTROY_POST};
    rank.Require(heard.phases == expected && heard.last == comm, "other phases");
    rank.Ok(HcclCommRegCommStateCallback("test", nullptr, nullptr));
    rank.Ok(HcclCommResume(rank.comm()));
    rank.Require(heard.phases.size() == expected.size(), "a callback that was removed was called");
  });
}

TEST(CommStateAlone, NetworkPortsAndMemoryHints) {
  RunAlone([](Rank& rank) {
    uint32_t ranks[] = {0};
    bool backup[] = {true};
    rank.Refused(HcclCommWorkingDevNicSet(rank.comm(), ranks, backup, 1), HCCL_E_NOT_SUPPORT,
                 {"network ports"});
    rank.Refused(HcclCommWorkingDevNicSet(rank.comm(), nullptr, backup, 1), HCCL_E_PTR, {"ranks is null"});
    ranks[0] = 1;
    rank.Refused(HcclCommWorkingDevNicSet(rank.comm(), ranks, backup, 1), HCCL_E_PARA, {"ranks[0] is 1"});
    std::vector<char> memory(4096);
    char* base = memory.data();
    aclrtPhysicalMemProp prop{};
    prop.memAttr = ACL_HBM_MEM_NORMAL;
    prop.location.type = ACL_MEM_LOCATION_TYPE_DEVICE;
    aclrtDrvMemHandle handle = nullptr;
    rank.Ok(aclrtMallocPhysical(&handle, 4096, &prop, 0));
    const HcclComm comm = rank.comm();
    rank.Ok(HcclCommSetMemoryRange(comm, base, 4096, 0, 0));
    rank.Refused(HcclCommSetMemoryRange(comm, base + 100, 8, 0, 0), HCCL_E_PARA, {"overlap"});
    rank.Refused(HcclCommSetMemoryRange(comm, base, 0, 0, 0), HCCL_E_PARA, {"size is 0"});
    rank.Refused(HcclCommSetMemoryRange(comm, base, ~size_t{0}, 0, 0), HCCL_E_PARA, {"beyond"});
    rank.Refused(HcclCommSetMemoryRange(comm, base, 8, 2, 0), HCCL_E_PARA, {"alignment is 2"});
    rank.Refused(HcclCommSetMemoryRange(comm, base, 8, 0, 1), HCCL_E_PARA, {"flags is 1"});
    rank.Refused(HcclCommSetMemoryRange(comm, nullptr, 8, 0, 0), HCCL_E_PTR, {"baseVirPtr is null"});
    rank.Ok(HcclCommActivateCommMemory(comm, base + 1024, 1024, 0, handle, 0));
    rank.Refused(HcclCommActivateCommMemory(comm, base + 2000, 100, 0, handle, 0), HCCL_E_PARA,
                 {"active already"});
    rank.Refused(HcclCommActivateCommMemory(comm, base + 4000, 97, 0, handle, 0), HCCL_E_PARA,
                 {"not inside"});
    rank.Refused(HcclCommActivateCommMemory(comm, base, 8, 4, handle, 0), HCCL_E_PARA, {"offset is 4"});
    rank.Refused(HcclCommActivateCommMemory(comm, base, 8, 0, nullptr, 0), HCCL_E_PTR, {"handle is null"});
    rank.Refused(HcclCommUnsetMemoryRange(comm, base), HCCL_E_PARA, {"active memory"});
    rank.Refused(HcclCommDeactivateCommMemory(comm, base), HCCL_E_PARA, {"no active memory"});
    rank.Ok(HcclCommDeactivateCommMemory(comm, base + 1024));
    rank.Ok(HcclCommUnsetMemoryRange(comm, base));
    rank.Refused(HcclCommUnsetMemoryRange(comm, base), HCCL_E_PARA, {"no range begins"});
  });
}

}  // namespace
}  // namespace tandem::test
