// SPDX-License-Identifier: Apache-2.0
#include "transport/shm/notify_table.h"

#include <utility>

#include "base/mutex.h"

namespace tandem::shm {

Result<NotifyTable*> NotifyTable::Process(const std::shared_ptr<Doorbell::Listener>& listener) {
  static Mutex making;
  static NotifyTable* made = nullptr;
  MutexLock lock(making);
  if (made != nullptr) return made;
  Result<UniqueFd> fd = CreateMemfd("tandem-notify", sizeof(NotifyPage));
  if (!fd) return fd.status();
  Result<Mapping> mapping = Mapping::Shared(*fd, sizeof(NotifyPage));
  if (!mapping) return mapping.status();
  std::unique_ptr<NotifyTable> table(new NotifyTable(std::move(*fd), std::move(*mapping)));
  // A new memfd reads as zero, which is the initial state of every field.
  table->page().layout = NotifyPage::kLayout;
  table->page().flag = Doorbell::Process().Register(listener);
  // release: whoever sees the magic sees an initialised page.
  table->page().magic.store(NotifyPage::kMagic, std::memory_order_release);
  made = table.release();
  return made;
}

Result<std::shared_ptr<PeerNotifyTable>> PeerNotifyTable::Attach(pid_t pid, const UniqueFd& table,
                                                                 const UniqueFd& doorbell) {
  const Result<size_t> bytes = SealedSize(table);
  if (!bytes) return bytes.status();
  if (*bytes != sizeof(NotifyPage)) {
    return Status::Error(Code::kInvalidFile,
                         "the notifies of process %d have %zu bytes, expected %zu: mixed Tandem versions?",
                         pid, *bytes, sizeof(NotifyPage));
  }
  Result<PeerDoorbell> bell = PeerDoorbell::Attach(doorbell);
  if (!bell) return bell.status();
  Result<Mapping> mapping = Mapping::Shared(table, sizeof(NotifyPage));
  if (!mapping) return mapping.status();
  std::shared_ptr<PeerNotifyTable> peer(new PeerNotifyTable(pid, std::move(*mapping), std::move(*bell)));
  if (peer->page().magic.load(std::memory_order_acquire) != NotifyPage::kMagic ||
      peer->page().layout != NotifyPage::kLayout) {
    return Status::Error(Code::kInvalidFile,
                         "the notifies of process %d have another layout: mixed Tandem versions?", pid);
  }
  return peer;
}

}  // namespace tandem::shm
