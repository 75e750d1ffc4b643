// SPDX-License-Identifier: Apache-2.0
#include "cores.h"

#include <sched.h>

#include <memory>

namespace tandem::tools {
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

}  // namespace tandem::tools
