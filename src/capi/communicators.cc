// SPDX-License-Identifier: Apache-2.0
#include "capi/communicators.h"

#include <utility>
#include <vector>

#include "base/handle_table.h"
#include "base/mutex.h"
#include "capi/handles.h"

namespace tandem::capi {
namespace {

struct Holder {
  Mutex mutex;
  std::shared_ptr<Communicator> communicator TANDEM_GUARDED_BY(mutex);
};

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
  {
    MutexLock lock(holder->mutex);
    ended = std::move(holder->communicator);
  }
  HolderPool& pool = Pool();
  MutexLock lock(pool.mutex);
  pool.free.push_back(holder);
}

}  // namespace

Result<HcclComm> AddCommunicator(std::shared_ptr<Communicator> communicator) {
  Holder* holder = TakeHolder();
  {
    MutexLock lock(holder->mutex);
    holder->communicator = std::move(communicator);
  }
  Result<void*> handle = HandleTable::Process().Add(HandleKind::kCommunicator, holder);
  if (!handle) ReturnHolder(holder);
  return handle;
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

bool RemoveCommunicator(HcclComm comm) {
  auto* holder = static_cast<Holder*>(HandleTable::Process().Remove(HandleKind::kCommunicator, comm));
  if (holder == nullptr) return false;
  ReturnHolder(holder);
  return true;
}

}  // namespace tandem::capi
