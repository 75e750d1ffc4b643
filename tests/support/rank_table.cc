// SPDX-License-Identifier: Apache-2.0
#include "support/rank_table.h"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>

namespace tandem::test {

Scratch::Scratch() {
  std::string pattern = (std::filesystem::temp_directory_path() / "tandem-test-XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no directory for a test's files");
  directory_ = pattern;
}

Scratch::~Scratch() {
  std::error_code ignored;
  std::filesystem::remove_all(directory_, ignored);
}

std::string Scratch::Write(const std::string& name, const std::string& text) const {
  std::string path = Path(name);
  const std::string part = path + ".part";
  std::ofstream(part, std::ios::binary) << text;
  if (std::rename(part.c_str(), path.c_str()) != 0) throw std::runtime_error("cannot write " + path);
  return path;
}

std::string UniqueServer() {
  // The ranks are children of the test, which makes the text before it starts them.
  static const std::string name = "test-" + std::to_string(getpid());
  return name;
}

std::string TableText(const std::vector<TableDevice>& devices, const std::string& status) {
  std::string list;
  for (const TableDevice& device : devices) {
    list += (list.empty() ? "\n    " : ",\n    ") + std::string("{\"device_id\": \"") + device.device_id +
            "\", \"rank_id\": \"" + device.rank_id + "\"" + device.more + "}";
  }
  return "{\n  \"status\": \"" + status +
         "\",\n  \"version\": \"1.0\",\n  \"server_count\": \"1\",\n  \"server_list\": [{\n    "
         "\"server_id\": \"" +
         UniqueServer() + "\", \"device\": [" + list + "]\n  }]\n}\n";
}

std::string TableText(uint32_t ranks) {
  std::vector<TableDevice> devices;
  for (uint32_t i = 0; i < ranks; ++i) devices.push_back({std::to_string(i), std::to_string(i)});
  return TableText(devices);
}

}  // namespace tandem::test
