// SPDX-License-Identifier: Apache-2.0
#pragma once

// Starts the ranks of an example, either way:
//   tandem run -n N ./prog   this process is one rank; the environment says which, and the root info
//                            travels through a file in the private directory TANDEM_RUN_DIR
//   ./prog                   all ranks are threads of this process, one device each

#include <cstdint>
#include <cstdlib>
#include <thread>
#include <vector>

#include "check.h"
#include "root_info_file.h"

namespace example {

struct Rank {
  uint32_t rank;
  uint32_t size;
  int32_t device;
  HcclRootInfo root_info;
};

// One rank's whole work. Selects its device itself; returns 0 when everything was right.
using RankBody = int (*)(const Rank& self);

enum class Start {
  kByEnvironment,  // processes when WORLD_SIZE is set, else threads
  kThreads,
  kProcesses,
};

// The value of the first of two variables that is set, or -1.
inline int64_t NumberFromEnvironment(const char* name, const char* other = nullptr) {
  const char* text = std::getenv(name);
  if (text == nullptr && other != nullptr) text = std::getenv(other);
  if (text == nullptr || *text == '\0') return -1;
  char* end = nullptr;
  const long long value = std::strtoll(text, &end, 10);
  return *end == '\0' && value >= 0 && value <= INT32_MAX ? value : -1;
}

// Only the root rank asks for a root info, and asking needs a current device.
inline int MakeRootInfo(int32_t device, HcclRootInfo* root_info) {
  ACL_CHECK(aclrtSetDevice(device));
  HCCL_CHECK(HcclGetRootInfo(root_info));
  return 0;
}

inline int RunAsProcess(RankBody body) {
  const int64_t rank = NumberFromEnvironment("RANK");
  const int64_t size = NumberFromEnvironment("WORLD_SIZE");
  const int64_t device = NumberFromEnvironment("DEVICE_ID", "LOCAL_RANK");
  if (rank < 0 || size <= rank || device < 0) {
    std::fprintf(stderr,
                 "RANK, WORLD_SIZE and DEVICE_ID (or LOCAL_RANK) must be numbers with "
                 "RANK below WORLD_SIZE; start me with: tandem run -n N\n");
    return 1;
  }
  Rank self{static_cast<uint32_t>(rank), static_cast<uint32_t>(size), static_cast<int32_t>(device), {}};
  if (rank == 0) {
    if (MakeRootInfo(self.device, &self.root_info) != 0) return 1;
    if (PublishRootInfo(self.root_info) != 0) return 1;
    if (body(self) != 0) return 1;
    ACL_CHECK(aclrtResetDevice(self.device));  // undoes the selection in MakeRootInfo
    return 0;
  }
  if (AwaitRootInfo(&self.root_info) != 0) return 1;
  return body(self);
}

inline int RunAsThreads(uint32_t size, RankBody body) {
  Rank first{0, size, 0, {}};
  if (MakeRootInfo(first.device, &first.root_info) != 0) return 1;
  std::vector<std::thread> threads;
  for (uint32_t rank = 0; rank < size; ++rank) {
    const Rank self{rank, size, static_cast<int32_t>(rank), first.root_info};
    threads.emplace_back([self, body] {
      if (body(self) == 0) return;
      // The other ranks would wait for this one until their time-out, so the job ends here.
      std::fprintf(stderr, "rank %u failed\n", self.rank);
      std::fflush(nullptr);
      std::_Exit(1);
    });
  }
  for (std::thread& thread : threads) thread.join();
  ACL_CHECK(aclrtResetDevice(first.device));
  return 0;
}

// `threads` is how many ranks to start when they are threads; processes are counted by their launcher.
inline int Launch(uint32_t threads, RankBody body, Start start = Start::kByEnvironment) {
  ACL_CHECK(aclInit(nullptr));
  const bool as_process =
      start == Start::kProcesses || (start == Start::kByEnvironment && std::getenv("WORLD_SIZE") != nullptr);
  if ((as_process ? RunAsProcess(body) : RunAsThreads(threads, body)) != 0) return 1;
  ACL_CHECK(aclFinalize());
  return 0;
}

}  // namespace example
