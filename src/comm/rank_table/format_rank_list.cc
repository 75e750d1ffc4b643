// SPDX-License-Identifier: Apache-2.0
// Format 2.0: rank_list with layers of networks. The layers are checked for their form; on one host there is
// nothing to choose from them.
#include <algorithm>
#include <array>

#include "comm/rank_table/formats.h"

namespace tandem::rank_table {
namespace {

constexpr uint64_t kMostId = 64;
constexpr size_t kMostLevels = 8;
constexpr uint64_t kMostLayer = 7;
constexpr size_t kMostInstanceId = 1024;
constexpr size_t kMostAddresses = 24;
constexpr size_t kMostAddress = 256;
constexpr size_t kMostPorts = 16;

Status CheckAddress(const Node& address) {
  Result<std::string> type = address.Text("addr_type");
  if (!type) return std::move(type).status();
  if (*type != "EID" && *type != "IPV4" && *type != "IPV6") {
    return address.Wrong("addr_type", "EID, IPV4 or IPV6");
  }
  Result<std::string> text = address.Text("addr");
  if (!text) return std::move(text).status();
  if ((*text).empty() || (*text).size() > kMostAddress) return address.Wrong("addr", "1 to 256 characters");
  Result<std::vector<std::string>> ports = address.Texts("ports");
  if (!ports) return std::move(ports).status();
  if ((*ports).size() > kMostPorts) return address.Wrong("ports", "at most 16 ports");
  Result<std::optional<std::string>> plane = address.OptionalText("plane_id");
  return plane ? Status::Ok() : std::move(plane).status();
}

// The instance that the rank belongs to in this layer.
Result<std::string> ReadLevel(const Node& level, uint64_t lowest_layer, uint64_t& layer) {
  // Ascending, and the first is layer 0.
  Result<uint64_t> number = level.Number("net_layer", 0, kMostLayer);
  if (!number) return std::move(number).status();
  layer = *number;
  if (layer < lowest_layer || (lowest_layer == 0 && layer != 0)) {
    return level.Wrong("net_layer",
                       lowest_layer == 0 ? "0 in the first level" : "more than in the level before");
  }
  Result<std::string> instance = level.Text("net_instance_id");
  if (!instance) return instance;
  if ((*instance).empty() || (*instance).size() > kMostInstanceId) {
    return level.Wrong("net_instance_id", "1 to 1024 characters");
  }
  Result<std::string> type = level.Text("net_type");
  if (!type) return type;
  if (*type != "TOPO_FILE_DESC" && (layer == 0 || *type != "CLOS")) {
    return level.Wrong("net_type", layer == 0 ? "TOPO_FILE_DESC in layer 0" : "CLOS or TOPO_FILE_DESC");
  }
  Result<std::vector<Node>> addresses = level.Objects("rank_addr_list");
  if (!addresses) return std::move(addresses).status();
  if ((*addresses).size() > kMostAddresses) return level.Wrong("rank_addr_list", "at most 24 addresses");
  for (const Node& address : *addresses) TANDEM_RETURN_IF_ERROR(CheckAddress(address));
  return instance;
}

Result<Entry> ReadRank(const Node& rank) {
  Entry entry;
  entry.path = rank.path();
  uint64_t local = 0;
  uint64_t device = 0;
  uint64_t number = 0;
  for (const auto& [key, value, most] :
       {std::tuple("rank_id", &number, uint64_t{kMaxRanks - 1}), std::tuple("local_id", &local, kMostId),
        std::tuple("device_id", &device, kMostId)}) {
    Result<uint64_t> read = rank.Number(key, 0, most);
    if (!read) return std::move(read).status();
    *value = *read;
  }
  entry.rank = static_cast<uint32_t>(number);
  entry.device = static_cast<int32_t>(device);
  for (const auto& [key, port] :
       {std::pair("device_port", &entry.device_port), std::pair("host_port", &entry.host_port)}) {
    Result<uint64_t> read = rank.OptionalNumber(key, 1, kMostPort);
    if (!read) return std::move(read).status();
    *port = static_cast<uint32_t>(*read);
  }
  Result<std::vector<Node>> levels = rank.Objects("level_list");
  if (!levels) return std::move(levels).status();
  if ((*levels).empty() || (*levels).size() > kMostLevels) return rank.Wrong("level_list", "1 to 8 levels");
  uint64_t lowest = 0;
  for (const Node& level : *levels) {
    uint64_t layer = 0;
    Result<std::string> instance = ReadLevel(level, lowest, layer);
    if (!instance) return std::move(instance).status();
    if (layer == 0) entry.server = std::move(*instance);
    lowest = layer + 1;
  }
  return entry;
}

}  // namespace

Result<std::vector<Entry>> ReadRankList(const Node& root) {
  Result<std::vector<Node>> list = root.Objects("rank_list");
  if (!list) return std::move(list).status();
  Result<uint64_t> count = root.Number("rank_count", 1, kMaxRanks);
  if (!count) return std::move(count).status();
  if (*count != (*list).size()) {
    return root.Wrong("rank_count", std::to_string((*list).size()) + ", the length of rank_list");
  }
  std::vector<Entry> entries;
  entries.reserve((*list).size());
  for (const Node& rank : *list) {
    Result<Entry> entry = ReadRank(rank);
    if (!entry) return std::move(entry).status();
    entries.push_back(std::move(*entry));
  }
  return entries;
}

}  // namespace tandem::rank_table
