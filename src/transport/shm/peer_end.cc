// SPDX-License-Identifier: Apache-2.0
// Texts about the end of a peer, and about running out of descriptors.
#include <sys/resource.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>

#include "transport/shm/peer_socket.h"

namespace tandem::shm {

std::string PeerName(pid_t pid) {
  if (pid <= 0) return "a process of another pid name space";
  return "process " + std::to_string(pid);
}

bool HasProcessEnded(pid_t pid) {
  if (pid <= 0) return false;
  const std::string path = "/proc/" + std::to_string(pid) + "/stat";
  std::FILE* file = std::fopen(path.c_str(), "re");
  // Without a file to read (this process may be out of descriptors) the pid itself still tells something.
  if (file == nullptr) return kill(pid, 0) != 0 && errno == ESRCH;
  std::array<char, 1024> text{};
  const size_t length = std::fread(text.data(), 1, text.size() - 1, file);
  std::fclose(file);
  if (length == 0) return true;
  // The second field is the program's name, in parentheses, and may itself contain any character.
  const char* name_end = std::strrchr(text.data(), ')');
  char state = '?';
  unsigned flags = 0;
  if (name_end == nullptr) return false;
  if (std::sscanf(name_end + 1, " %c %*d %*d %*d %*d %*d %u", &state, &flags) != 2) return false;
  // A process closes its descriptors a moment before it becomes a zombie, and the other end learns of it at
  // once. PF_EXITING (include/linux/sched.h) is set before that, so it tells an exit from a plain close().
  constexpr unsigned kExiting = 0x4;
  return state == 'Z' || state == 'X' || (flags & kExiting) != 0;
}

Status DescribePeerEnd(pid_t pid) {
  const char* what = HasProcessEnded(pid) ? "ended" : "closed its connection";
  return Status::Error(Code::kPeerLost, "%s %s", PeerName(pid).c_str(), what);
}

Status OutOfDescriptors(const std::string& what) {
  rlimit limit{};
  getrlimit(RLIMIT_NOFILE, &limit);
  return Status::Error(
      Code::kResourceExhausted,
      "%s failed: the limit of %llu open files is reached; raise it with `ulimit -n` before starting "
      "the ranks",
      what.c_str(), static_cast<unsigned long long>(limit.rlim_cur));
}

Status PeerSocketError(int error_number, const std::string& what) {
  if (error_number == EMFILE || error_number == ENFILE || error_number == ETOOMANYREFS)
    return OutOfDescriptors(what);
  return Status::FromErrno(error_number, "%s failed", what.c_str());
}

}  // namespace tandem::shm
