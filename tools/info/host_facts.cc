// SPDX-License-Identifier: Apache-2.0
#include "info/host_facts.h"
#include "base/cores.h"

#include <sys/utsname.h>
#include <unistd.h>

#include <fstream>
#include <sstream>

#include "info/cgroup.h"

namespace tandem::tools {
namespace {

// The choice in brackets of a file such as "always [madvise] never".
std::string ChosenWord(const char* path) {
  std::ifstream file(path);
  for (std::string word; file >> word;) {
    if (word.size() > 2 && word.front() == '[' && word.back() == ']') return word.substr(1, word.size() - 2);
  }
  return "unknown";
}

void ReadMemory(HostFacts& facts) {
  constexpr uint64_t kKiB = 1024;
  std::ifstream file("/proc/meminfo");
  for (std::string line; std::getline(file, line);) {
    std::istringstream fields(line);
    std::string name;
    uint64_t number = 0;
    if (!(fields >> name >> number)) continue;
    if (name == "MemTotal:") facts.memory_bytes = number * kKiB;
    if (name == "MemAvailable:") facts.memory_available_bytes = number * kKiB;
    if (name == "HugePages_Total:") facts.reserved_huge_pages = number;
    if (name == "Hugepagesize:") facts.huge_page_bytes = number * kKiB;
  }
}

}  // namespace

HostFacts GatherHost() {
  HostFacts facts;
  utsname names{};
  if (uname(&names) == 0) {
    facts.name = names.nodename;
    facts.kernel = std::string(names.sysname) + " " + names.release + " " + names.machine;
  }
  facts.online_cores = sysconf(_SC_NPROCESSORS_ONLN);
  facts.allowed_cores = AllowedCores();
  ReadMemory(facts);
  const CgroupLimits limits = ReadCgroupLimits();
  facts.cgroup_cores = limits.cores;
  facts.cgroup_memory_bytes = limits.memory_bytes;
  facts.transparent_huge_pages = ChosenWord("/sys/kernel/mm/transparent_hugepage/enabled");
  facts.shared_huge_pages = ChosenWord("/sys/kernel/mm/transparent_hugepage/shmem_enabled");
  int scope = 0;
  if (std::ifstream file("/proc/sys/kernel/yama/ptrace_scope"); file >> scope) facts.ptrace_scope = scope;
  return facts;
}

}  // namespace tandem::tools
