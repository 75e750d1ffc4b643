// SPDX-License-Identifier: Apache-2.0
#include "capi/init_config.h"

#include <sys/stat.h>

#include <charconv>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <utility>

#include "stream/device.h"

namespace tandem::capi {
namespace {

using nlohmann::json;

constexpr int kDeepest = 10;
constexpr off_t kLargestFile = off_t{16} << 20;

Result<std::string> ReadFile(const char* path) {
  struct stat info {};
  if (stat(path, &info) != 0) {
    return Status::Error(Code::kInvalidFile, "configPath \"%s\": %s", path, std::strerror(errno));
  }
  // Opening a pipe would wait for a writer.
  std::ifstream file;
  if (S_ISREG(info.st_mode)) file.open(path, std::ios::binary);
  if (!file.is_open()) {
    return Status::Error(Code::kInvalidFile, "configPath \"%s\" is not a file that can be read", path);
  }
  if (info.st_size > kLargestFile) {
    return Status::Error(Code::kInvalidFile, "configPath \"%s\" has %lld bytes, expected at most %lld", path,
                         static_cast<long long>(info.st_size), static_cast<long long>(kLargestFile));
  }
  return std::string(std::istreambuf_iterator<char>(file), {});
}

Result<json> Parse(const std::string& text, const char* path) {
  bool too_deep = false;
  const auto watch = [&too_deep](int nesting, json::parse_event_t event, const json&) {
    const bool opens =
        event == json::parse_event_t::object_start || event == json::parse_event_t::array_start;
    too_deep |= opens && nesting >= kDeepest;
    return true;
  };
  // Deep nesting is refused before the parser, whose own checks are iterative, builds anything from it.
  json document = json::parse(text, watch, false);
  if (too_deep) {
    return Status::Error(Code::kParseFile, "configPath \"%s\" nests deeper than %d levels", path, kDeepest);
  }
  if (document.is_discarded() || !document.is_object()) {
    return Status::Error(Code::kParseFile, "configPath \"%s\" is not a JSON object", path);
  }
  return document;
}

// A number, or a text that is one.
std::optional<int32_t> AsNumber(const json& value) {
  if (value.is_number_integer()) {
    const auto wide = value.get<int64_t>();
    if (wide < INT32_MIN || wide > INT32_MAX) return std::nullopt;
    return static_cast<int32_t>(wide);
  }
  if (!value.is_string()) return std::nullopt;
  const auto& text = value.get_ref<const std::string&>();
  int32_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

Status ReadDefaultDevice(const json& document, InitConfig& config) {
  const auto section = document.find("defaultDevice");
  if (section == document.end()) return Status::Ok();
  std::optional<int32_t> device;
  if (section->is_object() && section->contains("default_device"))
    device = AsNumber((*section)["default_device"]);
  if (!device || !DeviceOfUserId(*device)) {
    return Status::Error(Code::kFailure,
                         "\"defaultDevice\" is %s, expected {\"default_device\": \"N\"} with the id of a "
                         "device",
                         section->dump().c_str());
  }
  config.default_device = device;
  return Status::Ok();
}

Status ReadMessageMode(const json& document, InitConfig& config) {
  const auto mode = document.find("err_msg_mode");
  if (mode == document.end()) return Status::Ok();
  const std::optional<int32_t> number = AsNumber(*mode);
  if (!number || (*number != 0 && *number != 1)) {
    return Status::Error(Code::kInvalidArgument,
                         "\"err_msg_mode\" is %s, expected \"0\" (thread) or \"1\" (process)",
                         mode->dump().c_str());
  }
  config.message_scope = *number == 1 ? MessageScope::kProcess : MessageScope::kThread;
  return Status::Ok();
}

}  // namespace

Result<InitConfig> ReadInitConfig(const char* path) {
  InitConfig config;
  if (path == nullptr || *path == '\0') return config;
  Result<std::string> text = ReadFile(path);
  if (!text) return text.status();
  config.text = std::move(*text);
  const Result<json> document = Parse(config.text, path);
  if (!document) return document.status();
  TANDEM_RETURN_IF_ERROR(ReadDefaultDevice(*document, config));
  TANDEM_RETURN_IF_ERROR(ReadMessageMode(*document, config));
  return config;
}

}  // namespace tandem::capi
