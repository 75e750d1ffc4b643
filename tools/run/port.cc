// SPDX-License-Identifier: Apache-2.0
#include "run/port.h"

#include <netinet/in.h>
#include <sys/random.h>
#include <sys/socket.h>

#include <cerrno>
#include <fstream>
#include <optional>

#include "base/fd.h"

namespace tandem::tools {
namespace {

constexpr unsigned kLowest = 20000;  // above what daemons and HCCL's device port 16666 use
constexpr int kAttempts = 64;

// Binds `port`, or any port when it is 0, and gives it up again. Empty with errno set when that fails.
std::optional<uint16_t> TryPort(uint16_t port) {
  UniqueFd socket_fd(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (!socket_fd.valid()) return std::nullopt;
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_ANY);
  auto* generic = reinterpret_cast<sockaddr*>(&address);
  socklen_t bytes = sizeof(address);
  if (bind(socket_fd.get(), generic, bytes) != 0) return std::nullopt;
  if (getsockname(socket_fd.get(), generic, &bytes) != 0) return std::nullopt;
  return ntohs(address.sin_port);
}

unsigned FirstEphemeralPort() {
  std::ifstream file("/proc/sys/net/ipv4/ip_local_port_range");
  unsigned first = 0;
  file >> first;
  return first;
}

}  // namespace

Result<uint16_t> FreePort() {
  const unsigned end = FirstEphemeralPort();
  for (int attempt = 0; end > kLowest + 1000 && end <= 65536 && attempt < kAttempts; ++attempt) {
    uint32_t random = 0;
    if (getrandom(&random, sizeof(random), 0) != static_cast<ssize_t>(sizeof(random))) break;
    if (const auto port = TryPort(static_cast<uint16_t>(kLowest + random % (end - kLowest)))) return *port;
  }
  if (const auto port = TryPort(0)) return *port;
  return Status::FromErrno(errno, "cannot find a free port for MASTER_PORT (--master-port names one)");
}

}  // namespace tandem::tools
