// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hccl/hccl_types.h>

#include <span>

#include "base/run_log.h"
#include "comm/communicator.h"
#include "stream/stream_pool.h"

// Lines of the run log, one for each operator call that was checked and is about to be queued, and one for
// each item of a batch. Only when EntryLogWanted(). Source: spec hccl.md 1.2 (tags), 5.6.
namespace tandem::capi {

void LogTransfer(const char* call, const P2pItem& item, const Communicator& communicator,
                 const ManagedStream& stream);
void LogBatch(std::span<const HcclSendRecvItem> items, const Communicator& communicator,
              const ManagedStream& stream);
void LogBarrier(const Communicator& communicator, const ManagedStream& stream);

}  // namespace tandem::capi
