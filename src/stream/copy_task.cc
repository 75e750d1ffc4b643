// SPDX-License-Identifier: Apache-2.0
#include "stream/copy_task.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <utility>

namespace tandem {
namespace {

constexpr size_t kSliceBytes = size_t{1} << 20;
// What may be done while the caller still queues: a fraction of a microsecond.
constexpr size_t kStartBytes = size_t{8} * 1024;

// memmove: the program may have named ranges that overlap. One word goes in one piece, as on a device: a
// stream may be waiting for its value (aclrtValueWait).
void MoveBytes(std::byte* to, const std::byte* from, size_t bytes) {
  constexpr size_t kWord = sizeof(uint64_t);
  const auto aligned = [](const std::byte* at) { return reinterpret_cast<uintptr_t>(at) % kWord == 0; };
  if (bytes == kWord && aligned(to) && aligned(from)) {
    uint64_t word = 0;
    std::memcpy(&word, from, kWord);
    std::atomic_ref<uint64_t>(*reinterpret_cast<uint64_t*>(to)).store(word, std::memory_order_release);
    return;
  }
  std::memmove(to, from, bytes);
}

}  // namespace

void CopyNow(const CopyShape& shape) {
  for (size_t row = 0; row < shape.rows; ++row) {
    MoveBytes(shape.to + row * shape.to_pitch, shape.from + row * shape.from_pitch, shape.bytes);
  }
}

void FillNow(const FillShape& shape) {
  const uint32_t byte = shape.pattern & 0xFF;
  if (shape.pattern == byte * 0x01010101U) {
    std::memset(shape.to, static_cast<int>(byte), shape.bytes);
    return;
  }
  for (size_t at = 0; at + sizeof(uint32_t) <= shape.bytes; at += sizeof(uint32_t)) {
    std::memcpy(shape.to + at, &shape.pattern, sizeof(uint32_t));
  }
}

CopyTask::CopyTask(std::vector<CopyShape> shapes, std::vector<std::byte> captured)
    : shapes_(std::move(shapes)), captured_(std::move(captured)) {
  if (!captured_.empty()) shapes_.front().from = captured_.data();
}

Step CopyTask::Run(const RunContext& context) {
  size_t budget = context.starting ? kStartBytes : kSliceBytes;
  while (shape_ < shapes_.size() && !cancelled_) {
    const CopyShape& shape = shapes_[shape_];
    const size_t bytes = std::min(budget, shape.bytes - offset_);
    if (bytes == 0) return Step::kMore;
    // Small copies are done at once or not at all: a caller that synchronizes next does the rest better in
    // one piece.
    if (context.starting && bytes < shape.bytes - offset_) return Step::kMore;
    MoveBytes(shape.to + row_ * shape.to_pitch + offset_, shape.from + row_ * shape.from_pitch + offset_,
              bytes);
    budget -= bytes;
    offset_ += bytes;
    if (offset_ < shape.bytes) continue;
    offset_ = 0;
    if (++row_ < shape.rows) continue;
    row_ = 0;
    ++shape_;
  }
  return Step::kDone;
}

void CopyTask::Cancel(const Status& /*why*/) { cancelled_ = true; }

Step FillTask::Run(const RunContext& context) {
  if (cancelled_) return Step::kDone;
  if (context.starting && left_.bytes > kStartBytes) return Step::kMore;
  const size_t bytes = std::min(kSliceBytes, left_.bytes);
  FillNow({left_.to, bytes, left_.pattern});
  left_.to += bytes;
  left_.bytes -= bytes;
  return left_.bytes == 0 ? Step::kDone : Step::kMore;
}

void FillTask::Cancel(const Status& /*why*/) { cancelled_ = true; }

}  // namespace tandem
