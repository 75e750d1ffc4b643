// SPDX-License-Identifier: Apache-2.0
#include "transport/shm/pair.h"

#include <utility>

namespace tandem::shm {

Result<Pair> Pair::Create() {
  Result<UniqueFd> fd = CreateMemfd("tandem-pair", sizeof(PairSegment));
  if (!fd) return std::move(fd).status();
  Result<Mapping> mapping = Mapping::Shared(*fd, sizeof(PairSegment));
  if (!mapping) return std::move(mapping).status();
  Pair pair(std::move(*fd), std::move(*mapping));
  // A new memfd reads as zero, which is the initial state of every field.
  pair.segment().layout = PairSegment::kLayout;
  pair.segment().magic.store(PairSegment::kMagic, std::memory_order_release);
  return pair;
}

Result<Pair> Pair::Attach(const UniqueFd& fd) {
  Result<size_t> bytes = SealedSize(fd);
  if (!bytes) return std::move(bytes).status();
  if (*bytes != sizeof(PairSegment)) {
    return Status::Error(Code::kInvalidFile,
                         "a peer's pair segment has %zu bytes, expected %zu: mixed Tandem versions?", *bytes,
                         sizeof(PairSegment));
  }
  Result<Mapping> mapping = Mapping::Shared(fd, sizeof(PairSegment));
  if (!mapping) return std::move(mapping).status();
  Pair pair(UniqueFd(), std::move(*mapping));
  if (pair.segment().magic.load(std::memory_order_acquire) != PairSegment::kMagic ||
      pair.segment().layout != PairSegment::kLayout) {
    return Status::Error(Code::kInvalidFile,
                         "a peer's pair segment has another layout: mixed Tandem versions?");
  }
  return pair;
}

}  // namespace tandem::shm
