// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "base/config.h"
#include "base/result.h"
#include "comm/p2p/p2p_task.h"

namespace tandem {

// Largest number of elements of one transfer. Source: HCCL sources, argument checks (spec hccl.md 1.3).
inline constexpr uint64_t kMaxCount = 0x7FFFFFFFFU;

Status CheckCount(uint64_t count);
// kNotSupported for what no product moves between ranks.
Status CheckType(int type);
Status CheckPeer(uint32_t peer, const char* argument, uint32_t rank_count);

// Puts checked items of a batch into the order in which they are numbered, and refuses what must not be in
// one batch.
//
// Self items must match: i-th send with i-th receive, equal count and type (kInvalidArgument).
// The same peer twice in one direction: by `rule` refused, numbered in list order, or numbered by count and
// type descending. Source: spec hccl.md 1.5 to 1.7; design decision on TANDEM_BATCH_DUPLICATES.
// `positions[i]` is the place of items[i] in the application's list, for messages.
Status ArrangeBatch(std::span<P2pItem> items, std::span<uint32_t> positions, uint32_t rank,
                    BatchDuplicates rule);

// Logs a warning for the first few batches of the process in which a receive overlaps another item: what the
// overlapping bytes hold then is left to chance. HCCL does not look, so it is no error here either.
void WarnOfOverlaps(std::span<const P2pItem> items, std::span<const uint32_t> positions);

}  // namespace tandem
