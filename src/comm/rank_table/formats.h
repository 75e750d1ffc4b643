// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "comm/rank_table/node.h"
#include "comm/rank_table/rank_table.h"

namespace tandem::rank_table {

// The greatest number of a port.
constexpr uint64_t kMostPort = 65535;

// Entries in the order of the file; the rules that all formats share are checked afterwards (check.cc).
Result<std::vector<Entry>> ReadServers(const Node& root, const std::string& version, uint32_t device_count);
Result<std::vector<Entry>> ReadGroups(const Node& root, uint32_t device_count);
Result<std::vector<Entry>> ReadRankList(const Node& root);

// Comma list of addresses. EI0014.
Result<std::vector<std::string>> ReadAddresses(const Node& device, const char* key);
// server_id: 1 to 64 characters. EI0014.
Result<std::string> ReadServerId(const Node& server);

// Puts the entries in order of rank and checks what holds in every format: ranks 0 to n - 1, each once; one
// rank for each device; addresses unique, EI0014, and of one family, EI0001.
Status Arrange(const std::string& file, std::vector<Entry>& entries);

}  // namespace tandem::rank_table
