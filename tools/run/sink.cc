// SPDX-License-Identifier: Apache-2.0
#include "run/sink.h"

#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string>

namespace tandem::tools {

Sink::Sink(int fd) : fd_(fd), is_terminal_(isatty(fd) == 1) {
  struct stat facts {};
  if (fstat(fd, &facts) != 0) return;
  if (S_ISSOCK(facts.st_mode)) {
    kind_ = Kind::kSocket;
  } else if (S_ISFIFO(facts.st_mode) || is_terminal_) {
    const std::string path = "/proc/self/fd/" + std::to_string(fd);
    own_ = UniqueFd(open(path.c_str(), O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
    kind_ = own_.valid() ? Kind::kNonBlocking : Kind::kCareful;
  }
}

void Sink::Append(std::string_view bytes) {
  if (bytes.empty() || failure_ != 0) return;
  at_line_start_ = bytes.back() == '\n';
  buffer_.append(bytes);
}

void Sink::Flush() {
  while (Pending() > 0 && failure_ == 0) {
    const long count = WriteSome(buffer_.data() + written_, Pending());
    if (count >= 0) {
      written_ += static_cast<size_t>(count);
    } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
      break;
    } else if (errno != EINTR) {
      failure_ = errno;
    }
  }
  if (Pending() == 0 || failure_ != 0) {
    buffer_.clear();
    written_ = 0;
  } else if (written_ >= kHighWater) {
    buffer_.erase(0, written_);
    written_ = 0;
  }
}

long Sink::WriteSome(const char* bytes, size_t count) {
  if (kind_ == Kind::kSocket) return send(fd_, bytes, count, MSG_DONTWAIT | MSG_NOSIGNAL);
  if (kind_ == Kind::kCareful) {
    // A pipe that polls writable takes PIPE_BUF bytes without blocking.
    pollfd ready{.fd = fd_, .events = POLLOUT, .revents = 0};
    if (poll(&ready, 1, 0) <= 0) {
      errno = EAGAIN;
      return -1;
    }
    count = std::min<size_t>(count, PIPE_BUF);
  }
  return write(fd(), bytes, count);
}

bool SameFile(int a, int b) {
  struct stat first {};
  struct stat second {};
  return fstat(a, &first) == 0 && fstat(b, &second) == 0 && first.st_dev == second.st_dev &&
         first.st_ino == second.st_ino;
}

}  // namespace tandem::tools
