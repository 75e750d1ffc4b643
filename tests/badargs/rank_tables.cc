// SPDX-License-Identifier: Apache-2.0
// Communicators from a rank table. What can be wrong inside of the file is in tests/cases/rank_table_test.cc.
#include <unistd.h>

#include <cstdlib>
#include <cstring>

#include "badargs/rows.h"

namespace tandem::test::badargs {
namespace {

const std::string kTable =
    R"({"status":"completed","version":"1.0","server_count":"1","server_list":[{"server_id":"s","device":[)"
    R"({"device_id":"0","rank_id":"0"},{"device_id":"1","rank_id":"1"}]}]})";

// Path, rank, communicator.
using Join = std::function<int64_t(const char*, uint32_t, HcclComm*)>;

// With a file of this content and ending.
int64_t JoinFile(const Join& join, const std::string& content, uint32_t rank,
                 const std::string& ending = ".json") {
  std::string path = "/tmp/tandem-badargs-XXXXXX" + ending;
  const int fd = mkstemps(path.data(), static_cast<int>(ending.size()));
  if (fd < 0) return -1;
  const bool written = write(fd, content.data(), content.size()) == static_cast<ssize_t>(content.size());
  static_cast<void>(close(fd));
  HcclComm comm = nullptr;
  const int64_t result = written ? join(path.c_str(), rank, &comm) : -1;
  static_cast<void>(unlink(path.c_str()));
  return result;
}

Rows RankTableJoinRows(const char* function, const Join& join) {
  const auto with_path = [join](const std::string& path) {
    return [join, path](World&) {
      HcclComm comm = nullptr;
      return join(path.c_str(), 0, &comm);
    };
  };
  const auto with_file = [join](const std::string& content, uint32_t rank,
                                const std::string& ending = ".json") {
    return [=](World&) { return JoinFile(join, content, rank, ending); };
  };
  Rows rows;
  RefuseNull(rows, function, "clusterInfo", [join](World&) {
    HcclComm comm = nullptr;
    return join(nullptr, 0, &comm);
  });
  RefuseNull(rows, function, "comm", [join](World&) { return join("/tmp/x.json", 0, nullptr); });
  RefuseWithoutContext(rows, function, with_path("/nonexistent/table.json"));
  const int64_t code = HCCL_E_INTERNAL;
  Refuse(rows, function, "no such file", with_path("/nonexistent/table.json"), code,
         {"EI0004", "/nonexistent/table.json", "No such file"});
  Refuse(rows, function, "path empty", with_path(""), code, {"EI0004", ".json"});
  Refuse(rows, function, "path too long", with_path(std::string(9000, 'x') + ".json"), code,
         {"EI0004", "9005 characters", "at most 4095"});
  Refuse(rows, function, "another ending", with_file(kTable, 0, ".txt"), code, {"EI0004", ".txt", ".json"});
  Refuse(rows, function, "no JSON", with_file("{\"status\"", 0), code, {"EI0004", "line 1, column"});
  Refuse(rows, function, "empty file", with_file("", 0), code, {"EI0004", "line 1, column 1"});
  for (const uint32_t rank : {2U, UINT32_MAX}) {
    Refuse(rows, function, "no such rank", with_file(kTable, rank), HCCL_E_PARA,
           {"EI0014", "rank is " + std::to_string(rank), "2 ranks, 0 to 1"});
  }
  Refuse(rows, function, "rank of another device", with_file(kTable, 1), HCCL_E_UNAVAIL,
         {"EI0014", "device_id of rank 1 is 1", "current device is 0", "aclrtSetDevice"});
  return rows;
}

// With a configuration that `spoil` has damaged, which is read before the file.
template <typename Spoil>
Call RankTableJoinWith(Spoil spoil) {
  return [spoil](World&) {
    HcclCommConfig config;
    HcclCommConfigInit(&config);
    spoil(config);
    HcclComm comm = nullptr;
    return HcclCommInitClusterInfoConfig("/nonexistent/table.json", 0, &config, &comm);
  };
}

}  // namespace

Rows RankTableRows() {
  Rows rows = RankTableJoinRows("HcclCommInitClusterInfo", &HcclCommInitClusterInfo);
  const char* function = "HcclCommInitClusterInfoConfig";
  Append(rows, RankTableJoinRows(function, [](const char* path, uint32_t rank, HcclComm* comm) {
           HcclCommConfig config;
           HcclCommConfigInit(&config);
           return HcclCommInitClusterInfoConfig(path, rank, &config, comm);
         }));
  RefuseNull(rows, function, "config", [](World&) {
    HcclComm comm = nullptr;
    return HcclCommInitClusterInfoConfig("/nonexistent/table.json", 0, nullptr, &comm);
  });
  Refuse(rows, function, "config never initialised",
         RankTableJoinWith([](HcclCommConfig& c) { std::memset(&c, 0, sizeof(c)); }), HCCL_E_PARA,
         {"EI0003", "magic word 0x0", "HcclCommConfigInit"});
  Refuse(rows, function, "hcclBufferSize 0",
         RankTableJoinWith([](HcclCommConfig& c) { c.hcclBufferSize = 0; }), HCCL_E_PARA,
         {"EI0003", "hcclBufferSize is 0", "at least 1"});
  Refuse(rows, function, "hcclDeterministic 3",
         RankTableJoinWith([](HcclCommConfig& c) { c.hcclDeterministic = 3; }), HCCL_E_PARA,
         {"EI0003", "hcclDeterministic is 3", "0, 1 or 2"});
  Refuse(rows, function, "hcclCommName without end", RankTableJoinWith([](HcclCommConfig& c) {
           std::memset(c.hcclCommName, 'n', sizeof(c.hcclCommName));
         }),
         HCCL_E_PARA, {"EI0003", "hcclCommName", "terminating zero"});
  return rows;
}

}  // namespace tandem::test::badargs
