// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <string_view>

namespace tandem {

// One write(2), repeated only when a signal interrupted it before the first byte. What cannot be written is
// -1 and errno, never a signal: without SIGXFSZ (limit for the size of files) and SIGPIPE (nobody reads the
// pipe), which would end the process because of a line of text.
ssize_t WriteQuietly(int fd, std::string_view text);

}  // namespace tandem
