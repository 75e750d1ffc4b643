// SPDX-License-Identifier: Apache-2.0
#include "support/device_rank.h"

#include <thread>

namespace tandem::test {

JobOptions WithoutCommunicator(uint32_t ranks) {
  JobOptions options;
  options.ranks = ranks;
  options.open = false;
  return options;
}

DeviceRank::DeviceRank(Rank& rank) : of(rank) {
  of.Ok(aclrtSetDevice(static_cast<int32_t>(of.index())));
  of.Ok(aclrtCreateStream(&stream));
}

void DeviceRank::End() {
  of.Ok(aclrtDestroyStream(stream));
  of.Ok(aclrtResetDevice(static_cast<int32_t>(of.index())));
}

void DeviceRank::PollUntilComplete() {
  aclrtStreamStatus status = ACL_STREAM_STATUS_NOT_READY;
  while (status != ACL_STREAM_STATUS_COMPLETE) {
    of.Ok(aclrtStreamQuery(stream, &status));
    std::this_thread::yield();
  }
}

}  // namespace tandem::test
