// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <signal.h>

#include "base/fd.h"

namespace tandem::tools {

// The launcher's signals, as a descriptor for its loop. A signal that was ignored when the launcher started,
// as under nohup, stays ignored.
class Signals {
 public:
  Signals();

  int fd() const { return fd_.get(); }
  // The next signal that has arrived, or 0.
  int Next();
  // In a child between fork and exec: gives back the signal settings that the launcher itself was given.
  void RestoreInChild() const;

 private:
  UniqueFd fd_;
  sigset_t mask_before_{};
  struct sigaction pipe_before_ {};
  struct sigaction child_before_ {};
};

}  // namespace tandem::tools
