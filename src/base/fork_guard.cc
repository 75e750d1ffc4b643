// SPDX-License-Identifier: Apache-2.0
#include "base/fork_guard.h"

#include <pthread.h>
#include <unistd.h>

namespace tandem {
namespace {

std::atomic<pid_t> first_user{0};

void OnChild() { forked_child.store(true, std::memory_order_relaxed); }

int Watch() {
  first_user.store(getpid(), std::memory_order_relaxed);
  // Fails only without memory; then a child goes unrecognised.
  return pthread_atfork(nullptr, nullptr, &OnChild);
}

}  // namespace

std::atomic<bool> forked_child{false};

void WatchForks() {
  static const int watching = Watch();
  static_cast<void>(watching);
}

Status ForkedChildStatus() {
  return Status::Error(
      Code::kNotPermitted,
      "this process was forked from pid %d after Tandem had been used there; fork first, or start "
      "ranks as new programs (fork and exec, `tandem run`)",
      first_user.load(std::memory_order_relaxed));
}

}  // namespace tandem
