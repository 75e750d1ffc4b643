// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "base/futex.h"
#include "base/result.h"

namespace tandem::capi {

// The time limit of a synchronize call in milliseconds; -1 is none. kInvalidValue for 0 and below -1.
inline Result<Deadline> DeadlineAfter(int32_t timeout_ms) {
  if (timeout_ms == -1) return kNever;
  if (timeout_ms > 0) return Clock::now() + std::chrono::milliseconds(timeout_ms);
  Status status = Status::Error(Code::kInvalidValue,
                                "timeout is %d, expected -1 (for ever) or a positive number of "
                                "milliseconds",
                                timeout_ms);
  // The ACL layer refuses what is below -1, the runtime layer 0.
  return timeout_ms == 0 ? status : std::move(status).WithId("EH0001");
}

}  // namespace tandem::capi
