// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/futex.h"
#include "base/mapping.h"
#include "base/mutex.h"
#include "base/result.h"

namespace tandem::shm {

// Layout 1. One page for each process, mapped by its peers. A flag says: this channel has news.
struct DoorbellPage {
  static constexpr uint32_t kMagic = 0x544e4442;  // "BDNT"
  static constexpr uint32_t kLayout = 1;
  static constexpr uint32_t kWords = 64;
  static constexpr uint32_t kFlags = kWords * 64;

  std::atomic<uint32_t> magic;
  uint32_t layout;
  alignas(64) std::atomic<uint32_t> word;     // futex; changed by every ring that finds a sleeper
  std::atomic<uint32_t> sleepers;             // threads of the owner that sleep here or are about to
  alignas(64) std::atomic<uint64_t> summary;  // bit i: flags[i] is not zero
  alignas(64) std::array<std::atomic<uint64_t>, kWords> flags;
};
static_assert(std::atomic<uint64_t>::is_always_lock_free && std::atomic<uint32_t>::is_always_lock_free);
static_assert(offsetof(DoorbellPage, word) == 64 && offsetof(DoorbellPage, summary) == 128 &&
              offsetof(DoorbellPage, flags) == 192 && sizeof(DoorbellPage) == 704);

// Rings another process (or this one): sets the flag and wakes a sleeper if there is one.
//
// Why no ring is lost: the ringer sets the summary bit before it reads `sleepers`; a sleeper counts itself in
// `sleepers` before it reads the summary; all four are sequentially consistent, so at least one sees the
// other. If the ringer sees the sleeper it changes `word`, which the sleeper read before its check, so the
// sleep returns or never starts. Modelled in tests/models/doorbell.pml.
void RingDoorbell(DoorbellPage& page, uint32_t flag);

// This process's doorbell.
class Doorbell {
 public:
  // Hears of the news of one channel, on whichever thread drains the doorbell. Must not block.
  class Listener {
   public:
    virtual ~Listener() = default;
    virtual void OnNews() = 0;
  };
  // Who sleeps: a ring wakes a waiting thread first, since it is the one that wants the news.
  enum class Sleeper : uint32_t { kWaiter = 1, kWorker = 2 };

  // Made by the first call. If no page can be shared, the doorbell still works inside the process (fd() is
  // invalid).
  static Doorbell& Process();

  // Gives the listener a flag number for its peers to ring. Several listeners may share one number when there
  // are more than DoorbellPage::kFlags.
  uint32_t Register(const std::shared_ptr<Listener>& listener) TANDEM_EXCLUDES(mutex_);
  void Unregister(uint32_t flag, const Listener* listener) TANDEM_EXCLUDES(mutex_);

  bool HasNews() const { return page_->summary.load(std::memory_order_seq_cst) != 0; }
  // Tells the listeners whose flags are set. True if there was any news.
  bool Drain() TANDEM_EXCLUDES(mutex_);

  // To sleep: seen = Prepare(); then check every other reason not to sleep; then Sleep(seen, ...), which
  // returns after a ring or a kick, at the deadline, or at once when there is news.
  uint32_t Prepare() const { return page_->word.load(std::memory_order_seq_cst); }
  void Sleep(uint32_t seen, Deadline deadline, Sleeper who);
  // Ends one sleep of that kind, for a reason inside the process. The reason must be visible before.
  void Kick(Sleeper who);

  DoorbellPage& page() { return *page_; }
  const UniqueFd& fd() const { return fd_; }

 private:
  Doorbell();

  UniqueFd fd_;
  Mapping mapping_;
  std::unique_ptr<DoorbellPage> private_page_;  // only when no shared page could be made
  DoorbellPage* page_ = nullptr;

  Mutex mutex_;
  std::array<std::vector<std::weak_ptr<Listener>>, DoorbellPage::kFlags> listeners_ TANDEM_GUARDED_BY(mutex_);
  uint32_t next_flag_ TANDEM_GUARDED_BY(mutex_) = 0;
};

// A peer's page, mapped from the descriptor it passed. kInvalidFile if it is not ours.
class PeerDoorbell {
 public:
  static Result<PeerDoorbell> Attach(const UniqueFd& fd);
  DoorbellPage& page() const { return *reinterpret_cast<DoorbellPage*>(mapping_.data()); }

 private:
  explicit PeerDoorbell(Mapping mapping) : mapping_(std::move(mapping)) {}
  Mapping mapping_;
};

}  // namespace tandem::shm
