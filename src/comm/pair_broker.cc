// SPDX-License-Identifier: Apache-2.0
#include "comm/pair_broker.h"

#include <unistd.h>

#include <algorithm>
#include <asio/io_context.hpp>
#include <asio/post.hpp>
#include <cstring>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "base/io_loop.h"
#include "base/log.h"
#include "comm/communicator.h"
#include "comm/link.h"
#include "transport/shm/arena.h"
#include "transport/shm/shm_channel.h"

namespace tandem {
namespace {

using nlohmann::json;

// A peer may be faster than the rank of this process that is about to return from its set-up; more than this
// is abuse.
constexpr size_t kMostKept = 65536;
// Communicators that are gone, whose late messages are dropped at once.
constexpr size_t kMostRemoved = 1024;
// Parts that are gone, whose peers still get an answer. Each holds the addresses of all members.
constexpr size_t kMostLeftParts = 64;

std::vector<std::byte> Encode(const json& body) {
  const std::string text = body.dump();
  std::vector<std::byte> bytes(text.size());
  std::memcpy(bytes.data(), text.data(), text.size());
  return bytes;
}

json Decode(const std::vector<std::byte>& body) {
  const auto* text = reinterpret_cast<const char*>(body.data());
  json value = json::parse(text, text + body.size(), nullptr, false);
  return value.is_object() ? value : json::object();
}

size_t RingIndex(bool from_low, size_t space) { return space * 2 + (from_low ? 0 : 1); }

}  // namespace

Result<PairBroker*> PairBroker::Process() {
  static Mutex mutex;
  static PairBroker* broker = nullptr;  // never destroyed: peers' ends must be heard until the process ends
  MutexLock lock(mutex);
  if (broker == nullptr) {
    std::unique_ptr<PairBroker> made(new PairBroker);
    Result<std::unique_ptr<shm::PeerHub>> hub = shm::PeerHub::Start(*made);
    if (!hub) return std::move(hub).status();
    made->hub_ = std::move(*hub);
    std::memcpy(made->probe_.data(), made->hub_->address().id.bytes.data(), made->probe_.size());
    broker = made.release();
  }
  return broker;
}

PairBroker::PairBroker() = default;

void PairBroker::Add(const std::shared_ptr<Communicator>& communicator) {
  std::vector<Kept> due;
  const std::string& name = communicator->table().name;
  {
    MutexLock lock(mutex_);
    communicators_[{name, communicator->rank()}] = communicator;
    const auto waiting = std::stable_partition(kept_.begin(), kept_.end(), [&](const Kept& kept) {
      return kept.name != name || kept.rank != communicator->rank();
    });
    std::move(waiting, kept_.end(), std::back_inserter(due));
    kept_.erase(waiting, kept_.end());
  }
  if (due.empty()) return;
  auto messages = std::make_shared<std::vector<Kept>>(std::move(due));
  asio::post(IoLoop::Context(), [this, messages] {
    for (Kept& kept : *messages) OnMessage(kept.from, std::move(kept.message));
  });
}

void PairBroker::Remove(const std::string& name, uint32_t rank) {
  {
    MutexLock lock(mutex_);
    if (communicators_.erase({name, rank}) == 0) return;
    std::erase_if(kept_, [&](const Kept& kept) { return kept.name == name && kept.rank == rank; });
    removed_.emplace_back(name, rank);
    if (removed_.size() > kMostRemoved) removed_.pop_front();
  }
  asio::post(IoLoop::Context(), [this, name, rank] { ForgetOpening(name, rank); });
}

void PairBroker::ForgetOpening(const std::string& name, uint32_t rank) {
  std::erase_if(opening_low_,
                [&](const auto& entry) { return entry.first.name == name && entry.first.low == rank; });
  std::erase_if(opening_high_,
                [&](const auto& entry) { return entry.first.name == name && entry.first.high == rank; });
}

void PairBroker::RemovePart(const std::shared_ptr<Communicator>& part) {
  {
    MutexLock lock(mutex_);
    left_parts_.push_back({part->table(), part->rank()});
    if (left_parts_.size() > kMostLeftParts) left_parts_.pop_front();
  }
  Remove(part->table().name, part->rank());
  // A peer's message that is handled before this has made a link; one that is handled later finds the
  // communicator removed, and is answered.
  asio::post(IoLoop::Context(), [this, part] {
    for (const uint32_t peer : part->LinkedPeers()) SendLeft(part->table(), part->rank(), peer);
  });
}

void PairBroker::SendLeft(const bootstrap::RankTable& table, uint32_t rank, uint32_t peer) {
  const shm::PeerAddress& to = table.ranks[peer].process;
  if (to.id == address().id) return;
  Send(to, Kind::kLeft, {table.name, std::min(rank, peer), std::max(rank, peer)}, {}, {}, peer < rank);
}

void PairBroker::AnswerLate(const std::string& name, uint32_t rank, uint32_t peer) {
  std::optional<LeftPart> left;
  {
    MutexLock lock(mutex_);
    const auto found = std::find_if(left_parts_.begin(), left_parts_.end(), [&](const LeftPart& part) {
      return part.table.name == name && part.rank == rank;
    });
    if (found != left_parts_.end()) left = *found;
  }
  if (left && peer < left->table.ranks.size()) SendLeft(left->table, rank, peer);
}

std::shared_ptr<Communicator> PairBroker::FindOrKeep(const shm::ProcessId& from, const std::string& name,
                                                     uint32_t rank, shm::PeerMessage& message) {
  // One step, so that Add finds either no message or all of them.
  MutexLock lock(mutex_);
  const auto found = communicators_.find({name, rank});
  if (found != communicators_.end()) return found->second.lock();
  const bool late = std::find(removed_.begin(), removed_.end(), std::tuple(name, rank)) != removed_.end();
  if (!late && kept_.size() < kMostKept) kept_.push_back({from, name, rank, std::move(message)});
  return nullptr;
}

void PairBroker::Connect(const std::shared_ptr<Communicator>& communicator, uint32_t peer) {
  asio::post(IoLoop::Context(), [this, communicator, peer] { Start(*communicator, peer); });
}

void PairBroker::Start(Communicator& communicator, uint32_t peer) {
  const uint32_t me = communicator.rank();
  if (me < peer) {
    MakePair(communicator, peer);
  } else {
    Send(communicator.table().ranks[peer].process, Kind::kRequest, {communicator.table().name, peer, me});
  }
}

void PairBroker::MakePair(Communicator& communicator, uint32_t peer) {
  const PairKey key{communicator.table().name, communicator.rank(), peer};
  const std::shared_ptr<Link> link = communicator.LinkForBroker(peer);
  if (link->established() || opening_low_.contains(key)) return;
  Result<shm::Pair> pair = shm::Pair::Create();
  if (!pair) {
    Refuse(communicator, peer, key, pair.status());
    return;
  }
  std::vector<UniqueFd> descriptors;
  descriptors.push_back(pair->TakeFd());
  Send(communicator.table().ranks[peer].process, Kind::kPair, key, std::move(descriptors));
  opening_low_.emplace(key, std::move(*pair));
}

void PairBroker::SendHello(const shm::PeerAddress& to) {
  Peer& peer = peers_[to.id];
  if (std::exchange(peer.hello_sent, true)) return;
  shm::PeerMessage message;
  message.type = static_cast<uint32_t>(Kind::kHello);
  const auto address = reinterpret_cast<uintptr_t>(probe_.data());
  message.body = Encode({{"pid", getpid()}, {"probe", address}});
  if (const UniqueFd& bell = shm::Doorbell::Process().fd(); bell.valid()) {
    message.lasting.push_back(bell.get());
    if (const Result<shm::Arena*> arena = shm::Arena::Process(); arena)
      message.lasting.push_back((*arena)->fd().get());
  }
  hub_->Send(to, std::move(message));
}

void PairBroker::Send(const shm::PeerAddress& to, Kind kind, const PairKey& key,
                      std::vector<UniqueFd> descriptors, std::string_view text, bool to_low) {
  SendHello(to);
  shm::PeerMessage message;
  message.type = static_cast<uint32_t>(kind);
  json body = {{"name", key.name}, {"low", key.low}, {"high", key.high}};
  if (kind == Kind::kFailed) body["text"] = text;
  if (kind == Kind::kFailed || kind == Kind::kLeft) body["to_low"] = to_low;
  message.body = Encode(body);
  message.descriptors = std::move(descriptors);
  hub_->Send(to, std::move(message));
}

void PairBroker::OnMessage(const shm::ProcessId& from, shm::PeerMessage message) {
  try {
    Handle(from, std::move(message));
  } catch (const json::exception& error) {
    // A field of another type than expected; the peer is of another version, or broken.
    TANDEM_LOG(kWarn, "a message of another process was dropped: %s", error.what());
  }
}

void PairBroker::Handle(const shm::ProcessId& from, shm::PeerMessage message) {
  const auto kind = static_cast<Kind>(message.type);
  if (kind == Kind::kHello) {
    OnHello(from, std::move(message));
    return;
  }
  const json body = Decode(message.body);
  const PairKey key{body.value("name", ""), body.value("low", 0U), body.value("high", 0U)};
  bool to_low = kind == Kind::kRequest || kind == Kind::kReady;
  if (kind == Kind::kFailed || kind == Kind::kLeft) to_low = body.value("to_low", false);
  const uint32_t mine = to_low ? key.low : key.high;
  const uint32_t theirs = to_low ? key.high : key.low;
  const std::shared_ptr<Communicator> communicator = FindOrKeep(from, key.name, mine, message);
  if (communicator == nullptr) {
    if (kind == Kind::kRequest || kind == Kind::kPair) AnswerLate(key.name, mine, theirs);
    return;
  }
  if (key.low >= key.high || key.high >= communicator->size() ||
      communicator->table().ranks[theirs].process.id != from) {
    TANDEM_LOG(kWarn,
               "a process sent a message about ranks %u and %u of communicator %s that are not its own",
               key.low, key.high, key.name.c_str());
    return;
  }
  switch (kind) {
    case Kind::kRequest:
      MakePair(*communicator, theirs);
      break;
    case Kind::kPair:
      OnPair(*communicator, key, std::move(message));
      break;
    case Kind::kReady:
      OnReady(*communicator, key);
      break;
    case Kind::kGo:
      OnGo(*communicator, key);
      break;
    case Kind::kFailed:
      opening_low_.erase(key);
      opening_high_.erase(key);
      FailLink(*communicator, theirs,
               Status::Error(Code::kResourceExhausted, "%s", body.value("text", "").c_str()));
      break;
    case Kind::kLeft:
      opening_low_.erase(key);
      opening_high_.erase(key);
      communicator->OnRankLost(theirs, "left the communicator");
      break;
    default:
      break;
  }
}

void PairBroker::OnHello(const shm::ProcessId& from, shm::PeerMessage message) {
  const json body = Decode(message.body);
  shm::PeerMemory::Probe probe;
  probe.address = body.value("probe", uint64_t{0});
  std::memcpy(probe.expected.data(), from.bytes.data(), probe.expected.size());
  if (message.descriptors.empty()) return;
  const UniqueFd none;
  const UniqueFd& arena = message.descriptors.size() > 1 ? message.descriptors[1] : none;
  Result<std::shared_ptr<shm::PeerMemory>> memory =
      shm::PeerMemory::Attach(body.value("pid", 0), probe, message.descriptors[0], arena);
  if (memory) {
    peers_[from].memory = std::move(*memory);
  } else {
    TANDEM_LOG(kError, "%s", std::string(memory.status().text()).c_str());
  }
}

void PairBroker::FailLink(Communicator& communicator, uint32_t peer, const Status& why) {
  Status failure = Status(why)
                       .Annotate("connecting rank " + std::to_string(communicator.rank()) + " and rank " +
                                 std::to_string(peer))
                       .WithId("EI0006");
  TANDEM_LOG(kError, "%s", std::string(failure.text()).c_str());
  communicator.LinkForBroker(peer)->Fail(failure);
}

void PairBroker::Refuse(Communicator& communicator, uint32_t peer, const PairKey& key, const Status& why) {
  FailLink(communicator, peer, why);
  Send(communicator.table().ranks[peer].process, Kind::kFailed, key, {},
       "on the side of rank " + std::to_string(communicator.rank()) + ": " + std::string(why.text()),
       peer == key.low);
}

void PairBroker::OnPair(Communicator& communicator, const PairKey& key, shm::PeerMessage message) {
  const shm::PeerAddress& to = communicator.table().ranks[key.low].process;
  const std::shared_ptr<shm::PeerMemory> memory = peers_[to.id].memory;
  if (message.descriptors.empty() || memory == nullptr) {
    Refuse(communicator, key.low, key,
           Status::Error(Code::kResourceExhausted, "descriptors of rank %u did not arrive: see `ulimit -n`",
                         key.low));
    return;
  }
  Result<shm::Pair> pair = shm::Pair::Attach(message.descriptors[0]);
  if (!pair) {
    Refuse(communicator, key.low, key, pair.status());
    return;
  }
  Describe(*communicator.LinkForBroker(key.low), *pair, false, *memory);
  opening_high_.insert_or_assign(key, std::move(*pair));
  Send(to, Kind::kReady, key);
}

void PairBroker::OnReady(Communicator& communicator, const PairKey& key) {
  const auto pair = opening_low_.find(key);
  const shm::PeerAddress& to = communicator.table().ranks[key.high].process;
  const std::shared_ptr<shm::PeerMemory> memory = peers_[to.id].memory;
  if (pair == opening_low_.end()) return;
  if (memory == nullptr) {
    Refuse(communicator, key.high, key,
           Status::Error(Code::kResourceExhausted, "descriptors of rank %u did not arrive: see `ulimit -n`",
                         key.high));
    return;
  }
  const std::shared_ptr<Link> link = communicator.LinkForBroker(key.high);
  Describe(*link, pair->second, true, *memory);
  Send(to, Kind::kGo, key);
  ConnectChannels(*link, pair->second, true, memory);
  opening_low_.erase(pair);
}

void PairBroker::OnGo(Communicator& communicator, const PairKey& key) {
  const auto pair = opening_high_.find(key);
  if (pair == opening_high_.end()) return;
  const std::shared_ptr<shm::PeerMemory> memory =
      peers_[communicator.table().ranks[key.low].process.id].memory;
  ConnectChannels(*communicator.LinkForBroker(key.low), pair->second, false, memory);
  opening_high_.erase(pair);
}

void PairBroker::Describe(Link& link, const shm::Pair& pair, bool low, const shm::PeerMemory& memory) {
  for (size_t space = 0; space < kSpaces; ++space) {
    for (const Direction direction : {Direction::kSend, Direction::kReceive}) {
      const bool send = direction == Direction::kSend;
      shm::TransferRing& ring = pair.segment().rings[RingIndex(send == low, space)];
      shm::RingSide& side = send ? ring.sender : ring.receiver;
      side.flag = static_cast<shm::ShmChannel&>(link.channel(direction, static_cast<Space>(space))).flag();
      side.reach = memory.HasArena() ? 1 : 0;
    }
  }
}

void PairBroker::ConnectChannels(Link& link, const shm::Pair& pair, bool low,
                                 const std::shared_ptr<shm::PeerMemory>& memory) {
  link.SetEstablished();
  for (size_t space = 0; space < kSpaces; ++space) {
    for (const Direction direction : {Direction::kSend, Direction::kReceive}) {
      const size_t index = RingIndex((direction == Direction::kSend) == low, space);
      auto& channel = static_cast<shm::ShmChannel&>(link.channel(direction, static_cast<Space>(space)));
      channel.Connect(pair.mapping(), pair.segment().rings[index], pair.segment().stage[index], memory);
    }
  }
}

void PairBroker::OnPeerLost(const shm::ProcessId& peer, const Status& why) {
  peers_.erase(peer);
  std::vector<std::shared_ptr<Communicator>> alive;
  {
    MutexLock lock(mutex_);
    std::erase_if(kept_, [&peer](const Kept& kept) { return kept.from == peer; });
    for (const auto& [key, communicator] : communicators_) {
      if (std::shared_ptr<Communicator> found = communicator.lock()) alive.push_back(std::move(found));
    }
  }
  for (const std::shared_ptr<Communicator>& communicator : alive) communicator->OnProcessLost(peer, why);
}

}  // namespace tandem
