// SPDX-License-Identifier: Apache-2.0
#include "stream/physical_memory.h"

#include <fcntl.h>
#include <sys/resource.h>

#include <algorithm>
#include <cerrno>
#include <map>
#include <string>
#include <utility>

#include "base/config.h"
#include "base/handle_table.h"
#include "base/host_memory.h"
#include "base/mapping.h"
#include "base/mutex.h"
#include "stream/device.h"

namespace tandem {
namespace {

struct Entry {
  std::shared_ptr<PhysicalMemory> memory;
  uint64_t references = 0;
};

struct Table {
  Mutex mutex;
  std::map<const void*, Entry> entries TANDEM_GUARDED_BY(mutex);
};

Table& Handles() {
  static Table* const table = new Table;
  return *table;
}

Status CheckHost(size_t bytes) {
  const uint64_t available = HostMemoryAvailable();
  if (bytes > available) {
    return Status::Error(Code::kOutOfMemory, "%zu bytes were asked for; the host has %llu available", bytes,
                         static_cast<unsigned long long>(available));
  }
  // `ulimit -f` counts for anonymous files too, and going over it raises a signal.
  rlimit limit{};
  if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY && bytes > limit.rlim_cur) {
    return Status::Error(Code::kOutOfMemory, "%zu bytes were asked for; `ulimit -f` allows files of %llu",
                         bytes, static_cast<unsigned long long>(limit.rlim_cur));
  }
  return Status::Ok();
}

// Makes the pages of the file. In steps, because a signal undoes the step in which it comes.
Status Populate(const UniqueFd& fd, size_t bytes) {
  constexpr size_t kStep = size_t{16} << 20;
  for (size_t at = 0; at < bytes;) {
    const size_t step = std::min(kStep, bytes - at);
    if (fallocate(fd.get(), 0, static_cast<off_t>(at), static_cast<off_t>(step)) == 0) {
      at += step;
      continue;
    }
    if (errno == EINTR) continue;
    // Where the call does not exist, pages come when they are touched.
    if (errno == EOPNOTSUPP || errno == ENOSYS) return Status::Ok();
    return Status::Error(Code::kOutOfMemory, "the host gave %zu of %zu bytes", at, bytes);
  }
  return Status::Ok();
}

Result<UniqueFd> MakeFile(size_t bytes) {
  TANDEM_RETURN_IF_ERROR(CheckHost(bytes));
  errno = 0;
  Result<UniqueFd> fd = CreateMemfd("tandem-physical", bytes);
  if (!fd) {
    if (fd.status().code() == Code::kOutOfMemory) return fd.status();
    return Status::Error(Code::kResourceExhausted, "%s", std::string(fd.status().text()).c_str());
  }
  TANDEM_RETURN_IF_ERROR(Populate(*fd, bytes));
  return fd;
}

}  // namespace

Result<std::shared_ptr<PhysicalMemory>> PhysicalMemory::Allocate(MemoryPlace place, int32_t device,
                                                                 size_t bytes) {
  const bool counted = place == MemoryPlace::kDevice;
  if (counted) {
    if (const Result<uint64_t> capacity = config::DeviceMemoryBytes(); !capacity) return capacity.status();
    if (!Device::Get(device).TakeMemory(bytes)) {
      return Status::Error(
          Code::kOutOfMemory,
          "%zu bytes were asked for; device %d has %llu of %llu bytes free (TANDEM_DEVICE_MEMORY sets the "
          "capacity)",
          bytes, UserIdOfDevice(device), static_cast<unsigned long long>(DeviceMemoryInfo(device).free_bytes),
          static_cast<unsigned long long>(Device::MemoryCapacity()));
    }
  }
  Result<UniqueFd> fd = MakeFile(bytes);
  if (!fd) {
    if (counted) Device::Get(device).ReturnMemory(bytes);
    return fd.status();
  }
  return std::shared_ptr<PhysicalMemory>(new PhysicalMemory(std::move(*fd), place, device, bytes, false));
}

std::shared_ptr<PhysicalMemory> PhysicalMemory::Adopt(UniqueFd fd, MemoryPlace place, int32_t device,
                                                      size_t bytes) {
  return std::shared_ptr<PhysicalMemory>(new PhysicalMemory(std::move(fd), place, device, bytes, true));
}

PhysicalMemory::~PhysicalMemory() {
  if (!imported_ && place_ == MemoryPlace::kDevice) Device::Get(device_).ReturnMemory(bytes_);
}

Result<void*> RetainPhysical(const std::shared_ptr<PhysicalMemory>& memory) {
  MutexLock lock(Handles().mutex);
  for (auto& [handle, entry] : Handles().entries) {
    if (entry.memory != memory) continue;
    ++entry.references;
    return const_cast<void*>(handle);
  }
  Result<void*> handle = HandleTable::Process().Add(HandleKind::kPhysicalMemory, memory.get());
  if (handle) Handles().entries.emplace(*handle, Entry{memory, 1});
  return handle;
}

std::shared_ptr<PhysicalMemory> FindPhysical(const void* handle) {
  MutexLock lock(Handles().mutex);
  const auto found = Handles().entries.find(handle);
  return found == Handles().entries.end() ? nullptr : found->second.memory;
}

bool ReleasePhysical(void* handle) {
  std::shared_ptr<PhysicalMemory> last;  // declared first, so that it ends when the lock is free
  MutexLock lock(Handles().mutex);
  const auto found = Handles().entries.find(handle);
  if (found == Handles().entries.end()) return false;
  if (--found->second.references != 0) return true;
  last = std::move(found->second.memory);
  HandleTable::Process().Remove(HandleKind::kPhysicalMemory, handle);
  Handles().entries.erase(found);
  return true;
}

}  // namespace tandem
