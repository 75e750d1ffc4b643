// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdio>

#include "info/print.h"
#include "run/report.h"

namespace tandem::tools {
namespace {

std::string Bytes(uint64_t bytes) {
  constexpr const char* kUnits[] = {"B", "KiB", "MiB", "GiB", "TiB"};
  double value = static_cast<double>(bytes);
  size_t unit = 0;
  for (; value >= 1024 && unit + 1 < std::size(kUnits); ++unit) value /= 1024;
  char text[32];
  std::snprintf(text, sizeof(text), unit == 0 ? "%.0f %s" : "%.1f %s", value, kUnits[unit]);
  return text;
}

void Line(const char* name, const std::string& value) { std::printf("  %-24s%s\n", name, value.c_str()); }

std::string Shown(const std::string& value) { return value.empty() ? "(unset)" : value; }

void PrintSettings(const std::vector<SettingFacts>& settings) {
  std::puts("\nsettings (value, source, meaning)");
  int name_width = 0;
  int value_width = 0;
  for (const SettingFacts& setting : settings) {
    name_width = std::max(name_width, static_cast<int>(setting.name.size()));
    value_width = std::max(value_width, static_cast<int>(Shown(setting.value).size()));
  }
  value_width = std::min(value_width, 30);
  for (const SettingFacts& setting : settings) {
    std::printf("  %-*s  %-*s  %-11s  %s\n", name_width, setting.name.c_str(), value_width,
                Shown(setting.value).c_str(), setting.source.c_str(), setting.meaning.c_str());
    if (!setting.problem.empty())
      std::printf("  %-*s  problem: %s\n", name_width, "", setting.problem.c_str());
  }
}

void PrintDevices(const DeviceListFacts& facts) {
  std::printf("\ndevices: %zu, %s\n", facts.devices.size(), facts.soc_name.c_str());
  if (!facts.problem.empty()) Line("problem", facts.problem);
  for (const DeviceFacts& device : facts.devices) {
    const std::string memory = Bytes(device.free_bytes) + " free of " + Bytes(device.total_bytes);
    Line(std::to_string(device.id).c_str(), device.problem.empty() ? memory : device.problem);
  }
}

void PrintTransports(const std::vector<TransportFacts>& transports) {
  std::puts("\ntransports");
  for (const TransportFacts& transport : transports) {
    Line(transport.name.c_str(), (transport.available ? "yes; " : "no; ") + transport.detail);
  }
}

// Of the Yama security module.
const char* PtraceScopeMeaning(const std::optional<int>& scope) {
  if (!scope || *scope == 0) return "processes of one user may read each other's memory";
  if (*scope == 1) return "a process may read another's memory only where that one allows it";
  if (*scope == 2) return "only an administrator may read another process's memory";
  return "no process may read another's memory";
}

void PrintHost(const HostFacts& host) {
  std::printf("\nhost %s, %s\n", host.name.c_str(), host.kernel.c_str());
  Line("cores",
       std::to_string(host.online_cores) + " online; this process may use " + RankList(host.allowed_cores));
  char cores[32] = "none";
  if (host.cgroup_cores) std::snprintf(cores, sizeof(cores), "%.2f cores", *host.cgroup_cores);
  Line("cgroup processor limit", cores);
  Line("memory", Bytes(host.memory_available_bytes) + " available of " + Bytes(host.memory_bytes));
  Line("cgroup memory limit", host.cgroup_memory_bytes ? Bytes(*host.cgroup_memory_bytes) : "none");
  Line("transparent huge pages",
       host.transparent_huge_pages + "; for shared memory: " + host.shared_huge_pages);
  Line("reserved huge pages",
       std::to_string(host.reserved_huge_pages) + " of " + Bytes(host.huge_page_bytes));
  Line("ptrace scope", (host.ptrace_scope ? std::to_string(*host.ptrace_scope) : std::string("absent")) +
                           "; " + PtraceScopeMeaning(host.ptrace_scope));
}

}  // namespace

bool PrintText(const Facts& facts) {
  std::printf("tandem %s\n  %-24s%s\n", facts.library.version.c_str(), "library", facts.library.path.c_str());
  PrintSettings(facts.settings);
  PrintDevices(facts.devices);
  PrintTransports(facts.transports);
  PrintHost(facts.host);
  return std::fflush(stdout) == 0 && std::ferror(stdout) == 0;
}

}  // namespace tandem::tools
