// SPDX-License-Identifier: Apache-2.0
// Everything that the bootstrap parses from outside: message bodies and root infos. A libFuzzer target; run
// it with the sanitizers. What is accepted must encode again to something that is accepted.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "comm/bootstrap/messages.h"
#include "comm/bootstrap/root_info.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t bytes) {
  using namespace tandem::bootstrap;
  const auto message = DecodeMessage({reinterpret_cast<const char*>(data), bytes});
  if (message) {
    const std::string frame = Encode(*message);
    if (!DecodeMessage(std::string_view(frame).substr(kFrameHeaderBytes))) std::abort();
  }
  RootInfoBytes info{};
  std::memcpy(info.data(), data, std::min(bytes, info.size()));
  (void)Decode(info);
  return 0;
}
