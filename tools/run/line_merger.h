// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "run/sink.h"

namespace tandem::tools {

using Clock = std::chrono::steady_clock;

// What one rank writes to one of its two outputs, as far as it is not shown yet.
struct LineSource {
  std::string label;  // "[3] "; empty when output is passed on as it is
  std::string held;   // at most kLongLine bytes and one read, then the pipe is left alone
  Clock::time_point fed{};
  bool closed = false;  // nothing more will come
};

// Merges the lines of many sources into one sink, whole lines only. A line longer than kLongLine is shown as
// it comes; its source then owns the sink, and the others wait until the line ends. So that a source that
// stops in the middle of such a line cannot stop the others for good, their patience is limited: then the
// long line is broken and continued later under its label.
class LineMerger {
 public:
  static constexpr size_t kLongLine = size_t{64} * 1024;

  explicit LineMerger(Sink& sink) : sink_(sink) {}

  bool CanTake(const LineSource& source) const { return sink_.HasRoom() && source.held.size() < kLongLine; }
  void Feed(LineSource& source, std::string_view bytes, Clock::time_point now);
  // The source has ended: shows a last line without a newline too.
  void Close(LineSource& source, Clock::time_point now);
  // A line of the launcher's own.
  void Announce(std::string_view line);

  // Shows what still waits for its turn, and ends the last line.
  void Finish(Clock::time_point now);

  // Applies the time limits.
  void OnTime(Clock::time_point now);
  // When OnTime has something to do next.
  std::optional<Clock::time_point> NextDeadline() const;

 private:
  // REQUIRES: nobody else owns the sink.
  void Show(LineSource& source, Clock::time_point now);
  void ShowOpen(LineSource& source, Clock::time_point now);
  void ShowWaiting(Clock::time_point now);
  void BreakLine();
  void Wait(LineSource& source, Clock::time_point now);
  void Forget(std::vector<LineSource*>& list, const LineSource& source);

  Sink& sink_;
  LineSource* owner_ = nullptr;  // has shown the beginning of a line and not its end
  Clock::time_point owner_wrote_{};
  Clock::time_point wait_began_{};       // of the first in waiting_
  std::vector<LineSource*> waiting_;     // have lines to show while another owns the sink
  std::vector<LineSource*> unfinished_;  // on a terminal only: hold the beginning of a line, perhaps a prompt
};

}  // namespace tandem::tools
