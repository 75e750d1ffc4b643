// SPDX-License-Identifier: Apache-2.0
#include "base/log.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdarg>
#include <cstdio>
#include <ctime>
#include <functional>
#include <mutex>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

#include "base/config.h"
#include "base/log_file.h"
#include "base/log_repeats.h"
#include "base/run_log.h"

#define SPDLOG_LEVEL_NAMES \
  { "TRACE", "DEBUG", "INFO", "WARN", "ERROR", "CRITICAL", "OFF" }
#include <spdlog/logger.h>
#include <spdlog/sinks/base_sink.h>
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

// As CANN's log spells them.
const char* LevelName(LogLevel level) {
  switch (level) {
    case LogLevel::kDebug:
      return "DEBUG";
    case LogLevel::kInfo:
      return "INFO";
    case LogLevel::kWarn:
      return "WARNING";
    case LogLevel::kError:
      return "ERROR";
  }
  return "NULL";
}

// Nothing when it is unset, empty or not valid: then the default holds.
std::optional<std::string> ValidText(std::string_view name) {
  for (const Setting& setting : Settings()) {
    if (name == setting.name) return EffectiveValue(setting).valid.ok() ? SettingText(name) : std::nullopt;
  }
  return std::nullopt;
}

spdlog::level::level_enum Threshold() {
  constexpr std::array kLevels = {spdlog::level::debug, spdlog::level::info, spdlog::level::warn,
                                  spdlog::level::err, spdlog::level::off};
  const auto text = ValidText("ASCEND_GLOBAL_LOG_LEVEL");
  return text ? kLevels[static_cast<size_t>(text->back() - '0')] : spdlog::level::warn;
}

// The folder for files; "" for none.
std::string Folder() {
  if (const auto path = ValidText("ASCEND_PROCESS_LOG_PATH")) return *path;
  const auto work = ValidText("ASCEND_WORK_PATH");
  return work ? *work + "/log" : "";
}

// Every line into a file; those that do not get there to the standard error, the first of them with the
// reason.
class FileSink final : public spdlog::sinks::base_sink<std::mutex> {
 public:
  FileSink(const std::string& folder, size_t most_files, const char* kind)
      : file_(folder, most_files, LogFile::kFileBytes, kind) {}

 protected:
  void sink_it_(const spdlog::details::log_msg& message) override {
    const std::string_view line(message.payload.data(), message.payload.size());
    const int error = file_.Write(line);
    if (error != 0) {
      if (error != last_error_) {
        std::fprintf(stderr, "[WARNING] TANDEM(%d): the log file %s cannot be written: %s\n", getpid(),
                     file_.path().c_str(), std::generic_category().message(error).c_str());
      }
      std::fprintf(stderr, "%.*s\n", static_cast<int>(line.size()), line.data());
    }
    last_error_ = error;
  }
  void flush_() override {}

 private:
  LogFile file_;
  int last_error_ = 0;
};

bool PrintsToStandardOutput() { return ValidText("ASCEND_SLOG_PRINT_TO_STDOUT") == "1"; }

spdlog::sink_ptr MakeSink(const char* kind) {
  if (PrintsToStandardOutput()) {
    return std::make_shared<spdlog::sinks::stdout_sink_mt>();
  }
  const std::string folder = Folder();
  if (folder.empty()) return std::make_shared<spdlog::sinks::stderr_sink_mt>();
  const std::string files = ValidText("ASCEND_HOST_LOG_FILE_NUM").value_or("10");
  return std::make_shared<FileSink>(folder, std::stoul(files), kind);
}

struct Log {
  spdlog::logger logger{"tandem", MakeSink("debug")};
  LogRepeats repeats;
  const bool on_standard_error = !PrintsToStandardOutput() && Folder().empty();
};

// The folder and the file: enough to find it, and the same wherever it was built.
std::string_view ShortPath(std::string_view path) {
  const size_t name = path.rfind('/');
  if (name == std::string_view::npos || name == 0) return path;
  const size_t folder = path.rfind('/', name - 1);
  return folder == std::string_view::npos ? path : path.substr(folder + 1);
}

std::string Compose(LogLevel level, std::string_view file, int line, std::string_view text) {
  std::string all = std::string("[") + LevelName(level) + "] TANDEM(" + std::to_string(getpid()) + "," +
                    program_invocation_short_name + "):" + LogTime() + " [";
  all += ShortPath(file);
  return all + ":" + std::to_string(line) + "] " + std::string(text);
}

Log* MakeLog() {
  auto* log = new Log;
  log->logger.set_level(Threshold());
  log->logger.set_pattern("%v");
  log->logger.flush_on(spdlog::level::trace);
  // What cannot be logged must not become noise of another kind.
  log->logger.set_error_handler([](const std::string&) {});
  for (const Setting& setting : Settings()) {
    if (setting.reader != SettingReader::kLog) continue;
    const Status valid = EffectiveValue(setting).valid;
    if (valid.ok()) continue;
    const std::string text = std::string(valid.text()) + "; the default is used";
    log->logger.warn(Compose(LogLevel::kWarn, __FILE__, __LINE__, text));
  }
  return log;
}

Log& TheLog() {
  // Never destroyed: threads may still log while the process ends.
  static Log* log = MakeLog();
  return *log;
}

// The run log: what was asked for by name, so neither the level nor the rule for equal lines holds.
spdlog::logger& RunLog() {
  // Never destroyed, as above.
  static auto* const log = [] {
    auto* made = new spdlog::logger("tandem run", MakeSink("run"));
    made->set_level(spdlog::level::info);
    made->set_pattern("%v");
    made->flush_on(spdlog::level::trace);
    made->set_error_handler([](const std::string&) {});
    return made;
  }();
  return *log;
}

}  // namespace

std::string LogTime() {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  std::tm local{};
  localtime_r(&now.tv_sec, &local);
  std::array<char, 32> day{};
  std::strftime(day.data(), day.size(), "%Y-%m-%d-%H:%M:%S", &local);
  const auto micros = static_cast<int>(now.tv_nsec / 1'000);
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), "%s.%03d.%03d", day.data(), micros / 1'000, micros % 1'000);
  return text.data();
}

bool LogEnabled(LogLevel level) { return TheLog().logger.should_log(ToSpdlog(level)); }

void WriteRunLog(const char* file, int line, std::string_view text) {
  RunLog().info(Compose(LogLevel::kInfo, file, line, text));
}

bool LogUsesStandardError() { return TheLog().on_standard_error; }

void LogLine(LogLevel level, const char* file, int line, const char* format, ...) {
  va_list args;
  va_start(args, format);
  std::array<char, 2048> buffer{};
  std::vsnprintf(buffer.data(), buffer.size(), format, args);
  va_end(args);
  std::string text(buffer.data());
  std::replace(text.begin(), text.end(), '\n', ' ');
  const size_t key = std::hash<std::string>()(std::to_string(line) + file + text);
  const auto left_out = TheLog().repeats.Admit(key, std::chrono::steady_clock::now());
  if (!left_out) return;
  if (*left_out > 0) text += " (" + std::to_string(*left_out) + " equal lines were left out)";
  TheLog().logger.log(ToSpdlog(level), Compose(level, file, line, text));
}

}  // namespace tandem
