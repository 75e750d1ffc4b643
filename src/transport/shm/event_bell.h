// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>

#include "base/fd.h"
#include "base/result.h"
#include "transport/shm/doorbell.h"

namespace tandem::shm {

// A socket at which a process hears that an event it shares with others has changed. A name of 64 bits is all
// that others need to ring it, so it can stand in the shared page itself: a process that joins later finds it
// there, whoever made the page and whether or not that process still lives. A doorbell would have to be
// passed from every process to every other. The kernel removes the name with the process, so it also tells
// who lives.
class EventBell {
 public:
  // Opened by the first call; `listener` hears, on the IoLoop thread, of every ring. Never freed.
  static Result<EventBell*> Process(const std::shared_ptr<Doorbell::Listener>& listener);

  uint64_t name() const { return name_; }
  // Never blocks. A ring for a process whose queue is full is not needed: it has not looked yet.
  void Ring(uint64_t name) const;
  // Whether a process answers to the name. True when that cannot be found out.
  static bool Lives(uint64_t name);

 private:
  EventBell(UniqueFd socket, uint64_t name) : socket_(std::move(socket)), name_(name) {}
  static Result<EventBell*> Open(const std::shared_ptr<Doorbell::Listener>& listener);

  UniqueFd socket_;
  uint64_t name_;
};

}  // namespace tandem::shm
