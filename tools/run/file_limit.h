// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/resource.h>

namespace tandem::tools {

// The launcher needs two descriptors for each rank: it raises its own limit as far as it may, and the ranks
// get the limit that the user had.
class FileLimit {
 public:
  FileLimit() {
    if (getrlimit(RLIMIT_NOFILE, &before_) != 0) return;
    rlimit raised = before_;
    raised.rlim_cur = raised.rlim_max;
    changed_ = raised.rlim_cur != before_.rlim_cur && setrlimit(RLIMIT_NOFILE, &raised) == 0;
  }
  void RestoreInChild() const {
    if (changed_) setrlimit(RLIMIT_NOFILE, &before_);
  }

 private:
  rlimit before_{};
  bool changed_ = false;
};

}  // namespace tandem::tools
