// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cstring>
#include <functional>

#include "badargs/rows.h"

namespace tandem::test::badargs {
namespace {

HcclRootInfo Filled(int byte) {
  HcclRootInfo info{};
  std::memset(info.internal, byte, sizeof(info.internal));
  return info;
}

// Both calls that join by root info.
using Join = std::function<int64_t(uint32_t, const HcclRootInfo*, uint32_t, HcclComm*)>;

Rows CommunicatorJoinRows(const char* function, const Join& join) {
  const auto with_info = [join](int byte) {
    return [join, byte](World&) {
      const HcclRootInfo info = Filled(byte);
      HcclComm comm = nullptr;
      return join(2, &info, 0, &comm);
    };
  };
  return {
      {function,
       "nRanks 0, before the pointers",
       [join](World&) { return join(0, nullptr, 0, nullptr); },
       HCCL_E_PARA,
       {"EI0003", "nRanks is 0"}},
      {function,
       "rank is nRanks",
       [join](World&) { return join(4, nullptr, 4, nullptr); },
       HCCL_E_PARA,
       {"EI0003", "rank is 4", "nRanks, which is 4"}},
      {function,
       "rank -1",
       [join](World&) { return join(4, nullptr, UINT32_MAX, nullptr); },
       HCCL_E_PARA,
       {"rank is 4294967295"}},
      {function,
       "comm null",
       [join](World&) { return join(2, nullptr, 0, nullptr); },
       HCCL_E_PTR,
       {"EI0003", "comm is null"}},
      {function,
       "rootInfo null",
       [join](World&) {
         HcclComm comm = nullptr;
         return join(2, nullptr, 0, &comm);
       },
       HCCL_E_PTR,
       {"EI0003", "rootInfo is null"}},
      {function, "rootInfo all zero", with_info(0), HCCL_E_PARA, {"rootInfo"}},
      {function, "rootInfo all ones", with_info(0xFF), HCCL_E_PARA, {"rootInfo"}},
      {function, "rootInfo is a text", with_info('x'), HCCL_E_PARA, {"rootInfo"}},
      {function,
       "no context",
       [join](World&) {
         const HcclRootInfo info{};
         HcclComm comm = nullptr;
         return join(2, &info, 0, &comm);
       },
       HCCL_E_RUNTIME,
       {"no current context", "aclrtSetDevice"},
       Thread::kBare},
  };
}

// Joins with a configuration that `spoil` has damaged.
Call CommunicatorJoinWith(std::function<void(HcclCommConfig&)> spoil) {
  return [spoil = std::move(spoil)](World&) {
    HcclCommConfig config;
    HcclCommConfigInit(&config);
    spoil(config);
    const HcclRootInfo info{};
    HcclComm comm = nullptr;
    return HcclCommInitRootInfoConfig(2, &info, 0, &config, &comm);
  };
}

Rows CommunicatorConfigRows() {
  const char* function = "HcclCommInitRootInfoConfig";
  return {
      {function,
       "config null",
       [](World&) {
         const HcclRootInfo info{};
         HcclComm comm = nullptr;
         return HcclCommInitRootInfoConfig(2, &info, 0, nullptr, &comm);
       },
       HCCL_E_PARA,
       {"EI0003", "config is null", "HcclCommConfigInit"}},
      {function,
       "config never initialised",
       CommunicatorJoinWith([](HcclCommConfig& c) { std::memset(&c, 0, sizeof(c)); }),
       HCCL_E_PARA,
       {"EI0003", "magic word 0x0", "HcclCommConfigInit"}},
      {function,
       "config of size 0",
       CommunicatorJoinWith([](HcclCommConfig& c) { std::memset(c.reserved, 0, 8); }),
       HCCL_E_PARA,
       {"config declares 0 bytes"}},
      {function,
       "config of version 0, which is only warned of",
       CommunicatorJoinWith([](HcclCommConfig& c) { std::memset(c.reserved + 12, 0, 4); }),
       HCCL_E_PARA,
       {"rootInfo"}},
      {function,
       "hcclBufferSize 0",
       CommunicatorJoinWith([](HcclCommConfig& c) { c.hcclBufferSize = 0; }),
       HCCL_E_PARA,
       {"EI0003", "hcclBufferSize is 0", "at least 1"}},
      {function,
       "hcclDeterministic 3",
       CommunicatorJoinWith([](HcclCommConfig& c) { c.hcclDeterministic = 3; }),
       HCCL_E_PARA,
       {"hcclDeterministic is 3", "0, 1 or 2"}},
      {function,
       "aclGraphZeroCopyEnable 2",
       CommunicatorJoinWith([](HcclCommConfig& c) { c.aclGraphZeroCopyEnable = 2; }),
       HCCL_E_PARA,
       {"aclGraphZeroCopyEnable is 2", "0 or 1"}},
      {function,
       "hcclCommName without end",
       CommunicatorJoinWith(
           [](HcclCommConfig& c) { std::memset(c.hcclCommName, 'n', sizeof(c.hcclCommName)); }),
       HCCL_E_PARA,
       {"hcclCommName", "terminating zero"}},
  };
}

Rows InitAllRows() {
  const char* function = "HcclCommInitAll";
  const auto with = [](uint32_t count, int32_t first, int32_t second) {
    return [=](World&) {
      std::array<int32_t, 2> devices = {first, second};
      std::array<HcclComm, 2> comms{};
      return HcclCommInitAll(count, devices.data(), comms.data());
    };
  };
  return {
      {function,
       "ndev 0",
       [](World&) { return HcclCommInitAll(0, nullptr, nullptr); },
       HCCL_E_PARA,
       {"EI0003", "ndev is 0"}},
      {function,
       "comms null",
       [](World&) {
         int32_t device = 0;
         return HcclCommInitAll(1, &device, nullptr);
       },
       HCCL_E_PTR,
       {"EI0003", "comms is null"}},
      {function,
       "devices null",
       [](World&) {
         HcclComm comm = nullptr;
         return HcclCommInitAll(1, nullptr, &comm);
       },
       HCCL_E_PTR,
       {"EI0003", "devices is null"}},
      {function, "more than there are", with(9, 0, 1), HCCL_E_PARA, {"ndev is 9", "at most 8"}},
      {function, "ndev -1", with(UINT32_MAX, 0, 1), HCCL_E_PARA, {"ndev is 4294967295", "at most 8"}},
      {function, "a device twice", with(2, 3, 3), HCCL_E_PARA, {"devices[1] is 3", "already"}},
      {function, "no such device", with(2, 3, 8), HCCL_E_PARA, {"devices[1] is 8", "expected 0 to 7"}},
      {function, "a negative device", with(2, -1, 3), HCCL_E_PARA, {"devices[0] is -1"}},
  };
}

// A question about a communicator with one answer.
template <typename Answer>
Rows CommunicatorQuestionRows(const char* function, const std::string& answer,
                              HcclResult (*ask)(HcclComm, Answer*)) {
  static Answer room[COMM_NAME_MAX_LENGTH];
  Rows rows = {
      {function,
       "comm null",
       [ask](World&) { return ask(nullptr, room); },
       HCCL_E_PTR,
       {"EI0003", "comm is null"}},
      {function,
       "answer null",
       [ask](World& w) { return ask(w.comm, nullptr); },
       HCCL_E_PTR,
       {"EI0003", answer + " is null"}},
      {function,
       "needs no context",
       [ask](World& w) { return ask(w.comm, room); },
       HCCL_SUCCESS,
       {""},
       Thread::kBare},
  };
  Append(rows, BadComms(function, [ask](World&, void* comm) { return ask(comm, room); }));
  return rows;
}

}  // namespace

Rows CommunicatorRows() {
  Rows rows = {
      {"HcclGetRootInfo",
       "rootInfo null",
       [](World&) { return HcclGetRootInfo(nullptr); },
       HCCL_E_PTR,
       {"EI0003", "rootInfo is null"}},
      {"HcclGetRootInfo",
       "no context",
       [](World&) {
         HcclRootInfo info{};
         return HcclGetRootInfo(&info);
       },
       HCCL_E_RUNTIME,
       {"no current context", "aclrtSetDevice"},
       Thread::kBare},
      {"HcclCommDestroy", "comm null", [](World&) { return HcclCommDestroy(nullptr); }, HCCL_SUCCESS, {""}},
  };
  Append(rows, CommunicatorJoinRows("HcclCommInitRootInfo",
                                    [](uint32_t n, const HcclRootInfo* info, uint32_t rank, HcclComm* comm) {
                                      return HcclCommInitRootInfo(n, info, rank, comm);
                                    }));
  Append(rows, CommunicatorJoinRows("HcclCommInitRootInfoConfig",
                                    [](uint32_t n, const HcclRootInfo* info, uint32_t rank, HcclComm* comm) {
                                      HcclCommConfig config;
                                      HcclCommConfigInit(&config);
                                      return HcclCommInitRootInfoConfig(n, info, rank, &config, comm);
                                    }));
  Append(rows, CommunicatorConfigRows());
  Append(rows, InitAllRows());
  Append(rows, BadComms("HcclCommDestroy", [](World&, void* comm) { return HcclCommDestroy(comm); }));
  Append(rows, CommunicatorQuestionRows("HcclGetRankSize", "rankSize", &HcclGetRankSize));
  Append(rows, CommunicatorQuestionRows("HcclGetRankId", "rank", &HcclGetRankId));
  Append(rows, CommunicatorQuestionRows("HcclGetCommName", "commName", &HcclGetCommName));
  Append(rows, CommunicatorQuestionRows("HcclGetCommAsyncError", "asyncError", &HcclGetCommAsyncError));
  return rows;
}

}  // namespace tandem::test::badargs
