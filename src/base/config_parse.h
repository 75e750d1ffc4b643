// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

#include "base/config.h"

// Grammars of the settings. Each returns nothing when the text does not follow it; base/config.cc makes the
// error.
namespace tandem::config {

// Digits only, at most 10 of them.
std::optional<uint64_t> ParseWhole(std::string_view text, uint64_t low, uint64_t high);
// Seconds, with at most `decimals` digits after a point.
std::optional<std::chrono::nanoseconds> ParseSeconds(std::string_view text, uint64_t high, size_t decimals);
// A whole number with an optional K, M, G or T (powers of 1024).
std::optional<uint64_t> ParseBytes(std::string_view text);
std::optional<NicFilter> ParseNicFilter(std::string_view text);
std::optional<PortRanges> ParsePortRanges(std::string_view text);
// Whether the text is one of the choices, in capitals or not.
bool IsChoice(std::string_view text, std::initializer_list<std::string_view> choices);
// TRUE or FALSE, in capitals or not.
bool IsTrueOrFalse(std::string_view text);
// Module names separated by commas, without blanks, after an optional ^ (HCCL_DEBUG_CONFIG).
bool IsModuleList(std::string_view text);
// key:value pairs separated by commas; blanks may follow a comma. Each key at most once, and each pair as
// `fits` says.
bool IsPairList(std::string_view text, bool (*fits)(std::string_view key, std::string_view value));
// Whether this is an IPv4 or IPv6 address in figures, with or without %interface.
bool IsAddress(std::string_view text);

}  // namespace tandem::config
