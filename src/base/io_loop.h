// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace asio {
class io_context;
}

namespace tandem {

// The process's one thread for control connections: bootstrap, peers' sockets, timers. No payload passes
// through it. Started by the first call; it lives until the process ends, because connections that report a
// peer's death must outlive every communicator. Handlers run on that thread only, so state used by handlers
// alone needs no lock.
class IoLoop {
 public:
  static asio::io_context& Context();
  // Whether the calling thread is the loop's own (it must never wait for a handler).
  static bool IsLoopThread();
};

}  // namespace tandem
