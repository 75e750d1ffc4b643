// SPDX-License-Identifier: Apache-2.0
#include "base/mapping.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <cerrno>

namespace tandem {

Mapping& Mapping::operator=(Mapping&& other) noexcept {
  if (this != &other) {
    Reset();
    data_ = std::exchange(other.data_, nullptr);
    bytes_ = std::exchange(other.bytes_, 0);
  }
  return *this;
}

void Mapping::Reset() {
  if (data_ != nullptr) munmap(data_, bytes_);
  data_ = nullptr;
  bytes_ = 0;
}

Result<Mapping> Mapping::Shared(const UniqueFd& fd, size_t bytes) {
  void* data = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, fd.get(), 0);
  if (data == MAP_FAILED) {
    return Status::FromErrno(
        errno, "mapping %zu bytes of shared memory (see `ulimit -v` and vm.max_map_count)", bytes);
  }
  return Mapping(data, bytes);
}

Result<UniqueFd> CreateMemfd(const char* name, size_t bytes) {
  UniqueFd fd(memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING));
  if (!fd.valid()) return Status::FromErrno(errno, "memfd_create (see `ulimit -n`)");
  if (ftruncate(fd.get(), static_cast<off_t>(bytes)) != 0) {
    return Status::FromErrno(errno, "giving an anonymous file %zu bytes", bytes);
  }
  if (fcntl(fd.get(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0) {
    return Status::FromErrno(errno, "sealing an anonymous file");
  }
  return fd;
}

Result<size_t> SealedSize(const UniqueFd& fd) {
  const int seals = fcntl(fd.get(), F_GET_SEALS);
  if (seals < 0 || (seals & F_SEAL_SHRINK) == 0) {
    return Status::Error(Code::kInvalidFile, "a peer passed a descriptor that is not a sealed memfd");
  }
  struct stat info {};
  if (fstat(fd.get(), &info) != 0) return Status::FromErrno(errno, "fstat of a peer's memfd");
  return static_cast<size_t>(info.st_size);
}

}  // namespace tandem
