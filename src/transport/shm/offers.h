// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <array>
#include <compare>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/fd.h"
#include "base/result.h"

// Objects of one process that others on the host may open by a key, which the application carries from one to
// the other. The offering process answers at a socket in the abstract name space and passes descriptors, so
// nothing is left anywhere when it ends, however it ends.
namespace tandem::shm {

enum class OfferKind : uint8_t { kNotify = 'n', kMemory = 'm', kEvent = 'e' };

// Names an offer. Whoever knows the key knows the secret; the text is printable.
struct OfferKey {
  static constexpr size_t kTextLength = 2 + 32 + 24;

  OfferKind kind = OfferKind::kNotify;
  std::array<uint8_t, 16> process{};  // of the offering process; the name of its socket
  std::array<uint8_t, 12> secret{};   // of this offer
  // Clang 14 takes the 0 that the compiler compares with for a pointer.
  auto operator<=>(const OfferKey&) const = default;  // NOLINT(modernize-use-nullptr)

  std::string ToText() const;
  // kInvalidValue unless it is the text of a key of this kind. Looks at no more than kTextLength + 1
  // characters.
  static Result<OfferKey> FromText(OfferKind kind, const char* text);
  // Whether this process made the offer (it may have been withdrawn since).
  bool IsOwn() const;
};

struct Offer {
  // Only processes named by AllowOffer may open it.
  bool check_pid = true;
  std::array<uint64_t, 4> words{};
  std::vector<int> descriptors;      // at most PeerMessage::kMaxDescriptors, open as long as `keep` lives
  std::shared_ptr<const void> keep;  // null: the descriptors stay open until the process ends
};

// What another process gets.
struct OpenedOffer {
  pid_t pid = 0;  // of the offering process
  std::array<uint64_t, 4> words{};
  std::vector<UniqueFd> descriptors;
};

// Makes the process's socket with the first offer.
Result<OfferKey> AddOffer(OfferKind kind, Offer offer);
// False: no such offer of this process. Pids as these processes see themselves, on this host.
bool AllowOffer(const OfferKey& key, std::span<const int32_t> pids);
// From now on anybody with the key may open it. False: no such offer.
bool OpenOfferToAll(const OfferKey& key);
// False: no such offer. What was opened before stays.
bool WithdrawOffer(const OfferKey& key);

// Asks the offering process. kInvalidValue: nobody offers this. kNotPermitted: this process may not open it.
// kWaitTimeout: the process does not answer. Blocks for as long as that takes, at most ten seconds.
Result<OpenedOffer> TakeOffer(const OfferKey& key);

}  // namespace tandem::shm
