// SPDX-License-Identifier: Apache-2.0
// Template two, the format without a version: group_list, instances, devices. Ranks follow the order of the
// list.
#include <algorithm>
#include <array>

#include "comm/rank_table/formats.h"

namespace tandem::rank_table {
namespace {

// What one server of the Atlas training series may have. Source: spec hccl.md 6.2.
constexpr std::array<size_t, 5> kDevicesPerServer = {1, 2, 4, 8, 16};

struct Reading {
  uint32_t device_count = 0;
  std::set<std::string> pods;
  std::set<std::string> servers;
  std::vector<Entry> entries;
};

Status ReadInstance(const Node& instance, Reading& reading) {
  Result<std::string> pod = instance.Text("pod_name");
  if (!pod) return std::move(pod).status();
  if (!reading.pods.insert(*pod).second) {
    return instance.Wrong("pod_name", "one that no other instance has");
  }
  Result<std::string> server = ReadServerId(instance);
  if (!server) return std::move(server).status();
  reading.servers.insert(*server);
  Result<std::vector<Node>> devices = instance.Objects("devices");
  if (!devices) return std::move(devices).status();
  if ((*devices).empty()) return instance.Wrong("devices", "at least one device in it");
  for (const Node& device : *devices) {
    Entry entry;
    entry.server = *server;
    entry.path = device.path();
    entry.rank = static_cast<uint32_t>(reading.entries.size());
    Result<uint64_t> id = device.Digits("device_id", 0, reading.device_count - 1);
    if (!id) return std::move(id).status();
    entry.device = static_cast<int32_t>(*id);
    Result<std::vector<std::string>> addresses = ReadAddresses(device, "device_ip");
    if (!addresses) return std::move(addresses).status();
    entry.device_ips = std::move(*addresses);
    if (reading.entries.size() == kMaxRanks) {
      return device.Refuse(Code::kInvalidArgument, "more than 65536 ranks");
    }
    reading.entries.push_back(std::move(entry));
  }
  return Status::Ok();
}

Status CheckCount(const Node& node, const char* key, size_t found, const std::string& of_what) {
  Result<uint64_t> count = node.Digits(key, 1, kMaxRanks);
  if (!count) return std::move(count).status();
  if (*count == found) return Status::Ok();
  return node.Wrong(key, std::to_string(found) + ", " + of_what);
}

Status ReadGroup(const Node& group, Reading& reading) {
  Result<std::vector<Node>> instances = group.Objects("instance_list");
  if (!instances) return std::move(instances).status();
  TANDEM_RETURN_IF_ERROR(
      CheckCount(group, "instance_count", (*instances).size(), "the length of instance_list"));
  const size_t before = reading.entries.size();
  for (const Node& instance : *instances) TANDEM_RETURN_IF_ERROR(ReadInstance(instance, reading));
  return CheckCount(group, "device_count", reading.entries.size() - before, "the number of devices in it");
}

}  // namespace

Result<std::vector<Entry>> ReadGroups(const Node& root, uint32_t device_count) {
  Result<std::vector<Node>> groups = root.Objects("group_list");
  if (!groups) return std::move(groups).status();
  TANDEM_RETURN_IF_ERROR(CheckCount(root, "group_count", (*groups).size(), "the length of group_list"));
  Reading reading;
  reading.device_count = device_count;
  for (const Node& group : *groups) TANDEM_RETURN_IF_ERROR(ReadGroup(group, reading));
  const size_t devices = reading.entries.size();
  const size_t servers = reading.servers.size();
  const bool even = devices % servers == 0;
  if (!even || std::find(kDevicesPerServer.begin(), kDevicesPerServer.end(), devices / servers) ==
                   kDevicesPerServer.end()) {
    return root.Refuse(Code::kInvalidArgument, std::to_string(devices) + " devices on " +
                                                   std::to_string(servers) +
                                                   " servers, expected 1, 2, 4, 8 or 16 on each");
  }
  return std::move(reading.entries);
}

}  // namespace tandem::rank_table
