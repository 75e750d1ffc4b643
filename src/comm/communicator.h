// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/config.h"
#include "base/mutex.h"
#include "base/result.h"
#include "comm/bootstrap/bootstrap.h"
#include "comm/link.h"
#include "comm/local_group.h"
#include "comm/memory_ranges.h"
#include "comm/p2p/p2p_task.h"
#include "comm/seat.h"
#include "stream/stream_pool.h"

namespace tandem {

// A group of ranks, seen from one of them: what is behind an HcclComm.
//
// Kept alive by its handle and by every operation that is not finished. Thread-safe; operations are numbered
// and queued in the order of the calls.
class Communicator : public std::enable_shared_from_this<Communicator> {
 public:
  struct Options {
    std::string name;                                      // empty: the root info's identifier
    std::optional<std::chrono::nanoseconds> exec_timeout;  // nothing: no limit
    // Kept to be asked for; nothing on this host depends on them.
    std::string user_info;        // HcclCommConfig::hcclUdi
    std::string algorithm;        // hcclAlgo
    uint32_t expansion_mode = 0;  // hcclOpExpansionMode
  };

  // Joins the ranks that share the root info. Blocks until all have come, or fails by the deadline.
  static Result<std::shared_ptr<Communicator>> Join(const bootstrap::RootInfoBytes& root_info,
                                                    uint32_t rank_count, uint32_t rank, int32_t device,
                                                    const Options& options, Deadline deadline);
  // As Join, for ranks of one host that read the same rank table instead of having a root info.
  static Result<std::shared_ptr<Communicator>> JoinAt(const bootstrap::MeetingPlace& place, uint32_t rank,
                                                      int32_t device, const Options& options,
                                                      Deadline deadline);
  // A communicator of some ranks of `parent`: `ranks[i]`, ascending, becomes rank i; this process's is
  // ranks[rank]. Purely local. `id` and `options` are the same on all members, who make the same parts of a
  // parent in the same order. REQUIRES: checked arguments, a name in the options, a parent that is no part.
  static std::shared_ptr<Communicator> Split(const std::shared_ptr<Communicator>& parent,
                                             const std::vector<uint32_t>& ranks, uint32_t rank, uint64_t id,
                                             const Options& options);
  ~Communicator();

  uint32_t rank() const { return rank_; }
  uint32_t size() const { return static_cast<uint32_t>(table_.ranks.size()); }
  const std::string& name() const { return name_; }
  int32_t device() const { return device_; }
  const bootstrap::RankTable& table() const { return table_; }
  std::optional<std::chrono::nanoseconds> exec_timeout() const { return options_.exec_timeout; }
  const Options& options() const { return options_; }
  // What a batch may name twice, of TANDEM_BATCH_DUPLICATES.
  BatchDuplicates batch_duplicates() const { return batch_duplicates_; }
  // How long an operation waits before a note says so; 0: no notes.
  std::chrono::nanoseconds note_after() const { return note_after_; }
  // Made by Split.
  bool is_part() const { return is_part_; }

  // Queues the items as one task on the stream. REQUIRES: checked items (peers in range, counts above 0).
  Status Submit(const char* call, Space space, std::span<const P2pItem> items, ManagedStream& stream)
      TANDEM_EXCLUDES(submit_mutex_);
  // The same for a caller that holds the lock of the communicator's seat; `self` owns this communicator.
  Status SubmitSeated(const std::shared_ptr<Communicator>& self, const char* call, Space space,
                      std::span<const P2pItem> items, ManagedStream& stream) TANDEM_REQUIRES(submit_mutex_);

  Seat& seat() const { return seat_; }

  // While suspended, Submit refuses with kSuspended. What was queued before goes on.
  void SetSuspended(bool suspended) { suspended_.store(suspended, std::memory_order_relaxed); }
  bool suspended() const { return suspended_.load(std::memory_order_relaxed); }

  // kAgain while operations are under way with ranks that are there; what waits for a link fails at once.
  Status Destroy() TANDEM_EXCLUDES(submit_mutex_);

