// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <set>

#include "base/mutex.h"
#include "base/result.h"

namespace tandem {

// Small numbers, each in use at most once, the smallest free one first.
class IdPool {
 public:
  explicit IdPool(uint32_t limit) : limit_(limit) {}
  // False: all are in use.
  bool Take(uint32_t& id);
  void Return(uint32_t id);
  uint32_t Available() const;

 private:
  mutable Mutex mutex_;
  std::set<uint32_t> returned_ TANDEM_GUARDED_BY(mutex_);
  uint32_t next_ TANDEM_GUARDED_BY(mutex_) = 0;
  uint32_t limit_;
};

// One device of this host and what is taken of it by this process. Made on first use, never freed.
class Device {
 public:
  static constexpr uint32_t kStreams = 32768;
  static constexpr uint32_t kEvents = 65536;

  // REQUIRES: `id` is a device of this host
  static Device& Get(int32_t id);

  explicit Device(int32_t id) : id_(id) {}
  int32_t id() const { return id_; }
  IdPool& stream_ids() { return stream_ids_; }
  IdPool& event_ids() { return event_ids_; }

  // Accounting of device memory. False: the device has not so many bytes left.
  bool TakeMemory(uint64_t bytes);
  void ReturnMemory(uint64_t bytes) { memory_used_.fetch_sub(bytes, std::memory_order_relaxed); }
  uint64_t memory_used() const { return memory_used_.load(std::memory_order_relaxed); }
  static uint64_t MemoryCapacity();

  // While all its tasks are being dropped a device takes no work, and afterwards neither when that was not
  // done in time. False: another thread is at it.
  bool BeginAbort();
  void EndAbort(bool usable);
  // To find out whether what a thread waits for was dropped by an abort of the device: AbortsSoFar before the
  // wait, WasAborted with that number after it.
  static uint64_t AbortsSoFar() { return aborts_so_far_.load(std::memory_order_acquire); }
  static bool WasAborted(int32_t device, uint64_t before) {
    return AbortsSoFar() != before && Get(device).last_abort_.load(std::memory_order_acquire) > before;
  }
  // kDeviceAborting between BeginAbort and EndAbort.
  static Status CheckNotAborting(int32_t device) {
    if (aborting_devices_.load(std::memory_order_acquire) == 0) [[likely]]
      return Status::Ok();
    return Get(device).CheckNotAborting();
  }

 private:
  Status CheckNotAborting() const;
  // Of all devices, so that everyday calls need not find theirs first.
  static std::atomic<uint32_t> aborting_devices_;
  static std::atomic<uint64_t> aborts_so_far_;

  const int32_t id_;
  IdPool stream_ids_{kStreams};
  IdPool event_ids_{kEvents};
  std::atomic<uint64_t> memory_used_{0};
  std::atomic<bool> abort_running_{false};
  std::atomic<bool> aborting_{false};
  std::atomic<uint64_t> last_abort_{0};
};

// The numbers by which an application calls devices count those that ASCEND_RT_VISIBLE_DEVICES leaves
// visible; the variable is read once.

// kNoDevice when the list of visible devices is unusable.
Result<uint32_t> VisibleDeviceCount();
// kInvalidDevice unless 0 <= user_id < VisibleDeviceCount().
Result<int32_t> DeviceOfUserId(int32_t user_id);
// -1: the device is not visible.
int32_t UserIdOfDevice(int32_t device);
// All devices of this host, visible or not.
uint32_t HostDeviceCount();

// Direct access from one device to memory of another. Only bookkeeping: here every copy is possible.
void SetPeerAccess(int32_t device, int32_t peer, bool enabled);
bool PeerAccess(int32_t device, int32_t peer);

}  // namespace tandem
