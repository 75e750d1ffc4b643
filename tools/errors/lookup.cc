// SPDX-License-Identifier: Apache-2.0
#include "errors/lookup.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <numeric>
#include <set>
#include <tuple>
#include <utility>

namespace tandem::tools {
namespace {

constexpr std::array<std::string_view, 5> kPrefixes = {"HCCL_E_", "HCCL_", "ACL_ERROR_RT_", "ACL_ERROR_",
                                                       "ACL_"};
constexpr size_t kMostSimilar = 6;

std::string Upper(std::string_view text) {
  std::string upper(text);
  std::transform(upper.begin(), upper.end(), upper.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return upper;
}

// The name itself and what is left of it without each prefix that it has.
std::vector<std::string> Spellings(const ErrorEntry& entry) {
  std::vector<std::string> spellings = {Upper(entry.name())};
  for (const std::string_view prefix : kPrefixes) {
    if (entry.name().starts_with(prefix)) spellings.emplace_back(entry.name().substr(prefix.size()));
  }
  return spellings;
}

// How many letters must be put in, taken out or replaced.
size_t Distance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 0; i < a.size(); ++i) {
    size_t diagonal = std::exchange(row[0], i + 1);
    for (size_t k = 0; k < b.size(); ++k) {
      const size_t replaced = diagonal + (a[i] == b[k] ? 0 : 1);
      diagonal = row[k + 1];
      row[k + 1] = std::min({replaced, row[k] + 1, diagonal + 1});
    }
  }
  return row.back();
}

// 0 is as good as equal; nothing beyond `limit` counts as similar.
size_t Unlikeness(const std::string& word, const std::string& name, size_t limit) {
  if (word.size() >= 3 && name.find(word) != std::string::npos) return 1;
  const size_t longer = std::max(word.size(), name.size());
  if (longer - std::min(word.size(), name.size()) > limit) return limit + 1;
  return Distance(word, name);
}

bool IsWord(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

}  // namespace

std::vector<ErrorEntry> AllErrors() {
  std::vector<ErrorEntry> all;
  for (const MessageId& message : MessageIds()) all.push_back({&message, nullptr, "message id"});
  for (const ErrorCode& code : HcclResults()) all.push_back({nullptr, &code, "HcclResult"});
  for (const ErrorCode& code : AclLayerErrors()) all.push_back({nullptr, &code, "aclError"});
  for (const ErrorCode& code : RuntimeErrors()) all.push_back({nullptr, &code, "aclError"});
  return all;
}

std::vector<ErrorEntry> FindErrors(std::string_view word) {
  std::string wanted = Upper(word);
  if (wanted == "ACL_SUCCESS" || wanted == "ACL_RT_SUCCESS") wanted = "ACL_ERROR_NONE";
  std::vector<ErrorEntry> exact;
  std::vector<ErrorEntry> shortened;
  for (const ErrorEntry& entry : AllErrors()) {
    const std::vector<std::string> spellings = Spellings(entry);
    if (spellings.front() == wanted ||
        (entry.code != nullptr && std::to_string(entry.code->value) == wanted)) {
      exact.push_back(entry);
    } else if (std::find(spellings.begin(), spellings.end(), wanted) != spellings.end()) {
      shortened.push_back(entry);
    }
  }
  return exact.empty() ? shortened : exact;
}

std::vector<std::string> SimilarErrors(std::string_view word) {
  const std::string wanted = Upper(word.substr(0, 64));
  const size_t limit = std::max<size_t>(1, std::min<size_t>(4, wanted.size() / 3));
  std::set<std::tuple<size_t, size_t, std::string>> ranked;  // shorter names first
  for (const ErrorEntry& entry : AllErrors()) {
    for (const std::string& spelling : Spellings(entry)) {
      const size_t unlike = Unlikeness(wanted, spelling, limit);
      if (unlike <= limit) ranked.emplace(unlike, entry.name().size(), entry.name());
    }
    if (entry.code == nullptr) continue;
    const std::string number = std::to_string(entry.code->value);
    if (const size_t unlike = Distance(wanted, number); unlike <= 1 && number.size() > 2) {
      ranked.emplace(unlike, number.size(), number);
    }
  }
  std::vector<std::string> similar;
  for (const auto& [unlike, size, name] : ranked) {
    if (similar.size() == kMostSimilar) break;
    if (std::find(similar.begin(), similar.end(), name) == similar.end()) similar.push_back(name);
  }
  return similar;
}

std::vector<std::string_view> MessageIdsOf(const ErrorCode& code) {
  std::vector<std::string_view> ids;
  for (const MessageId& message : MessageIds()) {
    const size_t at = message.result.find(code.name);
    if (at == std::string_view::npos) continue;
    const size_t end = at + code.name.size();
    if (end == message.result.size() || !IsWord(message.result[end])) ids.push_back(message.id);
  }
  return ids;
}

}  // namespace tandem::tools
