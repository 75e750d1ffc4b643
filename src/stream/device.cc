// SPDX-License-Identifier: Apache-2.0
#include "stream/device.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/config.h"

namespace tandem {
namespace {

struct Visible {
  std::vector<int32_t> devices;  // by user id
  Status valid;
};

Status BadList(const std::string& list, const char* why) {
  return Status::Error(
      Code::kNoDevice,
      "ASCEND_RT_VISIBLE_DEVICES=\"%s\" %s; expected ids from 0 to %u, ascending, separated by commas "
      "(TANDEM_DEVICES sets how many devices there are)",
      list.c_str(), why, HostDeviceCount() - 1);
}

// Reads up to the first entry that is no number or no device, as the original does.
Visible ParseVisible(const std::string& list) {
  Visible visible;
  const char* at = list.data();
  const char* const end = at + list.size();
  while (at < end) {
    while (at < end && *at == ' ') ++at;
    int32_t id = -1;
    const auto [next, error] = std::from_chars(at, end, id);
    if (error != std::errc() || id < 0 || static_cast<uint32_t>(id) >= HostDeviceCount()) break;
    if (!visible.devices.empty() && id <= visible.devices.back()) {
      visible.devices.clear();
      visible.valid = BadList(list, "is not ascending or names a device twice");
      return visible;
    }
    visible.devices.push_back(id);
    at = next;
    while (at < end && *at == ' ') ++at;
    if (at == end || *at != ',') break;
    ++at;
  }
  if (visible.devices.empty()) visible.valid = BadList(list, "names no device of this host");
  return visible;
}

Visible ReadVisible() {
  if (const auto list = SettingText("ASCEND_RT_VISIBLE_DEVICES")) return ParseVisible(*list);
  Visible all;
  if (const Result<uint32_t> count = config::DeviceCount(); !count) {
    all.valid = Status::Error(Code::kNoDevice, "%s", std::string(count.status().text()).c_str());
    return all;
  }
  for (uint32_t id = 0; id < HostDeviceCount(); ++id) all.devices.push_back(static_cast<int32_t>(id));
  return all;
}

const Visible& VisibleDevices() {
  static const Visible* const visible = new Visible(ReadVisible());
  return *visible;
}

struct PeerTable {
  Mutex mutex;
  std::set<std::pair<int32_t, int32_t>> enabled TANDEM_GUARDED_BY(mutex);
};

PeerTable& Peers() {
  static PeerTable* const table = new PeerTable;
  return *table;
}

struct DeviceTable {
  Mutex mutex;
  std::map<int32_t, std::unique_ptr<Device>> devices TANDEM_GUARDED_BY(mutex);
};

}  // namespace

bool IdPool::Take(uint32_t& id) {
  MutexLock lock(mutex_);
  if (!returned_.empty()) {
    id = *returned_.begin();
    returned_.erase(returned_.begin());
    return true;
  }
  if (next_ == limit_) return false;
  id = next_++;
  return true;
}

void IdPool::Return(uint32_t id) {
  MutexLock lock(mutex_);
  returned_.insert(id);
}

uint32_t IdPool::Available() const {
  MutexLock lock(mutex_);
  return limit_ - next_ + static_cast<uint32_t>(returned_.size());
}

Device& Device::Get(int32_t id) {
  static DeviceTable* const table = new DeviceTable;
  MutexLock lock(table->mutex);
  std::unique_ptr<Device>& device = table->devices[id];
  if (device == nullptr) device = std::make_unique<Device>(id);
  return *device;
}

uint64_t Device::MemoryCapacity() {
  static const uint64_t capacity = [] {
    const Result<uint64_t> bytes = config::DeviceMemoryBytes();
    return bytes ? *bytes : uint64_t{0};
  }();
  return capacity;
}

bool Device::TakeMemory(uint64_t bytes) {
  uint64_t used = memory_used_.load(std::memory_order_relaxed);
  do {
    if (bytes > MemoryCapacity() || used > MemoryCapacity() - bytes) return false;
  } while (!memory_used_.compare_exchange_weak(used, used + bytes, std::memory_order_relaxed));
  return true;
}

std::atomic<uint32_t> Device::aborting_devices_{0};
std::atomic<uint64_t> Device::aborts_so_far_{0};

bool Device::BeginAbort() {
  if (abort_running_.exchange(true, std::memory_order_acq_rel)) return false;
  if (!aborting_.exchange(true, std::memory_order_acq_rel)) aborting_devices_.fetch_add(1);
  last_abort_.store(aborts_so_far_.fetch_add(1) + 1, std::memory_order_release);
  return true;
}

void Device::EndAbort(bool usable) {
  if (usable && aborting_.exchange(false, std::memory_order_acq_rel)) aborting_devices_.fetch_sub(1);
  abort_running_.store(false, std::memory_order_release);
}

Status Device::CheckNotAborting() const {
  if (!aborting_.load(std::memory_order_acquire)) return Status::Ok();
  return Status::Error(Code::kDeviceAborting,
                       "all tasks of device %d are being dropped (aclrtDeviceTaskAbort); try again when that "
                       "call has returned success",
                       UserIdOfDevice(id_));
}

uint32_t HostDeviceCount() {
  static const uint32_t count = [] {
    const Result<uint32_t> configured = config::DeviceCount();
    return configured ? *configured : 8;
  }();
  return count;
}

Result<uint32_t> VisibleDeviceCount() {
  if (!VisibleDevices().valid.ok()) return VisibleDevices().valid;
  return static_cast<uint32_t>(VisibleDevices().devices.size());
}

Result<int32_t> DeviceOfUserId(int32_t user_id) {
  const Visible& visible = VisibleDevices();
  if (user_id >= 0 && static_cast<size_t>(user_id) < visible.devices.size()) {
    return visible.devices[static_cast<size_t>(user_id)];
  }
  if (!visible.valid.ok()) {
    return Status::Error(Code::kInvalidDevice, "%s", std::string(visible.valid.text()).c_str());
  }
  return Status::Error(
      Code::kInvalidDevice,
      "device %d does not exist, expected 0 to %zu (TANDEM_DEVICES and ASCEND_RT_VISIBLE_DEVICES set "
      "how many devices there are)",
      user_id, visible.devices.size() - 1);
}

int32_t UserIdOfDevice(int32_t device) {
  const std::vector<int32_t>& devices = VisibleDevices().devices;
  const auto found = std::lower_bound(devices.begin(), devices.end(), device);
  if (found == devices.end() || *found != device) return -1;
  return static_cast<int32_t>(found - devices.begin());
}

void SetPeerAccess(int32_t device, int32_t peer, bool enabled) {
  MutexLock lock(Peers().mutex);
  if (enabled) {
    Peers().enabled.emplace(device, peer);
  } else {
    Peers().enabled.erase({device, peer});
  }
}

bool PeerAccess(int32_t device, int32_t peer) {
  MutexLock lock(Peers().mutex);
  return Peers().enabled.contains({device, peer});
}

}  // namespace tandem
