// SPDX-License-Identifier: Apache-2.0
// Ranks that use the runtime alone.
#pragma once

#include "support/job.h"

namespace tandem::test {

// Ranks for which no communicator is made.
JobOptions WithoutCommunicator(uint32_t ranks);

// A rank's device, which has its number, and a stream on it.
class DeviceRank {
 public:
  explicit DeviceRank(Rank& rank);
  // Everything on the stream must be over.
  void End();
  // Until the stream is done, without a thread that waits for it: the workers alone do its work.
  void PollUntilComplete();

  Rank& of;
  aclrtStream stream = nullptr;
};

}  // namespace tandem::test
