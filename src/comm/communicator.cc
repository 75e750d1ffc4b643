// SPDX-License-Identifier: Apache-2.0
#include "comm/communicator.h"

#include <unistd.h>

#include <algorithm>
#include <set>
#include <utility>

#include "base/config.h"
#include "base/cores.h"
#include "base/log.h"
#include "comm/bootstrap/keys.h"
#include "comm/pair_broker.h"
#include "stream/executor.h"
#include "transport/shm/shm_channel.h"

namespace tandem {
namespace {

std::string LostText(uint32_t rank, const std::string& cause, const std::string& communicator) {
  return "rank " + std::to_string(rank) + " " + cause + "; what waits for it in communicator " +
         communicator + " can never complete";
}

// Whoever makes a communicator has checked the settings before.
BatchDuplicates ConfiguredBatchDuplicates() {
  const Result<BatchDuplicates> rule = config::BatchDuplicatesRule();
  return rule ? *rule : BatchDuplicates::kReject;
}

std::chrono::nanoseconds NoteAfter() {
  const auto after = config::NoteAfter();
  return after ? after->value_or(std::chrono::nanoseconds(0)) : std::chrono::nanoseconds(0);
}

}  // namespace

Result<std::shared_ptr<Communicator>> Communicator::Join(const bootstrap::RootInfoBytes& root_info,
                                                         uint32_t rank_count, uint32_t rank, int32_t device,
                                                         const Options& options, Deadline deadline) {
  Result<PairBroker*> broker = PairBroker::Process();
  if (!broker) return std::move(broker).status();
  bootstrap::RankRecord self;
  self.rank = rank;
  self.device = device;
  self.host = bootstrap::HostIdentity();
  char host_name[256] = "";
  gethostname(host_name, sizeof(host_name) - 1);
  self.host_name = host_name;
  self.uid = getuid();
  self.cores = CoresToText(AllowedCores());
  self.process = (*broker)->address();
  Result<std::unique_ptr<bootstrap::Membership>> membership =
      bootstrap::Join(root_info, rank_count, std::move(self), deadline);
  if (!membership) return std::move(membership).status();

  bootstrap::RankTable table = (*membership)->table();
  std::shared_ptr<Communicator> communicator(
      new Communicator(std::move(*membership), std::move(table), rank, options));
  TANDEM_RETURN_IF_ERROR(communicator->CheckReachable());
  communicator->NoteHost();
  (*broker)->Add(communicator);
  const std::weak_ptr<Communicator> weak = communicator;
  communicator->membership_->SetLossHandler([weak](const bootstrap::RankLoss& loss) {
    if (const std::shared_ptr<Communicator> alive = weak.lock()) alive->OnLoss(loss);
  });
  return communicator;
}

Result<std::shared_ptr<Communicator>> Communicator::JoinAt(const bootstrap::MeetingPlace& place,
                                                           uint32_t rank, int32_t device,
                                                           const Options& options, Deadline deadline) {
  Result<bootstrap::RootInfoBytes> root_info = rank == 0 ? bootstrap::StartRootAt(place, device, deadline)
                                                         : bootstrap::FindRootAt(place, rank, deadline);
  if (!root_info) return std::move(root_info).status();
  return Join(*root_info, place.rank_count, rank, device, options, deadline);
}

std::shared_ptr<Communicator> Communicator::Split(const std::shared_ptr<Communicator>& parent,
                                                  const std::vector<uint32_t>& ranks, uint32_t rank,
                                                  uint64_t id, const Options& options) {
  bootstrap::RankTable table;
  table.name = parent->NextPartName(ranks, id, options.name);
  for (const uint32_t member : ranks) {
    table.ranks.push_back(parent->table_.ranks[member]);
    table.ranks.back().rank = static_cast<uint32_t>(table.ranks.size() - 1);
  }
  std::shared_ptr<Communicator> part(new Communicator(nullptr, std::move(table), rank, options));
  const shm::ProcessId& here = part->table_.ranks[rank].process.id;
  const auto members =
      std::count_if(part->table_.ranks.begin(), part->table_.ranks.end(),
                    [&here](const bootstrap::RankRecord& record) { return record.process.id == here; });
  parent->local_group_->KeepPart(part->local_group_, static_cast<size_t>(members));
  if (Result<PairBroker*> broker = PairBroker::Process(); broker) (*broker)->Add(part);
  parent->AdoptPart(part);
  return part;
}

// The name under which the members' processes know the part. All members make the same parts in the same
// order, so counting tells parts apart that are made anew after a destroy.
std::string Communicator::NextPartName(const std::vector<uint32_t>& ranks, uint64_t id,
                                       const std::string& name) {
  std::string what = std::to_string(id) + "\n" + name;
  for (const uint32_t member : ranks) what += "\n" + std::to_string(member);
  // The user's name may hold any bytes, messages between processes are text.
  const std::string kind = bootstrap::ToHex(bootstrap::CheckSum(what.data(), what.size()));
  MutexLock lock(submit_mutex_);
  return table_.name + "/" + kind + "/" + std::to_string(parts_made_[kind]++);
}

void Communicator::AdoptPart(const std::shared_ptr<Communicator>& part) {
  std::map<uint32_t, std::string> ended;
  {
    MutexLock lock(submit_mutex_);
    std::erase_if(parts_, [](const auto& known) { return known.expired(); });
    parts_.push_back(part);
    ended = ended_;
  }
  for (const auto& [rank, cause] : ended) part->OnProcessOfRankLost(table_.ranks[rank], cause);
}

Communicator::Communicator(std::unique_ptr<bootstrap::Membership> membership, bootstrap::RankTable table,
                           uint32_t rank, const Options& options)
    : membership_(std::move(membership)),
      table_(std::move(table)),
      options_(options),
      name_(options.name.empty() ? table_.name : options.name),
      rank_(rank),
      device_(table_.ranks[rank].device),
      batch_duplicates_(ConfiguredBatchDuplicates()),
      is_part_(membership_ == nullptr),
      note_after_(NoteAfter()),
      local_group_(LocalGroup::Of(table_.name)),
      seat_(Seat::Take()),
      submit_mutex_(seat_.submit_mutex),
      links_(table_.ranks.size()) {}

void Communicator::NoteHost() const {
  uint32_t ranks = 0;
  std::set<int> cores;
  for (const bootstrap::RankRecord& record : table_.ranks) {
    if (record.host != table_.ranks[rank_].host) continue;
    ++ranks;
    cores.merge(CoresFromText(record.cores));
  }
  Executor::Process().NoteHost(ranks, static_cast<uint32_t>(cores.size()));
}

Communicator::~Communicator() {
  if (Result<PairBroker*> broker = PairBroker::Process(); broker) (*broker)->Remove(table_.name, rank_);
  Seat::Return(seat_);
}

Status Communicator::CheckReachable() const {
  for (const bootstrap::RankRecord& record : table_.ranks) {
    if (record.host == table_.ranks[rank_].host) continue;
    return Status::Error(
        Code::kNotSupported,
        "rank %u runs on host %s (or in another network name space), rank %u on %s: this version of "
        "Tandem connects ranks of one host only",
        record.rank, record.host_name.c_str(), rank_, table_.ranks[rank_].host_name.c_str());
  }
  return Status::Ok();
}

Status Communicator::Submit(const char* call, Space space, std::span<const P2pItem> items,
                            ManagedStream& stream) {
  MutexLock lock(submit_mutex_);
  return SubmitSeated(shared_from_this(), call, space, items, stream);
}

Status Communicator::SubmitSeated(const std::shared_ptr<Communicator>& self, const char* call, Space space,
                                  std::span<const P2pItem> items, ManagedStream& stream) {
  if (destroyed_) {
    return Status::Error(Code::kInvalidHandle, "%s: communicator %s was destroyed", call, name_.c_str());
  }
  if (suspended()) {
    return Status::Error(Code::kSuspended,
                         "communicator %s is suspended and takes no operations; call HcclCommResume on all "
                         "ranks first",
                         name_.c_str());
  }
  // Before the items are numbered: a number that was given must be used, or all later ones would meet the
  // wrong side.
  TANDEM_RETURN_IF_ERROR(CheckSubmission(stream));
  // Numbering and queueing are one step, so that the order on a stream is the order of the numbers.
  EmplaceChecked<P2pTask>(stream, self, stream, call, space, items.data(), items.size());
  return Status::Ok();
}

std::shared_ptr<Link> Communicator::MakeLink(uint32_t peer) {
  const bool local = table_.ranks[peer].process.id == table_.ranks[rank_].process.id;
  std::shared_ptr<Link> link;
  if (local) {
    link = std::make_shared<Link>(peer, local_group_->Between(rank_, peer));
    link->SetEstablished();
  } else {
    Link::Channels channels;
    for (size_t space = 0; space < kSpaces; ++space) {
      for (const Direction direction : {Direction::kSend, Direction::kReceive}) {
        channels[static_cast<size_t>(direction)][space] = shm::ShmChannel::Create(direction);
      }
    }
    link = std::make_shared<Link>(peer, std::move(channels));
  }
  if (const auto lost = lost_.find(peer); lost != lost_.end()) link->Fail(lost->second);
  return link;
}

Link& Communicator::LinkTo(uint32_t peer) {
  std::shared_ptr<Link>& link = links_[peer];
  if (link == nullptr) {
    link = MakeLink(peer);
    if (!link->established()) (*PairBroker::Process())->Connect(shared_from_this(), peer);
  }
  return *link;
}

std::shared_ptr<Link> Communicator::LinkForBroker(uint32_t peer) {
  MutexLock lock(submit_mutex_);
  std::shared_ptr<Link>& link = links_[peer];
  if (link == nullptr) link = MakeLink(peer);
  return link;
}

std::vector<uint32_t> Communicator::LinkedPeers() {
  std::vector<uint32_t> peers;
  MutexLock lock(submit_mutex_);
  for (const std::shared_ptr<Link>& link : links_) {
    if (link != nullptr) peers.push_back(link->peer());
  }
  return peers;
}

void Communicator::OnRankLost(uint32_t rank, const std::string& cause) {
  if (rank == rank_ || rank >= size()) return;
  std::shared_ptr<Link> link;
  Status why = Status::Error(Code::kPeerLost, "%s", LostText(rank, cause, name_).c_str());
  {
    MutexLock lock(submit_mutex_);
    if (!lost_.emplace(rank, why).second) return;
    link = links_[rank];
  }
  TANDEM_LOG(kInfo, "%s", std::string(why.text()).c_str());
  if (link != nullptr) link->Fail(why);
}

void Communicator::OnLoss(const bootstrap::RankLoss& loss) {
  OnRankLost(loss.rank, loss.cause);
  // Who only left this communicator is still a member of its parts.
  if (loss.left || loss.rank >= size()) return;
  std::vector<std::weak_ptr<Communicator>> parts;
  {
    MutexLock lock(submit_mutex_);
    ended_.emplace(loss.rank, loss.cause);
    parts = parts_;
  }
  for (const std::weak_ptr<Communicator>& part : parts) {
    if (const auto alive = part.lock()) alive->OnProcessOfRankLost(table_.ranks[loss.rank], loss.cause);
  }
}

void Communicator::OnProcessOfRankLost(const bootstrap::RankRecord& record, const std::string& cause) {
  for (const bootstrap::RankRecord& own : table_.ranks) {
    if (own.process.id == record.process.id && own.device == record.device) OnRankLost(own.rank, cause);
  }
}

void Communicator::OnProcessLost(const shm::ProcessId& process, const Status& why) {
  for (const bootstrap::RankRecord& record : table_.ranks) {
    if (record.process.id == process) OnLoss({record.rank, false, "is gone: " + std::string(why.text())});
  }
}

Status Communicator::Destroy() {
  std::vector<std::shared_ptr<Link>> links;
  {
    MutexLock lock(submit_mutex_);
    if (destroyed_)
      return Status::Error(Code::kInvalidHandle, "communicator %s was destroyed before", name_.c_str());
    for (const std::shared_ptr<Link>& link : links_) {
      if (link == nullptr) continue;
      if (link->established() && link->unfinished() != 0) {
        return Status::Error(
            Code::kAgain,
            "communicator %s is in use, %llu operations with rank %u are not finished: synchronize its "
            "streams, then try again",
            name_.c_str(), static_cast<unsigned long long>(link->unfinished()), link->peer());
      }
      links.push_back(link);
    }
    destroyed_ = true;
  }
  const Status why = Status::Error(Code::kPeerLost, "rank %u left communicator %s", rank_, name_.c_str());
  local_group_->Leave(rank_, why);
  for (const std::shared_ptr<Link>& link : links) {
    if (!link->established()) link->Fail(why);
  }
  if (membership_ != nullptr) membership_->SetLossHandler(nullptr);
  membership_.reset();
  Result<PairBroker*> broker = PairBroker::Process();
  if (!broker) return Status::Ok();
  if (is_part_) {
    // Nobody else tells of a part's end.
    (*broker)->RemovePart(shared_from_this());
  } else {
    (*broker)->Remove(table_.name, rank_);
  }
  return Status::Ok();
}

void Communicator::NoteAsyncError(const Status& status) {
  MutexLock lock(state_mutex_);
  if (async_error_.ok()) async_error_ = status;
}

void Communicator::SetSetting(int key, int32_t value) {
  MutexLock lock(state_mutex_);
  settings_[key] = value;
}

std::optional<int32_t> Communicator::Setting(int key) {
  MutexLock lock(state_mutex_);
  const auto found = settings_.find(key);
  return found == settings_.end() ? std::nullopt : std::optional<int32_t>(found->second);
}

Status Communicator::AsyncError() {
  MutexLock lock(state_mutex_);
  return async_error_;
}

}  // namespace tandem
