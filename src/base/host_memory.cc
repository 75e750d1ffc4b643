// SPDX-License-Identifier: Apache-2.0
#include "base/host_memory.h"

#include <algorithm>
#include <fstream>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace tandem {
namespace {

constexpr uint64_t kUnlimited = std::numeric_limits<uint64_t>::max();

std::optional<uint64_t> ReadNumber(const std::string& path) {
  std::ifstream file(path);
  uint64_t value = 0;
  if (!(file >> value)) return std::nullopt;  // no such file, or the word "max"
  return value;
}

// A value of /proc/meminfo in bytes.
uint64_t MemInfo(const char* key) {
  std::ifstream file("/proc/meminfo");
  std::string name;
  uint64_t kib = 0;
  std::string rest;
  while (file >> name >> kib && std::getline(file, rest)) {
    if (name == key) return kib * 1024;
  }
  return 0;
}

struct CgroupFiles {
  std::string folder;
  const char* limit;
  const char* used;

  // Pages of files that the system gives up when somebody needs memory; they are counted as used.
  uint64_t FileCache() const {
    std::ifstream file(folder + "/memory.stat");
    std::string name;
    uint64_t value = 0;
    uint64_t cache = 0;
    while (file >> name >> value) {
      if (name == "inactive_file" || name == "active_file") cache += value;
    }
    return cache;
  }
};

// Every group from the process's own up to the root: a limit anywhere on the way holds. Both cgroup versions.
std::vector<CgroupFiles> CgroupsOfThisProcess() {
  std::vector<CgroupFiles> groups;
  std::ifstream file("/proc/self/cgroup");
  std::string line;
  while (std::getline(file, line)) {
    const size_t first = line.find(':');
    const size_t second = first == std::string::npos ? first : line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const bool version_2 = controllers.empty();
    if (!version_2 && controllers.find("memory") == std::string::npos) continue;
    const std::string root = version_2 ? "/sys/fs/cgroup" : "/sys/fs/cgroup/memory";
    const char* limit = version_2 ? "/memory.max" : "/memory.limit_in_bytes";
    const char* used = version_2 ? "/memory.current" : "/memory.usage_in_bytes";
    std::string path = line.substr(second + 1);
    if (path == "/") path.clear();
    for (;;) {
      groups.push_back({root + path, limit, used});
      const size_t slash = path.rfind('/');
      if (slash == std::string::npos) break;
      path.resize(slash);
    }
  }
  return groups;
}

}  // namespace

uint64_t HostMemoryTotal() {
  uint64_t total = MemInfo("MemTotal:");
  for (const CgroupFiles& group : CgroupsOfThisProcess()) {
    total = std::min(total, ReadNumber(group.folder + group.limit).value_or(kUnlimited));
  }
  return total;
}

uint64_t HostMemoryAvailable() {
  uint64_t available = MemInfo("MemAvailable:");
  for (const CgroupFiles& group : CgroupsOfThisProcess()) {
    const std::optional<uint64_t> limit = ReadNumber(group.folder + group.limit);
    if (!limit) continue;
    const uint64_t used = ReadNumber(group.folder + group.used).value_or(0);
    const uint64_t kept = used - std::min(used, group.FileCache());
    available = std::min(available, *limit > kept ? *limit - kept : 0);
  }
  return available;
}

}  // namespace tandem
