// SPDX-License-Identifier: Apache-2.0
#include "comm/communicator.h"

#include <unistd.h>

#include <set>
#include <utility>

#include "base/cores.h"
#include "base/log.h"
#include "comm/pair_broker.h"
#include "stream/executor.h"
#include "transport/shm/shm_channel.h"

namespace tandem {
namespace {

std::string LostText(uint32_t rank, const std::string& cause, const std::string& communicator) {
  return "rank " + std::to_string(rank) + " " + cause + "; what waits for it in communicator " +
         communicator + " can never complete";
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

  std::shared_ptr<Communicator> communicator(new Communicator(std::move(*membership), rank, options));
  TANDEM_RETURN_IF_ERROR(communicator->CheckReachable());
  (*broker)->Add(communicator);
  const std::weak_ptr<Communicator> weak = communicator;
  communicator->membership_->SetLossHandler([weak](const bootstrap::RankLoss& loss) {
    if (const std::shared_ptr<Communicator> alive = weak.lock()) alive->OnRankLost(loss.rank, loss.cause);
  });
  return communicator;
}

Communicator::Communicator(std::unique_ptr<bootstrap::Membership> membership, uint32_t rank,
                           const Options& options)
    : membership_(std::move(membership)),
      table_(membership_->table()),
      name_(options.name.empty() ? table_.name : options.name),
      rank_(rank),
      device_(table_.ranks[rank].device),
      exec_timeout_(options.exec_timeout),
      local_group_(LocalGroup::Of(table_.name)),
      links_(table_.ranks.size()) {
  uint32_t ranks = 0;
  std::set<int> cores;
  for (const bootstrap::RankRecord& record : table_.ranks) {
    if (record.host != table_.ranks[rank].host) continue;
    ++ranks;
    cores.merge(CoresFromText(record.cores));
  }
  Executor::Process().NoteHost(ranks, static_cast<uint32_t>(cores.size()));
}

Communicator::~Communicator() {
  if (Result<PairBroker*> broker = PairBroker::Process(); broker) (*broker)->Remove(table_.name, rank_);
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
  if (destroyed_) {
    return Status::Error(Code::kInvalidHandle, "%s: communicator %s was destroyed", call, name_.c_str());
  }
  // Before the items are numbered: a number that was given must be used, or all later ones would meet the
  // wrong side.
  TANDEM_RETURN_IF_ERROR(CheckSubmission(stream));
  // Numbering and queueing are one step, so that the order on a stream is the order of the numbers.
  return SubmitTask(
      stream, std::make_unique<P2pTask>(shared_from_this(), stream, call, space, items.data(), items.size()));
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

void Communicator::OnProcessLost(const shm::ProcessId& process, const Status& why) {
  for (const bootstrap::RankRecord& record : table_.ranks) {
    if (record.process.id == process) OnRankLost(record.rank, "is gone: " + std::string(why.text()));
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
      if (link->established() && link->unfinished().load(std::memory_order_acquire) != 0) {
        return Status::Error(
            Code::kAgain,
            "communicator %s is in use, %llu operations with rank %u are not finished: synchronize its "
            "streams, then try again",
            name_.c_str(), static_cast<unsigned long long>(link->unfinished().load()), link->peer());
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
  membership_->SetLossHandler(nullptr);
  membership_.reset();
  if (Result<PairBroker*> broker = PairBroker::Process(); broker) (*broker)->Remove(table_.name, rank_);
  return Status::Ok();
}

void Communicator::NoteAsyncError(const Status& status) {
  MutexLock lock(state_mutex_);
  if (async_error_.ok()) async_error_ = status;
}

Status Communicator::AsyncError() {
  MutexLock lock(state_mutex_);
  return async_error_;
}

}  // namespace tandem
