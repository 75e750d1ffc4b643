// SPDX-License-Identifier: Apache-2.0
#include "transport/shm/doorbell.h"

#include <bit>
#include <utility>

namespace tandem::shm {
namespace {

void WakeOne(DoorbellPage& page) {
  page.word.fetch_add(1, std::memory_order_seq_cst);
  const auto waiter = static_cast<uint32_t>(Doorbell::Sleeper::kWaiter);
  const auto worker = static_cast<uint32_t>(Doorbell::Sleeper::kWorker);
  if (FutexWake(page.word, 1, FutexScope::kShared, waiter) == 0) {
    FutexWake(page.word, 1, FutexScope::kShared, worker);
  }
}

}  // namespace

void RingDoorbell(DoorbellPage& page, uint32_t flag) {
  const uint32_t word = (flag / 64) % DoorbellPage::kWords;
  page.flags[word].fetch_or(uint64_t{1} << (flag % 64), std::memory_order_seq_cst);
  page.summary.fetch_or(uint64_t{1} << word, std::memory_order_seq_cst);
  if (page.sleepers.load(std::memory_order_seq_cst) != 0) WakeOne(page);
}

Doorbell& Doorbell::Process() {
  // Never destroyed: peers and workers may use it until the process is gone.
  static Doorbell* doorbell = new Doorbell;
  return *doorbell;
}

Doorbell::Doorbell() {
  Result<UniqueFd> fd = CreateMemfd("tandem-doorbell", sizeof(DoorbellPage));
  if (fd) {
    Result<Mapping> mapping = Mapping::Shared(*fd, sizeof(DoorbellPage));
    if (mapping) {
      fd_ = std::move(*fd);
      mapping_ = std::move(*mapping);
      page_ = new (mapping_.data()) DoorbellPage{};
    }
  }
  if (page_ == nullptr) {
    private_page_ = std::make_unique<DoorbellPage>();
    page_ = private_page_.get();
  }
  page_->layout = DoorbellPage::kLayout;
  // release: whoever sees the magic sees an initialised page.
  page_->magic.store(DoorbellPage::kMagic, std::memory_order_release);
}

uint32_t Doorbell::Register(const std::shared_ptr<Listener>& listener) {
  MutexLock lock(mutex_);
  const uint32_t flag = next_flag_++ % DoorbellPage::kFlags;
  listeners_[flag].push_back(listener);
  return flag;
}

void Doorbell::Unregister(uint32_t flag, const Listener* listener) {
  MutexLock lock(mutex_);
  std::erase_if(listeners_[flag], [listener](const std::weak_ptr<Listener>& entry) {
    const std::shared_ptr<Listener> alive = entry.lock();
    return alive == nullptr || alive.get() == listener;
  });
}

bool Doorbell::Drain() {
  if (!HasNews()) return false;
  // The summary is cleared before the flags, and the flags before the channels are looked at: a ring that
  // comes in between sets its bits again and is found by the next drain.
  uint64_t words = page_->summary.exchange(0, std::memory_order_seq_cst);
  std::vector<std::shared_ptr<Listener>> told;
  while (words != 0) {
    const auto word = static_cast<uint32_t>(std::countr_zero(words));
    words &= words - 1;
    uint64_t flags = page_->flags[word].exchange(0, std::memory_order_seq_cst);
    MutexLock lock(mutex_);
    while (flags != 0) {
      const uint32_t flag = word * 64 + static_cast<uint32_t>(std::countr_zero(flags));
      flags &= flags - 1;
      for (const std::weak_ptr<Listener>& entry : listeners_[flag]) {
        if (std::shared_ptr<Listener> listener = entry.lock()) told.push_back(std::move(listener));
      }
    }
  }
  for (const std::shared_ptr<Listener>& listener : told) listener->OnNews();
  return true;
}

void Doorbell::Sleep(uint32_t seen, Deadline deadline, Sleeper who) {
  page_->sleepers.fetch_add(1, std::memory_order_seq_cst);
  if (!HasNews()) FutexWait(page_->word, seen, deadline, FutexScope::kShared, static_cast<uint32_t>(who));
  page_->sleepers.fetch_sub(1, std::memory_order_seq_cst);
}

void Doorbell::Kick(Sleeper who) {
  page_->word.fetch_add(1, std::memory_order_seq_cst);
  if (page_->sleepers.load(std::memory_order_seq_cst) != 0) {
    FutexWake(page_->word, 1, FutexScope::kShared, static_cast<uint32_t>(who));
  }
}

Result<PeerDoorbell> PeerDoorbell::Attach(const UniqueFd& fd) {
  Result<size_t> bytes = SealedSize(fd);
  if (!bytes) return bytes.status();
  if (*bytes < sizeof(DoorbellPage)) {
    return Status::Error(Code::kInvalidFile, "a peer's doorbell page has %zu bytes, expected %zu", *bytes,
                         sizeof(DoorbellPage));
  }
  Result<Mapping> mapping = Mapping::Shared(fd, sizeof(DoorbellPage));
  if (!mapping) return mapping.status();
  PeerDoorbell doorbell(std::move(*mapping));
  if (doorbell.page().magic.load(std::memory_order_acquire) != DoorbellPage::kMagic ||
      doorbell.page().layout != DoorbellPage::kLayout) {
    return Status::Error(Code::kInvalidFile,
                         "a peer's doorbell page has another layout: mixed Tandem versions?");
  }
  return doorbell;
}

}  // namespace tandem::shm
