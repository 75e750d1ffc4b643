// SPDX-License-Identifier: Apache-2.0
#include "base/hex.h"
#include "transport/shm/peer_hub.h"

namespace tandem::shm {
namespace {

constexpr char kDigits[] = "0123456789abcdef";

}  // namespace

std::string ProcessId::ToHex() const {
  std::string hex;
  hex.reserve(bytes.size() * 2);
  for (const uint8_t byte : bytes) {
    hex.push_back(kDigits[byte >> 4]);
    hex.push_back(kDigits[byte & 15]);
  }
  return hex;
}

Result<ProcessId> ProcessId::FromHex(const std::string& hex) {
  ProcessId id;
  if (hex.size() != id.bytes.size() * 2) {
    return Status::Error(Code::kInvalidArgument,
                         "process id of %zu characters, expected %zu hexadecimal digits", hex.size(),
                         id.bytes.size() * 2);
  }
  for (size_t i = 0; i < id.bytes.size(); ++i) {
    const int high = HexDigitValue(hex[2 * i]);
    const int low = HexDigitValue(hex[2 * i + 1]);
    if (high < 0 || low < 0) {
      return Status::Error(Code::kInvalidArgument,
                           "process id \"%s\" has something other than lower-case hexadecimal digits at %zu",
                           hex.c_str(), 2 * i);
    }
    id.bytes[i] = static_cast<uint8_t>(high * 16 + low);
  }
  return id;
}

}  // namespace tandem::shm
