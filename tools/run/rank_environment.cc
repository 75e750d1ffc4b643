// SPDX-License-Identifier: Apache-2.0
#include "run/rank_environment.h"

#include <unistd.h>

#include <charconv>
#include <cstdlib>
#include <map>
#include <optional>
#include <string_view>

namespace tandem::tools {
namespace {

constexpr int kDefaultDevices = 8;  // of TANDEM_DEVICES

std::optional<std::string> UsersDevices(const RunOptions& options) {
  std::optional<std::string> value;
  if (const char* inherited = std::getenv("TANDEM_DEVICES")) value = inherited;
  for (const auto& [name, text] : options.env) {
    if (name == "TANDEM_DEVICES") value = text;
  }
  return value;
}

}  // namespace

std::vector<std::string> RankEnvironment(const RunOptions& options, int rank, uint16_t master_port,
                                         const std::string& run_directory) {
  std::map<std::string, std::string, std::less<>> variables;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    const size_t equals = text.find('=');
    if (equals == 0 || equals == std::string_view::npos) continue;
    variables.insert_or_assign(std::string(text.substr(0, equals)), std::string(text.substr(equals + 1)));
  }
  const std::string own = std::to_string(rank);
  const std::string size = std::to_string(options.ranks);
  // All ranks are on this machine, so local and global numbers agree, and rank i uses device i.
  for (const char* name : {"RANK", "LOCAL_RANK", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_LOCAL_RANK",
                           "RANK_ID", "DEVICE_ID", "ASCEND_DEVICE_ID"}) {
    variables[name] = own;
  }
  for (const char* name : {"WORLD_SIZE", "LOCAL_WORLD_SIZE", "OMPI_COMM_WORLD_SIZE",
                           "OMPI_COMM_WORLD_LOCAL_SIZE", "RANK_SIZE"}) {
    variables[name] = size;
  }
  const std::string only_node("0");
  for (const char* name : {"GROUP_RANK", "NODE_RANK"}) variables[name] = only_node;
  variables["MASTER_ADDR"] = std::string("127.0.0.1");
  variables["MASTER_PORT"] = std::to_string(master_port);
  variables["TANDEM_RUN_DIR"] = run_directory;
  if (options.ranks > kDefaultDevices && !UsersDevices(options)) variables["TANDEM_DEVICES"] = size;
  for (const auto& [name, value] : options.env) variables[name] = value;

  std::vector<std::string> result;
  result.reserve(variables.size());
  for (const auto& [name, value] : variables) result.push_back(name + "=" + value);
  return result;
}

std::string TooFewDevices(const RunOptions& options) {
  const auto text = UsersDevices(options);
  if (!text) return {};
  int devices = 0;
  const auto parsed = std::from_chars(text->data(), text->data() + text->size(), devices);
  if (parsed.ec != std::errc() || devices >= options.ranks) return {};
  return "TANDEM_DEVICES=" + *text + " is below -n " + std::to_string(options.ranks) + ": ranks from " +
         *text + " on find no device of their number";
}

}  // namespace tandem::tools
