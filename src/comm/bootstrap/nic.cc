// SPDX-License-Identifier: Apache-2.0
#include "comm/bootstrap/nic.h"

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <tuple>

namespace tandem::bootstrap {
namespace {

std::optional<Nic> FromSystem(const ifaddrs& entry) {
  if (entry.ifa_addr == nullptr || (entry.ifa_flags & IFF_UP) == 0) return std::nullopt;
  Nic nic;
  nic.name = entry.ifa_name;
  std::array<char, INET6_ADDRSTRLEN> text{};
  if (entry.ifa_addr->sa_family == AF_INET) {
    const auto* address = reinterpret_cast<const sockaddr_in*>(entry.ifa_addr);
    inet_ntop(AF_INET, &address->sin_addr, text.data(), text.size());
  } else if (entry.ifa_addr->sa_family == AF_INET6) {
    const auto* address = reinterpret_cast<const sockaddr_in6*>(entry.ifa_addr);
    inet_ntop(AF_INET6, &address->sin6_addr, text.data(), text.size());
    nic.v6 = true;
    nic.link_local = IN6_IS_ADDR_LINKLOCAL(&address->sin6_addr);
  } else {
    return std::nullopt;
  }
  nic.address = text.data();
  if (nic.link_local) nic.address += "%" + nic.name;
  return nic;
}

// Ordinary names, then docker*, then lo*.
int NameClass(const std::string& name) {
  if (name.starts_with("docker")) return 1;
  return name.starts_with("lo") ? 2 : 0;
}

// Two spellings of one address are the same; the interface after % may be left out.
bool SameAddress(const std::string& a, const std::string& b) {
  std::array<uint8_t, 16> left{};
  std::array<uint8_t, 16> right{};
  const auto strip = [](const std::string& text) { return text.substr(0, text.find('%')); };
  const int family = a.find(':') == std::string::npos ? AF_INET : AF_INET6;
  return inet_pton(family, strip(a).c_str(), left.data()) == 1 &&
         inet_pton(family, strip(b).c_str(), right.data()) == 1 && left == right;
}

std::string Listing(const std::vector<Nic>& nics) {
  std::string text;
  for (const Nic& nic : nics) text += (text.empty() ? "" : ", ") + nic.name + " " + nic.address;
  return text.empty() ? "none" : text;
}

std::string FilterText(const NicFilter& filter) {
  std::string text = std::string(filter.exclude ? "^" : "") + (filter.exact ? "=" : "");
  for (size_t i = 0; i < filter.names.size(); ++i) text += (i == 0 ? "" : ",") + filter.names[i];
  return text;
}

Status NotFound(const char* variable, const std::string& value, const char* expected,
                const std::vector<Nic>& nics) {
  return Status::Error(Code::kNotFound, "%s=\"%s\" is not valid; expected %s; this host has: %s", variable,
                       value.c_str(), expected, Listing(nics).c_str())
      .WithId("EI0001");
}

Result<Nic> ChooseByAddress(const std::vector<Nic>& nics, const std::string& wished) {
  for (const Nic& nic : nics) {
    if (SameAddress(wished, nic.address)) return nic;
  }
  // The loopback interface owns its whole network, though it lists one address of it.
  const auto lo =
      std::find_if(nics.begin(), nics.end(), [](const Nic& nic) { return nic.address == "127.0.0.1"; });
  if (wished.starts_with("127.") && lo != nics.end()) return Nic{lo->name, wished};
  return NotFound(config::HostAddressVariable(), wished, "an address of a network interface of this host",
                  nics);
}

}  // namespace

Result<std::vector<Nic>> ListNics() {
  ifaddrs* list = nullptr;
  if (getifaddrs(&list) != 0) return Status::FromErrno(errno, "listing the network interfaces of this host");
  const std::unique_ptr<ifaddrs, decltype(&freeifaddrs)> owner(list, freeifaddrs);
  std::vector<Nic> nics;
  for (const ifaddrs* entry = list; entry != nullptr; entry = entry->ifa_next) {
    if (auto nic = FromSystem(*entry)) nics.push_back(std::move(*nic));
  }
  return nics;
}

Result<Nic> ChooseNic(std::vector<Nic> nics, const NicWishes& wishes) {
  if (wishes.address) return ChooseByAddress(nics, *wishes.address);
  const bool v6_first = wishes.family == AddressFamily::kInet6;
  std::stable_sort(nics.begin(), nics.end(), [&](const Nic& a, const Nic& b) {
    const auto key = [&](const Nic& nic) {
      return std::tuple(nic.v6 != v6_first, NameClass(nic.name), nic.name, nic.link_local);
    };
    return key(a) < key(b);
  });
  for (const Nic& nic : nics) {
    if (!wishes.filter || wishes.filter->Accepts(nic.name)) return nic;
  }
  if (wishes.filter) {
    return NotFound("HCCL_SOCKET_IFNAME", FilterText(*wishes.filter), "a pattern that matches an interface",
                    nics);
  }
  return Status::Error(Code::kNotFound, "this host has no network interface that is up, not even lo")
      .WithId("EI0001");
}

Result<Nic> ChooseHostNic() {
  auto address = config::HostAddress();
  if (!address) return std::move(address).status();
  auto filter = config::HostNics();
  if (!filter) return std::move(filter).status();
  const auto family = config::SocketFamily();
  if (!family) return family.status();
  auto nics = ListNics();
  if (!nics) return std::move(nics).status();
  return ChooseNic(std::move(*nics), {*address, *filter, *family});
}

Result<bool> IsNicWished() {
  auto address = config::HostAddress();
  if (!address) return std::move(address).status();
  auto filter = config::HostNics();
  if (!filter) return std::move(filter).status();
  return address->has_value() || filter->has_value();
}

bool IsAddressOfThisHost(const std::string& address) {
  if (address.starts_with("127.")) return true;
  const auto nics = ListNics();
  if (!nics) return false;
  return std::any_of((*nics).begin(), (*nics).end(),
                     [&](const Nic& nic) { return SameAddress(address, nic.address); });
}

}  // namespace tandem::bootstrap
