// SPDX-License-Identifier: Apache-2.0
#include "base/log.h"

#include <unistd.h>

#include <array>
#include <cstdarg>
#include <cstdio>
#include <string>
#include <string_view>

#include "base/config.h"

#define SPDLOG_LEVEL_NAMES \
  { "TRACE", "DEBUG", "INFO", "WARN", "ERROR", "CRITICAL", "OFF" }
#include <spdlog/logger.h>
#include <spdlog/sinks/stdout_sinks.h>

namespace tandem {
namespace {

spdlog::level::level_enum ToSpdlog(LogLevel level) {
  switch (level) {
    case LogLevel::kDebug:
      return spdlog::level::debug;
    case LogLevel::kInfo:
      return spdlog::level::info;
    case LogLevel::kWarn:
      return spdlog::level::warn;
    case LogLevel::kError:
      return spdlog::level::err;
  }
  return spdlog::level::off;
}

spdlog::level::level_enum Threshold() {
  const std::string text = SettingText("ASCEND_GLOBAL_LOG_LEVEL").value_or("");
  if (text == "0") return spdlog::level::debug;
  if (text == "1") return spdlog::level::info;
  if (text == "3") return spdlog::level::err;
  if (text == "4") return spdlog::level::off;
  return spdlog::level::warn;
}

spdlog::logger* MakeLogger() {
  spdlog::sink_ptr sink;
  if (SettingText("ASCEND_SLOG_PRINT_TO_STDOUT") == "1") {
    sink = std::make_shared<spdlog::sinks::stdout_sink_mt>();
  } else {
    sink = std::make_shared<spdlog::sinks::stderr_sink_mt>();
  }
  std::array<char, 256> host{};
  gethostname(host.data(), host.size() - 1);
  auto* logger = new spdlog::logger("tandem", std::move(sink));
  logger->set_level(Threshold());
  // The pid comes with the pattern, so that a forked child does not use its parent's.
  logger->set_pattern("%H:%M:%S.%f " + std::string(host.data()) + ":%P %l %v");
  logger->flush_on(spdlog::level::trace);
  return logger;
}

spdlog::logger& Logger() {
  // Never destroyed: threads may still log while the process ends.
  static spdlog::logger* logger = MakeLogger();
  return *logger;
}

// The folder and the file: enough to find it, and the same wherever it was built.
std::string_view ShortPath(std::string_view path) {
  const size_t name = path.rfind('/');
  if (name == std::string_view::npos || name == 0) return path;
  const size_t folder = path.rfind('/', name - 1);
  return folder == std::string_view::npos ? path : path.substr(folder + 1);
}

}  // namespace

bool LogEnabled(LogLevel level) { return Logger().should_log(ToSpdlog(level)); }

void LogLine(LogLevel level, const char* file, int line, const char* format, ...) {
  va_list args;
  va_start(args, format);
  std::array<char, 2048> text{};
  std::vsnprintf(text.data(), text.size(), format, args);
  va_end(args);
  Logger().log(ToSpdlog(level), "{}:{} {}", ShortPath(file), line, text.data());
}

}  // namespace tandem
