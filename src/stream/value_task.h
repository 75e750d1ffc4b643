// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>

#include "stream/task.h"

namespace tandem {

// Stores 64 bits in stream order and wakes the streams of this process that wait for a value there.
class ValueWriteTask final : public Task {
 public:
  // REQUIRES: `at` is aligned
  ValueWriteTask(uint64_t* at, uint64_t value) : at_(at), value_(value) {}
  Step Run(const RunContext& context) override;
  void Cancel(const Status& why) override;

 private:
  uint64_t* const at_;
  const uint64_t value_;
  bool cancelled_ = false;
};

// Holds its stream until the 64 bits at an address satisfy a condition.
//
// A ValueWriteTask of this process wakes it at once. Anything may write there, though: a copy, a message of a
// peer, the program itself, another process; none of them can be asked to tell. So while it waits it also
// looks by itself, first often and then every few milliseconds (WakeAt): late by that much at worst, and next
// to no processor time however long it waits.
class ValueWaitTask final : public Task {
 public:
  enum class Condition : uint8_t {
    kAtLeast,  // (int64)(v - value) >= 0
    kEqual,    // v == value
    kAnd,      // (v & value) != 0
    kNor,      // ~(v | value) != 0
  };

  // REQUIRES: `at` is aligned, and stays readable until the task is done
  ValueWaitTask(uint64_t* at, uint64_t value, Condition condition)
      : at_(at), value_(value), condition_(condition) {}
  ~ValueWaitTask() override;
  Step Run(const RunContext& context) override;
  bool Arm() override;
  Deadline WakeAt() override { return look_at_; }
  void Cancel(const Status& why) override;

 private:
  bool IsSatisfied() const;
  void StopListening();

  uint64_t* const at_;
  const uint64_t value_;
  const Condition condition_;
  Stream* stream_ = nullptr;
  bool listening_ = false;
  bool cancelled_ = false;
  std::chrono::microseconds interval_{0};
  Deadline look_at_ = kNever;
};

}  // namespace tandem
