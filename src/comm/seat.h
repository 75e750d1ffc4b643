// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "base/mutex.h"

namespace tandem {

class Communicator;

// What a handle of a communicator names, with the communicator's submission lock in it. Used again, but never
// freed: so a call that has only a handle takes the lock first and then sees whether the communicator is
// still there. A transfer is queued under this one lock, and only its task counts a reference.
struct Seat {
  // Taken by a communicator for as long as it lives.
  static Seat& Take();
  static void Return(Seat& seat);

  // Operations are numbered and queued under it. May be held while a failure is reported to the application,
  // so whatever the application may then ask uses `mutex`.
  Mutex submit_mutex;
  Mutex mutex;  // taken after submit_mutex

  // Both are set and taken away under both locks, and may be read under either. Null while no handle is open.
  void* handle = nullptr;
  std::shared_ptr<Communicator> communicator;
};

}  // namespace tandem
