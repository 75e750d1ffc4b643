// SPDX-License-Identifier: Apache-2.0
#include "comm/bootstrap/fate.h"

#include <unistd.h>

#include <array>
#include <cstdio>
#include <fstream>

namespace tandem::bootstrap {
namespace {

std::string ReadHostIdentity() {
  std::string identity;
  std::ifstream boot("/proc/sys/kernel/random/boot_id");
  std::getline(boot, identity);
  if (identity.empty()) identity = HostName();
  // Abstract Unix sockets, over which processes pass shared memory, belong to the network name space.
  std::array<char, 64> link{};
  if (readlink("/proc/self/ns/net", link.data(), link.size() - 1) > 0)
    identity += std::string("/") + link.data();
  return identity;
}

// Whether the process is gone, on its way out, or a zombie. Its sockets close while it still has an entry in
// /proc.
bool IsEnding(int32_t pid) {
  constexpr unsigned long kExitingFlag = 0x4;
  std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
  std::string line;
  if (!std::getline(file, line)) return true;
  // The name, in parentheses, may hold anything; the fields after it do not.
  const size_t end = line.rfind(')');
  char state = 0;
  unsigned long flags = 0;
  if (end == std::string::npos ||
      std::sscanf(line.c_str() + end + 1, " %c %*d %*d %*d %*d %*d %lu", &state, &flags) != 2) {
    return false;
  }
  return state == 'Z' || state == 'X' || (flags & kExitingFlag) != 0;
}

}  // namespace

bool IsProcessHere(int32_t pid) { return !IsEnding(pid); }

std::string HostName() {
  std::array<char, 256> name{};
  if (gethostname(name.data(), name.size() - 1) != 0) return "unknown";
  return name.data();
}

std::string HostIdentity() {
  // Never destroyed: the IoLoop thread may still ask while the process ends.
  static const auto* identity = new std::string(ReadHostIdentity());
  return *identity;
}

std::string ProcessFate(const RankRecord& record, const Status& why_closed) {
  const std::string process =
      "its process (pid " + std::to_string(record.process.pid) + " on " + record.host_name + ")";
  if (record.host != HostIdentity())
    return "lost the connection to " + process + ": " + std::string(why_closed.text());
  return process + (IsEnding(record.process.pid) ? " ended" : " closed its connection");
}

}  // namespace tandem::bootstrap
