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

#include "base/mutex.h"
#include "base/result.h"
#include "comm/bootstrap/bootstrap.h"
#include "comm/link.h"
#include "comm/local_group.h"
#include "comm/p2p/p2p_task.h"
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
  };

  // Joins the ranks that share the root info. Blocks until all have come, or fails by the deadline.
  static Result<std::shared_ptr<Communicator>> Join(const bootstrap::RootInfoBytes& root_info,
                                                    uint32_t rank_count, uint32_t rank, int32_t device,
                                                    const Options& options, Deadline deadline);
  ~Communicator();

  uint32_t rank() const { return rank_; }
  uint32_t size() const { return static_cast<uint32_t>(table_.ranks.size()); }
  const std::string& name() const { return name_; }
  int32_t device() const { return device_; }
  const bootstrap::RankTable& table() const { return table_; }
  std::optional<std::chrono::nanoseconds> exec_timeout() const { return exec_timeout_; }

  // Queues the items as one task on the stream. REQUIRES: checked items (peers in range, counts above 0).
  Status Submit(const char* call, Space space, std::span<const P2pItem> items, ManagedStream& stream)
      TANDEM_EXCLUDES(submit_mutex_);

  // kAgain while operations are under way with ranks that are there; what waits for a link fails at once.
  Status Destroy() TANDEM_EXCLUDES(submit_mutex_);

  // The first failure of an operation, for HcclGetCommAsyncError.
  void NoteAsyncError(const Status& status) TANDEM_EXCLUDES(state_mutex_);
  Status AsyncError() TANDEM_EXCLUDES(state_mutex_);

  // The link to a peer, made now if there is none. REQUIRES submit_mutex_ (P2pTask's constructor runs under
  // it).
  Link& LinkTo(uint32_t peer) TANDEM_NO_THREAD_SAFETY_ANALYSIS;
  // The same for the pair broker, when the peer asked first.
  std::shared_ptr<Link> LinkForBroker(uint32_t peer) TANDEM_EXCLUDES(submit_mutex_);

  // The rank's process ended, or it left: what waits for it fails, now and later. On the IoLoop thread.
  void OnRankLost(uint32_t rank, const std::string& cause) TANDEM_EXCLUDES(submit_mutex_);
  // As OnRankLost, for every rank of a process.
  void OnProcessLost(const shm::ProcessId& process, const Status& why);

 private:
  Communicator(std::unique_ptr<bootstrap::Membership> membership, uint32_t rank, const Options& options);
  Status CheckReachable() const;
  std::shared_ptr<Link> MakeLink(uint32_t peer) TANDEM_REQUIRES(submit_mutex_);

  std::unique_ptr<bootstrap::Membership> membership_;
  const bootstrap::RankTable table_;
  const std::string name_;
  const uint32_t rank_;
  const int32_t device_;
  const std::optional<std::chrono::nanoseconds> exec_timeout_;
  const std::shared_ptr<LocalGroup> local_group_;

  Mutex submit_mutex_;
  std::vector<std::shared_ptr<Link>> links_
      TANDEM_GUARDED_BY(submit_mutex_);  // by peer; null until first used
  std::map<uint32_t, Status> lost_ TANDEM_GUARDED_BY(submit_mutex_);
  bool destroyed_ TANDEM_GUARDED_BY(submit_mutex_) = false;

  Mutex state_mutex_;
  Status async_error_ TANDEM_GUARDED_BY(state_mutex_);
};

}  // namespace tandem
