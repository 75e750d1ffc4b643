// SPDX-License-Identifier: Apache-2.0
#include "transport/shm/peer_memory.h"

#include <sys/uio.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/log.h"

namespace tandem::shm {
namespace {

// The kernel moves at most 0x7ffff000 bytes in one call; smaller calls let a waiting thread look at its time
// limit.
constexpr size_t kMostInOneCall = size_t{64} << 20;

}  // namespace

Result<std::shared_ptr<PeerMemory>> PeerMemory::Attach(pid_t pid, const Probe& probe,
                                                       const UniqueFd& doorbell, const UniqueFd& arena) {
  Result<PeerDoorbell> bell = PeerDoorbell::Attach(doorbell);
  if (!bell) return bell.status();
  Mapping mapping;
  if (arena.valid()) {
    Result<size_t> bytes = SealedSize(arena);
    if (!bytes) return bytes.status();
    Result<Mapping> mapped = Mapping::Shared(arena, *bytes);
    if (mapped) {
      mapping = std::move(*mapped);
    } else {
      TANDEM_LOG(kInfo, "device memory of process %d is copied through the kernel: %s", pid,
                 std::string(mapped.status().text()).c_str());
    }
  }
  std::shared_ptr<PeerMemory> memory(new PeerMemory(pid, std::move(*bell), std::move(mapping)));
  std::array<std::byte, 16> seen{};
  if (!memory->Read(seen.data(), probe.address, seen.size()) || seen != probe.expected) {
    memory->can_read_.store(false, std::memory_order_relaxed);
  }
  return memory;
}

bool PeerMemory::Read(void* to, uint64_t from, size_t bytes) {
  auto* target = static_cast<std::byte*>(to);
  while (bytes > 0 && CanRead()) {
    const iovec local{target, std::min(bytes, kMostInOneCall)};
    const iovec remote{reinterpret_cast<void*>(from),
                       local.iov_len};  // NOLINT(performance-no-int-to-ptr): an address of the peer
    const ssize_t moved = process_vm_readv(pid_, &local, 1, &remote, 1, 0);
    if (moved <= 0) {
      if (moved < 0 && errno == EINTR) continue;
      // Told once for each peer: containers, user ids, Yama or seccomp may forbid it, now or at any later
      // time.
      if (can_read_.exchange(false, std::memory_order_relaxed)) {
        TANDEM_LOG(kInfo,
                   "memory of process %d that is not device memory is copied through a shared buffer: %s",
                   pid_, moved < 0 ? std::strerror(errno) : "nothing was read");
      }
      return false;
    }
    target += moved;
    from += static_cast<uint64_t>(moved);
    bytes -= static_cast<size_t>(moved);
  }
  return bytes == 0;
}

}  // namespace tandem::shm
