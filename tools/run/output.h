// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <poll.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/fd.h"
#include "run/line_merger.h"
#include "run/sink.h"

namespace tandem::tools {

// Everything the ranks write, on its way to the launcher's standard output and standard error.
class Output {
 public:
  explicit Output(bool labelled);

  // Takes the reading ends of the pipes that are a rank's standard output and standard error.
  void Add(int rank, UniqueFd out, UniqueFd err);
  // A line of the launcher's own, on standard error.
  void Announce(std::string_view line);

  // Appends what the loop should wait for; hand the same vector to Handle after poll.
  void Watch(std::vector<pollfd>& polled);
  void Handle(const std::vector<pollfd>& polled, Clock::time_point now);
  // Reads what one rank has written so far, so that its last words come before the report of its death.
  void CatchUp(int rank, Clock::time_point now);
  void OnTime(Clock::time_point now);
  std::optional<Clock::time_point> NextDeadline() const;

  // Whether every pipe has reached its end.
  bool AllClosed() const { return open_sources_ == 0; }
  // Gives up on the pipes that somebody unknown still holds open; what is in them is read first.
  void CloseAll(Clock::time_point now);
  // Whether everything is written.
  bool Flushed() const;
  // The errno with which an output failed for good, or 0.
  int failure() const;

 private:
  struct Source {
    int rank;
    UniqueFd fd;
    LineMerger* merger;
    LineSource lines;
    size_t polled_at;  // index in the vector of Watch; kNotPolled when not in it
  };
  static constexpr size_t kNotPolled = static_cast<size_t>(-1);

  std::string Label(int rank, const Sink& sink) const;
  // False when there is nothing to read now, or ever again.
  bool ReadOnce(Source& source, Clock::time_point now);
  void FlushSinks();

  const bool labelled_;
  const bool shared_;  // standard output and standard error are the same place, so lines must not meet there
  Sink out_sink_;
  Sink err_sink_;
  LineMerger out_;
  LineMerger err_;
  LineMerger& err_lines_;                         // err_, or out_ when shared
  std::vector<std::unique_ptr<Source>> sources_;  // by pointer: LineMerger remembers addresses
  int open_sources_ = 0;
  std::unique_ptr<char[]> buffer_;
};

}  // namespace tandem::tools
