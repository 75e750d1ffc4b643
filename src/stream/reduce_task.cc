// SPDX-License-Identifier: Apache-2.0
#include "stream/reduce_task.h"

#include <algorithm>

namespace tandem {
namespace {

// Of the slowest types an element takes some nanoseconds.
constexpr size_t kSliceElements = size_t{1} << 17;
constexpr size_t kStartElements = 64;

}  // namespace

Step ReduceTask::Run(const RunContext& context) {
  if (cancelled_) return Step::kDone;
  if (context.starting && left_.count > kStartElements) return Step::kMore;
  const size_t count = std::min(kSliceElements, left_.count);
  left_.reduction(left_.to, left_.from, count);
  left_.to += count * left_.element_bytes;
  left_.from += count * left_.element_bytes;
  left_.count -= count;
  return left_.count == 0 ? Step::kDone : Step::kMore;
}

void ReduceTask::Cancel(const Status& /*why*/) { cancelled_ = true; }

}  // namespace tandem
