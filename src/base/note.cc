// SPDX-License-Identifier: Apache-2.0
#include "base/note.h"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "base/log.h"
#include "base/quiet_write.h"

namespace tandem {

void WriteNote(const std::string& text) {
  std::string line = "[NOTE] TANDEM(" + std::to_string(getpid()) + "," + program_invocation_short_name +
                     "):" + LogTime() + " " + text;
  std::replace(line.begin(), line.end(), '\n', ' ');
  line += '\n';
  pollfd room{STDERR_FILENO, POLLOUT, 0};
  if (poll(&room, 1, 0) == 1 && (room.revents & POLLOUT) != 0) WriteQuietly(STDERR_FILENO, line);
  if (!LogUsesStandardError()) TANDEM_LOG(kWarn, "%s", text.c_str());
}

}  // namespace tandem
