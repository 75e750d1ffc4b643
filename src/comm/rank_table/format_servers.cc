// SPDX-License-Identifier: Apache-2.0
// Formats 1.0, 1.1 and 1.2: server_list, and super_pod_list in 1.2.
#include <arpa/inet.h>

#include "base/config_parse.h"
#include "comm/rank_table/formats.h"

namespace tandem::rank_table {
namespace {

constexpr size_t kMostServerId = 64;

bool IsInet(const std::string& text) {
  in_addr address{};
  return inet_pton(AF_INET, text.c_str(), &address) == 1;
}

Result<Entry> ReadDevice(const Node& device, const std::string& server, const std::string& host_ip,
                         uint32_t device_count) {
  Entry entry;
  entry.server = server;
  entry.host_ip = host_ip;
  entry.path = device.path();
  Result<uint64_t> id = device.Digits("device_id", 0, device_count - 1);
  if (!id) return std::move(id).status();
  entry.device = static_cast<int32_t>(*id);
  Result<uint64_t> rank = device.Digits("rank_id", 0, kMaxRanks - 1);
  if (!rank) return std::move(rank).status();
  entry.rank = static_cast<uint32_t>(*rank);
  Result<std::vector<std::string>> addresses = ReadAddresses(device, "device_ip");
  if (!addresses) return std::move(addresses).status();
  entry.device_ips = std::move(*addresses);
  for (const auto& [key, port] :
       {std::pair("device_port", &entry.device_port), std::pair("host_port", &entry.host_port)}) {
    Result<uint64_t> number = device.OptionalDigits(key, 1, kMostPort);
    if (!number) return std::move(number).status();
    *port = static_cast<uint32_t>(*number);
  }
  Result<std::optional<std::string>> super = device.OptionalText("super_device_id");
  if (!super) return std::move(super).status();
  entry.super_device = (*super).value_or("");
  return entry;
}

Status ReadServer(const Node& server, uint32_t device_count, std::set<std::string>& servers,
                  std::vector<Entry>& entries) {
  Result<std::string> id = ReadServerId(server);
  if (!id) return std::move(id).status();
  if (!servers.insert(*id).second) return server.Wrong("server_id", "one that no other server has");
  Result<std::optional<std::string>> host = server.OptionalText("host_ip");
  if (!host) return std::move(host).status();
  const std::string host_ip = (*host).value_or("");
  if (!host_ip.empty() && !IsInet(host_ip)) return server.Wrong("host_ip", "an IPv4 address");
  Result<std::vector<Node>> devices = server.Objects("device");
  if (!devices) return std::move(devices).status();
  if ((*devices).empty()) return server.Wrong("device", "at least one device in it");
  for (const Node& device : *devices) {
    Result<Entry> entry = ReadDevice(device, *id, host_ip, device_count);
    if (!entry) return std::move(entry).status();
    if (entries.size() == kMaxRanks) return device.Refuse(Code::kInvalidArgument, "more than 65536 ranks");
    entries.push_back(std::move(*entry));
  }
  return Status::Ok();
}

using PodOfServer = std::map<std::string, std::string>;

Status ReadSuperPod(const Node& pod, const std::set<std::string>& servers, std::set<std::string>& pods,
                    PodOfServer& pod_of) {
  Result<std::string> id = pod.Text("super_pod_id");
  if (!id) return std::move(id).status();
  if ((*id).empty() || !pods.insert(*id).second) {
    return pod.Wrong("super_pod_id", "a name that no other super pod has");
  }
  Result<std::vector<Node>> members = pod.Objects("server_list");
  if (!members) return std::move(members).status();
  for (const Node& member : *members) {
    Result<std::string> server = ReadServerId(member);
    if (!server) return std::move(server).status();
    if (!servers.contains(*server)) return member.Wrong("server_id", "one that is in $.server_list");
    if (!pod_of.emplace(*server, *id).second) {
      return member.Wrong("server_id", "each server in one super pod only");
    }
  }
  return Status::Ok();
}

// Super pods only matter where there are several hosts, but a table that contradicts itself is refused
// everywhere.
Status CheckSuperPods(const Node& root, const std::set<std::string>& servers,
                      const std::vector<Entry>& entries) {
  if (!root.Has("super_pod_list")) return Status::Ok();
  Result<std::vector<Node>> list = root.Objects("super_pod_list");
  if (!list) return std::move(list).status();
  std::set<std::string> pods;
  PodOfServer pod_of;
  for (const Node& pod : *list) TANDEM_RETURN_IF_ERROR(ReadSuperPod(pod, servers, pods, pod_of));
  if (pod_of.size() != servers.size()) {
    return root.Refuse(Code::kInvalidArgument, "super_pod_list names " + std::to_string(pod_of.size()) +
                                                   " servers, server_list has " +
                                                   std::to_string(servers.size()));
  }
  std::set<std::pair<std::string, std::string>> devices;
  std::set<std::string> closed;
  std::string current;
  for (const Entry& entry : entries) {
    const std::string& pod = pod_of.at(entry.server);
    if (pod != current && !closed.insert(pod).second) {
      return root.Refuse(Code::kInvalidArgument,
                         "the servers of super pod \"" + pod + "\" do not follow each other in server_list");
    }
    current = pod;
    if (!entry.super_device.empty() && !devices.emplace(pod, entry.super_device).second) {
      return Status::Error(Code::kInvalidArgument,
                           "%s: %s.super_device_id is \"%s\", which another device of super pod \"%s\" has",
                           std::string(root.file()).c_str(), entry.path.c_str(), entry.super_device.c_str(),
                           pod.c_str())
          .WithId("EI0014");
    }
  }
  return Status::Ok();
}

}  // namespace

Result<std::vector<std::string>> ReadAddresses(const Node& device, const char* key) {
  Result<std::optional<std::string>> text = device.OptionalText(key);
  if (!text) return std::move(text).status();
  std::vector<std::string> addresses;
  if (!*text || (**text).empty()) return addresses;
  size_t begin = 0;
  while (begin <= (**text).size()) {
    const size_t end = std::min((**text).find(',', begin), (**text).size());
    std::string one = (**text).substr(begin, end - begin);
    if (!config::IsAddress(one)) return device.Wrong(key, "an IPv4 or IPv6 address");
    addresses.push_back(std::move(one));
    begin = end + 1;
  }
  return addresses;
}

Result<std::string> ReadServerId(const Node& server) {
  Result<std::string> id = server.Text("server_id");
  if (!id) return id;
  if ((*id).empty() || (*id).size() > kMostServerId) return server.Wrong("server_id", "1 to 64 characters");
  return id;
}

Result<std::vector<Entry>> ReadServers(const Node& root, const std::string& version, uint32_t device_count) {
  Result<std::vector<Node>> list = root.Objects("server_list");
  if (!list) return std::move(list).status();
  if (root.Has("server_count")) {
    Result<uint64_t> count = root.Digits("server_count", 1, kMaxRanks);
    if (!count) return std::move(count).status();
    if (*count != (*list).size()) {
      return root.Wrong("server_count", std::to_string((*list).size()) + ", the length of server_list");
    }
  }
  if ((*list).empty()) return root.Wrong("server_list", "at least one server in it");
  std::set<std::string> servers;
  std::vector<Entry> entries;
  for (const Node& server : *list) {
    TANDEM_RETURN_IF_ERROR(ReadServer(server, device_count, servers, entries));
  }
  for (const Entry& entry : entries) {
    if (servers.size() < 2 || !entry.device_ips.empty()) continue;
    return Status::Error(Code::kInvalidArgument,
                         "%s: %s.device_ip is missing, expected an address since there are %zu servers",
                         std::string(root.file()).c_str(), entry.path.c_str(), servers.size())
        .WithId("EI0014");
  }
  if (version == "1.2") TANDEM_RETURN_IF_ERROR(CheckSuperPods(root, servers, entries));
  return entries;
}

}  // namespace tandem::rank_table
