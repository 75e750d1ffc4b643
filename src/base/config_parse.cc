// SPDX-License-Identifier: Apache-2.0
#include "base/config_parse.h"

#include <arpa/inet.h>

#include <algorithm>
#include <cctype>
#include <limits>
#include <set>

namespace tandem {

bool NicFilter::Accepts(std::string_view nic) const {
  const bool matches = std::any_of(names.begin(), names.end(), [&](const std::string& name) {
    return exact ? nic == name : nic.starts_with(name);
  });
  return matches != exclude;
}

namespace config {
namespace {

constexpr size_t kMaxDigits = 10;

bool AllDigits(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

// Splits at commas; an empty part stays, for the caller to refuse.
std::vector<std::string_view> Split(std::string_view text) {
  std::vector<std::string_view> parts;
  while (true) {
    const size_t comma = text.find(',');
    parts.push_back(text.substr(0, comma));
    if (comma == std::string_view::npos) return parts;
    text.remove_prefix(comma + 1);
  }
}

std::optional<std::pair<uint16_t, uint16_t>> ParsePortRange(std::string_view text) {
  const size_t dash = text.find('-');
  const auto first = ParseWhole(text.substr(0, dash), 1, 65535);
  const auto last = dash == std::string_view::npos ? first : ParseWhole(text.substr(dash + 1), 1, 65535);
  if (!first || !last || *first > *last) return std::nullopt;
  return std::pair(static_cast<uint16_t>(*first), static_cast<uint16_t>(*last));
}

bool Overlap(const std::vector<std::pair<uint16_t, uint16_t>>& ranges) {
  auto sorted = ranges;
  std::sort(sorted.begin(), sorted.end());
  return std::adjacent_find(sorted.begin(), sorted.end(),
                            [](const auto& a, const auto& b) { return b.first <= a.second; }) != sorted.end();
}

}  // namespace

std::optional<uint64_t> ParseWhole(std::string_view text, uint64_t low, uint64_t high) {
  if (!AllDigits(text) || text.size() > kMaxDigits) return std::nullopt;
  uint64_t value = 0;
  for (const char c : text) value = value * 10 + static_cast<uint64_t>(c - '0');
  if (value < low || value > high) return std::nullopt;
  return value;
}

std::optional<std::chrono::nanoseconds> ParseSeconds(std::string_view text, uint64_t high, size_t decimals) {
  const size_t point = text.find('.');
  const auto whole = ParseWhole(text.substr(0, point), 0, high);
  if (!whole) return std::nullopt;
  auto value = std::chrono::nanoseconds(std::chrono::seconds(static_cast<int64_t>(*whole)));
  if (point == std::string_view::npos) return value;
  const std::string_view fraction = text.substr(point + 1);
  if (!AllDigits(fraction) || fraction.size() > decimals) return std::nullopt;
  int64_t unit = 1'000'000'000;
  for (const char c : fraction) value += std::chrono::nanoseconds((c - '0') * (unit /= 10));
  if (value > std::chrono::seconds(static_cast<int64_t>(high))) return std::nullopt;
  return value;
}

std::optional<uint64_t> ParseBytes(std::string_view text) {
  int shift = 0;
  if (!text.empty()) {
    switch (text.back()) {
      case 'K':
        shift = 10;
        break;
      case 'M':
        shift = 20;
        break;
      case 'G':
        shift = 30;
        break;
      case 'T':
        shift = 40;
        break;
      default:
        break;
    }
  }
  if (shift != 0) text.remove_suffix(1);
  if (!AllDigits(text) || text.size() > 15) return std::nullopt;
  uint64_t value = 0;
  for (const char c : text) value = value * 10 + static_cast<uint64_t>(c - '0');
  if (value == 0 || value > (std::numeric_limits<uint64_t>::max() >> shift)) return std::nullopt;
  return value << shift;
}

std::optional<NicFilter> ParseNicFilter(std::string_view text) {
  NicFilter filter;
  if (text.starts_with('^')) {
    filter.exclude = true;
    text.remove_prefix(1);
  }
  if (text.starts_with('=')) {
    filter.exact = true;
    text.remove_prefix(1);
  }
  for (const std::string_view name : Split(text)) {
    if (name.empty() || name.find_first_of("^= ") != std::string_view::npos) return std::nullopt;
    filter.names.emplace_back(name);
  }
  return filter;
}

std::optional<PortRanges> ParsePortRanges(std::string_view text) {
  PortRanges ports;
  if (text == "auto") {
    ports.any = true;
    return ports;
  }
  for (const std::string_view part : Split(text)) {
    const auto range = ParsePortRange(part);
    if (!range) return std::nullopt;
    ports.ranges.push_back(*range);
  }
  if (Overlap(ports.ranges)) return std::nullopt;
  return ports;
}

bool IsChoice(std::string_view text, std::initializer_list<std::string_view> choices) {
  const auto same = [](char a, char b) {
    return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
  };
  return std::any_of(choices.begin(), choices.end(), [&](std::string_view choice) {
    return std::equal(text.begin(), text.end(), choice.begin(), choice.end(), same);
  });
}

bool IsTrueOrFalse(std::string_view text) { return IsChoice(text, {"TRUE", "FALSE"}); }

bool IsModuleList(std::string_view text) {
  if (text.starts_with('^')) text.remove_prefix(1);
  const auto parts = Split(text);
  return std::all_of(parts.begin(), parts.end(), [](std::string_view part) {
    return IsChoice(part, {"ALG", "TASK", "RESOURCE", "AIV_OPS_EXC"});
  });
}

bool IsPairList(std::string_view text, bool (*fits)(std::string_view key, std::string_view value)) {
  std::set<std::string_view> keys;
  for (std::string_view part : Split(text)) {
    if (!keys.empty()) part.remove_prefix(std::min(part.find_first_not_of(' '), part.size()));
    const size_t colon = part.find(':');
    if (colon == std::string_view::npos) return false;
    const std::string_view key = part.substr(0, colon);
    if (!keys.insert(key).second || !fits(key, part.substr(colon + 1))) return false;
  }
  return true;
}

bool IsAddress(std::string_view text) {
  const std::string address(text.substr(0, text.find('%')));
  in6_addr bytes{};
  return inet_pton(AF_INET, std::string(text).c_str(), &bytes) == 1 ||
         inet_pton(AF_INET6, address.c_str(), &bytes) == 1;
}

}  // namespace config
}  // namespace tandem
