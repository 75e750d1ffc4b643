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

// What ends with a handle.
struct Claims {
  Mutex mutex;
  std::map<HcclComm, NameClaim> of_handles TANDEM_GUARDED_BY(mutex);
};

Claims& AllClaims() {
  static auto* const claims = new Claims;
  return *claims;
}

void SetOccupant(Seat& seat, void* handle, std::shared_ptr<Communicator> communicator)
    TANDEM_REQUIRES(seat.submit_mutex) {
  MutexLock lock(seat.mutex);
  seat.handle = handle;
  seat.communicator.swap(communicator);
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
  Seat& seat = communicator->seat();
  // Nobody who guesses the handle may find the seat before it is taken.
  MutexLock lock(seat.submit_mutex);
  Result<void*> handle = HandleTable::Process().Add(HandleKind::kCommunicator, &seat);
  if (!handle) return handle;
  SetOccupant(seat, *handle, std::move(communicator));
  Claims& claims = AllClaims();
  MutexLock claims_lock(claims.mutex);
  NameClaim& kept = claims.of_handles[*handle] = std::move(claim);
  kept.Publish(*handle);
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
  Result<Seat*> seat = Resolve<Seat>(HandleKind::kCommunicator, comm, "comm");
  if (!seat) return std::move(seat).status();
  MutexLock lock((*seat)->mutex);
  if ((*seat)->handle != comm) return BadHandle(HandleKind::kCommunicator, comm, "comm");
  return (*seat)->communicator;
}

OpenCommunicator::OpenCommunicator(HcclComm comm) TANDEM_NO_THREAD_SAFETY_ANALYSIS
    : seat_(static_cast<Seat*>(HandleTable::Process().Find(HandleKind::kCommunicator, comm))) {
  if (seat_ == nullptr) [[unlikely]]
    return;
  seat_->submit_mutex.Lock();
  if (seat_->handle == comm) [[likely]]
    return;
  seat_->submit_mutex.Unlock();
  seat_ = nullptr;
}

Status OpenCommunicator::Why(HcclComm comm) {
  TANDEM_RETURN_IF_ERROR(CheckNotNull(comm, "comm"));
  return BadHandle(HandleKind::kCommunicator, comm, "comm");
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
  auto* const seat = static_cast<Seat*>(HandleTable::Process().Remove(HandleKind::kCommunicator, comm));
  if (seat == nullptr) return false;
  // The last reference may be among these, so they go after the locks.
  std::shared_ptr<Communicator> ended;
  NameClaim claim;
  {
    MutexLock lock(seat->submit_mutex);
    ended = seat->communicator;
    SetOccupant(*seat, nullptr, nullptr);
  }
  Claims& claims = AllClaims();
  MutexLock lock(claims.mutex);
  if (auto kept = claims.of_handles.extract(comm)) claim = std::move(kept.mapped());
  return true;
}

}  // namespace tandem::capi
