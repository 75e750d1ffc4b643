// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <poll.h>

#include <string>
#include <vector>

#include "base/fd.h"

namespace tandem::tools {

// The standard input of rank 0. A file or pipe is given to the rank itself. A terminal is not: the rank is in
// a process group of its own, and the terminal would stop it for reading; so what is typed is passed on.
class Input {
 public:
  Input();

  // What rank 0 gets as its standard input; -1 with errno set when there is none.
  int RankZeroFd() const;
  // What the other ranks get.
  int OtherFd() const { return null_.get(); }
  // After the ranks have started: lets go of what belongs to rank 0 alone.
  void Started() { to_rank_read_.Reset(); }

  void Watch(std::vector<pollfd>& polled) const;
  void Handle();

 private:
  bool InForeground() const;

  UniqueFd null_;
  bool terminal_ = false;
  UniqueFd to_rank_read_;
  UniqueFd to_rank_write_;  // closed after end of file, or when rank 0 reads no more
  std::string typed_;       // read, not yet passed on
};

}  // namespace tandem::tools
