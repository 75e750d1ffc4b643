// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdio>
#include <string>
#include <vector>

#include "comm/bootstrap/bootstrap.h"

namespace tandem::bootstrap::test {

// A limit that no test reaches.
inline constexpr auto kLong = std::chrono::milliseconds(60'000);

// A real process: this test program again, told by lines what to do. It ends with its parent.
class Worker {
 public:
  Worker();
  ~Worker();
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  pid_t pid() const { return pid_; }
  RootInfoBytes StartRoot();
  // Joins as this many ranks of one process, from `first`, a thread each. Read the answers with Line().
  void Join(const RootInfoBytes& info, uint32_t first, uint32_t local, uint32_t count,
            std::chrono::milliseconds wait);
  void Leave() { Tell("leave"); }
  void ForkChild() { Tell("child"); }  // a program that outlives the worker, with all inheritable descriptors
  void Kill(int signal);
  // The next line that the worker says: "joined RANK NAME", "failed RANK CODE ID TEXT", "lost BY RANK LEFT
  // CAUSE", "left", "child". Empty when it has ended.
  std::string Line();

 private:
  void Tell(const std::string& line);

  pid_t pid_ = -1;
  FILE* to_ = nullptr;
  FILE* from_ = nullptr;
};

}  // namespace tandem::bootstrap::test
