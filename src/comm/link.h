// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>

#include "transport/channel.h"

namespace tandem {

// Which calls may meet each other. A plain HcclSend never meets an item of a batch.
// Source: HCCL sources, link tags (spec hccl.md 1.2).
enum class Space : uint8_t { kPlain, kBatch, kBarrier };
inline constexpr size_t kSpaces = 3;
inline constexpr size_t kDirections = 2;

// What one rank has towards one peer in one communicator: a channel for each direction and matching space,
// made when the two first talk, and the number of the next transfer in each.
class Link {
 public:
  using Channels = std::array<std::array<std::shared_ptr<Channel>, kSpaces>, kDirections>;

  Link(uint32_t peer, Channels channels) : peer_(peer), channels_(std::move(channels)) {}

  uint32_t peer() const { return peer_; }
  Channel& channel(Direction direction, Space space) const {
    return *channels_[static_cast<size_t>(direction)][static_cast<size_t>(space)];
  }
  const Channels& channels() const { return channels_; }

  // REQUIRES the communicator's submission lock: numbers follow the order of the calls.
  uint64_t TakeNumber(Direction direction, Space space) {
    return next_[static_cast<size_t>(direction)][static_cast<size_t>(space)]++;
  }

  void Fail(const Status& why) {
    for (const auto& direction : channels_) {
      for (const std::shared_ptr<Channel>& channel : direction) channel->Fail(why);
    }
  }

  // Whether the peer can be reached: always inside a process, from the pair's set-up on otherwise.
  bool established() const { return established_.load(std::memory_order_acquire); }
  void SetEstablished() { established_.store(true, std::memory_order_release); }

  // REQUIRES the communicator's submission lock.
  void CountSubmitted() { ++submitted_; }
  // Any thread, when a transfer is over. release: who reads 0 from unfinished() sees all that it did.
  void CountFinished() { finished_.fetch_add(1, std::memory_order_release); }
  // REQUIRES the communicator's submission lock.
  uint64_t unfinished() const { return submitted_ - finished_.load(std::memory_order_acquire); }

 private:
  const uint32_t peer_;
  const Channels channels_;
  std::array<std::array<uint64_t, kSpaces>, kDirections> next_{};
  std::atomic<bool> established_{false};
  uint64_t submitted_ = 0;
  std::atomic<uint64_t> finished_{0};
};

}  // namespace tandem
