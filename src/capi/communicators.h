// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hccl/hccl_types.h>

#include <memory>

#include "base/result.h"
#include "comm/communicator.h"

namespace tandem::capi {

// HcclComm handles. What a handle stands for is never freed, only used again, so a call that races with
// HcclCommDestroy finds the communicator or a clear error, never freed memory.

Result<HcclComm> AddCommunicator(std::shared_ptr<Communicator> communicator);

// kNullPointer for null, kInvalidHandle for anything that is not a live communicator.
Result<std::shared_ptr<Communicator>> ResolveCommunicator(HcclComm comm);

// Ends the handle's life. REQUIRES a handle that ResolveCommunicator accepted; of two racing callers one gets
// true.
bool RemoveCommunicator(HcclComm comm);

}  // namespace tandem::capi
