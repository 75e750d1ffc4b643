// SPDX-License-Identifier: Apache-2.0
// From a path to JSON: everything about the file that does not depend on its format.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <nlohmann/json.hpp>
#include <thread>
#include <utility>

#include "base/fd.h"
#include "base/log.h"
#include "comm/rank_table/node.h"
#include "comm/rank_table/rank_table.h"

namespace tandem::rank_table {
namespace {

using nlohmann::json;

constexpr auto kReadAgainAfter = std::chrono::seconds(1);
constexpr size_t kMostShownOfPath = 256;

std::string ShownPath(const std::string& path) {
  if (path.size() <= kMostShownOfPath) return path;
  return path.substr(0, kMostShownOfPath) + "... (" + std::to_string(path.size()) + " characters)";
}

Status Unreadable(int error_number, const std::string& path) {
  return Status::FromErrno(error_number, "rank table file %s cannot be read", ShownPath(path).c_str());
}

// Keeps the text, changes what kind of failure it is.
Status AsInvalidFile(const Status& status) {
  return Status::Error(Code::kInvalidFile, "%s", std::string(status.text()).c_str()).WithId("EI0004");
}

Result<std::string> ReadAll(const std::string& path) {
  // Not blocking: a pipe of that name must not hang the call. Such files are refused below.
  const UniqueFd fd(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!fd.valid()) return AsInvalidFile(Unreadable(errno, path));
  struct stat facts {};
  if (fstat(fd.get(), &facts) != 0) return AsInvalidFile(Unreadable(errno, path));
  if (!S_ISREG(facts.st_mode)) {
    return Status::Error(Code::kInvalidFile, "rank table %s is no ordinary file", ShownPath(path).c_str())
        .WithId("EI0004");
  }
  std::string text;
  char bytes[65536];
  for (;;) {
    const ssize_t got = read(fd.get(), bytes, sizeof(bytes));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return AsInvalidFile(Unreadable(errno, path));
    if (got == 0) return text;
    text.append(bytes, static_cast<size_t>(got));
    if (text.size() > kMaxFileBytes) {
      return Status::Error(Code::kInvalidFile,
                           "rank table file %s has more than %zu bytes, which is the most this library reads",
                           ShownPath(path).c_str(), kMaxFileBytes)
          .WithId("EI0004");
    }
  }
}

// "line 3, column 17" of a byte.
std::string Position(std::string_view text, size_t byte) {
  const std::string_view before = text.substr(0, std::min(byte, text.size()));
  const auto line = 1 + std::count(before.begin(), before.end(), '\n');
  const size_t line_start = before.rfind('\n') == std::string_view::npos ? 0 : before.rfind('\n') + 1;
  return "line " + std::to_string(line) + ", column " + std::to_string(before.size() - line_start + 1);
}

Status NotJson(const std::string& file, const std::string& position, const std::string& why) {
  return Status::Error(Code::kParseFile, "%s, %s: not JSON: %s", ShownPath(file).c_str(), position.c_str(),
                       why.c_str())
      .WithId("EI0004");
}

// Byte after which brackets are nested too deeply, or npos. Looks at brackets outside of strings only, which
// is right for JSON; what is not JSON is found by the parser.
size_t FindTooDeep(std::string_view text) {
  size_t depth = 0;
  bool in_string = false;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string) {
      if (c == '\\') ++i;
      if (c == '"') in_string = false;
    } else if (c == '"') {
      in_string = true;
    } else if (c == '[' || c == '{') {
      if (++depth > kMaxDepth) return i;
    } else if ((c == ']' || c == '}') && depth > 0) {
      --depth;
    }
  }
  return std::string_view::npos;
}

// The part of the parser's text that says what it met and what it wanted instead.
std::string Reason(const std::string& what) {
  const size_t column = what.find(", column ");
  const size_t colon = what.find(": ", column == std::string::npos ? 0 : column);
  return colon == std::string::npos ? what : what.substr(colon + 2);
}

std::string StatusOf(const Document& document) {
  const auto found = document.json->find("status");
  return found != document.json->end() && found->is_string() ? found->get<std::string>() : "completed";
}

}  // namespace

Result<Document> Parse(const std::string& file, std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF")) {
    return NotJson(file, "line 1, column 1",
                   "the file begins with a byte order mark (EF BB BF); save it as UTF-8 without one");
  }
  if (const size_t deep = FindTooDeep(text); deep != std::string_view::npos) {
    return NotJson(file, Position(text, deep),
                   "more than " + std::to_string(kMaxDepth) + " lists and objects inside each other");
  }
  try {
    auto value = std::make_shared<const json>(json::parse(text));
    if (value->is_object()) return Document{file, std::move(value)};
    return NotJson(file, "line 1", "the file holds something else than one object { ... }");
  } catch (const json::parse_error& error) {
    return NotJson(file, Position(text, error.byte > 0 ? error.byte - 1 : 0), Reason(error.what()));
  } catch (const json::exception& error) {
    // A number that fits no type.
    return NotJson(file, "somewhere", error.what());
  }
}

Result<Document> Load(const std::string& path) {
  if (path.size() + 1 > kMaxPathBytes) {
    return Status::Error(Code::kInvalidFile,
                         "the path of the rank table has %zu characters, expected at most %zu: %s",
                         path.size(), kMaxPathBytes - 1, ShownPath(path).c_str())
        .WithId("EI0004");
  }
  if (!path.ends_with(".json")) {
    return Status::Error(Code::kInvalidFile, "rank table file \"%s\" does not end in .json",
                         ShownPath(path).c_str())
        .WithId("EI0004");
  }
  Result<std::string> text = ReadAll(path);
  if (!text) return std::move(text).status();
  return Parse(path, *text);
}

Result<Document> AwaitCompleted(Document document, Deadline deadline) {
  const std::string path = document.file;
  bool noted = false;
  for (;;) {
    // Format 2.0 need not have a status; whether the others must is looked at with the rest of the content.
    const std::string status = StatusOf(document);
    if (status == "completed") return document;
    if (Clock::now() >= deadline) {
      return Status::Error(Code::kTimeout,
                           "%s: $.status is \"%.80s\" and has not become \"completed\" in time; whoever "
                           "writes the file must set it when all entries are there",
                           document.file.c_str(), status.c_str())
          .WithId("EI0014");
    }
    if (!std::exchange(noted, true)) {
      TANDEM_LOG(kWarn, "%s: $.status is \"%.80s\"; reading the file again until it is \"completed\"",
                 document.file.c_str(), status.c_str());
    }
    std::this_thread::sleep_until(std::min(Clock::now() + kReadAgainAfter, deadline));
    Result<Document> again = Load(path);
    if (!again) return again;
    document = std::move(*again);
  }
}

}  // namespace tandem::rank_table
