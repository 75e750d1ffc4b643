// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tandem::tools {

inline constexpr int kMaxRanks = 4096;

struct RunOptions {
  int ranks = 1;  // 1 .. kMaxRanks
  std::vector<std::pair<std::string, std::string>> env;
  std::optional<std::chrono::milliseconds> timeout;
  std::chrono::milliseconds grace{5000};  // between asking a rank to stop and killing it
  bool label = true;
  bool bind_to_cores = false;
  std::optional<uint16_t> master_port;  // chosen when not given
  std::vector<std::string> command;     // never empty
};

}  // namespace tandem::tools
