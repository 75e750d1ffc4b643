// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>

#include "base/status.h"

namespace tandem {

// A child made by fork() has a copy of this library's state, but none of its threads, and any lock may be
// held for ever. It also shares the region of device memory with its parent. So once the library has been
// used, a child must not use it: every call is refused instead of hanging or damaging the parent's data.

// From now on a child is recognised. Called when the first context is opened.
void WatchForks();

extern std::atomic<bool> forked_child;

inline bool InForkedChild() { return forked_child.load(std::memory_order_relaxed); }

// kNotPermitted, with what to do instead.
Status ForkedChildStatus();

}  // namespace tandem
