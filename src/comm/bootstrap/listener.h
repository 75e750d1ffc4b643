// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <asio/ip/tcp.hpp>
#include <asio/steady_timer.hpp>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "comm/bootstrap/channel.h"
#include "comm/bootstrap/port.h"

namespace tandem::bootstrap {

// Accepts connections for the roots of this process and hands each to its root once it has proven that it
// knows the secret. Whoever has not is a stranger: at most kMaxStrangers at a time, each for at most
// kStrangerTime; more wait in the system's queue. IoLoop thread only; closes when destroyed.
class Listener : public std::enable_shared_from_this<Listener> {
 public:
  static constexpr size_t kMaxStrangers = 512;
  static constexpr auto kStrangerTime = std::chrono::seconds(5);

  Listener(asio::io_context& context, bool v6);
  Status Start(ListeningSocket socket);
  uint16_t port() const { return port_; }
  size_t strangers() const { return strangers_; }

  // A stranger's place; giving it up lets the next one in.
  class Place {
   public:
    explicit Place(const std::shared_ptr<Listener>& listener);
    ~Place();
    Place(const Place&) = delete;
    Place& operator=(const Place&) = delete;

   private:
    std::weak_ptr<Listener> listener_;
  };

 private:
  void WaitForConnection();
  void AcceptAll();
  void RetryLater(int error_number);
  void Welcome(UniqueFd fd);

  asio::ip::tcp::acceptor acceptor_;
  asio::steady_timer retry_timer_;
  uint16_t port_ = 0;
  const bool v6_;
  size_t strangers_ = 0;
  bool is_waiting_ = false;
};

}  // namespace tandem::bootstrap
