// SPDX-License-Identifier: Apache-2.0
#include "comm/bootstrap/root_server.h"

#include <algorithm>
#include <asio/io_context.hpp>
#include <asio/post.hpp>
#include <cstdio>

#include "base/config.h"
#include "base/io_loop.h"
#include "base/log.h"
#include "base/note.h"
#include "comm/bootstrap/door.h"
#include "comm/bootstrap/fate.h"
#include "comm/bootstrap/registry.h"

namespace tandem::bootstrap {
namespace {

// How often the other processes are told who is missing when this one wants no notes itself.
constexpr auto kQuietTelling = std::chrono::seconds(5);
// Ranks that disagree on their number wait so long for the root's rank, whose word settles who is wrong.
constexpr auto kRootsWord = std::chrono::seconds(1);
constexpr std::chrono::milliseconds kLongestPatience = std::chrono::hours(24 * 365);

double Seconds(std::chrono::nanoseconds time) { return std::chrono::duration<double>(time).count(); }

std::optional<std::chrono::nanoseconds> NotesFrom() {
  const auto after = config::NoteAfter();
  return after ? *after : std::nullopt;
}

}  // namespace

RootServer::RootServer(RootInfo info, int32_t device, std::shared_ptr<Listener> listener,
                       std::chrono::nanoseconds idle_time)
    : info_(std::move(info)),
      device_(device),
      listener_(std::move(listener)),
      idle_time_(idle_time),
      note_after_(NotesFrom()),
      deadline_timer_(IoLoop::Context()),
      note_timer_(IoLoop::Context()),
      deadline_(kNever) {}

void RootServer::Start() { ArmDeadline(Clock::now() + idle_time_); }

void RootServer::ArmDeadline(Deadline deadline) {
  deadline_ = deadline;
  deadline_timer_.expires_at(deadline);
  deadline_timer_.async_wait([weak = weak_from_this()](const asio::error_code& error) {
    const auto self = weak.lock();
    if (self && !error) self->GiveUp();
  });
}

void RootServer::ArmNote(std::chrono::nanoseconds wait) {
  note_timer_.expires_after(wait);
  note_timer_.async_wait([weak = weak_from_this(), wait](const asio::error_code& error) {
    const auto self = weak.lock();
    if (!self || error || self->phase_ != Phase::kGathering) return;
    self->TellProgress();
    self->ArmNote(wait * 2);  // 5, 15, 35, 75 s after the last rank came
  });
}

void RootServer::TellProgress() {
  const std::string text = roster_.Progress();
  for (const ProcessPtr& process : processes_) {
    if (!process->channel->HasUnsent()) process->channel->Send(Waiting{text});
  }
  if (!note_after_) return;
  char waited[32];
  std::snprintf(waited, sizeof(waited), "%.3g s", Seconds(Clock::now() - first_join_));
  WriteNote("the root at " + info_.Endpoint() + " has waited " + waited + " for all ranks: " + text +
            "; the limit is HCCL_CONNECT_TIMEOUT or TANDEM_CONNECT_TIMEOUT; " + kNoteHint);
}

// Whoever waits since just now gets its first note as soon as those who came first got theirs.
void RootServer::ArmNoteForNewcomer() {
  const std::chrono::nanoseconds wait = note_after_.value_or(kQuietTelling);
  if (roster_.IsEmpty() || note_timer_.expiry() > Clock::now() + wait) ArmNote(wait);
}

void RootServer::Add(std::shared_ptr<Member> member) {
  if (phase_ == Phase::kServing || phase_ == Phase::kEnded) return member->Fail(AlreadyUsed(""));
  if (phase_ == Phase::kFailed) {
    member->Fail(AnswerLate(member->rank()));
    return;
  }
  members_.push_back(member);
  Admit(member->record(), member->rank_count(), member->Patience(), true);
}

void RootServer::Adopt(const std::shared_ptr<Channel>& channel) {
  if (phase_ == Phase::kServing || phase_ == Phase::kEnded) {
    channel->Send(Failure{AlreadyUsed("")});
    channel->Finish();
    return;
  }
  const auto process = std::make_shared<Process>();
  process->channel = channel;
  processes_.insert(process);
  channel->SetFrameLimit(kRankFrameBytes);
  channel->SetHandlers(
      [self = shared_from_this(), process](std::string_view body) { self->OnFrame(process, body); },
      [self = shared_from_this(), process](const Status& why) { self->OnClosed(process, why); });
}

void RootServer::OnFrame(const ProcessPtr& process, std::string_view body) {
  const auto message = DecodeMessage(body);
  if (!message) {
    process->channel->Close();
    return OnClosed(process, message.status());
  }
  if (const auto* join = std::get_if<JoinRequest>(&*message)) return OnJoin(process, *join);
  if (const auto* left = std::get_if<Left>(&*message); left != nullptr && phase_ == Phase::kServing) {
    if (std::erase(process->ranks, left->rank) == 0) return;
    Lose({left->rank, true, "left the communicator"}, nullptr);
    if (process->ranks.empty()) Drop(process);
  }
}

void RootServer::OnJoin(const ProcessPtr& process, const JoinRequest& join) {
  const uint32_t rank = join.record.rank;
  if (phase_ == Phase::kFailed) {
    processes_.erase(process);
    process->channel->Send(Failure{AnswerLate(rank)});
    process->channel->Finish();
    return;
  }
  if (phase_ != Phase::kGathering) return;  // the sender finds in the table that its rank is taken
  process->ranks.push_back(rank);
  const std::chrono::milliseconds patience(std::clamp<int64_t>(join.wait_ms, 1, kLongestPatience.count()));
  Admit(join.record, join.rank_count, patience, false);
}

void RootServer::Admit(const RankRecord& record, uint32_t rank_count, std::chrono::milliseconds patience,
                       bool local) {
  if (roster_.IsEmpty()) {
    first_join_ = Clock::now();
    deadline_ = kNever;
  }
  ArmNoteForNewcomer();
  largest_count_ = std::max(largest_count_, rank_count);
  const bool is_root = local && record.device == device_;
  if (Status status = roster_.Add(record, rank_count, is_root); !status.ok()) return Fail(status);
  if (roster_.IsComplete()) return Deliver();
  // The exchange cannot succeed any more once one rank has given up, so all are told then.
  Deadline deadline = Clock::now() + std::min(patience, kLongestPatience);
  if (const Status conflict = roster_.CountConflict(); !conflict.ok()) {
    if (roster_.HasRoot()) return Fail(conflict);
    deadline = std::min<Deadline>(deadline, Clock::now() + kRootsWord);
  }
  if (deadline < deadline_) ArmDeadline(deadline);
}

void RootServer::GiveUp() {
  if (phase_ == Phase::kFailed)
    return End(AlreadyUsed("its exchange had failed: " + std::string(failure_.text())));
  if (phase_ != Phase::kGathering) return;
  if (roster_.IsEmpty()) {
    char text[96];
    std::snprintf(text, sizeof(text), "no rank came within %.6g s, so its root stopped waiting",
                  Seconds(idle_time_));
    return End(AlreadyUsed(text));
  }
  if (const Status conflict = roster_.CountConflict(); !conflict.ok()) return Fail(conflict);
  Fail(
      Status::Error(Code::kInternal,
                    "the root at %s waited %.3g s for all %u ranks: %s; %s, or raise HCCL_CONNECT_TIMEOUT or "
                    "TANDEM_CONNECT_TIMEOUT",
                    info_.Endpoint().c_str(), Seconds(Clock::now() - first_join_), roster_.rank_count(),
                    roster_.Progress().c_str(),
                    door_ ? "start every rank of the rank table"
                          : "call HcclCommInitRootInfo on every rank with this root info")
          .WithId("EI0015"));
}

void RootServer::Fail(const Status& status) {
  phase_ = Phase::kFailed;
  failure_ = status;
  note_timer_.cancel();
  for (const auto& member : members_) {
    told_failed_.insert(member->rank());
    member->Fail(status);
  }
  members_.clear();
  const auto frame = std::make_shared<const std::string>(Encode(Failure{status}));
  for (const ProcessPtr& process : processes_) {
    told_failed_.insert(process->ranks.begin(), process->ranks.end());
    process->channel->SendFrame(frame);
    process->channel->Finish();
  }
  processes_.clear();
  // Ranks that come later are to hear the reason too, for as long as they may still be on their way.
  ArmDeadline(Clock::now() + idle_time_);
  if (told_failed_.size() >= largest_count_) GiveUp();
}

Status RootServer::AnswerLate(uint32_t rank) {
  if (!told_failed_.insert(rank).second) {
    return AlreadyUsed("its exchange had failed: " + std::string(failure_.text()));
  }
  Status answer = failure_;
  if (told_failed_.size() >= largest_count_) {
    asio::post(IoLoop::Context(), [self = shared_from_this()] { self->GiveUp(); });
  }
  return answer;
}

void RootServer::Deliver() {
  phase_ = Phase::kServing;
  // Before anybody has the table: a rank that leaves and comes back must find the next root there, not this
  // one.
  door_.reset();
  deadline_timer_.cancel();
  note_timer_.cancel();
  Table message{{info_.identifier, roster_.Records()}, {}};
  for (const auto& member : members_) message.root_ranks.push_back(member->rank());
  // Strangers have nothing to expect of a root that is complete, but a connection without ranks may be one of
  // ours.
  for (auto it = processes_.begin(); it != processes_.end();) {
    const ProcessPtr process = *it++;
    if (!process->ranks.empty()) continue;
    process->channel->Send(Failure{AlreadyUsed("")});
    process->channel->Finish();
    processes_.erase(process);
  }
  if (!processes_.empty()) Broadcast(message, nullptr);
  TANDEM_LOG(kInfo, "root %s: all %u ranks have come", info_.Endpoint().c_str(), roster_.rank_count());
  const auto table = std::make_shared<const RankTable>(std::move(message.table));
  for (const auto& member : members_) member->Succeed(table, losses_);
}

void RootServer::Broadcast(const Message& message, const Process* except) {
  const auto frame = std::make_shared<const std::string>(Encode(message));
  const auto processes = processes_;  // a failed send drops its process
  for (const ProcessPtr& process : processes) {
    if (process.get() != except) process->channel->SendFrame(frame);
  }
}

void RootServer::OnClosed(const ProcessPtr& process, const Status& why) {
  if (processes_.erase(process) == 0) return;
  if (phase_ == Phase::kGathering && !process->ranks.empty()) {
    const RankRecord* record = roster_.Find(process->ranks.front());
    if (record == nullptr) return;
    return Fail(Status::Error(Code::kInternal, "rank %s: %s before all ranks had come: %s",
                              RankList(process->ranks).c_str(), ProcessFate(*record, why).c_str(),
                              roster_.Progress().c_str())
                    .WithId("EI0015"));
  }
  if (phase_ != Phase::kServing) return;
  const auto ranks = process->ranks;
  for (const uint32_t rank : ranks) Lose({rank, false, ProcessFate(*roster_.Find(rank), why)}, process.get());
  EndIfAlone();
}

void RootServer::Lose(const RankLoss& loss, const Process* told_by) {
  if (!gone_.insert(loss.rank).second) return;
  losses_->push_back(loss);
  if (!processes_.empty()) Broadcast(Lost{loss}, told_by);
  const auto members = members_;  // a handler may make a member leave
  for (const auto& member : members) member->TellLosses();
}

void RootServer::Drop(const ProcessPtr& process) {
  process->channel->Finish();
  processes_.erase(process);
  EndIfAlone();
}

void RootServer::Leave(const std::shared_ptr<Member>& member) {
  if (std::erase(members_, member) == 0) return;
  if (phase_ == Phase::kServing) {
    Lose({member->rank(), true, "left the communicator"}, nullptr);
    EndIfAlone();
  }
}

void RootServer::EndIfAlone() {
  if (phase_ == Phase::kServing && members_.empty() && processes_.empty()) End(AlreadyUsed(""));
}

void RootServer::End(const Status& answer_from_now_on) {
  phase_ = Phase::kEnded;
  deadline_timer_.cancel();
  for (const ProcessPtr& process : processes_) process->channel->Finish();
  processes_.clear();
  listener_.reset();
  door_.reset();
  Registry::Get().Retire(info_.id, answer_from_now_on);
}

}  // namespace tandem::bootstrap
