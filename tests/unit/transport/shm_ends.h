// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstddef>
#include <cstring>
#include <memory>
#include <vector>

#include "transport/shm/arena.h"
#include "transport/shm/doorbell.h"
#include "transport/shm/pair.h"
#include "transport/shm/peer_memory.h"
#include "transport/shm/shm_channel.h"
#include "unit/transport/recorder.h"

namespace tandem::test {

// What the two sides can reach of each other.
enum class Reach : uint8_t { kArena, kKernel, kNothing };

// Both ends of one ring in one process: the process is its own peer, with its own doorbell and, mapped a
// second time, its own arena.
class ShmEnds {
 public:
  explicit ShmEnds(Reach reach = Reach::kArena) : reach_(reach) {
    sender_ = shm::ShmChannel::Create(Direction::kSend);
    receiver_ = shm::ShmChannel::Create(Direction::kReceive);
    Result<shm::Pair> pair = shm::Pair::Create();
    if (!pair) throw std::runtime_error(std::string(pair.status().text()));
    pair_ = std::make_unique<shm::Pair>(std::move(*pair));
    ring().sender.flag = sender_->flag();
    ring().receiver.flag = receiver_->flag();
    ring().sender.reach = ring().receiver.reach = reach == Reach::kArena ? 1 : 0;
  }

  void ConnectSender() { Connect(*sender_); }
  void ConnectReceiver() { Connect(*receiver_); }
  void ConnectBoth() {
    ConnectSender();
    ConnectReceiver();
  }

  shm::ShmChannel& sender() { return *sender_; }
  shm::ShmChannel& receiver() { return *receiver_; }
  shm::TransferRing& ring() { return pair_->segment().rings[0]; }

  std::unique_ptr<Side> Send(uint64_t sequence, void* data, uint64_t bytes, uint32_t type = 0) {
    return std::make_unique<Side>(*sender_, Direction::kSend, sequence, data, bytes, type);
  }
  std::unique_ptr<Side> Receive(uint64_t sequence, void* data, uint64_t bytes, uint32_t type = 0) {
    return std::make_unique<Side>(*receiver_, Direction::kReceive, sequence, data, bytes, type);
  }

 private:
  void Connect(shm::ShmChannel& channel) {
    static constexpr std::array<std::byte, 16> kHere{std::byte{7}, std::byte{42}};
    shm::PeerMemory::Probe probe{reinterpret_cast<uintptr_t>(kHere.data()), kHere};
    // A probe that does not fit stands for a kernel that does not let this process read.
    if (reach_ == Reach::kNothing) probe.expected[0] = std::byte{8};
    const shm::Doorbell& bell = shm::Doorbell::Process();
    const UniqueFd none;
    Result<shm::Arena*> arena = shm::Arena::Process();
    if (!arena) throw std::runtime_error(std::string(arena.status().text()));
    Result<std::shared_ptr<shm::PeerMemory>> memory =
        shm::PeerMemory::Attach(getpid(), probe, bell.fd(), reach_ == Reach::kArena ? (*arena)->fd() : none);
    if (!memory) throw std::runtime_error(std::string(memory.status().text()));
    channel.Connect(pair_->mapping(), ring(), pair_->segment().stage[0], *memory);
  }

  const Reach reach_;
  std::shared_ptr<shm::ShmChannel> sender_;
  std::shared_ptr<shm::ShmChannel> receiver_;
  std::unique_ptr<shm::Pair> pair_;
};

// Device memory.
class ArenaBytes {
 public:
  explicit ArenaBytes(size_t bytes) {
    Result<void*> data = (*shm::Arena::Process())->Allocate(bytes, 64, 0);
    if (!data) throw std::runtime_error(std::string(data.status().text()));
    data_ = static_cast<std::byte*>(*data);
    std::memset(data_, 0, bytes);
  }
  ~ArenaBytes() { static_cast<void>((*shm::Arena::Process())->Free(data_)); }
  ArenaBytes(const ArenaBytes&) = delete;
  ArenaBytes& operator=(const ArenaBytes&) = delete;
  std::byte* data() const { return data_; }

 private:
  std::byte* data_;
};

inline void ExpectGood(const Side& side) {
  ASSERT_EQ(side.times_finished(), 1);
  EXPECT_FALSE(side.mismatched());
  EXPECT_TRUE(side.status().ok()) << side.status().text();
}

}  // namespace tandem::test
