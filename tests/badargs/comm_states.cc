// SPDX-License-Identifier: Apache-2.0
// Names and states of communicators, and callbacks on them.
#include <array>

#include "badargs/rows.h"

namespace tandem::test::badargs {
namespace {

int64_t Find(const char* name) {
  HcclComm comm = nullptr;
  return HcclCommGetHandleWithName(name, &comm);
}

int64_t StatusOf(const char* name) {
  HcclCommStatus status{};
  return HcclCommGetStatus(name, &status);
}

// What both calls that take a name refuse.
Rows NameRows(const char* function, const std::string& argument, int64_t (*call)(const char*)) {
  static const std::string endless(500, 'n');
  const std::vector<std::string> none = {"EI0003", argument + " is \"", "no communicator of this process"};
  Rows rows;
  RefuseNull(rows, function, argument, [call](World&) { return call(nullptr); });
  for (const char* name : {"", "no such name", endless.c_str()}) {
    Refuse(
        rows, function, "no such name", [call, name](World&) { return call(name); }, HCCL_E_PARA, none);
  }
  Refuse(
      rows, function, "a communicator that was destroyed",
      [call](World&) -> int64_t {
        int32_t device = 3;
        HcclComm comm = nullptr;
        std::array<char, COMM_NAME_MAX_LENGTH> name{};
        if (HcclCommInitAll(1, &device, &comm) != HCCL_SUCCESS) return -1;
        static_cast<void>(HcclGetCommName(comm, name.data()));
        static_cast<void>(HcclCommDestroy(comm));
        return call(name.data());
      },
      HCCL_E_PARA, none);
  return rows;
}

// A call whose only argument is a communicator.
Rows OnlyCommRows(const char* function, HcclResult (*call)(HcclComm)) {
  Rows rows = BadComms(function, [call](World&, void* comm) { return call(comm); });
  RefuseNull(rows, function, "comm", [call](World&) { return call(nullptr); });
  return rows;
}

HcclResult OnState(HcclComm, HcclCommStatePhase, void*) { return HCCL_SUCCESS; }

Rows CallbackNameRows() {
  const char* function = "HcclCommRegCommStateCallback";
  static const std::string longest(159, 'n');
  static const std::string endless(500, 'n');
  const auto set_and_remove = [](const char* name) {
    const HcclResult result = HcclCommRegCommStateCallback(name, &OnState, nullptr);
    static_cast<void>(HcclCommRegCommStateCallback(name, nullptr, nullptr));
    return result;
  };
  Rows rows;
  RefuseNull(rows, function, "regName",
             [](World&) { return HcclCommRegCommStateCallback(nullptr, &OnState, nullptr); });
  Refuse(rows, function, "regName empty", [=](World&) { return set_and_remove(""); }, HCCL_E_PARA,
         {"EI0003", "regName has no characters", "1 to 159"});
  Refuse(rows, function, "regName too long", [=](World&) { return set_and_remove(endless.c_str()); },
         HCCL_E_PARA, {"EI0003", "regName has too many characters", "1 to 159"});
  Allow(rows, function, "args null, and the longest name",
        [=](World&) { return set_and_remove(longest.c_str()); });
  Allow(rows, function, "cb null: nothing of that name is registered afterwards",
        [](World&) { return HcclCommRegCommStateCallback("never", nullptr, nullptr); });
  Refuse(rows, function, "name taken",
         [set_and_remove](World&) {
           static_cast<void>(HcclCommRegCommStateCallback("twice", &OnState, nullptr));
           const HcclResult second = HcclCommRegCommStateCallback("twice", &OnState, nullptr);
           static_cast<void>(HcclCommRegCommStateCallback("twice", nullptr, nullptr));
           return second;
         },
         HCCL_E_PARA, {"EI0003", "regName \"twice\"", "registered already"});
  return rows;
}

Rows NicRows() {
  const char* function = "HcclCommWorkingDevNicSet";
  const auto set = [](HcclComm comm, uint32_t rank, uint32_t count) {
    std::array<uint32_t, 2> ranks = {0, rank};
    std::array<bool, 2> backups{};
    return HcclCommWorkingDevNicSet(comm, ranks.data(), backups.data(), count);
  };
  Rows rows = BadComms(function, [set](World&, void* comm) { return set(comm, 1, 2); });
  RefuseNull(rows, function, "comm", [set](World&) { return set(nullptr, 1, 2); });
  RefuseNull(rows, function, "ranks", [](World& w) {
    bool backup = false;
    return HcclCommWorkingDevNicSet(w.comm, nullptr, &backup, 1);
  });
  RefuseNull(rows, function, "useBackup", [](World& w) {
    uint32_t rank = 0;
    return HcclCommWorkingDevNicSet(w.comm, &rank, nullptr, 1);
  });
  for (const uint32_t rank : {2U, UINT32_MAX}) {
    Refuse(rows, function, "no such rank", [set, rank](World& w) { return set(w.comm, rank, 2); },
           HCCL_E_PARA, {"EI0003", "ranks[1] is " + std::to_string(rank), "number of ranks, which is 2"});
  }
  for (const uint32_t count : {3U, UINT32_MAX}) {
    Refuse(rows, function, "more than the ranks", [set, count](World& w) { return set(w.comm, 1, count); },
           HCCL_E_PARA, {"EI0003", "nRanks is " + std::to_string(count), "number of ranks, which is 2"});
  }
  Refuse(rows, function, "not supported", [set](World& w) { return set(w.comm, 1, 2); }, HCCL_E_NOT_SUPPORT,
         {"EI0003", "two network ports"});
  return rows;
}

}  // namespace

Rows CommStateRows() {
  Rows rows = NameRows("HcclCommGetHandleWithName", "commName", &Find);
  RefuseNull(rows, "HcclCommGetHandleWithName", "comm",
             [](World&) { return HcclCommGetHandleWithName("name", nullptr); });
  Append(rows, NameRows("HcclCommGetStatus", "commId", &StatusOf));
  RefuseNull(rows, "HcclCommGetStatus", "status", [](World&) { return HcclCommGetStatus("name", nullptr); });
  Append(rows, OnlyCommRows("HcclCommSuspend", &HcclCommSuspend));
  Append(rows, OnlyCommRows("HcclCommResume", &HcclCommResume));
  Append(rows, CallbackNameRows());
  Append(rows, NicRows());
  return rows;
}

}  // namespace tandem::test::badargs
