// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "base/fd.h"
#include "base/mapping.h"
#include "base/result.h"
#include "transport/shm/slots.h"

namespace tandem::shm {

// The memory that two processes share for one pair of ranks. The process of the lower rank makes it.
class Pair {
 public:
  static Result<Pair> Create();
  static Result<Pair> Attach(const UniqueFd& fd);

  PairSegment& segment() const { return *reinterpret_cast<PairSegment*>(mapping_->data()); }
  const std::shared_ptr<Mapping>& mapping() const { return mapping_; }
  UniqueFd TakeFd() { return std::move(fd_); }  // for the peer; valid once, and only where it was made

 private:
  Pair(UniqueFd fd, Mapping mapping)
      : fd_(std::move(fd)), mapping_(std::make_shared<Mapping>(std::move(mapping))) {}
  UniqueFd fd_;
  std::shared_ptr<Mapping> mapping_;
};

}  // namespace tandem::shm
