// SPDX-License-Identifier: Apache-2.0
// Parts of a communicator.
#include <array>
#include <cstring>

#include "badargs/rows.h"

namespace tandem::test::badargs {
namespace {

constexpr const char* kFunction = "HcclCreateSubCommConfig";

struct Arguments {
  HcclComm comm = nullptr;
  std::array<uint32_t, 2> list = {0, 1};
  HcclComm* from = nullptr;
  uint32_t count = 2;
  uint32_t* ranks = nullptr;
  uint64_t id = 1;
  uint32_t rank = 0;
  HcclCommConfig config{};
  HcclCommConfig* given_config = nullptr;
  HcclComm made = nullptr;
  HcclComm* out = nullptr;
};

// The whole communicator again, with arguments that `spoil` has changed.
template <typename Spoil>
Call Split(Spoil spoil) {
  return [spoil](World& w) {
    Arguments a;
    a.comm = w.comm;
    a.from = &a.comm;
    a.ranks = a.list.data();
    HcclCommConfigInit(&a.config);
    a.given_config = &a.config;
    a.out = &a.made;
    spoil(a);
    const HcclResult result =
        HcclCreateSubCommConfig(a.from, a.count, a.ranks, a.id, a.rank, a.given_config, a.out);
    if (result == HCCL_SUCCESS && a.made != nullptr) static_cast<void>(HcclCommDestroy(a.made));
    return result;
  };
}

Rows ListRows() {
  Rows rows;
  const auto refuse = [&rows](const char* bad, auto spoil, std::vector<std::string> words) {
    words.emplace_back("EI0003");
    Refuse(rows, kFunction, bad, Split(spoil), HCCL_E_PARA, std::move(words));
  };
  refuse("rankIds null, subCommId of a member", [](Arguments& a) { a.ranks = nullptr; },
         {"rankIds is null", "subCommId is 1", "0xFFFFFFFF"});
  refuse("a list, subCommId of a rank outside", [](Arguments& a) { a.id = 0xFFFFFFFF; },
         {"rankIds is not null", "subCommId is 4294967295"});
  refuse("rankNum 0", [](Arguments& a) { a.count = 0; }, {"rankNum is 0", "at least 1"});
  for (const uint32_t rank : {2U, UINT32_MAX}) {
    refuse("subCommRankId", [rank](Arguments& a) { a.rank = rank; },
           {"subCommRankId is " + std::to_string(rank), "rankNum, which is 2"});
  }
  for (const uint32_t count : {3U, UINT32_MAX}) {
    refuse("rankNum above the ranks", [count](Arguments& a) { a.count = count; },
           {"rankNum is " + std::to_string(count), "number of ranks of *comm, which is 2"});
  }
  for (const uint32_t rank : {2U, UINT32_MAX}) {
    refuse("no such rank", [rank](Arguments& a) { a.list[1] = rank; },
           {"rankIds[1] is " + std::to_string(rank), "number of ranks of *comm, which is 2"});
  }
  refuse("a rank twice",
         [](Arguments& a) {
           a.list = {0, 0};
         },
         {"rankIds[1] is 0 after 0", "ascending order"});
  refuse("not in order",
         [](Arguments& a) {
           a.list = {1, 0};
         },
         {"rankIds[1] is 0 after 1", "ascending order"});
  refuse("index of another rank", [](Arguments& a) { a.rank = 1; },
         {"rankIds[1], rank 1 of *comm", "the calling rank is 0"});
  refuse("config never initialised", [](Arguments& a) { std::memset(&a.config, 0, sizeof(a.config)); },
         {"magic word 0x0", "HcclCommConfigInit"});
  return rows;
}

}  // namespace

Rows SubCommRows() {
  Rows rows = BadComms(
      kFunction, [](World& w, void* comm) { return Split([comm](Arguments& a) { a.comm = comm; })(w); });
  RefuseNull(rows, kFunction, "subComm", Split([](Arguments& a) { a.out = nullptr; }));
  RefuseNull(rows, kFunction, "config", Split([](Arguments& a) { a.given_config = nullptr; }));
  RefuseNull(rows, kFunction, "comm", Split([](Arguments& a) { a.from = nullptr; }));
  RefuseNull(rows, kFunction, "*comm", Split([](Arguments& a) { a.comm = nullptr; }));
  Allow(rows, kFunction, "a rank outside, whatever else it passes", Split([](Arguments& a) {
          a.from = nullptr;
          a.count = 0;
          a.ranks = nullptr;
          a.id = 0xFFFFFFFF;
          a.rank = UINT32_MAX;
          a.given_config = nullptr;
        }));
  Append(rows, ListRows());
  // Only the whole is divided.
  Refuse(rows, kFunction, "a part of a part",
         [](World& w) -> int64_t {
           std::array<uint32_t, 1> own = {0};
           HcclCommConfig config;
           HcclCommConfigInit(&config);
           HcclComm part = nullptr;
           HcclComm again = nullptr;
           if (HcclCreateSubCommConfig(&w.comm, 1, own.data(), 7, 0, &config, &part) != HCCL_SUCCESS)
             return -1;
           const HcclResult result = HcclCreateSubCommConfig(&part, 1, own.data(), 8, 0, &config, &again);
           static_cast<void>(HcclCommDestroy(part));
           return result;
         },
         HCCL_E_PARA, {"EI0003", "*comm is \"", "itself a part"});
  return rows;
}

}  // namespace tandem::test::badargs
