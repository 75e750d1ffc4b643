// SPDX-License-Identifier: Apache-2.0
#include "info/cgroup.h"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace tandem::tools {
namespace {

constexpr const char* kRoot = "/sys/fs/cgroup";

template <typename T>
void Tighten(std::optional<T>& limit, T value) {
  limit = limit ? std::min(*limit, value) : value;
}

// The group of this process for a controller of version 1, or of version 2 when `controller` is "".
std::optional<std::string> OwnGroup(const std::string& controller) {
  std::ifstream groups("/proc/self/cgroup");  // lines such as 0::/a/b and 4:cpu,cpuacct:/a/b
  for (std::string line; std::getline(groups, line);) {
    const size_t first = line.find(':');
    const size_t second = first == std::string::npos ? first : line.find(':', first + 1);
    if (second == std::string::npos) continue;
    std::istringstream names(line.substr(first + 1, second - first - 1));
    std::string path = line.substr(second + 1);
    if (controller.empty() && second == first + 1) return path;
    for (std::string name; std::getline(names, name, ',');) {
      if (!controller.empty() && name == controller) return path;
    }
  }
  return std::nullopt;
}

// The folder of the group and of all groups above it, the group itself first.
std::vector<std::string> Chain(const std::string& mount, std::string group) {
  std::vector<std::string> folders;
  while (group.size() > 1) {
    folders.push_back(mount + group);
    group.erase(group.rfind('/'));
  }
  folders.push_back(mount);
  return folders;
}

void ReadUnified(const std::string& folder, CgroupLimits& limits) {
  double quota = 0;
  double period = 0;
  if (std::ifstream cpu(folder + "/cpu.max"); cpu >> quota >> period && period > 0) {
    Tighten(limits.cores, quota / period);
  }
  uint64_t bytes = 0;
  if (std::ifstream memory(folder + "/memory.max"); memory >> bytes) Tighten(limits.memory_bytes, bytes);
}

void ReadVersion1(CgroupLimits& limits) {
  // Version 1 writes "no limit" as a number next to 2^63, rounded down to a page.
  constexpr uint64_t kNoLimit = uint64_t{1} << 62;
  if (const auto group = OwnGroup("memory")) {
    for (const std::string& folder : Chain(std::string(kRoot) + "/memory", *group)) {
      uint64_t bytes = 0;
      std::ifstream file(folder + "/memory.limit_in_bytes");
      if (file >> bytes && bytes < kNoLimit) Tighten(limits.memory_bytes, bytes);
    }
  }
  if (const auto group = OwnGroup("cpu")) {
    for (const std::string& folder : Chain(std::string(kRoot) + "/cpu", *group)) {
      double quota = 0;
      double period = 0;
      std::ifstream quota_file(folder + "/cpu.cfs_quota_us");
      std::ifstream period_file(folder + "/cpu.cfs_period_us");
      if (quota_file >> quota && period_file >> period && quota > 0 && period > 0)
        Tighten(limits.cores, quota / period);
    }
  }
}

}  // namespace

CgroupLimits ReadCgroupLimits() {
  CgroupLimits limits;
  if (const auto group = OwnGroup("")) {
    for (const std::string& folder : Chain(kRoot, *group)) ReadUnified(folder, limits);
  }
  ReadVersion1(limits);
  return limits;
}

}  // namespace tandem::tools
