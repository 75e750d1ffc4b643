// SPDX-License-Identifier: Apache-2.0
#include "comm/bootstrap/door.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <asio/buffer.hpp>
#include <asio/io_context.hpp>
#include <asio/read.hpp>
#include <asio/write.hpp>
#include <chrono>

#include "base/io_loop.h"
#include "base/log.h"
#include "comm/bootstrap/root_server.h"
#include "transport/shm/peer_socket.h"

namespace tandem::bootstrap {
namespace {

constexpr auto kVisitTime = std::chrono::seconds(30);
constexpr auto kRetryTime = std::chrono::milliseconds(100);

// One connection: reads what a rank says, answers, and is gone. Kept alive by its handlers.
class Visitor : public std::enable_shared_from_this<Visitor> {
 public:
  Visitor(UniqueFd socket, int32_t pid, std::weak_ptr<Door> door)
      : socket_(IoLoop::Context(), socket.Release()),
        timer_(IoLoop::Context()),
        pid_(pid),
        door_(std::move(door)) {}
  ~Visitor() {
    if (const auto door = door_.lock()) door->OnVisitorGone();
  }

  void Start() {
    timer_.expires_after(kVisitTime);
    timer_.async_wait([weak = weak_from_this()](const asio::error_code& error) {
      const auto self = weak.lock();
      if (self && !error) self->Close();
    });
    asio::async_read(socket_, asio::buffer(header_),
                     [self = shared_from_this()](const asio::error_code& error, size_t) {
                       if (!error) self->ReadBody();
                     });
  }

 private:
  void ReadBody() {
    const uint32_t bytes = FrameBytes(header_);
    if (bytes == 0 || bytes > kKnockFrameBytes) return;
    body_.resize(bytes);
    asio::async_read(socket_, asio::buffer(body_),
                     [self = shared_from_this()](const asio::error_code& error, size_t) {
                       if (!error) self->OnBody();
                     });
  }

  void OnBody() {
    const auto door = door_.lock();
    if (!door) return;
    Result<Message> message = DecodeMessage(body_);
    if (!message && message.status().code() == Code::kMismatch) return Reply(Failure{message.status()});
    if (!message || !std::holds_alternative<Knock>(*message)) return;
    const std::optional<Message> answer = door->Answer(std::get<Knock>(*message), pid_);
    return answer ? Reply(*answer) : Close();
  }

  void Reply(const Message& message) {
    body_ = Encode(message);
    asio::async_write(socket_, asio::buffer(body_),
                      [self = shared_from_this()](const asio::error_code&, size_t) { self->Close(); });
  }

  void Close() {
    timer_.cancel();
    asio::error_code ignored;
    socket_.close(ignored);
  }

  asio::posix::stream_descriptor socket_;
  asio::steady_timer timer_;
  const int32_t pid_;
  const std::weak_ptr<Door> door_;
  std::array<unsigned char, kFrameHeaderBytes> header_{};
  std::string body_;
};

// "the number of ranks is 2 in the rank table of rank 1 (pid 7) and 3 in that of rank 0 (pid 6)"
std::string Difference(const TableFacts& own, const Knock& knock, int32_t pid) {
  const auto [mine, theirs] = std::mismatch(own.begin(), own.end(), knock.facts.begin(), knock.facts.end());
  if (mine == own.end() && theirs == knock.facts.end()) return "";
  const std::string rank = "rank " + std::to_string(knock.rank) + " (pid " + std::to_string(pid) + ")";
  const std::string root = "rank 0 (pid " + std::to_string(getpid()) + ")";
  if (mine == own.end() || theirs == knock.facts.end() || mine->first != theirs->first) {
    return "the rank tables of " + rank + " and " + root + " differ in their length";
  }
  return mine->first + " is " + theirs->second.substr(0, 256) + " in the rank table of " + rank + " and " +
         mine->second.substr(0, 256) + " in that of " + root;
}

}  // namespace

Door::Door(UniqueFd listener, MeetingPlace place, const std::shared_ptr<RootServer>& root,
           const RootInfoBytes& root_info)
    : listener_(IoLoop::Context(), listener.Release()),
      retry_timer_(IoLoop::Context()),
      place_(std::move(place)),
      root_(root),
      root_info_(root_info) {}

bool Door::IsGathering() const {
  const auto root = root_.lock();
  return root && root->IsGathering();
}

std::optional<Message> Door::Answer(const Knock& knock, int32_t pid) {
  const auto root = root_.lock();
  if (!root) return std::nullopt;
  if (root->HasFailed()) {
    if (root->HasTold(knock.rank)) return std::nullopt;
    return Failure{root->AnswerLate(knock.rank)};
  }
  const std::string difference = Difference(place_.facts, knock, pid);
  if (difference.empty()) return Key{root_info_};
  const Status status =
      Status::Error(Code::kInvalidArgument, "%s; all ranks must read the same rank table", difference.c_str())
          .WithId("EI0014");
  root->Refuse(status);
  return Failure{root->AnswerLate(knock.rank)};
}

void Door::Close() {
  asio::error_code ignored;
  listener_.close(ignored);
}

void Door::OnVisitorGone() {
  --visitors_;
  if (listener_.is_open()) AwaitVisitor();
}

void Door::AwaitVisitor() {
  if (awaiting_ || visitors_ >= kMostVisitors) return;
  awaiting_ = true;
  listener_.async_wait(asio::posix::stream_descriptor::wait_read,
                       [weak = weak_from_this()](const asio::error_code& error) {
                         const auto self = weak.lock();
                         if (!self || error) return;
                         self->awaiting_ = false;
                         self->AcceptAll();
                       });
}

void Door::AcceptAll() {
  while (visitors_ < kMostVisitors) {
    Result<UniqueFd> socket = shm::AcceptPeer(listener_.native_handle());
    if (!socket) {
      TANDEM_LOG(kWarn, "%s; trying again", std::string(socket.status().text()).c_str());
      retry_timer_.expires_after(kRetryTime);
      retry_timer_.async_wait([weak = weak_from_this()](const asio::error_code& error) {
        const auto self = weak.lock();
        if (self && !error) self->AwaitVisitor();
      });
      return;
    }
    if (!(*socket).valid()) break;
    const auto who = shm::ReadPeerCredentials((*socket).get());
    const Status allowed = who ? shm::CheckPeerUser(getuid(), *who) : who.status();
    if (!allowed.ok()) {
      TANDEM_LOG(kInfo, "a process was refused: %s", std::string(allowed.text()).c_str());
      continue;
    }
    ++visitors_;
    std::make_shared<Visitor>(std::move(*socket), who->pid, weak_from_this())->Start();
  }
  AwaitVisitor();
}

}  // namespace tandem::bootstrap
