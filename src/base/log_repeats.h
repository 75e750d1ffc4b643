// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

#include "base/mutex.h"

namespace tandem {

// The same line again and again says nothing new: it is written once, and again when kQuiet has passed, with
// the number of those that were left out. Remembers the last lines only, so that its size is fixed.
class LogRepeats {
 public:
  using Time = std::chrono::steady_clock::time_point;
  static constexpr auto kQuiet = std::chrono::seconds(10);
  static constexpr size_t kRemembered = 64;

  // `line` stands for the text. How many were left out before this one, or nothing when this one is to be
  // left out.
  std::optional<uint64_t> Admit(size_t line, Time now) {
    const MutexLock lock(mutex_);
    Seen* oldest = seen_.data();
    for (Seen& seen : seen_) {
      if (seen.used && seen.line == line) {
        if (now - seen.written < kQuiet) {
          ++seen.left_out;
          return std::nullopt;
        }
        seen.written = now;
        return std::exchange(seen.left_out, 0);
      }
      if (!oldest->used) continue;
      if (!seen.used || seen.written < oldest->written) oldest = &seen;
    }
    *oldest = {true, line, now, 0};
    return 0;
  }

 private:
  struct Seen {
    bool used = false;
    size_t line = 0;
    Time written;
    uint64_t left_out = 0;
  };
  Mutex mutex_;
  std::array<Seen, kRemembered> seen_ TANDEM_GUARDED_BY(mutex_);
};

}  // namespace tandem
