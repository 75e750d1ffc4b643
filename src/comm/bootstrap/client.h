// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <asio/ip/tcp.hpp>
#include <asio/steady_timer.hpp>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "comm/bootstrap/channel.h"
#include "comm/bootstrap/member.h"
#include "comm/bootstrap/root_info.h"

namespace tandem::bootstrap {

// This process's one connection to the root of one communicator, for all of its ranks in it: connects,
// proves, joins, receives the table, and from then on tells and hears who goes. IoLoop thread only.
class Client final : public Group, public std::enable_shared_from_this<Client> {
 public:
  // `registered`: the registry knows it, so it must be told when the client ends.
  Client(RootInfo info, bool registered);

  void Add(std::shared_ptr<Member> member) override;
  void Leave(const std::shared_ptr<Member>& member) override;

 private:
  enum class Phase : uint8_t { kIdle, kConnecting, kProving, kJoining, kServing, kRootLost, kEnded };

  // Connecting.
  void Start();
  void Connect();
  Status OpenSocket();
  void OnConnected(const asio::error_code& error);
  void RetryAfter(const Status& why, std::chrono::nanoseconds patience);
  void ArmDeadline();
  void ArmNote(std::chrono::nanoseconds wait);
  void OnDeadline();

  // Exchange.
  void OnFrame(std::string_view body);
  void OnChallenge(const Challenge& challenge);
  void OnTable(Table message);
  void SendJoin(const Member& member);
  void OnClosed(const Status& why);
  void Fail(const Status& status);

  void NoteProgress() const;

  // Membership.
  void OnLost(const RankLoss& loss);
  void OnRootLost(const Status& why);
  void TellMembers();
  void End();

  std::string RootText() const;
  // Why the root's address does not serve: its process is gone, or has made its communicator already.
  Status NotListening(const Status& why) const;
  Status Gone(const std::string& why) const;

  const RootInfo info_;
  const bool registered_;
  Phase phase_ = Phase::kIdle;
  bool root_is_here_ = false;          // on this host, where a refused connection is final
  std::optional<std::string> source_;  // address to connect from, when the user chose the interface
  asio::ip::tcp::endpoint root_;
  asio::ip::tcp::socket connecting_;
  std::shared_ptr<Channel> channel_;
  asio::steady_timer retry_timer_;
  asio::steady_timer deadline_timer_;
  asio::steady_timer note_timer_;
  std::chrono::nanoseconds retry_wait_{};
  std::optional<Deadline> first_failure_;
  Status last_failure_;
  std::string progress_;  // the root's last word on who is missing
  Deadline began_{};
  const std::optional<std::chrono::nanoseconds> note_after_;
  Nonce nonce_{};
  std::vector<std::shared_ptr<Member>> members_;
  std::shared_ptr<const RankTable> table_;
  std::vector<uint32_t> root_ranks_;
  std::shared_ptr<LossList> losses_ = std::make_shared<LossList>();
  std::set<uint32_t> gone_;
};

}  // namespace tandem::bootstrap
