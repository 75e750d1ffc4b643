// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace tandem {

enum class LogLevel : uint8_t { kDebug, kInfo, kWarn, kError };

// Whether lines of this level are written: ASCEND_GLOBAL_LOG_LEVEL, or warnings and errors when it is unset.
bool LogEnabled(LogLevel level);

// Whether lines go to the standard error of this process, and nowhere else.
bool LogUsesStandardError();

// Local time as CANN writes it in logs and error texts: 2026-01-31-23:59:59.123.456.
std::string LogTime();

// Writes one line in CANN's layout, [LEVEL] TANDEM(pid,program):time [file:line] text, to the standard error
// or where ASCEND_SLOG_PRINT_TO_STDOUT, ASCEND_PROCESS_LOG_PATH and ASCEND_WORK_PATH say. A line that was
// written less than 10 s ago is only counted. Use TANDEM_LOG.
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
