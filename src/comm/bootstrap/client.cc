// SPDX-License-Identifier: Apache-2.0
#include "comm/bootstrap/client.h"

#include <algorithm>
#include <asio/io_context.hpp>
#include <cstdio>

#include "base/config.h"
#include "base/io_loop.h"
#include "base/note.h"
#include "comm/bootstrap/fate.h"
#include "comm/bootstrap/registry.h"
#include "comm/bootstrap/roster.h"

namespace tandem::bootstrap {
namespace {

std::optional<std::chrono::nanoseconds> NotesFrom() {
  const auto after = config::NoteAfter();
  return after ? *after : std::nullopt;
}

}  // namespace

Client::Client(RootInfo info, bool registered)
    : info_(std::move(info)),
      registered_(registered),
      connecting_(IoLoop::Context()),
      retry_timer_(IoLoop::Context()),
      deadline_timer_(IoLoop::Context()),
      note_timer_(IoLoop::Context()),
      note_after_(NotesFrom()) {}

void Client::Add(std::shared_ptr<Member> member) {
  if (phase_ >= Phase::kServing) return member->Fail(AlreadyUsed(""));
  members_.push_back(member);
  ArmDeadline();
  if (phase_ == Phase::kIdle) return Start();
  if (phase_ == Phase::kJoining) SendJoin(*member);
}

void Client::ArmDeadline() {
  const auto first = std::min_element(members_.begin(), members_.end(), [](const auto& a, const auto& b) {
    return a->deadline() < b->deadline();
  });
  deadline_timer_.expires_at((*first)->deadline());
  deadline_timer_.async_wait([weak = weak_from_this()](const asio::error_code& error) {
    const auto self = weak.lock();
    if (self && !error) self->OnDeadline();
  });
}

void Client::OnDeadline() {
  if (phase_ >= Phase::kServing) return;
  std::string text;
  if (phase_ == Phase::kJoining) {
    text = RootText() + " has not brought the ranks together in time";
    if (!progress_.empty()) text += "; its last word: " + progress_;
  } else if (phase_ == Phase::kProving) {
    text = RootText() + " accepted the connection but does not answer; its process may be stopped";
  } else {
    text = "cannot reach " + RootText();
    if (!last_failure_.ok()) text += ": " + std::string(last_failure_.text());
  }
  Fail(Status::Error(Code::kTimeout,
                     "%s; check that all ranks are running and that this host reaches the address, or "
                     "raise HCCL_CONNECT_TIMEOUT or TANDEM_CONNECT_TIMEOUT",
                     text.c_str())
           .WithId("EI0015"));
}

void Client::OnFrame(std::string_view body) {
  auto decoded = DecodeMessage(body);
  if (!decoded) {
    if (phase_ >= Phase::kServing) return OnClosed(decoded.status());
    const bool version = decoded.status().code() == Code::kMismatch;
    return Fail(Status::Error(version ? Code::kInvalidArgument : Code::kConnect, "%s: %s%s",
                              RootText().c_str(), std::string(decoded.status().text()).c_str(),
                              version ? "" : "; something else than the root answers there")
                    .WithId(version ? "EI0008" : "EI0015"));
  }
  Message& message = *decoded;
  if (const auto* failure = std::get_if<Failure>(&message); failure != nullptr && phase_ < Phase::kServing) {
    Status status = failure->status;
    if (status.code() == Code::kMismatch) {
      status = Status::Error(Code::kInvalidArgument, "%s: %s", RootText().c_str(),
                             std::string(status.text()).c_str())
                   .WithId("EI0008");
    }
    // From another root that has the address by now. It cannot know what became of the one that is meant.
    if (phase_ == Phase::kProving && status.code() == Code::kConnect) {
      status = NotListening(Status::Error(Code::kConnect, "another root answers there"));
    }
    return Fail(status);
  }
  if (const auto* challenge = std::get_if<Challenge>(&message);
      challenge != nullptr && phase_ == Phase::kProving) {
    return OnChallenge(*challenge);
  }
  if (std::holds_alternative<Welcome>(message) && phase_ == Phase::kProving) {
    phase_ = Phase::kJoining;
    channel_->SetFrameLimit(kRootFrameBytes);
    const auto members = members_;
    for (const auto& member : members) SendJoin(*member);
    return;
  }
  if (phase_ == Phase::kJoining) {
    if (auto* table = std::get_if<Table>(&message)) return OnTable(std::move(*table));
    if (const auto* waiting = std::get_if<Waiting>(&message)) {
      progress_ = waiting->text;
      if (note_after_) NoteProgress();
    }
    return;
  }
  if (const auto* lost = std::get_if<Lost>(&message); lost != nullptr && phase_ == Phase::kServing)
    OnLost(lost->loss);
}

void Client::OnChallenge(const Challenge& challenge) {
  const Proof expected = MakeProof(info_.secret, Side::kRoot, info_.id, nonce_, challenge.nonce);
  if (!SameProof(challenge.proof, expected)) {
    return Fail(Status::Error(Code::kConnect,
                              "%s: whoever answers there does not know the secret of the root info",
                              RootText().c_str())
                    .WithId("EI0015"));
  }
  channel_->Send(RankProof{MakeProof(info_.secret, Side::kRank, info_.id, nonce_, challenge.nonce)});
}

void Client::SendJoin(const Member& member) {
  channel_->Send(JoinRequest{member.rank_count(), member.Patience().count(), member.record()});
}

void Client::OnTable(Table message) {
  phase_ = Phase::kServing;
  deadline_timer_.cancel();
  note_timer_.cancel();
  table_ = std::make_shared<const RankTable>(std::move(message.table));
  root_ranks_ = std::move(message.root_ranks);
  // Who asked to join at the very moment the exchange ended is not in the table.
  std::set<uint32_t> mine;
  std::erase_if(members_, [&](const auto& member) {
    const uint32_t rank = member->rank();
    const bool in_table = member->rank_count() == table_->ranks.size() &&
                          table_->ranks[rank].process.id == member->record().process.id &&
                          table_->ranks[rank].device == member->record().device && mine.insert(rank).second;
    if (!in_table) member->Fail(AlreadyUsed("rank " + std::to_string(rank) + " has come before"));
    return !in_table;
  });
  for (const auto& member : members_) member->Succeed(table_, losses_);
  if (members_.empty()) End();
}

void Client::OnClosed(const Status& why) {
  if (channel_) channel_->Close();
  channel_.reset();
  if (phase_ == Phase::kServing) return OnRootLost(why);
  if (phase_ == Phase::kJoining) return Fail(Gone("it closed the connection while ranks were joining"));
  if (phase_ != Phase::kProving) return;
  // The root drops connections that are too slow; it may take the next one.
  RetryAfter(Status::Error(Code::kNetwork, "%s", std::string(why.text()).c_str()), std::chrono::seconds(10));
}

void Client::Fail(const Status& status) {
  const auto members = std::move(members_);
  members_.clear();
  End();
  for (const auto& member : members) member->Fail(status);
}

void Client::OnLost(const RankLoss& loss) {
  if (loss.rank >= table_->ranks.size() || !gone_.insert(loss.rank).second) return;
  losses_->push_back(loss);
  TellMembers();
}

void Client::OnRootLost(const Status& why) {
  phase_ = Phase::kRootLost;
  for (const uint32_t rank : root_ranks_) {
    if (gone_.insert(rank).second) losses_->push_back({rank, false, ProcessFate(table_->ranks[rank], why)});
  }
  TellMembers();
}

void Client::TellMembers() {
  const auto members = members_;  // a handler may make a member leave
  for (const auto& member : members) member->TellLosses();
}

void Client::Leave(const std::shared_ptr<Member>& member) {
  if (std::erase(members_, member) == 0) return;
  if (phase_ == Phase::kServing) channel_->Send(Left{member->rank()});
  if (members_.empty()) End();
}

void Client::End() {
  const bool used = table_ != nullptr;
  phase_ = Phase::kEnded;
  deadline_timer_.cancel();
  note_timer_.cancel();
  retry_timer_.cancel();
  asio::error_code ignored;
  connecting_.close(ignored);
  if (channel_) channel_->Finish();
  channel_.reset();
  if (!registered_) return;
  if (used) {
    Registry::Get().Retire(info_.id, AlreadyUsed(""));
  } else {
    Registry::Get().Remove(info_.id);
  }
}

void Client::NoteProgress() const {
  std::vector<uint32_t> ranks;
  for (const auto& member : members_) ranks.push_back(member->rank());
  std::sort(ranks.begin(), ranks.end());
  char waited[32];
  std::snprintf(waited, sizeof(waited), "%.3g s",
                std::chrono::duration<double>(Clock::now() - began_).count());
  WriteNote("rank " + RankList(ranks) + " has waited " + waited + " for all ranks at " + RootText() + ": " +
            progress_ + "; the limit is HCCL_CONNECT_TIMEOUT or TANDEM_CONNECT_TIMEOUT; " + kNoteHint);
}

std::string Client::RootText() const {
  return "the root at " + info_.Endpoint() + " (pid " + std::to_string(info_.pid) + " on " + info_.host_name +
         ")";
}

Status Client::Gone(const std::string& why) const {
  return Status::Error(
             Code::kConnect,
             "root rank's process at %s is gone (%s); it was pid %d on %s; start all ranks again with a new "
             "root info",
             info_.Endpoint().c_str(), why.c_str(), info_.pid, info_.host_name.c_str())
      .WithId("EI0015");
}

}  // namespace tandem::bootstrap
