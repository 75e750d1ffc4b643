// SPDX-License-Identifier: Apache-2.0
#pragma once

// What the published samples leave to the reader: an error macro, data, a check, and a start.

#include <cstdio>
#include <cstring>
#include <vector>

#include "../../examples/common/launch.h"

#define PAGE_CHECK(call)                                                                           \
  do {                                                                                             \
    const int page_check_code = static_cast<int>(call);                                            \
    if (page_check_code != 0) {                                                                    \
      std::fprintf(stderr, "%s:%d: %s returned %d\n", __FILE__, __LINE__, #call, page_check_code); \
      return 1;                                                                                    \
    }                                                                                              \
  } while (false)

namespace page {

// Element i is first + i; both are far below 2^24, so a float holds them exactly.
inline std::vector<float> Values(uint64_t count, uint32_t first) {
  std::vector<float> values(count);
  for (uint64_t i = 0; i < count; ++i) values[i] = static_cast<float>(first + i);
  return values;
}

inline int Fill(void* device_buffer, uint64_t count, uint32_t first) {
  const std::vector<float> values = Values(count, first);
  const size_t bytes = count * sizeof(float);
  return aclrtMemcpy(device_buffer, bytes, values.data(), bytes, ACL_MEMCPY_HOST_TO_DEVICE);
}

inline int Check(uint32_t rank, uint32_t from, const void* device_buffer, uint64_t count, uint32_t first) {
  std::vector<float> values(count);
  const size_t bytes = count * sizeof(float);
  PAGE_CHECK(aclrtMemcpy(values.data(), bytes, device_buffer, bytes, ACL_MEMCPY_DEVICE_TO_HOST));
  const bool right = values == Values(count, first);
  std::printf("rank %u received %llu floats from rank %u: %.0f ... %.0f  %s\n", rank,
              static_cast<unsigned long long>(count), from, static_cast<double>(values.front()),
              static_cast<double>(values.back()), right ? "ok" : "WRONG");
  return right ? 0 : 1;
}

using Sample = int (*)(const HcclRootInfo& rootInfo, int32_t deviceId);

// The samples use the device number as rank, and only they create streams and communicators.
template <Sample sample>
int RunRank(const example::Rank& self) {
  if (static_cast<uint32_t>(self.device) != self.rank) {
    std::fprintf(stderr, "rank %u has device %d; the samples need them equal\n", self.rank, self.device);
    return 1;
  }
  PAGE_CHECK(aclrtSetDevice(self.device));
  PAGE_CHECK(sample(self.root_info, self.device));
  PAGE_CHECK(aclrtResetDevice(self.device));
  return 0;
}

template <Sample sample>
int Main(int argc, char** argv, uint32_t ranks) {
  if (argc == 1) return example::Launch(ranks, RunRank<sample>, example::Start::kProcesses);
  if (argc == 2 && std::strcmp(argv[1], "threads") == 0) {
    return example::Launch(ranks, RunRank<sample>, example::Start::kThreads);
  }
  std::fprintf(stderr, "usage: %s threads, or tandem run -n %u %s\n", argv[0], ranks, argv[0]);
  return 2;
}

}  // namespace page
