// SPDX-License-Identifier: Apache-2.0
#include "base/io_loop.h"

#include <pthread.h>
#include <unistd.h>

#include <asio/error.hpp>
#include <asio/executor_work_guard.hpp>
#include <asio/io_context.hpp>
#include <csignal>
#include <cstdlib>
#include <thread>

namespace tandem {
namespace {

struct Loop {
  asio::io_context context{1};
  asio::executor_work_guard<asio::io_context::executor_type> work{context.get_executor()};
  std::thread thread;
  pid_t pid = getpid();

  Loop() {
    // The application's signal handlers belong on the application's threads.
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    thread = std::thread([this] {
      pthread_setname_np(pthread_self(), "tandem-io");
      context.run();
    });
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
  }
};

void StopAtExit();

Loop& Instance() {
  // Never destroyed: connections refer to it until the very end of the process. But the thread must not run
  // while the C++ library's own static objects are destroyed; what it uses of them is made before the handler
  // is registered, so the handler runs first.
  static Loop* const loop = [] {
    static_cast<void>(asio::error::get_system_category());
    static_cast<void>(asio::error::get_misc_category());
    auto* made = new Loop;
    std::atexit(StopAtExit);
    return made;
  }();
  return *loop;
}

void StopAtExit() {
  Loop& loop = Instance();
  // A forked child has no such thread, and a handler that calls exit() must not wait for itself.
  if (loop.pid != getpid() || loop.thread.get_id() == std::this_thread::get_id()) return;
  loop.context.stop();
  loop.thread.join();
}

}  // namespace

asio::io_context& IoLoop::Context() { return Instance().context; }

bool IoLoop::IsLoopThread() { return std::this_thread::get_id() == Instance().thread.get_id(); }

}  // namespace tandem
