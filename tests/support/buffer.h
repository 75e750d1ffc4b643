// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace tandem::test {

enum class Memory : uint8_t {
  kDevice,  // aclrtMalloc
  kPinned,  // aclrtMallocHost
  kPlain,   // anonymous pages of the process, as malloc gives
};

// Names one message of a test; no two have the same bytes.
struct MessageId {
  uint32_t from = 0;
  uint32_t to = 0;
  uint32_t number = 0;
};

// A buffer with guard bytes on both sides, filled with a pattern that belongs to no message. Tandem's device
// memory is memory of the process, so it is filled and read in place.
class Buffer {
 public:
  // `shift` moves the start away from its natural alignment.
  Buffer(Memory memory, uint64_t bytes, uint64_t shift = 0);
  ~Buffer();
  Buffer(Buffer&& other) noexcept;
  Buffer& operator=(Buffer&&) = delete;

  std::byte* data() const { return data_; }
  uint64_t bytes() const { return bytes_; }

  void Fill(const MessageId& message);
  // Empty when the bytes are those of the message and the guards are whole; else what is wrong.
  std::string Check(const MessageId& message) const;
  // The same for the bytes from before anything arrived.
  std::string CheckUntouched() const;
  std::string CheckGuards() const;

 private:
  static constexpr uint64_t kGuard = 256;

  Memory memory_;
  uint64_t bytes_;
  uint64_t mapped_;
  std::byte* base_ = nullptr;
  std::byte* data_ = nullptr;
};

}  // namespace tandem::test
