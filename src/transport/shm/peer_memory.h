// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "base/mapping.h"
#include "base/result.h"
#include "transport/shm/doorbell.h"

namespace tandem::shm {

// What this process can reach of another one on the same host: its doorbell, its arena, and its other memory
// by cross-memory attach where the kernel allows that. One for each process, shared by all links to it.
class PeerMemory {
 public:
  // Some bytes that the peer has at a known address, to find out whether `pid` really is the peer (process
  // ids differ between name spaces) and whether the kernel lets this process read it.
  struct Probe {
    uint64_t address = 0;
    std::array<std::byte, 16> expected{};
  };
  // `arena` may be invalid, or too large for this process to map: then only its doorbell is reachable.
  static Result<std::shared_ptr<PeerMemory>> Attach(pid_t pid, const Probe& probe, const UniqueFd& doorbell,
                                                    const UniqueFd& arena);

  DoorbellPage& doorbell() const { return doorbell_.page(); }

  // [offset, offset + bytes) of the peer's arena, in this process's address space; null when it is not mapped
  // or the range is not inside.
  std::byte* At(uint64_t offset, uint64_t bytes) const {
    if (offset > arena_.bytes() || bytes > arena_.bytes() - offset) return nullptr;
    return arena_.data() + offset;
  }

  bool HasArena() const { return arena_.data() != nullptr; }

  // Reads the peer's memory through the kernel. False when that is not possible; then it is not tried again.
  bool Read(void* to, uint64_t from, size_t bytes);
  bool CanRead() const { return can_read_.load(std::memory_order_relaxed); }

 private:
  PeerMemory(pid_t pid, PeerDoorbell doorbell, Mapping arena)
      : pid_(pid), doorbell_(std::move(doorbell)), arena_(std::move(arena)) {}

  pid_t pid_;
  PeerDoorbell doorbell_;
  Mapping arena_;
  std::atomic<bool> can_read_{true};
};

}  // namespace tandem::shm
