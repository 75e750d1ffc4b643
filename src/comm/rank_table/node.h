// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace tandem::rank_table {

// A value in a rank table with its place, for messages that say both. Whatever was expected and is not there
// gives EI0017: kNotFound when it is missing, kInvalidArgument when it has another type.
class Node {
 public:
  Node(const nlohmann::json& json, std::string path, std::string_view file)
      : json_(&json), path_(std::move(path)), file_(file) {}

  const std::string& path() const { return path_; }
  std::string_view file() const { return file_; }
  bool Has(const char* key) const { return json_->contains(key); }

  // Formats 1.x: every scalar is a string. `low` to `high` in digits only, EI0014 otherwise.
  Result<std::string> Text(const char* key) const;
  Result<std::optional<std::string>> OptionalText(const char* key) const;
  Result<uint64_t> Digits(const char* key, uint64_t low, uint64_t high) const;
  Result<uint64_t> OptionalDigits(const char* key, uint64_t low, uint64_t high) const;  // 0 when not there
  // Format 2.0: numbers are numbers.
  Result<uint64_t> Number(const char* key, uint64_t low, uint64_t high) const;
  Result<uint64_t> OptionalNumber(const char* key, uint64_t low, uint64_t high) const;

  // An array of objects.
  Result<std::vector<Node>> Objects(const char* key) const;
  // An array of strings.
  Result<std::vector<std::string>> Texts(const char* key) const;

  // EI0014 with kInvalidArgument: "FILE: PATH.key is VALUE, expected EXPECTED".
  Status Wrong(const char* key, const std::string& expected) const;
  // EI0014 with this code: "FILE: PATH: text".
  Status Refuse(Code code, const std::string& text) const;

 private:
  Status Missing(const char* key, const char* what) const;
  Status WrongType(const char* key, const char* expected) const;
  std::string Place(const char* key) const { return std::string(file_) + ": " + path_ + "." + key; }
  Result<uint64_t> ReadDigits(const char* key, const std::string& text, uint64_t low, uint64_t high) const;

  const nlohmann::json* json_;
  std::string path_;
  std::string_view file_;
};

}  // namespace tandem::rank_table