  // The first failure of an operation, for HcclGetCommAsyncError.
  void NoteAsyncError(const Status& status) TANDEM_EXCLUDES(state_mutex_);
  Status AsyncError() TANDEM_EXCLUDES(state_mutex_);

  // Settings by number, for HcclSetCommConfig; nothing when it was never set.
  void SetSetting(int key, int32_t value) TANDEM_EXCLUDES(state_mutex_);
  std::optional<int32_t> Setting(int key) TANDEM_EXCLUDES(state_mutex_);

  MemoryRanges& memory_ranges() { return memory_ranges_; }

  // The link to a peer, made now if there is none. REQUIRES submit_mutex_ (P2pTask's constructor runs under
  // it).
  Link& LinkTo(uint32_t peer) TANDEM_NO_THREAD_SAFETY_ANALYSIS;
  // The same for the pair broker, when the peer asked first.
  std::shared_ptr<Link> LinkForBroker(uint32_t peer) TANDEM_EXCLUDES(submit_mutex_);

  // Whom this rank has a link with, or began to have.
  std::vector<uint32_t> LinkedPeers() TANDEM_EXCLUDES(submit_mutex_);

  // The rank's process ended, or it left: what waits for it fails, now and later. On the IoLoop thread.
  void OnRankLost(uint32_t rank, const std::string& cause) TANDEM_EXCLUDES(submit_mutex_);
  // As OnRankLost, for every rank of a process.
  void OnProcessLost(const shm::ProcessId& process, const Status& why);

 private:
  // Without a membership it is a part of another one.
  Communicator(std::unique_ptr<bootstrap::Membership> membership, bootstrap::RankTable table, uint32_t rank,
               const Options& options);
  void NoteHost() const;
  Status CheckReachable() const;
  void OnLoss(const bootstrap::RankLoss& loss) TANDEM_EXCLUDES(submit_mutex_);
  void OnProcessOfRankLost(const bootstrap::RankRecord& record, const std::string& cause);
  std::string NextPartName(const std::vector<uint32_t>& ranks, uint64_t id, const std::string& name)
      TANDEM_EXCLUDES(submit_mutex_);
  void AdoptPart(const std::shared_ptr<Communicator>& part) TANDEM_EXCLUDES(submit_mutex_);
  std::shared_ptr<Link> MakeLink(uint32_t peer) TANDEM_REQUIRES(submit_mutex_);

  std::unique_ptr<bootstrap::Membership> membership_;
  const bootstrap::RankTable table_;
  const Options options_;
  const std::string name_;
  const uint32_t rank_;
  const int32_t device_;
  const BatchDuplicates batch_duplicates_;
  const bool is_part_;
  const std::chrono::nanoseconds note_after_;
  const std::shared_ptr<LocalGroup> local_group_;

  Seat& seat_;
  Mutex& submit_mutex_;
  std::vector<std::shared_ptr<Link>> links_
      TANDEM_GUARDED_BY(submit_mutex_);  // by peer; null until first used
  std::map<uint32_t, Status> lost_ TANDEM_GUARDED_BY(submit_mutex_);
  bool destroyed_ TANDEM_GUARDED_BY(submit_mutex_) = false;
  std::vector<std::weak_ptr<Communicator>> parts_ TANDEM_GUARDED_BY(submit_mutex_);
  std::map<std::string, uint32_t> parts_made_ TANDEM_GUARDED_BY(submit_mutex_);  // how many of each kind
  std::map<uint32_t, std::string> ended_
      TANDEM_GUARDED_BY(submit_mutex_);  // ranks whose process ended, and how
  std::atomic<bool> suspended_{false};
  MemoryRanges memory_ranges_;

  Mutex state_mutex_;
  Status async_error_ TANDEM_GUARDED_BY(state_mutex_);
  std::map<int, int32_t> settings_ TANDEM_GUARDED_BY(state_mutex_);
};

}  // namespace tandem
