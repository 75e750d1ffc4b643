// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <asio/posix/stream_descriptor.hpp>
#include <asio/steady_timer.hpp>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>

#include "base/fd.h"
#include "comm/bootstrap/bootstrap.h"
#include "comm/bootstrap/messages.h"

namespace tandem::bootstrap {

class RootServer;

// Rank 0's end of a meeting place: gives the root info to processes of the same user whose rank table says
// the same. IoLoop thread only; nobody can come in any more once it is destroyed, and who is in it then must
// try again.
class Door : public std::enable_shared_from_this<Door> {
 public:
  static constexpr size_t kMostVisitors = 512;

  Door(UniqueFd listener, MeetingPlace place, const std::shared_ptr<RootServer>& root,
       const RootInfoBytes& root_info);

  void Start() { AwaitVisitor(); }
  const std::string& socket() const { return place_.socket; }
  // Whether its root still waits for ranks.
  bool IsGathering() const;

  // What to answer to a rank of process `pid`. A table that differs is a failure of the whole exchange.
  // Nothing: the rank knows that this exchange has failed, and waits for the next one.
  std::optional<Message> Answer(const Knock& knock, int32_t pid);
  void OnVisitorGone();
  void Close();

 private:
  void AwaitVisitor();
  void AcceptAll();

  asio::posix::stream_descriptor listener_;
  asio::steady_timer retry_timer_;
  const MeetingPlace place_;
  const std::weak_ptr<RootServer> root_;
  const RootInfoBytes root_info_;
  size_t visitors_ = 0;
  bool awaiting_ = false;
};

}  // namespace tandem::bootstrap
