// SPDX-License-Identifier: Apache-2.0
#include "comm/rank_table/device_addresses.h"

#include <arpa/inet.h>
#include <netinet/in.h>

#include <array>
#include <filesystem>
#include <fstream>

#include "base/config.h"

namespace tandem::rank_table {
namespace {

// The real ones have a few lines for each device.
constexpr size_t kMostLines = 100'000;

std::optional<std::array<uint8_t, sizeof(in6_addr)>> BytesOf(const std::string& address) {
  std::array<uint8_t, sizeof(in6_addr)> bytes{};
  const int family = address.find(':') == std::string::npos ? AF_INET : AF_INET6;
  if (inet_pton(family, address.c_str(), bytes.data()) != 1) return std::nullopt;
  return bytes;
}

}  // namespace

std::string DeviceAddressFile() { return SettingText("TANDEM_HCCN_CONF").value_or("/etc/hccn.conf"); }

std::optional<std::string> ListedAddress(const std::string& file, int32_t device) {
  // Opening a pipe could take for ever.
  std::error_code error;
  if (!std::filesystem::is_regular_file(file, error)) return std::nullopt;
  const std::string key = "address_" + std::to_string(device) + "=";
  std::ifstream lines(file);
  std::string line;
  for (size_t i = 0; i < kMostLines && std::getline(lines, line); ++i) {
    if (!line.starts_with(key)) continue;
    const std::string address = line.substr(key.size(), line.find_last_not_of(" \t\r") + 1 - key.size());
    if (BytesOf(address)) return address;
  }
  return std::nullopt;
}

bool IsSameAddress(const std::string& a, const std::string& b) {
  const auto bytes = BytesOf(a);
  return bytes && (a.find(':') == std::string::npos) == (b.find(':') == std::string::npos) &&
         bytes == BytesOf(b);
}

}  // namespace tandem::rank_table
