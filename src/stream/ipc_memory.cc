// SPDX-License-Identifier: Apache-2.0
#include "stream/ipc_memory.h"

#include <sys/mman.h>

#include <cerrno>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "base/mapping.h"
#include "base/mutex.h"
#include "stream/device.h"
#include "stream/outside_memory.h"
#include "transport/shm/arena.h"

namespace tandem {
namespace {

constexpr size_t kClaimUnit = 4096;

struct ImportedRange {
  std::byte* data = nullptr;
  size_t bytes = 0;
};

// What the exporting process says of the memory; not believed before Check.
struct Claim {
  uint64_t offset;
  uint64_t bytes;
  uint64_t device;
};

struct Imports {
  Mutex mutex;
  std::map<shm::OfferKey, std::vector<ImportedRange>> by_key TANDEM_GUARDED_BY(mutex);
  // Addresses of closed imports. They stay readable and writable, without content, because a task that is
  // still queued may use them; the next import takes them again.
  std::multimap<size_t, std::byte*> idle TANDEM_GUARDED_BY(mutex);
};

Imports& OpenImports() {
  static Imports* const imports = new Imports;
  return *imports;
}

Status Check(const Claim& claim, size_t file_bytes, pid_t pid) {
  const bool good = claim.bytes > 0 && claim.bytes % kClaimUnit == 0 && claim.offset % kClaimUnit == 0 &&
                    claim.offset <= file_bytes && claim.bytes <= file_bytes - claim.offset &&
                    claim.device < HostDeviceCount();
  if (good) return Status::Ok();
  return Status::Error(
      Code::kInvalidValue,
      "process %d says that the key means %llu bytes at %llu of device %llu, which cannot be", pid,
      static_cast<unsigned long long>(claim.bytes), static_cast<unsigned long long>(claim.offset),
      static_cast<unsigned long long>(claim.device));
}

// Addresses to map at; null: the kernel chooses.
std::byte* TakeIdle(Imports& imports, size_t bytes) TANDEM_REQUIRES(imports.mutex) {
  const auto found = imports.idle.lower_bound(bytes);
  if (found == imports.idle.end()) return nullptr;
  const auto [room, data] = *found;
  imports.idle.erase(found);
  if (room > bytes) imports.idle.emplace(room - bytes, data + bytes);
  return data;
}

Result<ImportedRange> MapClaim(Imports& imports, const Claim& claim, const UniqueFd& file)
    TANDEM_REQUIRES(imports.mutex) {
  const size_t bytes = claim.bytes;
  std::byte* at = TakeIdle(imports, bytes);
  const int flags = MAP_SHARED | MAP_NORESERVE | (at != nullptr ? MAP_FIXED : 0);
  void* data = mmap(at, bytes, PROT_READ | PROT_WRITE, flags, file.get(), static_cast<off_t>(claim.offset));
  if (data == MAP_FAILED) {
    const int error = errno;
    if (at != nullptr) imports.idle.emplace(bytes, at);
    return Status::FromErrno(error,
                             "mapping %zu bytes of another process (see `ulimit -v` and "
                             "vm.max_map_count)",
                             bytes);
  }
  return ImportedRange{static_cast<std::byte*>(data), bytes};
}

// Puts empty pages there in one step, so that no address is ever without memory.
Status Retire(Imports& imports, const ImportedRange& range) TANDEM_REQUIRES(imports.mutex) {
  RemoveOutsideRange(range.data, false);
  if (mmap(range.data, range.bytes, PROT_READ | PROT_WRITE,
           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0) == MAP_FAILED) {
    return Status::FromErrno(errno, "unmapping %zu bytes of another process", range.bytes);
  }
  imports.idle.emplace(range.bytes, range.data);
  return Status::Ok();
}

}  // namespace

Result<shm::OfferKey> ExportDeviceMemory(void* data, size_t bytes, bool to_all) {
  const shm::Arena* arena = shm::Arena::ProcessOrNull();
  const std::optional<shm::Arena::Block> block = arena == nullptr ? std::nullopt : arena->Find(data);
  if (!block || Locate(data).place != MemoryPlace::kDevice) {
    return Status::Error(Code::kInvalidValue, "devPtr is %p, which is not memory from aclrtMalloc", data);
  }
  const auto* start = static_cast<const std::byte*>(data);
  const size_t behind = static_cast<size_t>(block->data + block->bytes - start);
  if (block->bytes < kClaimUnit || arena->OffsetOf(data) % kClaimUnit != 0) {
    return Status::Error(Code::kInvalidValue,
                         "devPtr is %p, in an allocation of %zu bytes; only whole pages can be exported: "
                         "allocate at least %zu bytes and export from a multiple of %zu",
                         data, block->bytes, kClaimUnit, kClaimUnit);
  }
  if (bytes > behind) {
    return Status::Error(Code::kInvalidValue, "size is %zu, but the allocation ends %zu bytes after devPtr",
                         bytes, behind);
  }
  shm::Offer offer;
  offer.check_pid = !to_all;
  // The arena gives whole pages to such an allocation, so the last one holds nothing of others.
  offer.words = {arena->OffsetOf(data), (bytes + kClaimUnit - 1) / kClaimUnit * kClaimUnit, block->owner};
  offer.descriptors = {arena->fd().get()};
  return shm::AddOffer(shm::OfferKind::kMemory, std::move(offer));
}

Result<void*> ImportDeviceMemory(const shm::OfferKey& key) {
  if (key.IsOwn()) {
    return Status::Error(Code::kInvalidValue, "key was made by this process, which has the memory already");
  }
  const Result<shm::OpenedOffer> opened = shm::TakeOffer(key);
  if (!opened) return opened.status();
  if (opened->descriptors.size() != 1) {
    return Status::Error(Code::kInvalidValue, "process %d passed %zu descriptors, expected 1", opened->pid,
                         opened->descriptors.size());
  }
  const UniqueFd& file = opened->descriptors[0];
  const Result<size_t> file_bytes = SealedSize(file);
  if (!file_bytes) return file_bytes.status();
  const Claim claim{opened->words[0], opened->words[1], opened->words[2]};
  TANDEM_RETURN_IF_ERROR(Check(claim, *file_bytes, opened->pid));
  Imports& imports = OpenImports();
  MutexLock lock(imports.mutex);
  const Result<ImportedRange> range = MapClaim(imports, claim, file);
  if (!range) return range.status();
  const Status added =
      AddOutsideRange({range->data,
                       range->bytes,
                       {MemoryPlace::kDevice, static_cast<int32_t>(claim.device), range->data, range->bytes},
                       false});
  if (!added.ok()) {
    static_cast<void>(Retire(imports, *range));
    return added;
  }
  imports.by_key[key].push_back(*range);
  return static_cast<void*>(range->data);
}

Status CloseDeviceMemoryKey(const shm::OfferKey& key) {
  Imports& imports = OpenImports();
  MutexLock lock(imports.mutex);
  const auto found = imports.by_key.find(key);
  if (found == imports.by_key.end()) {
    if (shm::WithdrawOffer(key)) return Status::Ok();
    return Status::Error(Code::kInvalidValue,
                         "key is neither imported nor exported by this process (closed before?)");
  }
  const std::vector<ImportedRange> ranges = std::move(found->second);
  imports.by_key.erase(found);
  Status first;
  for (const ImportedRange& range : ranges) {
    Status retired = Retire(imports, range);
    if (first.ok()) first = std::move(retired);
  }
  return first;
}

bool KnowsDeviceMemoryKey(const shm::OfferKey& key) {
  if (shm::AllowOffer(key, {})) return true;
  MutexLock lock(OpenImports().mutex);
  return OpenImports().by_key.contains(key);
}

}  // namespace tandem
