// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <chrono>
#include <string>

#include "base/futex.h"

namespace tandem {

// A line for whoever watches a program that waits: "[NOTE] TANDEM(pid,program):time text" on the standard
// error, in one write, whatever the level of the log; and a warning in the log when that goes elsewhere. Left
// out when nobody can take it at once: a note is not worth a wait.
void WriteNote(const std::string& text);

// The end of every note's text: how to change or stop notes.
inline constexpr const char* kNoteHint = "TANDEM_NOTE_AFTER_MS changes notes, 0 stops them";

// When notes about one wait come: the first after some time, the next each time the wait has doubled. So a
// wait of an hour has about ten.
class NoteClock {
 public:
  // The wait begins.
  void Start(Deadline now, std::chrono::nanoseconds first_after) {
    begin_ = now;
    next_ = now + first_after;
  }
  // Whether a note is due. Never before Start.
  bool IsDue(Deadline now) {
    if (next_ == kNever || now < next_) return false;
    next_ = now + std::max<std::chrono::nanoseconds>(now - begin_, std::chrono::milliseconds(1));
    return true;
  }
  // When to ask again; kNever before Start.
  Deadline next() const { return next_; }
  double Seconds(Deadline now) const { return std::chrono::duration<double>(now - begin_).count(); }

 private:
  Deadline begin_{};
  Deadline next_ = kNever;
};

}  // namespace tandem
