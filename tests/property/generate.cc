// SPDX-License-Identifier: Apache-2.0
#include "property/generate.h"

#include <algorithm>
#include <array>
#include <set>
#include <tuple>
#include <utility>

#include "support/rank.h"

namespace tandem::test {
namespace {

// Plain numbers without any rule between them, so that each can shrink alone; Build makes a valid schedule of
// whatever they are. Numbers are taken modulo the choices there are.
struct RawMessage {
  uint32_t from, to, type, size, noise, places;
};
struct RawStep {
  uint32_t kind, communicator, rank, shuffle;
  uint64_t streams;
  std::vector<RawMessage> messages;
};
struct RawSchedule {
  uint32_t ranks, processes, streams;
  bool duplicates;
  std::vector<uint32_t>
      communicators;  // each a set of ranks, by bits; the first communicator is always all of them
  std::vector<RawStep> steps;
};

constexpr uint64_t kKiB = 1024;
constexpr uint64_t kMiB = 1024 * kKiB;
// The bytes of a schedule's messages together; what is over is cut to a few.
constexpr uint64_t kMostBytes = 12 * kMiB;

constexpr std::array kTypes{
    HCCL_DATA_TYPE_INT8,   HCCL_DATA_TYPE_INT16,   HCCL_DATA_TYPE_INT32,   HCCL_DATA_TYPE_FP16,
    HCCL_DATA_TYPE_FP32,   HCCL_DATA_TYPE_INT64,   HCCL_DATA_TYPE_UINT64,  HCCL_DATA_TYPE_UINT8,
    HCCL_DATA_TYPE_UINT16, HCCL_DATA_TYPE_UINT32,  HCCL_DATA_TYPE_FP64,    HCCL_DATA_TYPE_BFP16,
    HCCL_DATA_TYPE_HIF8,   HCCL_DATA_TYPE_FP8E4M3, HCCL_DATA_TYPE_FP8E5M2, HCCL_DATA_TYPE_FP8E8M0};

// The limits of the ways that bytes take (in the slot, moved at once, one piece, several), and sizes without
// a pattern.
uint64_t BytesFor(uint32_t size, uint32_t noise) {
  constexpr std::array<uint64_t, 16> kEdges{1,
                                            7,
                                            32,
                                            33,
                                            64,
                                            4095,
                                            4096,
                                            4097,
                                            8 * kKiB,
                                            8 * kKiB + 1,
                                            64 * kKiB + 3,
                                            256 * kKiB,
                                            256 * kKiB + 1,
                                            12345,
                                            40961,
                                            100003};
  const uint32_t choice = size % 64;
  if (choice < 34) return kEdges[choice % kEdges.size()];
  if (choice == 63) return kMiB + uint64_t{noise} * 37;
  if (choice == 62) return 0;
  if (choice < 44) return noise % 100;
  return 1 + noise;
}

Place PlaceFor(uint32_t bits) {
  constexpr std::array<uint32_t, 8> kShifts{0, 0, 0, 1, 3, 8, 64, 4000};
  Place place;
  const uint32_t memory = bits % 8;
  place.memory = memory < 4 ? Memory::kDevice : (memory < 6 ? Memory::kPlain : Memory::kPinned);
  place.shift = kShifts[bits / 8 % kShifts.size()];
  place.copied = bits / 64 % 4 == 3;
  return place;
}

std::vector<uint32_t> MembersFor(uint32_t bits, uint32_t ranks) {
  std::vector<uint32_t> members;
  for (uint32_t rank = 0; rank < ranks; ++rank) {
    if ((bits >> rank & 1) != 0) members.push_back(rank);
  }
  // Communicators in which the ranks have other numbers than in the job.
  if ((bits >> 20 & 1) != 0) std::reverse(members.begin(), members.end());
  return members;
}

Message MessageFor(const RawMessage& raw, const std::vector<uint32_t>& members, bool may_be_self,
                   uint64_t& bytes_left) {
  const auto size = static_cast<uint32_t>(members.size());
  Message message;
  const uint32_t from = raw.from % size;
  const uint32_t to = may_be_self ? raw.to % size : (from + 1 + raw.to % (size - 1)) % size;
  message.from = members[from];
  message.to = members[to];
  message.type = kTypes[raw.type % kTypes.size()];
  const uint64_t unit = BytesOf(message.type);
  const uint64_t bytes = BytesFor(raw.size, raw.noise);
  message.count = bytes == 0 ? 0 : std::max<uint64_t>(1, bytes / unit);
  if (message.count * unit > bytes_left) message.count = 1;
  bytes_left -= std::min(bytes_left, message.count * unit);
  message.source = PlaceFor(raw.places);
  message.target = PlaceFor(raw.places >> 8);
  return message;
}

StepKind KindFor(uint32_t kind) {
  const uint32_t choice = kind % 16;
  if (choice < 6) return StepKind::kTransfer;
  if (choice < 11) return StepKind::kBatch;
  if (choice < 13) return StepKind::kEvent;
  return choice < 15 ? StepKind::kSynchronize : StepKind::kBarrier;
}

Step StepFor(const RawStep& raw, const Schedule& schedule, uint64_t& bytes_left) {
  Step step;
  step.kind = KindFor(raw.kind);
  step.communicator = raw.communicator % static_cast<uint32_t>(schedule.communicators.size());
  step.rank = raw.rank % schedule.ranks;
  step.shuffle = raw.shuffle;
  for (uint32_t rank = 0; rank < schedule.ranks; ++rank) {
    step.streams.push_back(static_cast<uint32_t>(raw.streams >> (rank * 5 % 60) & 31) % schedule.streams);
  }
  step.waiting = raw.shuffle % schedule.streams;
  const std::vector<uint32_t>& members = schedule.communicators[step.communicator];
  std::set<std::pair<uint32_t, uint32_t>> pairs;
  for (const RawMessage& message : raw.messages) {
    const bool batch = step.kind == StepKind::kBatch;
    if (!batch && (step.kind != StepKind::kTransfer || !step.messages.empty())) break;
    const Message next = MessageFor(message, members, batch, bytes_left);
    if (pairs.insert({next.from, next.to}).second || schedule.duplicates) step.messages.push_back(next);
  }
  return step;
}

Schedule Build(const RawSchedule& raw, uint32_t most_ranks) {
  Schedule schedule;
  schedule.ranks = 2 + raw.ranks % (most_ranks - 1);
  constexpr std::array<uint32_t, 4> kPerProcess{1, 64, 2, 3};
  schedule.ranks_per_process = std::min(schedule.ranks, kPerProcess[raw.processes % kPerProcess.size()]);
  schedule.streams = 1 + raw.streams % 4;
  schedule.duplicates = raw.duplicates;
  schedule.staged = raw.processes / kPerProcess.size() % 4 == 3;
  schedule.communicators.push_back(MembersFor(~(1U << 20), schedule.ranks));
  for (const uint32_t bits : raw.communicators) {
    std::vector<uint32_t> members = MembersFor(bits, schedule.ranks);
    if (members.size() >= 2) schedule.communicators.push_back(std::move(members));
  }
  uint64_t bytes_left = kMostBytes;
  for (const RawStep& step : raw.steps) schedule.steps.push_back(StepFor(step, schedule, bytes_left));
  return schedule;
}

// All of [0, limit), at every size parameter.
rc::Gen<uint32_t> Below(uint32_t limit) {
  return rc::gen::resize(rc::kNominalSize, rc::gen::inRange<uint32_t>(0, limit));
}

rc::Gen<RawMessage> AnyMessage() {
  return rc::gen::construct<RawMessage>(Below(64), Below(64), Below(64), Below(64), Below(30000),
                                        Below(1U << 16));
}

rc::Gen<RawStep> AnyStep() {
  return rc::gen::construct<RawStep>(
      Below(16), Below(64), Below(64), Below(1000),
      rc::gen::resize(rc::kNominalSize, rc::gen::arbitrary<uint64_t>()),
      // A transfer uses the first message only, a batch all.
      rc::gen::resize(24, rc::gen::nonEmpty(rc::gen::container<std::vector<RawMessage>>(AnyMessage()))));
}

}  // namespace

rc::Gen<Schedule> AnySchedule(uint32_t most_ranks) {
  return rc::gen::map(rc::gen::construct<RawSchedule>(
                          Below(64), Below(64), Below(64), rc::gen::arbitrary<bool>(),
                          rc::gen::resize(3, rc::gen::container<std::vector<uint32_t>>(Below(1U << 21))),
                          rc::gen::scale(0.6, rc::gen::container<std::vector<RawStep>>(AnyStep()))),
                      [most_ranks](const RawSchedule& raw) { return Build(raw, most_ranks); });
}

}  // namespace tandem::test
