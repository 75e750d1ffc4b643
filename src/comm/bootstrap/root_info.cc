// SPDX-License-Identifier: Apache-2.0
#include "comm/bootstrap/root_info.h"

#include <algorithm>
#include <cstring>
#include <type_traits>

namespace tandem::bootstrap {
namespace {

constexpr uint32_t kVersion = 1;
constexpr std::array<char, 8> kMagic = {'T', 'A', 'N', 'D', 'E', 'M', 'R', 'I'};
constexpr std::array<char, 8> kEnd = {'T', 'A', 'N', 'D', 'E', 'M', 'E', 'N'};

// The bytes, little-endian. The end mark sits in the last bytes, so that a copy that was cut off is known as
// such.
struct Layout {
  std::array<char, 8> magic;
  uint32_t version;
  uint32_t port;
  std::array<char, 64> address;
  std::array<char, 128> identifier;
  std::array<char, 64> host_name;
  RootId id;
  Secret secret;
  int32_t pid;
  std::array<char, 3760> unused;
  std::array<uint8_t, 16> check_sum;  // of everything before it
  std::array<char, 8> end;
};
static_assert(sizeof(Layout) == kRootInfoBytes && std::is_trivially_copyable_v<Layout>);
static_assert(offsetof(Layout, address) == 16 && offsetof(Layout, id) == 272 && offsetof(Layout, pid) == 320);
static_assert(offsetof(Layout, check_sum) == 4084 && offsetof(Layout, end) == 4100);

template <size_t kBytes>
void PutText(std::array<char, kBytes>& field, const std::string& text) {
  std::copy_n(text.begin(), std::min(text.size(), kBytes - 1), field.begin());
}

template <size_t kBytes>
std::string GetText(const std::array<char, kBytes>& field) {
  return {field.data(), strnlen(field.data(), kBytes)};
}

Status Refuse(const char* id, const char* text) {
  return Status::Error(Code::kInvalidArgument, "rootInfo: %s", text).WithId(id);
}

Status CheckEnvelope(const RootInfoBytes& bytes, const Layout& layout) {
  if (std::all_of(bytes.begin(), bytes.end(), [](char c) { return c == 0; })) {
    return Refuse("EI0003", "all bytes are zero; pass on what HcclGetRootInfo wrote on the root rank");
  }
  if (layout.magic != kMagic) {
    return Refuse("EI0003",
                  "these are not the bytes that HcclGetRootInfo wrote (they begin with something else)");
  }
  if (layout.version != kVersion) {
    return Status::Error(
               Code::kInvalidArgument,
               "rootInfo: made by a Tandem with root info version %u, this one has version %u; use the same "
               "Tandem on all ranks",
               layout.version, kVersion)
        .WithId("EI0008");
  }
  if (layout.end != kEnd) {
    return Refuse("EI0003", "the bytes are cut off; pass on all 4108 bytes as binary data, not as a string");
  }
  if (layout.check_sum != CheckSum(bytes.data(), offsetof(Layout, check_sum))) {
    return Refuse("EI0003",
                  "the bytes are damaged (their check sum is wrong); pass on all 4108 bytes unchanged");
  }
  return Status::Ok();
}

}  // namespace

std::string RootInfo::Endpoint() const {
  const bool v6 = address.find(':') != std::string::npos;
  return (v6 ? "[" + address + "]" : address) + ":" + std::to_string(port);
}

RootInfoBytes Encode(const RootInfo& info) {
  Layout layout{};
  layout.magic = kMagic;
  layout.version = kVersion;
  layout.port = info.port;
  PutText(layout.address, info.address);
  PutText(layout.identifier, info.identifier);
  PutText(layout.host_name, info.host_name);
  layout.id = info.id;
  layout.secret = info.secret;
  layout.pid = info.pid;
  layout.end = kEnd;
  RootInfoBytes bytes{};
  std::memcpy(bytes.data(), &layout, sizeof(layout));
  layout.check_sum = CheckSum(bytes.data(), offsetof(Layout, check_sum));
  std::memcpy(bytes.data(), &layout, sizeof(layout));
  return bytes;
}

Result<RootInfo> Decode(const RootInfoBytes& bytes) {
  Layout layout{};
  std::memcpy(&layout, bytes.data(), sizeof(layout));
  TANDEM_RETURN_IF_ERROR(CheckEnvelope(bytes, layout));
  RootInfo info;
  info.address = GetText(layout.address);
  info.identifier = GetText(layout.identifier);
  info.host_name = GetText(layout.host_name);
  info.id = layout.id;
  info.secret = layout.secret;
  info.pid = layout.pid;
  if (layout.port == 0 || layout.port > 65535 || info.address.empty()) {
    return Refuse("EI0003", "the bytes name no usable address and port");
  }
  info.port = static_cast<uint16_t>(layout.port);
  return info;
}

}  // namespace tandem::bootstrap
