// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/futex.h"
#include "base/result.h"

// Rank table files: which ranks a job has, and where each of them lives. Formats 1.0, 1.1, 1.2, 2.0, and the
// older one without a version ("template two"). Source: spec hccl.md 6.
namespace tandem::rank_table {

inline constexpr size_t kMaxPathBytes = 4096;  // with the terminator
// Tandem's own limits, against files that are no rank tables.
inline constexpr size_t kMaxFileBytes = size_t{64} << 20;
inline constexpr size_t kMaxDepth = 32;
inline constexpr size_t kMaxRanks = 65536;

// A file that is JSON; what it means is not looked at yet.
struct Document {
  std::string file;  // for messages
  std::shared_ptr<const nlohmann::json> json;
};

// EI0004 (kInvalidFile, kParseFile): the path is too long, does not end in .json, cannot be read, or the file
// is not JSON; the last with line and column.
Result<Document> Load(const std::string& path);
Result<Document> Parse(const std::string& file, std::string_view text);

// Reads the file again, once a second, until its status is "completed". kTimeout at the deadline.
Result<Document> AwaitCompleted(Document document, Deadline deadline);

// One rank's line in the table.
struct Entry {
  uint32_t rank = 0;
  int32_t device = 0;   // physical id
  std::string server;   // server_id; of format 2.0 the net_instance_id of layer 0
  std::string host_ip;  // of the server; "" when not given
  std::vector<std::string> device_ips;
  uint32_t device_port = 0;  // 0 when not given, as the next
  uint32_t host_port = 0;
  std::string super_device;  // super_device_id; "" when not given
  std::string path;          // in the file, for messages: $.server_list[0].device[1]
};

struct Table {
  std::string file;
  std::string version;         // "" for template two
  std::vector<Entry> entries;  // index is the rank
};

// EI0017: something is missing (kNotFound) or of the wrong JSON type (kInvalidArgument). EI0014: it does not
// fit together (kInvalidArgument, kUnavailable, kNotSupported). `device_count`: of a host.
Result<Table> Interpret(const Document& document, uint32_t device_count);

// Whether `rank`, on the current device `device`, is in the table. EI0014.
Status CheckOwnEntry(const Table& table, uint32_t rank, int32_t device);

// What must be equal in the tables of all ranks, as pairs of what and value, the first differing one of which
// can be shown to a user.
std::vector<std::pair<std::string, std::string>> Facts(const Table& table);

}  // namespace tandem::rank_table
