// SPDX-License-Identifier: Apache-2.0
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <utility>

#include "base/futex.h"
#include "transport/shm/offer_wire.h"
#include "transport/shm/peer_socket.h"

namespace tandem::shm {
namespace {

constexpr std::chrono::seconds kPatience{10};
// How long to leave a full queue of connections alone; the kernel tells nobody when there is room again.
constexpr int kRetryMs = 2;

Status NoAnswer() {
  return Status::Error(Code::kWaitTimeout, "the process that made the key does not answer within %lld s",
                       static_cast<long long>(kPatience.count()));
}

Status NobodyOffers() {
  return Status::Error(Code::kInvalidValue,
                       "key is not known to any process: it was withdrawn, its object was destroyed, or "
                       "the process that made it has ended");
}

// False: the deadline has passed.
bool AwaitReadable(int socket, Deadline deadline) {
  pollfd polled{socket, POLLIN, 0};
  for (;;) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()).count();
    if (left <= 0) return false;
    const int ready = poll(&polled, 1, static_cast<int>(left));
    if (ready > 0) return true;
    if (ready < 0 && errno != EINTR) return false;
  }
}

Result<UniqueFd> Connect(const std::string& name, Deadline deadline) {
  for (;;) {
    Result<ConnectAttempt> attempt = ConnectAbstract(name);
    if (!attempt) return attempt.status();
    if (attempt->outcome == ConnectOutcome::kConnected) return std::move(attempt->socket);
    if (attempt->outcome == ConnectOutcome::kRefused) return NobodyOffers();
    if (Clock::now() >= deadline) return NoAnswer();
    poll(nullptr, 0, kRetryMs);
  }
}

Status Receive(int socket, OfferAnswer& answer, std::vector<UniqueFd>& descriptors, Deadline deadline) {
  size_t filled = 0;
  while (filled < sizeof(answer)) {
    const auto missing = std::as_writable_bytes(std::span(&answer, 1)).subspan(filled);
    const SocketTransfer got = ReceiveBytes(socket, missing, &descriptors);
    if (got.truncated) return OutOfDescriptors("taking what the process that made the key sent");
    if (got.error == EAGAIN) {
      if (!AwaitReadable(socket, deadline)) return NoAnswer();
      continue;
    }
    if (got.error != 0 && got.error != ECONNRESET) return PeerSocketError(got.error, "receiving an answer");
    if (got.error != 0 || got.bytes == 0) return NobodyOffers();
    filled += got.bytes;
  }
  return Status::Ok();
}

}  // namespace

Result<OpenedOffer> TakeOffer(const OfferKey& key) {
  const Deadline deadline = Clock::now() + kPatience;
  Result<UniqueFd> socket = Connect(OfferSocketName(key.process), deadline);
  if (!socket) return socket.status();
  const Result<PeerCredentials> peer = ReadPeerCredentials(socket->get());
  if (!peer) return peer.status();
  TANDEM_RETURN_IF_ERROR(CheckPeerUser(geteuid(), *peer));
  OfferQuestion question;
  question.kind = static_cast<uint32_t>(key.kind);
  question.secret = key.secret;
  // A new socket takes so few bytes at once.
  const SocketTransfer sent = SendBytes(socket->get(), std::as_bytes(std::span(&question, 1)), {}, {});
  if (sent.error == EPIPE || sent.error == ECONNRESET) return NobodyOffers();
  if (sent.error != 0) return PeerSocketError(sent.error, "asking for a key");
  OpenedOffer opened;
  opened.pid = peer->pid;
  OfferAnswer answer;
  TANDEM_RETURN_IF_ERROR(Receive(socket->get(), answer, opened.descriptors, deadline));
  if (answer.magic != kOfferMagic || answer.version != kOfferVersion) {
    return Status::Error(Code::kInvalidValue, "%s answers in another format: mixed Tandem versions?",
                         PeerName(peer->pid).c_str());
  }
  if (answer.verdict == OfferVerdict::kRefused) {
    return Status::Error(Code::kNotPermitted,
                         "process %d may not open this key: %s has to name it with the ...SetImportPid call "
                         "first, or to export with a flag that disables the check",
                         getpid(), PeerName(peer->pid).c_str());
  }
  if (answer.verdict != OfferVerdict::kGranted) return NobodyOffers();
  if (answer.descriptor_count != opened.descriptors.size()) {
    return Status::Error(Code::kInvalidValue, "%s announced %u descriptors and passed %zu",
                         PeerName(peer->pid).c_str(), answer.descriptor_count, opened.descriptors.size());
  }
  opened.words = answer.words;
  return opened;
}

}  // namespace tandem::shm
