// SPDX-License-Identifier: Apache-2.0
#include "transport/shm/offers.h"

#include <sodium.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <set>
#include <utility>

#include "base/hex.h"
#include "base/mutex.h"
#include "transport/shm/offer_wire.h"
#include "transport/shm/peer_socket.h"

namespace tandem::shm {
namespace {

struct Entry {
  Offer offer;
  std::set<int32_t> pids;
};

struct Registry {
  Mutex mutex;
  bool open TANDEM_GUARDED_BY(mutex) = false;
  std::map<OfferKey, Entry> offers TANDEM_GUARDED_BY(mutex);
};

Registry& Process() {
  static Registry* const registry = new Registry;
  return *registry;
}

// Random, so that no two processes share one and a reused pid is never mistaken for its predecessor.
const std::array<uint8_t, 16>& OwnId() {
  static const std::array<uint8_t, 16> id = [] {
    std::array<uint8_t, 16> made{};
    randombytes_buf(made.data(), made.size());
    return made;
  }();
  return id;
}

template <size_t kBytes>
std::string Hex(const std::array<uint8_t, kBytes>& bytes) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string hex;
  for (const uint8_t byte : bytes) {
    hex.push_back(kDigits[byte >> 4]);
    hex.push_back(kDigits[byte & 15]);
  }
  return hex;
}

template <size_t kBytes>
bool ReadHex(const char* text, std::array<uint8_t, kBytes>& bytes) {
  for (size_t i = 0; i < kBytes; ++i) {
    const int high = HexDigitValue(text[2 * i]);
    const int low = HexDigitValue(text[2 * i + 1]);
    if (high < 0 || low < 0) return false;
    bytes[i] = static_cast<uint8_t>(high * 16 + low);
  }
  return true;
}

Status EnsureServer(Registry& registry) TANDEM_REQUIRES(registry.mutex) {
  if (registry.open) return Status::Ok();
  if (sodium_init() < 0) {
    return Status::Error(Code::kSystem, "sodium_init() failed: the system gives no random numbers");
  }
  Result<UniqueFd> listener = ListenAbstract(OfferSocketName(OwnId()));
  if (!listener)
    return std::move(listener).status().Annotate("opening the socket at which keys are asked for");
  TANDEM_RETURN_IF_ERROR(ServeOffers(*std::move(listener)));
  registry.open = true;
  return Status::Ok();
}

}  // namespace

std::string OfferSocketName(const std::array<uint8_t, 16>& process) { return "tandem.offer." + Hex(process); }

std::string OfferKey::ToText() const {
  return std::string{'T', static_cast<char>(kind)} + Hex(process) + Hex(secret);
}

Result<OfferKey> OfferKey::FromText(OfferKind kind, const char* text) {
  const size_t length = strnlen(text, kTextLength + 1);
  OfferKey key;
  key.kind = kind;
  if (length != kTextLength || text[0] != 'T' || text[1] != static_cast<char>(kind) ||
      !ReadHex(text + 2, key.process) || !ReadHex(text + 2 + 2 * key.process.size(), key.secret)) {
    // Without the key itself: whoever reads the log must not be able to use it.
    return Status::Error(Code::kInvalidValue,
                         "key has %zu%s characters and is not an export key of this sort, which has %zu, of "
                         "letters and digits",
                         std::min(length, kTextLength), length > kTextLength ? " or more" : "", kTextLength);
  }
  return key;
}

bool OfferKey::IsOwn() const { return process == OwnId(); }

Result<OfferKey> AddOffer(OfferKind kind, Offer offer) {
  Registry& registry = Process();
  MutexLock lock(registry.mutex);
  TANDEM_RETURN_IF_ERROR(EnsureServer(registry));
  OfferKey key;
  key.kind = kind;
  key.process = OwnId();
  randombytes_buf(key.secret.data(), key.secret.size());
  registry.offers.emplace(key, Entry{std::move(offer), {}});
  return key;
}

bool AllowOffer(const OfferKey& key, std::span<const int32_t> pids) {
  MutexLock lock(Process().mutex);
  const auto found = Process().offers.find(key);
  if (found == Process().offers.end()) return false;
  found->second.pids.insert(pids.begin(), pids.end());
  return true;
}

bool OpenOfferToAll(const OfferKey& key) {
  MutexLock lock(Process().mutex);
  const auto found = Process().offers.find(key);
  if (found == Process().offers.end()) return false;
  found->second.offer.check_pid = false;
  return true;
}

bool WithdrawOffer(const OfferKey& key) {
  MutexLock lock(Process().mutex);
  return Process().offers.erase(key) != 0;
}

void AnswerOffer(int socket, pid_t pid, const OfferQuestion& question) {
  OfferKey key;
  key.kind = static_cast<OfferKind>(question.kind);
  key.process = OwnId();
  key.secret = question.secret;
  OfferAnswer answer;
  std::vector<int> descriptors;
  // Held until the descriptors are sent, so that none of them is closed before.
  std::shared_ptr<const void> keep;
  if (question.magic == kOfferMagic && question.version == kOfferVersion && question.kind <= UINT8_MAX) {
    MutexLock lock(Process().mutex);
    const auto found = Process().offers.find(key);
    if (found != Process().offers.end()) {
      const auto& [offer, pids] = found->second;
      const bool granted = !offer.check_pid || pids.contains(pid);
      answer.verdict = granted ? OfferVerdict::kGranted : OfferVerdict::kRefused;
      if (granted) {
        answer.words = offer.words;
        descriptors = offer.descriptors;
        keep = offer.keep;
      }
    }
  }
  answer.descriptor_count = static_cast<uint32_t>(descriptors.size());
  // The socket is new and empty, so it takes the whole answer or none of it.
  static_cast<void>(SendBytes(socket, std::as_bytes(std::span(&answer, 1)), {}, descriptors));
}

}  // namespace tandem::shm
