// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <type_traits>

#include "transport/shm/offers.h"

namespace tandem::shm {

// One question and one answer on a connection of its own. Same machine, hence native byte order; descriptors
// travel with the first byte of the answer.
inline constexpr uint32_t kOfferMagic = 0x4f444e54;  // "TNDO"
inline constexpr uint32_t kOfferVersion = 1;

struct OfferQuestion {
  uint32_t magic = kOfferMagic;
  uint32_t version = kOfferVersion;
  uint32_t kind = 0;
  std::array<uint8_t, 12> secret{};
};
static_assert(sizeof(OfferQuestion) == 24 && std::is_trivially_copyable_v<OfferQuestion>);

enum class OfferVerdict : uint32_t { kGranted = 1, kUnknown = 2, kRefused = 3 };

struct OfferAnswer {
  uint32_t magic = kOfferMagic;
  uint32_t version = kOfferVersion;
  OfferVerdict verdict = OfferVerdict::kUnknown;
  uint32_t descriptor_count = 0;
  std::array<uint64_t, 4> words{};
};
static_assert(sizeof(OfferAnswer) == 48 && std::is_trivially_copyable_v<OfferAnswer>);

// Name of the socket of a process that offers something.
std::string OfferSocketName(const std::array<uint8_t, 16>& process);

// Answers at `listener` for ever, on the IoLoop thread.
Status ServeOffers(UniqueFd listener);
// Sends the answer to a question that `pid` asked. Never blocks; a descriptor that the socket cannot take
// ends the connection without an answer.
void AnswerOffer(int socket, pid_t pid, const OfferQuestion& question);

}  // namespace tandem::shm
