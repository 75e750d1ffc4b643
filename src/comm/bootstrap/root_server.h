// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <asio/steady_timer.hpp>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "comm/bootstrap/channel.h"
#include "comm/bootstrap/listener.h"
#include "comm/bootstrap/member.h"
#include "comm/bootstrap/root_info.h"
#include "comm/bootstrap/roster.h"

namespace tandem::bootstrap {

class Door;

// The root of one communicator: gathers its ranks, gives all of them the table, then tells all of them when
// one goes. Ranks of this process join by a call; every other process has one connection, whatever the number
// of its ranks. Lives until all have gone, whichever rank leaves first. IoLoop thread only.
class RootServer final : public Group, public std::enable_shared_from_this<RootServer> {
 public:
  // `device`: physical id of the one on which the root info was made, by which the root's own rank is known.
  // `idle_time`: how long it waits for a first rank.
  RootServer(RootInfo info, int32_t device, std::shared_ptr<Listener> listener,
             std::chrono::nanoseconds idle_time);

  void Start();
  const Secret& secret() const { return info_.secret; }

  void Add(std::shared_ptr<Member> member) override;
  void Leave(const std::shared_ptr<Member>& member) override;
  // IoLoop thread. What gives the root info to ranks of this host; let go of when no rank can come any more.
  void KeepDoor(std::shared_ptr<Door> door, uint32_t rank_count) {
    door_ = std::move(door);
    largest_count_ = rank_count;
  }
  bool IsGathering() const { return phase_ == Phase::kGathering; }
  // One rank can never join, so the exchange has failed for all.
  void Refuse(const Status& status) {
    if (IsGathering()) Fail(status);
  }
  bool HasFailed() const { return phase_ == Phase::kFailed; }
  bool HasTold(uint32_t rank) const { return told_failed_.contains(rank); }
  // What a rank hears that comes when the exchange has failed.
  Status AnswerLate(uint32_t rank);
  // Takes a connection that has proven that it knows the secret.
  void Adopt(const std::shared_ptr<Channel>& channel);

 private:
  enum class Phase : uint8_t { kGathering, kServing, kFailed, kEnded };
  struct Process {
    std::shared_ptr<Channel> channel;
    std::vector<uint32_t> ranks;
  };
  using ProcessPtr = std::shared_ptr<Process>;

  // Gathering.
  void OnFrame(const ProcessPtr& process, std::string_view body);
  void OnJoin(const ProcessPtr& process, const JoinRequest& join);
  void OnClosed(const ProcessPtr& process, const Status& why);
  void Admit(const RankRecord& record, uint32_t rank_count, std::chrono::milliseconds patience, bool local);
  void ArmDeadline(Deadline deadline);
  void ArmNote(std::chrono::nanoseconds wait);
  void ArmNoteForNewcomer();
  void TellProgress();
  void GiveUp();
  void Deliver();
  void Fail(const Status& status);

  // Serving.
  void Broadcast(const Message& message, const Process* except);
  void Lose(const RankLoss& loss, const Process* told_by);
  void Drop(const ProcessPtr& process);
  void EndIfAlone();
  void End(const Status& answer_from_now_on);

  const RootInfo info_;
  const int32_t device_;
  std::shared_ptr<Listener> listener_;
  std::shared_ptr<Door> door_;
  const std::chrono::nanoseconds idle_time_;
  const std::optional<std::chrono::nanoseconds> note_after_;
  asio::steady_timer deadline_timer_;
  asio::steady_timer note_timer_;
  Deadline deadline_;
  Deadline first_join_{};
  Phase phase_ = Phase::kGathering;
  Roster roster_;
  uint32_t largest_count_ = 0;  // of ranks, as told by anybody
  std::vector<std::shared_ptr<Member>> members_;
  std::set<ProcessPtr> processes_;
  std::shared_ptr<LossList> losses_ = std::make_shared<LossList>();
  std::set<uint32_t> gone_;         // ranks in losses_
  Status failure_;                  // in kFailed
  std::set<uint32_t> told_failed_;  // ranks that have heard failure_
};

}  // namespace tandem::bootstrap
