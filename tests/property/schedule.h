// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hccl/hccl_types.h>

#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

#include "support/buffer.h"

namespace tandem::test {

// One end of a message: where its bytes are.
struct Place {
  Memory memory = Memory::kDevice;
  uint32_t shift = 0;  // of the start, from the natural alignment
  // The bytes come from, or go to, another buffer by a copy queued on the same stream; what they pass through
  // is then overwritten, so that an operation which ended too early or began too late is seen.
  bool copied = false;
};

// Ranks are numbers in the job; `from` may equal `to` in a batch.
struct Message {
  uint32_t from = 0;
  uint32_t to = 0;
  HcclDataType type = HCCL_DATA_TYPE_INT8;
  uint64_t count = 0;
  Place source;
  Place target;
};

enum class StepKind : uint8_t {
  kTransfer,     // HcclSend on one rank, HcclRecv on another
  kBatch,        // HcclBatchSendRecv on every rank that has a message
  kBarrier,      // HcclBarrier on every rank of the communicator
  kEvent,        // on one rank: a stream waits for another
  kSynchronize,  // the host thread of one rank waits for a stream
};

// Something that its ranks do together.
struct Step {
  StepKind kind = StepKind::kTransfer;
  uint32_t communicator = 0;
  std::vector<Message> messages;
  std::vector<uint32_t> streams;  // of each rank of the job
  uint32_t shuffle = 0;           // decides the order of a batch's items on each rank
  uint32_t rank = 0;              // kEvent, kSynchronize
  uint32_t waiting = 0;           // kEvent: the stream that waits for streams[rank]
};

// What the ranks of a job do. Every rank's one host thread issues its part of the steps in the order of the
// list.
//
// Why every schedule ends, whatever the library's timing: of all steps that are not complete take the first.
// All its ranks reach it, since their host threads wait only for earlier steps; on each of them it is at the
// head of its stream, since everything before it on any stream, and every event it waits for, belongs to an
// earlier step. So both sides are there, and it completes.
struct Schedule {
  uint32_t ranks = 2;
  uint32_t ranks_per_process = 1;
  uint32_t streams = 1;     // of each rank
  bool duplicates = false;  // the same pair several times in one batch, which a setting allows
  bool staged =
      false;  // processes may not read each other's memory, so what is not the library's own goes another way
  std::vector<std::vector<uint32_t>> communicators;  // their members, by rank
  std::vector<Step> steps;
};

std::string DescribeSchedule(const Schedule& schedule);
std::ostream& operator<<(std::ostream& out, const Schedule& schedule);
// Reads what DescribeSchedule wrote. Throws std::runtime_error if it is not that.
Schedule ParseSchedule(std::istream& in);

}  // namespace tandem::test
