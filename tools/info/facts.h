// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tandem::tools {

struct LibraryFacts {
  std::string version;
  std::string path;  // of the shared library that this process uses
};

struct SettingFacts {
  std::string name;
  std::string value;
  std::string source;  // "default", "environment", ...
  std::string meaning;
  std::string type;
  std::string default_value;
  std::string range;    // what is accepted
  bool obeyed = true;   // otherwise only checked
  std::string problem;  // why the given value is not used; usually ""
};

struct DeviceFacts {
  int id = 0;
  uint64_t free_bytes = 0;
  uint64_t total_bytes = 0;
  std::string problem;  // why the numbers are unknown; usually ""
};

struct DeviceListFacts {
  std::string soc_name;
  std::vector<DeviceFacts> devices;
  std::string problem;
};

struct TransportFacts {
  std::string name;
  bool available = false;
  std::string detail;
};

struct HostFacts {
  std::string name;
  std::string kernel;
  long online_cores = 0;
  std::vector<int> allowed_cores;      // by affinity
  std::optional<double> cgroup_cores;  // processor time per time; empty: no limit
  uint64_t memory_bytes = 0;
  uint64_t memory_available_bytes = 0;
  std::optional<uint64_t> cgroup_memory_bytes;  // empty: no limit
  std::string transparent_huge_pages;           // of ordinary memory: always, madvise, never, or unknown
  std::string shared_huge_pages;                // of memfd memory
  uint64_t reserved_huge_pages = 0;
  uint64_t huge_page_bytes = 0;
  std::optional<int> ptrace_scope;  // of the Yama security module; empty: not there
};

struct Facts {
  LibraryFacts library;
  std::vector<SettingFacts> settings;
  DeviceListFacts devices;
  std::vector<TransportFacts> transports;
  HostFacts host;
};

}  // namespace tandem::tools
