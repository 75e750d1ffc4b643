// SPDX-License-Identifier: Apache-2.0
// How a rank finds the root of a rank table on its host. Runs in the joining thread; only rank 0's end
// (door.h) is on the IoLoop's.
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <span>
#include <thread>

#include "base/log.h"
#include "comm/bootstrap/bootstrap.h"
#include "comm/bootstrap/keys.h"
#include "comm/bootstrap/messages.h"
#include "transport/shm/peer_socket.h"

namespace tandem::bootstrap {
namespace {

using std::chrono::milliseconds;

constexpr auto kFirstMeetingRetry = milliseconds(5);
constexpr auto kSlowestMeetingRetry = milliseconds(200);
constexpr auto kFirstMeetingNote = std::chrono::seconds(5);

// Why one visit brought no answer that is final.
enum class Visit : uint8_t { kNobody, kClosed, kLate };

struct Answer {
  Visit why_not = Visit::kNobody;
  std::optional<Result<RootInfoBytes>> result;
};

// False at the deadline.
bool AwaitReady(int fd, short events, Deadline deadline) {
  for (;;) {
    const auto left = std::chrono::ceil<milliseconds>(deadline - Clock::now()).count();
    if (left <= 0) return false;
    pollfd polled{fd, events, 0};
    if (poll(&polled, 1, static_cast<int>(std::min<int64_t>(left, 60'000))) > 0) return true;
  }
}

std::span<const std::byte> BytesOf(const std::string& text) {
  return std::as_bytes(std::span(text.data(), text.size()));
}

std::optional<Visit> SendAll(int fd, const std::string& frame, Deadline deadline) {
  size_t sent = 0;
  while (sent < frame.size()) {
    const shm::SocketTransfer step = shm::SendBytes(fd, BytesOf(frame).subspan(sent), {}, {});
    if (step.error != 0 && step.error != EAGAIN) return Visit::kClosed;
    sent += step.bytes;
    if (step.error == EAGAIN && !AwaitReady(fd, POLLOUT, deadline)) return Visit::kLate;
  }
  return std::nullopt;
}

std::optional<Visit> ReceiveAll(int fd, std::span<std::byte> buffer, Deadline deadline) {
  while (!buffer.empty()) {
    const shm::SocketTransfer step = shm::ReceiveBytes(fd, buffer, nullptr);
    if (step.error == EAGAIN) {
      if (!AwaitReady(fd, POLLIN, deadline)) return Visit::kLate;
      continue;
    }
    if (step.error != 0 || step.bytes == 0) return Visit::kClosed;
    buffer = buffer.subspan(step.bytes);
  }
  return std::nullopt;
}

Answer Read(int fd, Deadline deadline) {
  std::array<unsigned char, kFrameHeaderBytes> header{};
  if (auto no = ReceiveAll(fd, std::as_writable_bytes(std::span(header)), deadline)) return {*no, {}};
  const uint32_t bytes = FrameBytes(header);
  if (bytes == 0 || bytes > kRankFrameBytes) return {Visit::kClosed, {}};
  std::string body(bytes, '\0');
  if (auto no = ReceiveAll(fd, std::as_writable_bytes(std::span(body)), deadline)) return {*no, {}};
  Result<Message> message = DecodeMessage(body);
  if (!message) return {Visit::kClosed, {}};
  if (const auto* failure = std::get_if<Failure>(&*message)) return {Visit::kClosed, failure->status};
  if (const auto* key = std::get_if<Key>(&*message)) return {Visit::kClosed, key->root_info};
  return {Visit::kClosed, {}};
}

Answer VisitOnce(const MeetingPlace& place, const std::string& frame, Deadline deadline) {
  Result<shm::ConnectAttempt> attempt = shm::ConnectAbstract(place.socket);
  if (!attempt) return {Visit::kNobody, std::move(attempt).status()};
  if (attempt->outcome != shm::ConnectOutcome::kConnected) return {Visit::kNobody, {}};
  const int fd = attempt->socket.get();
  // Anybody can open a socket of this name; only the same user, or root, is believed.
  const auto who = shm::ReadPeerCredentials(fd);
  if (!who) return {Visit::kNobody, who.status()};
  if (Status allowed = shm::CheckPeerUser(getuid(), *who); !allowed.ok()) {
    return {Visit::kNobody, std::move(allowed).Annotate("meeting the other ranks of the rank table")};
  }
  if (auto no = SendAll(fd, frame, deadline)) return {*no, {}};
  return Read(fd, deadline);
}

Status NobodyCame(Visit why, uint32_t rank) {
  const char* text = why == Visit::kLate ? "is there but does not answer; its process may be stopped"
                                         : "has not come to create it";
  return Status::Error(
             Code::kTimeout,
             "rank %u waited for rank 0 of its rank table, which %s. Check that rank 0 runs on this host, "
             "for the same user, with a table whose entry for rank 0 is the same; or raise "
             "HCCL_CONNECT_TIMEOUT or TANDEM_CONNECT_TIMEOUT",
             rank, text)
      .WithId("EI0015");
}

}  // namespace

MeetingPlace PlaceFor(const std::string& key, TableFacts facts, uint32_t rank_count) {
  const std::string who = std::to_string(getuid()) + "\n" + key;
  return {"tandem-table-" + ToHex(CheckSum(who.data(), who.size())), std::move(facts), rank_count};
}

Result<RootInfoBytes> FindRootAt(const MeetingPlace& place, uint32_t rank, Deadline deadline) {
  const std::string frame = Encode(Knock{rank, getpid(), place.facts});
  const Deadline note_at = Clock::now() + kFirstMeetingNote;
  bool noted = false;
  milliseconds wait = kFirstMeetingRetry;
  for (;;) {
    Answer answer = VisitOnce(place, frame, deadline);
    if (answer.result) return std::move(*answer.result);
    if (Clock::now() >= deadline) return NobodyCame(answer.why_not, rank);
    if (!noted && Clock::now() >= note_at) {
      noted = true;
      TANDEM_LOG(kWarn, "rank %u waits for rank 0 of its rank table on this host", rank);
    }
    std::this_thread::sleep_until(std::min(Clock::now() + wait, deadline));
    wait = std::min(wait * 2, kSlowestMeetingRetry);
  }
}

}  // namespace tandem::bootstrap
