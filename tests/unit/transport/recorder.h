// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "transport/channel.h"

namespace tandem::test {

// A half and what its channel says of it. Belongs to one thread, which calls Run; news may come from any.
class Side final : private HalfOwner {
 public:
  Side(Channel& channel, Direction direction, uint64_t sequence, void* buffer, uint64_t bytes,
       uint32_t type = 0)
      : channel_(channel) {
    half_.owner = this;
    half_.buffer = buffer;
    half_.sequence = sequence;
    half_.count = bytes;
    half_.bytes = bytes;
    half_.type = type;
    half_.direction = direction;
  }
  Side(const Side&) = delete;
  Side& operator=(const Side&) = delete;

  void Post() { channel_.Post(half_); }
  // Does what can be done now; true if that was anything.
  bool Run() {
    bool any = channel_.Poll();
    while (matched_.exchange(0) != 0) {
      while (channel_.Move(half_) == Channel::Moved::kSome) any = true;
    }
    return any;
  }
  Channel::Moved Move() { return channel_.Move(half_); }
  bool Withdraw(const Status& why) { return channel_.Withdraw(half_, why); }

  bool matched() const { return ever_matched_.load(); }
  bool finished() const { return finished_.load(std::memory_order_acquire) != 0; }
  int times_finished() const { return finished_.load(); }
  bool mismatched() const { return mismatched_; }
  // REQUIRES: finished()
  const Status& status() const { return status_; }
  const HalfShape& other() const { return other_; }

 private:
  void OnMatched(Half& /*half*/) override {
    ever_matched_ = true;
    matched_.fetch_add(1);
  }
  void OnFinished(Half& /*half*/, Status status) override {
    status_ = std::move(status);
    finished_.fetch_add(1, std::memory_order_release);
  }
  void OnMismatch(Half& /*half*/, const HalfShape& other) override {
    other_ = other;
    mismatched_ = true;
    finished_.fetch_add(1, std::memory_order_release);
  }

  Channel& channel_;
  Half half_;
  std::atomic<bool> ever_matched_{false};
  std::atomic<int> matched_{0};
  std::atomic<int> finished_{0};
  Status status_;
  HalfShape other_;
  bool mismatched_ = false;
};

// Both sides run by one thread until neither can go on.
inline void RunBoth(Side& a, Side& b) {
  for (bool any = true; any;) {
    any = a.Run();
    any = b.Run() || any;
  }
}

inline std::vector<std::byte> Pattern(uint64_t bytes, uint32_t seed) {
  std::vector<std::byte> data(bytes);
  uint32_t state = seed * 2654435761U + 1;
  for (std::byte& byte : data) {
    state = state * 1664525U + 1013904223U;
    byte = static_cast<std::byte>(state >> 24);
  }
  return data;
}

}  // namespace tandem::test
