// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

namespace tandem::test {

// Of the calling process.
struct Usage {
  size_t descriptors = 0;
  size_t mappings = 0;
  size_t threads = 0;
  uint64_t resident_bytes = 0;
  std::string Text() const;
};
Usage CurrentUsage();

// User and system time of the calling process.
double CpuSeconds();

uint64_t AvailableMemory();

// Names in a directory, sorted.
std::vector<std::string> Entries(const std::string& directory);

// Returns when the process has ended; it may still be a zombie.
void AwaitEnd(pid_t pid);

// Long forms of tests that are shortened for every-day runs: set TANDEM_TEST_LONG.
bool LongRun();

// Whether a child of this process may do such a thing (root in a plain container may not do everything).
bool MayDo(bool (*attempt)());

// An own mount name space in which `directory` is a fresh tmpfs; `options` as of mount(8). False: not
// allowed.
bool MountPrivateTmpfs(const char* directory, const char* options, bool read_only = false);

// From now on process_vm_readv fails with `error_number` in all threads of this process.
bool ForbidReadingOtherProcesses(int error_number);

// Whether a sanitizer watches this program: it keeps freed memory for a while, and makes large work slow.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool kSanitized = true;
#elif defined(__has_feature)
inline constexpr bool kSanitized = __has_feature(address_sanitizer) || __has_feature(thread_sanitizer);
#else
inline constexpr bool kSanitized = false;
#endif

// How often to do what is done many times: less under a sanitizer, where each time costs ten times as much.
constexpr uint32_t Times(uint32_t count) { return kSanitized ? count / 8 : count; }

}  // namespace tandem::test
