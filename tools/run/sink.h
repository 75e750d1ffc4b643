// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/fd.h"

namespace tandem::tools {

// One output of the launcher, written without ever blocking its loop. What cannot be written yet is kept;
// whoever appends asks HasRoom first and stops reading from the ranks while there is none, so that a slow
// reader slows the ranks down and the memory stays bounded.
class Sink {
 public:
  // `fd` is not owned.
  explicit Sink(int fd);

  void Append(std::string_view bytes);
  bool HasRoom() const { return Pending() < kHighWater; }
  size_t Pending() const { return buffer_.size() - written_; }
  bool AtLineStart() const { return at_line_start_; }
  bool IsTerminal() const { return is_terminal_; }

  int fd() const { return own_.valid() ? own_.get() : fd_; }
  // Writes what can be written now.
  void Flush();
  // The errno of the write that failed for good, or 0. A failed sink swallows everything.
  int failure() const { return failure_; }

 private:
  static constexpr size_t kHighWater = size_t{256} * 1024;

  long WriteSome(const char* bytes, size_t count);

  int fd_;
  UniqueFd
      own_;  // the same pipe or terminal opened again, so that O_NONBLOCK does not reach our parent's copy
  enum class Kind { kNonBlocking, kSocket, kPlain, kCareful } kind_ = Kind::kPlain;
  bool is_terminal_ = false;
  bool at_line_start_ = true;
  int failure_ = 0;
  std::string buffer_;
  size_t written_ = 0;  // bytes of buffer_ that are out already
};

// Whether two descriptors lead to the same file, pipe or terminal.
bool SameFile(int a, int b);

}  // namespace tandem::tools
