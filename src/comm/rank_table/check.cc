// SPDX-License-Identifier: Apache-2.0
// What holds in every format, and whether a rank of this process is in the table.
#include <algorithm>

#include "base/config_parse.h"
#include "comm/bootstrap/nic.h"
#include "comm/rank_table/device_addresses.h"
#include "comm/rank_table/formats.h"

namespace tandem::rank_table {
namespace {

Status Refuse(Code code, const std::string& file, const std::string& text) {
  return Status::Error(code, "%s: %s", file.c_str(), text.c_str()).WithId("EI0014");
}

Status CheckRanks(const std::string& file, std::vector<Entry>& entries) {
  std::stable_sort(entries.begin(), entries.end(),
                   [](const Entry& a, const Entry& b) { return a.rank < b.rank; });
  for (uint32_t i = 0; i < entries.size(); ++i) {
    if (entries[i].rank == i) continue;
    if (i > 0 && entries[i].rank == entries[i - 1].rank) {
      return Refuse(Code::kUnavailable, file,
                    "rank_id " + std::to_string(entries[i].rank) + " is given twice, in " +
                        entries[i - 1].path + " and " + entries[i].path + "; expected 0 to " +
                        std::to_string(entries.size() - 1) + ", each once");
    }
    return Refuse(Code::kUnavailable, file,
                  entries[i].path + ".rank_id is " + std::to_string(entries[i].rank) + ", expected " +
                      std::to_string(i) + ": the " + std::to_string(entries.size()) + " ranks must be 0 to " +
                      std::to_string(entries.size() - 1) + " without a gap");
  }
  return Status::Ok();
}

Status CheckDevices(const std::string& file, const std::vector<Entry>& entries) {
  std::map<std::pair<std::string, int32_t>, const Entry*> devices;
  for (const Entry& entry : entries) {
    const auto [place, is_new] = devices.emplace(std::pair(entry.server, entry.device), &entry);
    if (is_new) continue;
    return Refuse(Code::kInvalidArgument, file,
                  entry.path + ".device_id is " + std::to_string(entry.device) + ", the same as " +
                      place->second->path + ".device_id on server \"" + entry.server +
                      "\"; expected a device of its own for each rank");
  }
  return Status::Ok();
}

std::string FamilyOf(const std::string& address) {
  return address.find(':') == std::string::npos ? "IPv4" : "IPv6";
}

Status CheckAddresses(const std::string& file, const std::vector<Entry>& entries) {
  std::map<std::string, const Entry*> owners;
  const Entry* first = nullptr;
  for (const Entry& entry : entries) {
    for (const std::string& address : entry.device_ips) {
      if (first == nullptr) first = &entry;
      const auto [place, is_new] = owners.emplace(address, &entry);
      if (!is_new) {
        return Refuse(Code::kInvalidArgument, file,
                      entry.path + ".device_ip is " + address + ", the same as " + place->second->path +
                          ".device_ip; expected an address of its own for each device");
      }
      if (FamilyOf(address) != FamilyOf(first->device_ips.front())) {
        return Refuse(Code::kInvalidArgument, file,
                      entry.path + ".device_ip is " + address + " (" + FamilyOf(address) + "), but " +
                          first->path + ".device_ip is " + first->device_ips.front() + " (" +
                          FamilyOf(first->device_ips.front()) +
                          "); expected IPv4 addresses only or IPv6 addresses only")
            .WithId("EI0001");
      }
    }
  }
  for (const Entry& entry : entries) {
    if (entry.device_ips.size() == entries.front().device_ips.size()) continue;
    return Refuse(Code::kInvalidArgument, file,
                  entry.path + ".device_ip has " + std::to_string(entry.device_ips.size()) + " addresses, " +
                      entries.front().path + ".device_ip has " +
                      std::to_string(entries.front().device_ips.size()) +
                      "; expected as many for every device");
  }
  return Status::Ok();
}

// Only a name that is an address can be compared with this host.
bool IsOtherHost(const std::string& server) {
  return config::IsAddress(server) && !bootstrap::IsAddressOfThisHost(server);
}

Status CheckHost(const Table& table, const Entry& own) {
  if (!own.host_ip.empty() && !bootstrap::IsAddressOfThisHost(own.host_ip)) {
    return Refuse(Code::kUnavailable, table.file,
                  "rank " + std::to_string(own.rank) + " (" + own.path +
                      ") belongs to the server with host_ip " + own.host_ip +
                      ", which is no address of this host");
  }
  const auto other = std::find_if(table.entries.begin(), table.entries.end(),
                                  [&own](const Entry& entry) { return entry.server != own.server; });
  if (other == table.entries.end()) return Status::Ok();
  if (IsOtherHost(own.server)) {
    return Refuse(Code::kUnavailable, table.file,
                  "rank " + std::to_string(own.rank) + " (" + own.path + ") belongs to server \"" +
                      own.server + "\", which is no address of this host; start it there");
  }
  return Refuse(Code::kNotSupported, table.file,
                "rank " + std::to_string(own.rank) + " is on server \"" + own.server + "\", rank " +
                    std::to_string(other->rank) + " on server \"" + other->server +
                    "\": this version of Tandem connects ranks of one host only");
}

// The table against what this host says of the device, if it says anything.
Status CheckDeviceAddress(const Table& table, const Entry& own) {
  if (own.device_ips.empty()) return Status::Ok();
  const std::string file = DeviceAddressFile();
  const std::optional<std::string> listed = ListedAddress(file, own.device);
  if (!listed ||
      std::any_of(own.device_ips.begin(), own.device_ips.end(),
                  [&listed](const std::string& address) { return IsSameAddress(address, *listed); })) {
    return Status::Ok();
  }
  return Refuse(Code::kUnavailable, table.file,
                own.path + ".device_ip is " + own.device_ips.front() + ", but device " +
                    std::to_string(own.device) + " of this host has the address " + *listed + " (" + file +
                    "); correct the table, or start the rank on the host that it was written for");
}

}  // namespace

Status Arrange(const std::string& file, std::vector<Entry>& entries) {
  TANDEM_RETURN_IF_ERROR(CheckRanks(file, entries));
  TANDEM_RETURN_IF_ERROR(CheckDevices(file, entries));
  return CheckAddresses(file, entries);
}

Status CheckOwnEntry(const Table& table, uint32_t rank, int32_t device) {
  if (rank >= table.entries.size()) {
    return Refuse(Code::kInvalidArgument, table.file,
                  "rank is " + std::to_string(rank) + ", but the table has " +
                      std::to_string(table.entries.size()) + " ranks, 0 to " +
                      std::to_string(table.entries.size() - 1));
  }
  const Entry& own = table.entries[rank];
  TANDEM_RETURN_IF_ERROR(CheckHost(table, own));
  if (own.device != device) {
    return Refuse(Code::kUnavailable, table.file,
                  own.path + ".device_id of rank " + std::to_string(rank) + " is " +
                      std::to_string(own.device) + ", but the current device is " + std::to_string(device) +
                      "; select the device of the table with aclrtSetDevice, or correct rank or table");
  }
  return CheckDeviceAddress(table, own);
}

std::vector<std::pair<std::string, std::string>> Facts(const Table& table) {
  std::vector<std::pair<std::string, std::string>> facts;
  facts.emplace_back("version", table.version.empty() ? "none" : table.version);
  facts.emplace_back("the number of ranks", std::to_string(table.entries.size()));
  const auto port = [](uint32_t number) { return number == 0 ? "none" : std::to_string(number); };
  for (const Entry& entry : table.entries) {
    const std::string of = " of rank " + std::to_string(entry.rank);
    std::string addresses;
    for (const std::string& address : entry.device_ips) addresses += (addresses.empty() ? "" : ",") + address;
    facts.emplace_back("server_id" + of, entry.server);
    facts.emplace_back("device_id" + of, std::to_string(entry.device));
    facts.emplace_back("device_ip" + of, addresses.empty() ? "none" : addresses);
    facts.emplace_back("device_port" + of, port(entry.device_port));
    facts.emplace_back("host_port" + of, port(entry.host_port));
    facts.emplace_back("super_device_id" + of, entry.super_device.empty() ? "none" : entry.super_device);
  }
  return facts;
}

Result<Table> Interpret(const Document& document, uint32_t device_count) {
  const Node root(*document.json, "$", document.file);
  Table table;
  table.file = document.file;
  Result<std::optional<std::string>> version = root.OptionalText("version");
  if (!version) return std::move(version).status();
  table.version = (*version).value_or("");
  if (table.version != "2.0") {
    Result<std::string> status = root.Text("status");
    if (!status) return std::move(status).status();
  }
  Result<std::vector<Entry>> entries = std::vector<Entry>();
  if (!*version) {
    entries = ReadGroups(root, device_count);
  } else if (table.version == "1.0" || table.version == "1.1" || table.version == "1.2") {
    entries = ReadServers(root, table.version, device_count);
  } else if (table.version == "2.0") {
    entries = ReadRankList(root);
  } else {
    return root.Refuse(Code::kNotSupported, "version is \"" + table.version.substr(0, 80) +
                                                "\", expected 1.0, 1.1, 1.2 or 2.0, or none at all");
  }
  if (!entries) return std::move(entries).status();
  if ((*entries).empty()) return root.Refuse(Code::kInvalidArgument, "the table has no rank");
  table.entries = std::move(*entries);
  TANDEM_RETURN_IF_ERROR(Arrange(table.file, table.entries));
  return table;
}

}  // namespace tandem::rank_table
