// SPDX-License-Identifier: Apache-2.0
#include "base/quiet_write.h"

#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <ctime>

namespace tandem {

ssize_t WriteQuietly(int fd, std::string_view text) {
  sigset_t blocked;
  sigset_t before;
  sigset_t pending;
  sigemptyset(&blocked);
  sigaddset(&blocked, SIGXFSZ);
  sigaddset(&blocked, SIGPIPE);
  sigpending(&pending);
  pthread_sigmask(SIG_BLOCK, &blocked, &before);
  ssize_t written = 0;
  do {
    written = write(fd, text.data(), text.size());
  } while (written < 0 && errno == EINTR);
  const int error = errno;
  // The signal of this write, if there was one, waits for this thread. One that was waiting before stays.
  const int caused = written >= 0 ? 0 : error == EFBIG ? SIGXFSZ : error == EPIPE ? SIGPIPE : 0;
  if (caused != 0 && sigismember(&pending, caused) == 0) {
    sigset_t taken;
    sigemptyset(&taken);
    sigaddset(&taken, caused);
    const timespec now{};
    sigtimedwait(&taken, nullptr, &now);
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  errno = error;
  return written;
}

}  // namespace tandem
