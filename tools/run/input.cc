// SPDX-License-Identifier: Apache-2.0
#include "run/input.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

namespace tandem::tools {

Input::Input() : null_(open("/dev/null", O_RDWR | O_CLOEXEC)), terminal_(isatty(STDIN_FILENO) == 1) {
  if (!terminal_) return;
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return;
  to_rank_read_ = UniqueFd(ends[0]);
  to_rank_write_ = UniqueFd(ends[1]);
  fcntl(to_rank_write_.get(), F_SETFL, O_NONBLOCK);
}

int Input::RankZeroFd() const { return terminal_ ? to_rank_read_.get() : STDIN_FILENO; }

bool Input::InForeground() const { return tcgetpgrp(STDIN_FILENO) == getpgrp(); }

void Input::Watch(std::vector<pollfd>& polled) const {
  if (!to_rank_write_.valid()) return;
  if (!typed_.empty()) {
    polled.push_back({.fd = to_rank_write_.get(), .events = POLLOUT, .revents = 0});
  } else if (InForeground()) {
    polled.push_back({.fd = STDIN_FILENO, .events = POLLIN, .revents = 0});
  }
}

void Input::Handle() {
  if (!to_rank_write_.valid()) return;
  pollfd ready{.fd = STDIN_FILENO, .events = POLLIN, .revents = 0};
  if (typed_.empty() && InForeground() && poll(&ready, 1, 0) == 1) {
    char buffer[4096];
    const ssize_t count = read(STDIN_FILENO, buffer, sizeof(buffer));
    if (count > 0) {
      typed_.assign(buffer, static_cast<size_t>(count));
    } else if (count == 0 || errno != EINTR) {
      to_rank_write_.Reset();
      return;
    }
  }
  if (typed_.empty()) return;
  const ssize_t count = write(to_rank_write_.get(), typed_.data(), typed_.size());
  if (count > 0) {
    typed_.erase(0, static_cast<size_t>(count));
  } else if (errno != EAGAIN && errno != EINTR) {
    to_rank_write_.Reset();
  }
}

}  // namespace tandem::tools
