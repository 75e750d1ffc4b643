// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>

#include "base/fd.h"

namespace tandem {

// The log files of this process, as CANN names them: FOLDER/KIND/plog/plog-PID_TIME.log. Folders and the
// first file are made by the first line, another file when one is full, and the oldest then goes. A child
// made by fork() begins a file of its own. Not for several threads at a time.
class LogFile {
 public:
  static constexpr uint64_t kFileBytes = uint64_t{20} << 20;

  // `kind`: "debug", or "run" for the lines of the run log.
  LogFile(std::string folder, size_t most_files, uint64_t file_bytes = kFileBytes,
          const char* kind = "debug");

  // Adds the line and a newline. 0, or the errno because of which the line is not there; the next call tries
  // again. Never ends the process, not even at its limit for the size of files.
  int Write(std::string_view line);

  // Of the file that was written to last, or that was to be.
  const std::string& path() const { return path_; }

 private:
  int Open();

  const std::string folder_;
  const size_t most_files_;
  const uint64_t file_bytes_;
  UniqueFd fd_;
  std::string path_;
  std::deque<std::string> paths_;  // of this process, oldest first
  uint64_t bytes_ = 0;
  uint32_t count_ = 0;
  pid_t pid_ = 0;
  bool torn_ = false;  // the file ends in the middle of a line
};

}  // namespace tandem
