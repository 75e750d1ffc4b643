// SPDX-License-Identifier: Apache-2.0
#include "support/surroundings.h"

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>

namespace tandem::test {
namespace {

uint64_t Field(const char* file, const std::string& name) {
  std::ifstream lines(file);
  std::string word;
  while (lines >> word) {
    if (word != name + ":") continue;
    uint64_t value = 0;
    lines >> value;
    return value;
  }
  return 0;
}

}  // namespace

std::vector<std::string> Entries(const std::string& directory) {
  std::vector<std::string> names;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(directory, error))
    names.push_back(entry.path().filename());
  std::sort(names.begin(), names.end());
  return names;
}

Usage CurrentUsage() {
  Usage usage;
  usage.descriptors = Entries("/proc/self/fd").size();
  usage.threads = Entries("/proc/self/task").size();
  std::ifstream maps("/proc/self/maps");
  std::string line;
  while (std::getline(maps, line)) ++usage.mappings;
  usage.resident_bytes = Field("/proc/self/status", "VmRSS") * 1024;
  return usage;
}

std::string Usage::Text() const {
  return std::to_string(descriptors) + " descriptors, " + std::to_string(mappings) + " mappings, " +
         std::to_string(threads) + " threads, " + std::to_string(resident_bytes >> 10) + " KiB resident";
}

double CpuSeconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) * 1e-6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

uint64_t AvailableMemory() { return Field("/proc/meminfo", "MemAvailable") * 1024; }

void AwaitEnd(pid_t pid) {
  const std::string path = "/proc/" + std::to_string(pid) + "/stat";
  for (;;) {
    std::ifstream file(path);
    std::string stat;
    std::getline(file, stat);
    const size_t after_name = stat.rfind(") ");
    if (after_name == std::string::npos || stat[after_name + 2] == 'Z' || stat[after_name + 2] == 'X') return;
    const timespec moment{0, 1'000'000};
    nanosleep(&moment, nullptr);
  }
}

bool LongRun() { return std::getenv("TANDEM_TEST_LONG") != nullptr; }

bool MayDo(bool (*attempt)()) {
  const pid_t pid = fork();
  if (pid == 0) _exit(attempt() ? 0 : 1);
  int status = 1;
  return pid > 0 && waitpid(pid, &status, 0) == pid && status == 0;
}

bool MountPrivateTmpfs(const char* directory, const char* options, bool read_only) {
  if (unshare(CLONE_NEWNS) != 0) return false;
  if (mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0) return false;
  return mount("tmpfs", directory, "tmpfs", read_only ? MS_RDONLY : 0, options) == 0;
}

bool ForbidReadingOtherProcesses(int error_number) {
  const auto refuse = static_cast<uint32_t>(SECCOMP_RET_ERRNO) | static_cast<uint32_t>(error_number);
  std::array<sock_filter, 4> program = {{
      {BPF_LD | BPF_W | BPF_ABS, 0, 0, offsetof(seccomp_data, nr)},
      {BPF_JMP | BPF_JEQ | BPF_K, 0, 1, SYS_process_vm_readv},
      {BPF_RET | BPF_K, 0, 0, refuse},
      {BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW},
  }};
  const sock_fprog filter{static_cast<unsigned short>(program.size()), program.data()};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return false;
  return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &filter) == 0;
}

}  // namespace tandem::test
