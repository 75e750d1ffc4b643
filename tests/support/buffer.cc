// SPDX-License-Identifier: Apache-2.0
#include "support/buffer.h"

#include <acl/acl.h>
#include <sys/mman.h>

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <utility>

namespace tandem::test {
namespace {

constexpr uint64_t kStep = 0x9E3779B97F4A7C15U;
constexpr std::byte kGuardByte{0xC3};

// Far apart for messages that differ in one number, so that bytes of another message or another place never
// fit.
uint64_t SeedOf(const MessageId& message) {
  uint64_t seed = (uint64_t{message.from} << 48) ^ (uint64_t{message.to} << 32) ^ message.number;
  for (int round = 0; round < 3; ++round) {
    seed ^= seed >> 31;
    seed = (seed + 0x632BE59BD9B4E019U) * 0xD6E8FEB86659FD93U;
  }
  return seed;
}

constexpr MessageId kNobody{0xFFFF, 0xFFFF, 0xFFFFFFFFU};

void FillPattern(std::byte* data, uint64_t bytes, uint64_t seed) {
  const uint64_t words = bytes / 8;
  for (uint64_t i = 0; i < words; ++i) {
    const uint64_t word = (i + 1) * kStep + seed;
    std::memcpy(data + i * 8, &word, 8);
  }
  const uint64_t last = (words + 1) * kStep + seed;
  std::memcpy(data + words * 8, &last, bytes % 8);
}

// The first byte that is not the pattern's, or `bytes`.
uint64_t FirstDifference(const std::byte* data, uint64_t bytes, uint64_t seed) {
  const uint64_t words = (bytes + 7) / 8;
  for (uint64_t i = 0; i < words; ++i) {
    const uint64_t expected = (i + 1) * kStep + seed;
    const uint64_t length = std::min<uint64_t>(8, bytes - i * 8);
    uint64_t found = expected;
    std::memcpy(&found, data + i * 8, length);
    if (found == expected) continue;
    const auto* expected_bytes = reinterpret_cast<const std::byte*>(&expected);
    uint64_t at = 0;
    while (data[i * 8 + at] == expected_bytes[at]) ++at;
    return i * 8 + at;
  }
  return bytes;
}

std::byte* Allocate(Memory memory, uint64_t bytes) {
  void* data = nullptr;
  switch (memory) {
    case Memory::kDevice:
      if (aclrtMalloc(&data, bytes, ACL_MEM_MALLOC_HUGE_FIRST) != ACL_SUCCESS) data = nullptr;
      break;
    case Memory::kPinned:
      if (aclrtMallocHost(&data, bytes) != ACL_SUCCESS) data = nullptr;
      break;
    case Memory::kPlain:
      data = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
      if (data == MAP_FAILED) data = nullptr;
      break;
  }
  if (data == nullptr) {
    const char* why = aclGetRecentErrMsg();
    throw std::runtime_error("no memory for a buffer of " + std::to_string(bytes) +
                             " bytes: " + (why == nullptr ? "" : why));
  }
  return static_cast<std::byte*>(data);
}

}  // namespace

Buffer::Buffer(Memory memory, uint64_t bytes, uint64_t shift)
    : memory_(memory), bytes_(bytes), mapped_(bytes + shift + 2 * kGuard) {
  base_ = Allocate(memory, mapped_);
  data_ = base_ + kGuard + shift;
  std::memset(base_, static_cast<int>(kGuardByte), kGuard + shift);
  std::memset(data_ + bytes_, static_cast<int>(kGuardByte), kGuard);
  Fill(kNobody);
}

Buffer::Buffer(Buffer&& other) noexcept
    : memory_(other.memory_),
      bytes_(other.bytes_),
      mapped_(other.mapped_),
      base_(std::exchange(other.base_, nullptr)),
      data_(std::exchange(other.data_, nullptr)) {}

Buffer::~Buffer() {
  if (base_ == nullptr) return;
  switch (memory_) {
    case Memory::kDevice:
      static_cast<void>(aclrtFree(base_));
      break;
    case Memory::kPinned:
      static_cast<void>(aclrtFreeHost(base_));
      break;
    case Memory::kPlain:
      munmap(base_, mapped_);
      break;
  }
}

void Buffer::Fill(const MessageId& message) { FillPattern(data_, bytes_, SeedOf(message)); }

std::string Buffer::Check(const MessageId& message) const {
  const uint64_t at = FirstDifference(data_, bytes_, SeedOf(message));
  if (at == bytes_) return CheckGuards();
  char text[160];
  const bool old = CheckUntouched().empty();
  std::snprintf(text, sizeof(text), "message %u from %u to %u: byte %" PRIu64 " of %" PRIu64 " is wrong%s",
                message.number, message.from, message.to, at, bytes_, old ? " (nothing has arrived)" : "");
  return text;
}

std::string Buffer::CheckUntouched() const {
  const uint64_t at = FirstDifference(data_, bytes_, SeedOf(kNobody));
  if (at == bytes_) return CheckGuards();
  return "byte " + std::to_string(at) + " of " + std::to_string(bytes_) +
         " was written; nothing should have been";
}

std::string Buffer::CheckGuards() const {
  for (const std::byte* at = base_; at < data_; ++at) {
    if (*at != kGuardByte) return "byte " + std::to_string(data_ - at) + " before the buffer was overwritten";
  }
  for (uint64_t i = 0; i < kGuard; ++i) {
    if (data_[bytes_ + i] != kGuardByte)
      return "byte " + std::to_string(i) + " after the buffer was overwritten";
  }
  return {};
}

}  // namespace tandem::test
