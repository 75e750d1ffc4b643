// SPDX-License-Identifier: Apache-2.0
#include "comm/bootstrap/port.h"

#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <sstream>

namespace tandem::bootstrap {
namespace {

constexpr uint16_t kPortsPerHost = 32;
constexpr int kBacklog = 1024;

struct Address {
  sockaddr_storage storage{};
  socklen_t bytes = 0;
};

Result<Address> Resolve(const std::string& text) {
  addrinfo hints{};
  hints.ai_flags = AI_NUMERICHOST | AI_PASSIVE;
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  if (const int error = getaddrinfo(text.c_str(), nullptr, &hints, &found); error != 0) {
    return Status::Error(Code::kInvalidArgument, "\"%s\" is not an address: %s", text.c_str(),
                         gai_strerror(error));
  }
  const std::unique_ptr<addrinfo, decltype(&freeaddrinfo)> owner(found, freeaddrinfo);
  Address address;
  address.bytes = found->ai_addrlen;
  std::copy_n(reinterpret_cast<const char*>(found->ai_addr), found->ai_addrlen,
              reinterpret_cast<char*>(&address.storage));
  return address;
}

// Port number of either family lies at the same place.
static_assert(offsetof(sockaddr_in, sin_port) == offsetof(sockaddr_in6, sin6_port));
void SetPort(Address& address, uint16_t port) {
  reinterpret_cast<sockaddr_in*>(&address.storage)->sin_port = htons(port);
}

Result<ListeningSocket> ListenOn(Address address, uint16_t port) {
  UniqueFd fd(socket(address.storage.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!fd.valid()) return Status::FromErrno(errno, "creating a socket (see `ulimit -n`)");
  // Connections of an earlier communicator that are still in TIME_WAIT must not keep its port from the next
  // one.
  const int on = 1;
  setsockopt(fd.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
  SetPort(address, port);
  auto* name = reinterpret_cast<sockaddr*>(&address.storage);
  // An outgoing connection with this local port lets bind pass and listen fail.
  if (bind(fd.get(), name, address.bytes) != 0 || listen(fd.get(), kBacklog) != 0) {
    const int error = errno;
    return Status::Error(error == EADDRINUSE || error == EACCES ? Code::kUnavailable : Code::kSystem, "%s",
                         std::generic_category().message(error).c_str());
  }
  socklen_t bytes = sizeof(address.storage);
  if (getsockname(fd.get(), name, &bytes) != 0) return Status::FromErrno(errno, "getsockname");
  return ListeningSocket{std::move(fd), ntohs(reinterpret_cast<sockaddr_in*>(name)->sin_port)};
}

// The inode of a socket with this local port, from one of the system's tables.
std::string SocketInode(const char* table, uint16_t port) {
  std::ifstream file(table);
  std::string line;
  std::getline(file, line);
  while (std::getline(file, line)) {
    std::istringstream fields(line);
    std::vector<std::string> words((std::istream_iterator<std::string>(fields)), {});
    if (words.size() < 10) continue;
    const size_t colon = words[1].rfind(':');
    if (colon == std::string::npos || words[9] == "0") continue;
    if (std::strtoul(words[1].c_str() + colon + 1, nullptr, 16) == port) return words[9];
  }
  return "";
}

bool HoldsSocket(const std::filesystem::path& process, const std::string& link) {
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(process / "fd", error)) {
    std::error_code ignored;
    if (std::filesystem::read_symlink(entry.path(), ignored) == link) return true;
  }
  return false;
}

}  // namespace

std::vector<uint16_t> PortsToTry(const std::optional<PortRanges>& ranges, uint16_t base_port,
                                 int32_t device) {
  std::vector<uint16_t> ports;
  if (ranges && ranges->any) return {0};
  if (ranges) {
    for (const auto& [first, last] : ranges->ranges) {
      for (uint32_t port = first; port <= last; ++port) ports.push_back(static_cast<uint16_t>(port));
    }
    return ports;
  }
  const auto start = static_cast<uint32_t>(device) % kPortsPerHost;
  for (uint32_t i = 0; i < kPortsPerHost; ++i) {
    const uint32_t port = base_port + (start + i) % kPortsPerHost;
    if (port <= 65535) ports.push_back(static_cast<uint16_t>(port));
  }
  ports.push_back(0);
  return ports;
}

Result<ListeningSocket> Listen(const std::string& address, const std::vector<uint16_t>& ports) {
  const auto resolved = Resolve(address);
  if (!resolved) return resolved.status();
  Status last;
  for (const uint16_t port : ports) {
    auto socket = ListenOn(*resolved, port);
    if (socket || socket.status().code() != Code::kUnavailable) return socket;
    last = std::move(socket).status();
  }
  const uint16_t port = ports.front();
  const std::string owner = PortOwner(port);
  return Status::
      Error(Code::kUnavailable,
            "cannot listen on %s port %u%s: %s%s%s; free it, or choose other ports with HCCL_IF_BASE_PORT or "
            "HCCL_HOST_SOCKET_PORT_RANGE",
            address.c_str(), port, ports.size() > 1 ? " nor on the other ports of the range" : "",
            std::string(last.text()).c_str(), owner.empty() ? "" : ", taken by ", owner.c_str())
          .WithId("EI0019");
}

std::string PortOwner(uint16_t port) {
  std::string inode = SocketInode("/proc/self/net/tcp", port);
  if (inode.empty()) inode = SocketInode("/proc/self/net/tcp6", port);
  if (inode.empty()) return "";
  const std::string link = "socket:[" + inode + "]";
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator("/proc", error)) {
    const std::string pid = entry.path().filename();
    if (pid.find_first_not_of("0123456789") != std::string::npos || !HoldsSocket(entry.path(), link))
      continue;
    std::ifstream file(entry.path() / "comm");
    std::string name;
    std::getline(file, name);
    return "pid " + pid + " (" + name + ")";
  }
  return "";
}

}  // namespace tandem::bootstrap
