// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "base/mutex.h"
#include "base/result.h"
#include "comm/bootstrap/bootstrap.h"
#include "transport/shm/pair.h"
#include "transport/shm/peer_hub.h"
#include "transport/shm/peer_memory.h"

namespace tandem {

class Communicator;
class Link;

// Sets up the shared memory of pairs of ranks in different processes, on first use, without blocking anybody:
//
//   either rank's first operation
//   higher -> lower  kRequest                 when the higher rank comes first
//   lower  -> higher kPair + segment          the lower rank's process makes the memory
//   higher -> lower  kReady                   mapped, the higher side's flags are in it
//   lower  -> higher kGo                      both know what they can reach: halves may be posted
//   either -> other  kFailed                  something ran out on one side; both sides' operations fail
//   either -> other  kLeft                    the rank destroyed its part of another communicator, of whose
//   ends
//                                             no root tells
//
// Before its first message to a process, each sends kHello with its doorbell and arena. Operations that are
// posted before the pair is connected wait in their channels. Also hears of the end of peers' processes.
//
// One for the process. State is touched only on the IoLoop thread, except the list of communicators.
class PairBroker final : public shm::PeerHub::Handler {
 public:
  // Made by the first call, which also starts the hub.
  static Result<PairBroker*> Process();

  const shm::PeerAddress& address() const { return hub_->address(); }

  void Add(const std::shared_ptr<Communicator>& communicator) TANDEM_EXCLUDES(mutex_);
  void Remove(const std::string& name, uint32_t rank) TANDEM_EXCLUDES(mutex_);

  // Connects the communicator's rank with a peer in another process; returns at once.
  void Connect(const std::shared_ptr<Communicator>& communicator, uint32_t peer);

  // As Remove, and tells whom the rank has a link with, and whoever asks later, that it has left.
  void RemovePart(const std::shared_ptr<Communicator>& part) TANDEM_EXCLUDES(mutex_);

  void OnMessage(const shm::ProcessId& from, shm::PeerMessage message) override;
  void OnPeerLost(const shm::ProcessId& peer, const Status& why) override;

 private:
  enum class Kind : uint32_t { kHello = 1, kRequest, kPair, kReady, kGo, kFailed, kLeft };
  struct PairKey {
    std::string name;
    uint32_t low = 0;
    uint32_t high = 0;
    // Clang 14 sees a literal 0 in it.
    auto operator<=>(const PairKey&) const = default;  // NOLINT(modernize-use-nullptr)
  };
  struct Peer {
    bool hello_sent = false;
    std::shared_ptr<shm::PeerMemory> memory;
  };

  PairBroker();
  std::shared_ptr<Communicator> FindOrKeep(const shm::ProcessId& from, const std::string& name, uint32_t rank,
                                           shm::PeerMessage& message) TANDEM_EXCLUDES(mutex_);
  void Start(Communicator& communicator, uint32_t peer);
  void MakePair(Communicator& communicator, uint32_t peer);
  void Send(const shm::PeerAddress& to, Kind kind, const PairKey& key, std::vector<UniqueFd> descriptors = {},
            std::string_view text = {}, bool to_low = false);
  void SendHello(const shm::PeerAddress& to);

  void Handle(const shm::ProcessId& from, shm::PeerMessage message);
  void OnHello(const shm::ProcessId& from, shm::PeerMessage message);
  void OnPair(Communicator& communicator, const PairKey& key, shm::PeerMessage message);
  void OnReady(Communicator& communicator, const PairKey& key);
  void OnGo(Communicator& communicator, const PairKey& key);
  // Writes this side's part of the pair's memory; then connects the channels.
  void Describe(Link& link, const shm::Pair& pair, bool low, const shm::PeerMemory& memory);
  void ConnectChannels(Link& link, const shm::Pair& pair, bool low,
                       const std::shared_ptr<shm::PeerMemory>& memory);
  void FailLink(Communicator& communicator, uint32_t peer, const Status& why);
  // FailLink on both sides.
  void Refuse(Communicator& communicator, uint32_t peer, const PairKey& key, const Status& why);
  void ForgetOpening(const std::string& name, uint32_t rank);
  void SendLeft(const bootstrap::RankTable& table, uint32_t rank, uint32_t peer);
  // When the rank has left: tells the peer, whose message came too late.
  void AnswerLate(const std::string& name, uint32_t rank, uint32_t peer) TANDEM_EXCLUDES(mutex_);

  std::unique_ptr<shm::PeerHub> hub_;
  std::array<std::byte, 16> probe_{};  // what peers read to learn whether they may read this process
  std::map<shm::ProcessId, Peer> peers_;
  std::map<PairKey, shm::Pair> opening_low_;   // this process has the lower rank
  std::map<PairKey, shm::Pair> opening_high_;  // this process has the higher rank

  struct Kept {
    shm::ProcessId from;
    std::string name;
    uint32_t rank = 0;
    shm::PeerMessage message;
  };
  Mutex mutex_;
  std::map<std::tuple<std::string, uint32_t>, std::weak_ptr<Communicator>> communicators_
      TANDEM_GUARDED_BY(mutex_);
  std::vector<Kept> kept_ TANDEM_GUARDED_BY(mutex_);  // messages for communicators that are about to be added
  std::deque<std::tuple<std::string, uint32_t>> removed_
      TANDEM_GUARDED_BY(mutex_);  // and these will not come again
  struct LeftPart {
    bootstrap::RankTable table;
    uint32_t rank = 0;
  };
  std::deque<LeftPart> left_parts_ TANDEM_GUARDED_BY(mutex_);
};

}  // namespace tandem
