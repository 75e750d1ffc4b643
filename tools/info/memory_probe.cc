// SPDX-License-Identifier: Apache-2.0
#include "info/memory_probe.h"

#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/fd.h"

namespace tandem::tools {
namespace {

int probe_word = 4711;  // at the same address in both children

// The errno of reading probe_word of another process, or 0.
int ReadProbeOf(pid_t pid) {
  int copy = 0;
  const iovec local{&copy, sizeof(copy)};
  const iovec remote{&probe_word, sizeof(probe_word)};
  if (process_vm_readv(pid, &local, 1, &remote, 1, 0) < 0) return errno;
  return copy == probe_word ? 0 : EIO;
}

}  // namespace

std::string WhyPeersCannotRead() {
  int ends[2];
  if (pipe(ends) != 0) return std::strerror(errno);
  const UniqueFd read_end(ends[0]);
  UniqueFd write_end(ends[1]);
  const pid_t target = fork();
  if (target == 0) {
    write_end.Reset();
    char byte = 0;
    // Ends when the parent closes its end.
    _exit(read(read_end.get(), &byte, 1) == 0 ? 0 : 1);
  }
  if (target < 0) return std::strerror(errno);
  const pid_t reader = fork();
  if (reader == 0) _exit(ReadProbeOf(target) & 0xff);
  const int fork_error = errno;
  int status = 0;
  if (reader > 0) waitpid(reader, &status, 0);
  write_end.Reset();
  waitpid(target, nullptr, 0);
  if (reader < 0) return std::strerror(fork_error);
  if (!WIFEXITED(status)) return "the attempt was killed";
  return WEXITSTATUS(status) == 0 ? std::string() : std::string(std::strerror(WEXITSTATUS(status)));
}

}  // namespace tandem::tools
