// SPDX-License-Identifier: Apache-2.0
#include "comm/rank_table/node.h"

#include "base/config_parse.h"

namespace tandem::rank_table {
namespace {

using nlohmann::json;

constexpr size_t kMostShown = 80;

// The value as it stands in the file, cut where it is long.
std::string Shown(const json& value) {
  if (value.is_structured()) return value.is_array() ? "a list" : "an object";
  std::string text = value.dump(-1, ' ', true, json::error_handler_t::replace);
  if (text.size() > kMostShown) text = text.substr(0, kMostShown) + "...";
  return text;
}

std::string Range(uint64_t low, uint64_t high) {
  return "a whole number from " + std::to_string(low) + " to " + std::to_string(high);
}

}  // namespace

Status Node::Missing(const char* key, const char* what) const {
  return Status::Error(Code::kNotFound, "%s is missing, expected %s", Place(key).c_str(), what)
      .WithId("EI0017");
}

Status Node::WrongType(const char* key, const char* expected) const {
  return Status::Error(Code::kInvalidArgument, "%s is %s, expected %s", Place(key).c_str(),
                       Shown((*json_)[key]).c_str(), expected)
      .WithId("EI0017");
}

Status Node::Wrong(const char* key, const std::string& expected) const {
  return Status::Error(Code::kInvalidArgument, "%s is %s, expected %s", Place(key).c_str(),
                       Shown((*json_)[key]).c_str(), expected.c_str())
      .WithId("EI0014");
}

Status Node::Refuse(Code code, const std::string& text) const {
  return Status::Error(code, "%s: %s: %s", std::string(file_).c_str(), path_.c_str(), text.c_str())
      .WithId("EI0014");
}

Result<std::string> Node::Text(const char* key) const {
  const auto found = json_->find(key);
  if (found == json_->end()) return Missing(key, "a string");
  if (!found->is_string()) return WrongType(key, "a string in quotation marks");
  return found->get<std::string>();
}

Result<std::optional<std::string>> Node::OptionalText(const char* key) const {
  if (!Has(key)) return std::optional<std::string>();
  Result<std::string> text = Text(key);
  if (!text) return std::move(text).status();
  return std::optional<std::string>(std::move(*text));
}

Result<uint64_t> Node::ReadDigits(const char* key, const std::string& text, uint64_t low,
                                  uint64_t high) const {
  const std::optional<uint64_t> number = config::ParseWhole(text, low, high);
  if (!number) return Wrong(key, Range(low, high) + " in quotation marks");
  return *number;
}

Result<uint64_t> Node::Digits(const char* key, uint64_t low, uint64_t high) const {
  Result<std::string> text = Text(key);
  if (!text) return std::move(text).status();
  return ReadDigits(key, *text, low, high);
}

Result<uint64_t> Node::OptionalDigits(const char* key, uint64_t low, uint64_t high) const {
  return Has(key) ? Digits(key, low, high) : Result<uint64_t>(uint64_t{0});
}

Result<uint64_t> Node::Number(const char* key, uint64_t low, uint64_t high) const {
  const auto found = json_->find(key);
  if (found == json_->end()) return Missing(key, "a whole number");
  if (!found->is_number_integer()) return WrongType(key, "a whole number without quotation marks");
  // Negative numbers are the only ones that are not unsigned here.
  if (!found->is_number_unsigned()) return Wrong(key, Range(low, high));
  const auto number = found->get<uint64_t>();
  if (number < low || number > high) return Wrong(key, Range(low, high));
  return number;
}

Result<uint64_t> Node::OptionalNumber(const char* key, uint64_t low, uint64_t high) const {
  return Has(key) ? Number(key, low, high) : Result<uint64_t>(uint64_t{0});
}

Result<std::vector<Node>> Node::Objects(const char* key) const {
  const auto found = json_->find(key);
  if (found == json_->end()) return Missing(key, "a list");
  if (!found->is_array()) return WrongType(key, "a list");
  std::vector<Node> nodes;
  nodes.reserve(found->size());
  for (const json& item : *found) {
    std::string path = path_ + "." + key + "[" + std::to_string(nodes.size()) + "]";
    if (!item.is_object()) {
      return Status::Error(Code::kInvalidArgument, "%s: %s is %s, expected an object",
                           std::string(file_).c_str(), path.c_str(), Shown(item).c_str())
          .WithId("EI0017");
    }
    nodes.emplace_back(item, std::move(path), file_);
  }
  return nodes;
}

Result<std::vector<std::string>> Node::Texts(const char* key) const {
  const auto found = json_->find(key);
  if (found == json_->end()) return Missing(key, "a list of strings");
  if (!found->is_array()) return WrongType(key, "a list of strings");
  std::vector<std::string> texts;
  for (const json& item : *found) {
    if (!item.is_string()) return WrongType(key, "a list of strings only");
    texts.push_back(item.get<std::string>());
  }
  return texts;
}

}  // namespace tandem::rank_table
