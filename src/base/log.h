// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace tandem {

enum class LogLevel : uint8_t { kDebug, kInfo, kWarn, kError };

// Whether lines of this level are written: ASCEND_GLOBAL_LOG_LEVEL, or warnings and errors when it is unset.
bool LogEnabled(LogLevel level);

// Writes one line: time, host:pid, level, file:line, text. Use TANDEM_LOG.
void LogLine(LogLevel level, const char* file, int line, const char* format, ...)
    __attribute__((format(printf, 4, 5)));

// TANDEM_LOG(kWarn, "peer %u silent for %d ms", peer, ms); arguments are evaluated only when the line is
// written.
#define TANDEM_LOG(level, ...)                                                       \
  do {                                                                               \
    if (::tandem::LogEnabled(::tandem::LogLevel::level)) {                           \
      ::tandem::LogLine(::tandem::LogLevel::level, __FILE__, __LINE__, __VA_ARGS__); \
    }                                                                                \
  } while (false)

}  // namespace tandem
