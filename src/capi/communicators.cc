// SPDX-License-Identifier: Apache-2.0
#include "capi/communicators.h"

#include <cstring>
#include <limits>
#include <map>
#include <utility>
#include <vector>

#include "base/handle_table.h"
#include "base/mutex.h"
#include "capi/handles.h"
#include "stream/context.h"

namespace tandem::capi {
namespace {

struct Holder {
  Mutex mutex;
  std::shared_ptr<Communicator> communicator TANDEM_GUARDED_BY(mutex);
  NameClaim claim TANDEM_GUARDED_BY(mutex);
};

struct Names {
  Mutex mutex;
  // By name and device; null while the communicator is being made.
  std::map<std::pair<std::string, int32_t>, HcclComm> taken TANDEM_GUARDED_BY(mutex);
  // The device's communicator that came from a rank table.
  std::map<int32_t, std::string> of_rank_tables TANDEM_GUARDED_BY(mutex);
};

Names& AllNames() {
  static auto* const names = new Names;
  return *names;
}

struct HolderPool {
  Mutex mutex;
  std::vector<Holder*> free TANDEM_GUARDED_BY(mutex);
};

HolderPool& Pool() {
  static auto* const pool = new HolderPool;
  return *pool;
}

Holder* TakeHolder() {
  HolderPool& pool = Pool();
  MutexLock lock(pool.mutex);
  if (pool.free.empty()) return new Holder;
  Holder* holder = pool.free.back();
  pool.free.pop_back();
  return holder;
}

void ReturnHolder(Holder* holder) {
  std::shared_ptr<Communicator> ended;
  NameClaim claim;
  {
    MutexLock lock(holder->mutex);
    ended = std::move(holder->communicator);
    claim = std::move(holder->claim);
  }
  HolderPool& pool = Pool();
  MutexLock lock(pool.mutex);
  pool.free.push_back(holder);
}

}  // namespace

NameClaim::NameClaim(NameClaim&& other) noexcept { *this = std::move(other); }

NameClaim& NameClaim::operator=(NameClaim&& other) noexcept {
  if (this == &other) return *this;
  Release();
  held_ = std::exchange(other.held_, false);
  device_ = other.device_;
  name_ = std::move(other.name_);
  origin_ = other.origin_;
  return *this;
}

NameClaim::~NameClaim() { Release(); }

void NameClaim::Release() {
  if (!std::exchange(held_, false)) return;
  Names& names = AllNames();
  MutexLock lock(names.mutex);
  names.taken.erase({name_, device_});
  if (origin_ == Origin::kRankTable) names.of_rank_tables.erase(device_);
}

Result<NameClaim> NameClaim::Take(int32_t device, const std::string& name, Origin origin) {
  Names& names = AllNames();
  MutexLock lock(names.mutex);
  const auto other = names.of_rank_tables.find(device);
  if (origin == Origin::kRankTable && other != names.of_rank_tables.end()) {
    return Status::Error(Code::kUnavailable,
                         "device %d has a communicator of a rank table already, \"%s\"; destroy it first, or "
                         "cut out a part of it with HcclCreateSubCommConfig",
                         device, other->second.c_str());
  }
  if (!names.taken.emplace(std::pair(name, device), nullptr).second) {
    return Status::Error(Code::kInvalidArgument,
                         "the name \"%s\" is used by another communicator of device %d; choose another one, "
                         "or destroy that one first",
                         name.c_str(), device);
  }
  if (origin == Origin::kRankTable) names.of_rank_tables.emplace(device, name);
  NameClaim claim;
  claim.held_ = true;
  claim.device_ = device;
  claim.name_ = name;
  claim.origin_ = origin;
  return claim;
}

void NameClaim::Publish(HcclComm handle) {
  if (!held_) return;
  Names& names = AllNames();
  MutexLock lock(names.mutex);
  names.taken[{name_, device_}] = handle;
}

Result<HcclComm> AddCommunicator(std::shared_ptr<Communicator> communicator, NameClaim claim) {
  Holder* holder = TakeHolder();
  {
    MutexLock lock(holder->mutex);
    holder->communicator = std::move(communicator);
    holder->claim = std::move(claim);
  }
  Result<void*> handle = HandleTable::Process().Add(HandleKind::kCommunicator, holder);
  if (!handle) {
    ReturnHolder(holder);
    return handle;
  }
  MutexLock lock(holder->mutex);
  holder->claim.Publish(*handle);
  return handle;
}

HcclComm FindCommunicator(const std::string& name, std::optional<int32_t> device) {
  Names& names = AllNames();
  MutexLock lock(names.mutex);
  if (device) {
    const auto found = names.taken.find({name, *device});
    if (found != names.taken.end() && found->second != nullptr) return found->second;
  }
  for (auto place = names.taken.lower_bound({name, std::numeric_limits<int32_t>::min()});
       place != names.taken.end() && place->first.first == name; ++place) {
    if (place->second != nullptr) return place->second;
  }
  return nullptr;
}

Result<std::shared_ptr<Communicator>> ResolveCommunicator(HcclComm comm) {
  TANDEM_RETURN_IF_ERROR(CheckNotNull(comm, "comm"));
  Result<Holder*> holder = Resolve<Holder>(HandleKind::kCommunicator, comm, "comm");
  if (!holder) return std::move(holder).status();
  std::shared_ptr<Communicator> communicator;
  {
    MutexLock lock((*holder)->mutex);
    communicator = (*holder)->communicator;
  }
  if (communicator == nullptr) return BadHandle(HandleKind::kCommunicator, comm, "comm");
  return communicator;
}

Result<HcclComm> FindCommunicatorHere(const char* name, const char* argument) {
  // Ranks that are threads have communicators of the same name: this thread's device goes first.
  const Result<int32_t> device = CurrentDevice();
  const std::string whole(name, strnlen(name, COMM_NAME_MAX_LENGTH));
  const HcclComm found = FindCommunicator(whole, device ? std::optional<int32_t>(*device) : std::nullopt);
  if (found != nullptr) return found;
  return Status::Error(Code::kInvalidArgument,
                       "%s is \"%s\", and no communicator of this process has that name", argument,
                       whole.c_str());
}

bool RemoveCommunicator(HcclComm comm) {
  auto* holder = static_cast<Holder*>(HandleTable::Process().Remove(HandleKind::kCommunicator, comm));
  if (holder == nullptr) return false;
  ReturnHolder(holder);
  return true;
}

}  // namespace tandem::capi
