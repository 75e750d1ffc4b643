// SPDX-License-Identifier: Apache-2.0
#include "comm/bootstrap/whitelist.h"

#include <arpa/inet.h>
#include <netinet/in.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/config.h"
#include "base/log.h"

namespace tandem::bootstrap {
namespace {

constexpr uintmax_t kLargestFile = 16 << 20;

std::optional<std::string> Spelled(const std::string& text) {
  std::array<uint8_t, sizeof(in6_addr)> bytes{};
  const int family = text.find(':') == std::string::npos ? AF_INET : AF_INET6;
  std::array<char, INET6_ADDRSTRLEN> spelled{};
  if (inet_pton(family, text.c_str(), bytes.data()) != 1) return std::nullopt;
  return inet_ntop(family, bytes.data(), spelled.data(), spelled.size());
}

std::string TextOf(const sockaddr_storage& address) {
  std::array<char, INET6_ADDRSTRLEN> text{};
  const void* bytes = &reinterpret_cast<const sockaddr_in*>(&address)->sin_addr;
  if (address.ss_family == AF_INET6) bytes = &reinterpret_cast<const sockaddr_in6*>(&address)->sin6_addr;
  if (inet_ntop(address.ss_family, bytes, text.data(), text.size()) == nullptr) return "";
  return text.data();
}

Status Unusable(const std::string& path, const std::string& why) {
  return Status::Error(Code::kInvalidArgument,
                       "HCCL_WHITELIST_FILE=\"%s\" %s; expected a JSON file such as {\"host_ip\": "
                       "[\"127.0.0.1\"], \"device_ip\": []}, because HCCL_WHITELIST_DISABLE is 0",
                       path.c_str(), why.c_str())
      .WithId("EI0001");
}

struct Whitelist {
  bool on = false;
  std::vector<std::string> addresses;
  Status valid;
};

Whitelist Load() {
  Whitelist list;
  const auto path = config::WhitelistFile();
  if (!path) {
    list.valid = path.status();
  } else if (*path) {
    list.on = true;
    auto addresses = ReadWhitelist(**path);
    list.valid = addresses.status();
    if (addresses) list.addresses = std::move(*addresses);
  }
  return list;
}

const Whitelist& TheList() {
  // Never destroyed: connections may still come while the process ends.
  static const Whitelist* const list = new Whitelist(Load());
  return *list;
}

}  // namespace

Result<std::vector<std::string>> ReadWhitelist(const std::string& path) {
  if (path.empty()) return Unusable(path, "is not set");
  std::error_code error;
  const uintmax_t bytes = std::filesystem::file_size(path, error);  // fails for what is no file
  if (error) return Unusable(path, "cannot be read: " + error.message());
  if (bytes > kLargestFile) return Unusable(path, "is larger than 16 MiB");
  std::ifstream file(path, std::ios::binary);
  if (!file) return Unusable(path, "cannot be read");
  const std::string text(std::istreambuf_iterator<char>(file), {});
  const auto document = nlohmann::json::parse(text, nullptr, false);
  if (!document.is_object()) return Unusable(path, "is not a JSON object");
  const auto hosts = document.find("host_ip");
  if (hosts == document.end() || !hosts->is_array()) return Unusable(path, "has no array \"host_ip\"");
  std::vector<std::string> addresses;
  for (const auto& entry : *hosts) {
    const auto address =
        entry.is_string() ? Spelled(entry.get_ref<const std::string&>()) : std::optional<std::string>();
    if (!address) {
      return Unusable(path, "has " + entry.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace) +
                                " under \"host_ip\", which is no address");
    }
    addresses.push_back(*address);
  }
  if (addresses.empty()) return Unusable(path, "lists no address under \"host_ip\"");
  return addresses;
}

Status CheckWhitelist() { return TheList().valid; }

bool MayJoin(const sockaddr_storage& from) {
  const Whitelist& list = TheList();
  if (!list.on) return true;
  const std::string address = TextOf(from);
  if (std::find(list.addresses.begin(), list.addresses.end(), address) != list.addresses.end()) return true;
  TANDEM_LOG(kWarn, "a connection from %s was refused: HCCL_WHITELIST_FILE does not list that address",
             address.c_str());
  return false;
}

}  // namespace tandem::bootstrap
