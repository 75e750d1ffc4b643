// SPDX-License-Identifier: Apache-2.0
#include "base/cores.h"

#include <sched.h>

#include <charconv>
#include <fstream>
#include <memory>

namespace tandem {
namespace {

// The kernel refuses a mask smaller than its own, and cpu_set_t ends at 1024 cores.
constexpr int kMostCores = 16384;

struct FreeMask {
  void operator()(cpu_set_t* mask) const { CPU_FREE(mask); }
};
using Mask = std::unique_ptr<cpu_set_t, FreeMask>;

}  // namespace

std::vector<int> AllowedCores() {
  const Mask mask(CPU_ALLOC(kMostCores));
  const size_t bytes = CPU_ALLOC_SIZE(kMostCores);
  std::vector<int> cores;
  if (mask == nullptr) return cores;
  CPU_ZERO_S(bytes, mask.get());
  if (sched_getaffinity(0, bytes, mask.get()) != 0) return cores;
  for (int core = 0; core < kMostCores; ++core) {
    if (CPU_ISSET_S(static_cast<size_t>(core), bytes, mask.get())) cores.push_back(core);
  }
  return cores;
}

bool BindToCore(int core) {
  const Mask mask(CPU_ALLOC(kMostCores));
  const size_t bytes = CPU_ALLOC_SIZE(kMostCores);
  if (mask == nullptr) return false;
  CPU_ZERO_S(bytes, mask.get());
  CPU_SET_S(static_cast<size_t>(core), bytes, mask.get());
  return sched_setaffinity(0, bytes, mask.get()) == 0;
}

std::string CoresToText(const std::vector<int>& cores) {
  std::string text;
  for (size_t i = 0; i < cores.size();) {
    size_t last = i;
    while (last + 1 < cores.size() && cores[last + 1] == cores[last] + 1) ++last;
    if (!text.empty()) text += ',';
    text += std::to_string(cores[i]);
    if (last > i) text += '-' + std::to_string(cores[last]);
    i = last + 1;
  }
  return text;
}

std::set<int> CoresFromText(std::string_view text) {
  std::set<int> cores;
  const char* at = text.data();
  const char* const end = at + text.size();
  while (at != end) {
    int first = 0;
    auto [next, error] = std::from_chars(at, end, first);
    int last = first;
    if (error == std::errc() && next != end && *next == '-') {
      const auto range = std::from_chars(next + 1, end, last);
      next = range.ptr;
      error = range.ec;
    }
    if (error != std::errc() || first < 0 || last < first || last >= kMostCores) return {};
    for (int core = first; core <= last; ++core) cores.insert(core);
    if (next != end && *next++ != ',') return {};
    at = next;
  }
  return cores;
}

double CoreTimeLimit() {
  // cgroup version 2: "max 100000" or "150000 100000", quota and period in microseconds.
  std::ifstream file("/sys/fs/cgroup/cpu.max");
  double quota = 0;
  double period = 0;
  return file >> quota >> period && period > 0 ? quota / period : 0;
}

}  // namespace tandem
