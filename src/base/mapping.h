// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <utility>

#include "base/fd.h"
#include "base/result.h"

namespace tandem {

// Owns one mapping of shared pages.
class Mapping {
 public:
  Mapping() = default;
  Mapping(Mapping&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}
  Mapping& operator=(Mapping&& other) noexcept;
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;
  ~Mapping() { Reset(); }

  // Maps `bytes` of `fd` from offset 0, readable and writable, shared. Space is not reserved (pages appear on
  // touch).
  static Result<Mapping> Shared(const UniqueFd& fd, size_t bytes);

  std::byte* data() const { return static_cast<std::byte*>(data_); }
  size_t bytes() const { return bytes_; }
  void Reset();

 private:
  Mapping(void* data, size_t bytes) : data_(data), bytes_(bytes) {}
  void* data_ = nullptr;
  size_t bytes_ = 0;
};

// Makes an anonymous file of `bytes` that can be passed to other processes and never appears in a file
// system. It is sealed against shrinking, so a mapping of it can never be cut short (SIGBUS) by a peer.
Result<UniqueFd> CreateMemfd(const char* name, size_t bytes);

// The size of a memfd received from a peer, or an error unless it is sealed against shrinking.
Result<size_t> SealedSize(const UniqueFd& fd);

}  // namespace tandem
