// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/futex.h"
#include "base/result.h"
#include "transport/shm/peer_hub.h"

namespace tandem::bootstrap {

// What every rank tells the others about itself.
struct RankRecord {
  uint32_t rank = 0;
  int32_t device = 0;  // physical device id
  std::string host;    // identity of the host as far as sharing memory goes: boot id and network name space
  std::string host_name;  // for messages only
  uint32_t uid = 0;
  std::string cores;  // that the joining thread may run on, as CoresToText; "" if unknown
  shm::PeerAddress process;
};

struct RankTable {
  std::string name;               // the communicator's name
  std::vector<RankRecord> ranks;  // index is the rank
};

// The bytes behind HcclRootInfo: versioned, with a check sum; address, port, identifier (which becomes the
// default communicator name) and a random secret.
inline constexpr size_t kRootInfoBytes = 4108;
using RootInfoBytes = std::array<char, kRootInfoBytes>;

// Starts the service that will bring the ranks of one communicator together, in this process, in the
// background. `device` is the physical id of the current device (part of the identifier and of the choice of
// the port).
Result<RootInfoBytes> StartRoot(int32_t device);

// The name in the root info, which becomes the communicator's name when the user gives none.
Result<std::string> NameIn(const RootInfoBytes& root_info);

// What a rank table says, as pairs of what and value; equal on all ranks.
using TableFacts = std::vector<std::pair<std::string, std::string>>;

// Where the ranks of one host meet that read the same rank table and have no root info: a socket in the
// abstract name space, which rank 0's process opens until all have come.
struct MeetingPlace {
  std::string socket;
  TableFacts facts;
  uint32_t rank_count = 0;
};
// The place follows from rank 0's line in the table (`key`) and the user, so that ranks whose tables differ
// elsewhere still meet, and are told the difference.
MeetingPlace PlaceFor(const std::string& key, TableFacts facts, uint32_t rank_count);
// Rank 0: as StartRoot, at loopback, and gives the root info to whoever comes to the place, runs for the same
// user and has the same table. Waits while another job uses the place; kUnavailable at the deadline.
Result<RootInfoBytes> StartRootAt(const MeetingPlace& place, int32_t device, Deadline deadline);
// The other ranks: asks at the place until rank 0 is there. EI0014 (kInvalidArgument) when the tables differ,
// EI0015 (kTimeout) at the deadline.
Result<RootInfoBytes> FindRootAt(const MeetingPlace& place, uint32_t rank, Deadline deadline);

// A rank that is no longer there. Told on the IoLoop thread, once for each rank.
struct RankLoss {
  uint32_t rank = 0;
  bool left = false;  // the rank destroyed its communicator properly
  std::string
      cause;  // "exited", "killed by signal 9", "left the communicator", "connection to its process closed"
};
using LossHandler = std::function<void(const RankLoss&)>;

// This rank's part in a communicator; its destruction tells the others that the rank has left.
class Membership {
 public:
  virtual ~Membership() = default;
  virtual const RankTable& table() const = 0;
  // Losses that happened before are told at once. The handler is not called any more once this returns with
  // nullptr.
  virtual void SetLossHandler(LossHandler handler) = 0;
};

// Joins as `self.rank` of `rank_count` and returns when all ranks have come, or with an error at the deadline
// at the latest (EI0015). Blocks the calling thread, which must not be the IoLoop's.
Result<std::unique_ptr<Membership>> Join(const RootInfoBytes& root_info, uint32_t rank_count, RankRecord self,
                                         Deadline deadline);

// Identity of this host for RankRecord::host.
std::string HostIdentity();

}  // namespace tandem::bootstrap
