// SPDX-License-Identifier: Apache-2.0
#include "run/signals.h"

#include <sys/signalfd.h>
#include <unistd.h>

namespace tandem::tools {

Signals::Signals() {
  struct sigaction action {};
  // A closed output is an errno for us, and an inherited "ignore" would make the kernel reap ranks by itself.
  action.sa_handler = SIG_IGN;
  sigaction(SIGPIPE, &action, &pipe_before_);
  action.sa_handler = SIG_DFL;
  sigaction(SIGCHLD, &action, &child_before_);
  sigset_t taken;
  sigemptyset(&taken);
  for (int number : {SIGCHLD, SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGTSTP}) {
    // A blocked signal is delivered to a signalfd even when it is ignored.
    struct sigaction current {};
    if (sigaction(number, nullptr, &current) == 0 && current.sa_handler != SIG_IGN) sigaddset(&taken, number);
  }
  sigprocmask(SIG_BLOCK, &taken, &mask_before_);
  fd_ = UniqueFd(signalfd(-1, &taken, SFD_NONBLOCK | SFD_CLOEXEC));
}

int Signals::Next() {
  signalfd_siginfo info{};
  if (read(fd_.get(), &info, sizeof(info)) != static_cast<ssize_t>(sizeof(info))) return 0;
  return static_cast<int>(info.ssi_signo);
}

void Signals::RestoreInChild() const {
  sigaction(SIGPIPE, &pipe_before_, nullptr);
  sigaction(SIGCHLD, &child_before_, nullptr);
  sigprocmask(SIG_SETMASK, &mask_before_, nullptr);
}

}  // namespace tandem::tools
