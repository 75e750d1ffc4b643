// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <chrono>
#include <condition_variable>
#include <cstring>
#include <functional>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "transport/shm/peer_core.h"

namespace tandem::shm {

// Long enough for the slowest sanitizer build on a busy machine; reached only when something is broken.
inline constexpr std::chrono::seconds kPatience{60};

// Keeps what a hub tells, and lets a test wait for it.
class Recorder : public PeerHub::Handler {
 public:
  struct Received {
    ProcessId from;
    PeerMessage message;
  };
  struct Lost {
    ProcessId peer;
    Status why;
  };

  // Called on the loop's thread before the message is kept.
  std::function<void(const ProcessId&, const PeerMessage&)> on_message;
  std::function<void(const ProcessId&)> on_lost;

  void OnMessage(const ProcessId& from, PeerMessage message) override {
    if (on_message) on_message(from, message);
    std::lock_guard lock(mutex_);
    received_.push_back({from, std::move(message)});
    changed_.notify_all();
  }

  void OnPeerLost(const ProcessId& peer, const Status& why) override {
    if (on_lost) on_lost(peer);
    std::lock_guard lock(mutex_);
    lost_.push_back({peer, why});
    changed_.notify_all();
  }

  bool WaitForMessages(size_t count) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, kPatience, [&] { return received_.size() >= count; });
  }
  bool WaitForLosses(size_t count) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, kPatience, [&] { return lost_.size() >= count; });
  }

  // REQUIRES: waited for, so that the element is there.
  Received& received(size_t index) {
    std::lock_guard lock(mutex_);
    return received_.at(index);
  }
  Lost lost(size_t index) {
    std::lock_guard lock(mutex_);
    return lost_.at(index);
  }
  size_t received_count() {
    std::lock_guard lock(mutex_);
    return received_.size();
  }
  size_t lost_count() {
    std::lock_guard lock(mutex_);
    return lost_.size();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Received> received_;
  std::vector<Lost> lost_;
};

// A hub with its recorder; the hub ends first.
struct TestHub {
  Recorder recorder;
  std::unique_ptr<PeerHub> hub;

  explicit TestHub(const PeerHubOptions& options = {}) {
    Result<std::unique_ptr<PeerHub>> started = StartPeerHub(recorder, options);
    if (!started) throw std::runtime_error(std::string(started.status().text()));
    hub = *std::move(started);
  }
  const PeerAddress& address() const { return hub->address(); }
  void Send(const TestHub& to, PeerMessage message) { hub->Send(to.address(), std::move(message)); }
};

inline PeerMessage MakeMessage(uint32_t type, const std::string& text = {}) {
  PeerMessage message;
  message.type = type;
  message.body.resize(text.size());
  if (!text.empty()) std::memcpy(message.body.data(), text.data(), text.size());
  return message;
}

inline std::string TextOf(const PeerMessage& message) {
  return std::string(reinterpret_cast<const char*>(message.body.data()), message.body.size());
}

inline UniqueFd MemfdWith(const std::string& text) {
  UniqueFd fd(memfd_create("peer_hub_test", MFD_CLOEXEC));
  EXPECT_EQ(pwrite(fd.get(), text.data(), text.size(), 0), static_cast<ssize_t>(text.size()));
  return fd;
}

inline std::string ContentOf(const UniqueFd& fd) {
  std::string text(256, '\0');
  const ssize_t bytes = pread(fd.get(), text.data(), text.size(), 0);
  text.resize(bytes > 0 ? static_cast<size_t>(bytes) : 0);
  return text;
}

}  // namespace tandem::shm
