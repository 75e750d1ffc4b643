// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "base/mapping.h"
#include "base/result.h"
#include "transport/shm/doorbell.h"

namespace tandem::shm {

// One notify: a flag, or a counter.
//
// Who wakes whom: only tasks of the process that owns the cell wait for it. Such a task sets `armed`, then
// looks at `value` once more before it blocks. Whoever changes `value` reads `armed` afterwards: a task of
// the same process then notifies the waiting streams itself, a task of another process rings the owner's
// doorbell (the one flag that the table names), and the thread that drains it notifies them. All four
// accesses are sequentially consistent, so either the waiter sees the new value or the changer sees `armed`.
struct NotifyCell {
  alignas(64) std::atomic<uint32_t> value;
  std::atomic<uint32_t> armed;
  std::atomic<uint32_t> generation;  // changes when the cell is given to another notify
};
static_assert(sizeof(NotifyCell) == 64 && offsetof(NotifyCell, generation) == 8);

// Layout 1. The cells of one process, mapped by those that import one of them. Pages appear when used.
struct NotifyPage {
  static constexpr uint32_t kMagic = 0x4e444e54;  // "TNDN"
  static constexpr uint32_t kLayout = 1;
  static constexpr uint32_t kCells = 65536;

  std::atomic<uint32_t> magic;
  uint32_t layout;
  uint32_t flag;  // of the owner's doorbell
  std::array<NotifyCell, kCells> cells;
};
static_assert(offsetof(NotifyPage, cells) == 64 && sizeof(NotifyPage) == 64 + 64 * 65536);

// This process's cells.
class NotifyTable {
 public:
  // Made by the first call; `listener` hears of changes that other processes made. Never freed.
  static Result<NotifyTable*> Process(const std::shared_ptr<Doorbell::Listener>& listener);

  // REQUIRES: index < NotifyPage::kCells
  NotifyCell& cell(uint32_t index) const { return page().cells[index]; }
  const UniqueFd& fd() const { return fd_; }

 private:
  NotifyTable(UniqueFd fd, Mapping mapping) : fd_(std::move(fd)), mapping_(std::move(mapping)) {}
  NotifyPage& page() const { return *reinterpret_cast<NotifyPage*>(mapping_.data()); }

  UniqueFd fd_;
  Mapping mapping_;
};

// The cells of another process, and its doorbell.
class PeerNotifyTable {
 public:
  // kInvalidFile when the descriptors are not what they should be.
  static Result<std::shared_ptr<PeerNotifyTable>> Attach(pid_t pid, const UniqueFd& table,
                                                         const UniqueFd& doorbell);

  // REQUIRES: index < NotifyPage::kCells
  NotifyCell& cell(uint32_t index) const { return page().cells[index]; }
  void Ring() const { RingDoorbell(doorbell_.page(), page().flag); }
  pid_t pid() const { return pid_; }

 private:
  PeerNotifyTable(pid_t pid, Mapping mapping, PeerDoorbell doorbell)
      : pid_(pid), mapping_(std::move(mapping)), doorbell_(std::move(doorbell)) {}
  NotifyPage& page() const { return *reinterpret_cast<NotifyPage*>(mapping_.data()); }

  pid_t pid_;
  Mapping mapping_;
  PeerDoorbell doorbell_;
};

}  // namespace tandem::shm
