// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hccl/hccl_types.h>

#include <cstdint>
#include <functional>
#include <memory>

#include "base/result.h"
#include "comm/communicator.h"

// Calls between HcclGroupStart and HcclGroupEnd. State of the calling thread. Source: spec hccl.md 1.8.
namespace tandem::capi {

// Whether the calling thread has an open group.
bool InGroup() noexcept;

// One HcclSend or HcclRecv, of which only the checks before the group's have passed.
struct GroupedTransfer {
  const char* call = nullptr;
  Direction direction = Direction::kSend;
  void* buffer = nullptr;
  uint64_t count = 0;
  int type = 0;
  uint32_t peer = 0;
  const char* peer_name = nullptr;
  std::shared_ptr<Communicator> communicator;
  void* stream = nullptr;
};

// REQUIRES InGroup(). kNotSupported when the group holds calls of the other kind.
Status QueueInGroup(GroupedTransfer transfer);
// For calls that make or end communicators: `job` runs in a thread of its own when the group ends.
Status QueueInGroup(const char* call, std::function<Status()> job);

// kNotSupported inside a group, for calls that must not be there.
Status RefuseInGroup();

Status StartGroup();
// The outermost one carries out what was collected, and returns the first failure.
Status EndGroup();

}  // namespace tandem::capi
