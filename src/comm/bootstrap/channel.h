// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <asio/ip/tcp.hpp>
#include <asio/steady_timer.hpp>
#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/fd.h"
#include "base/result.h"
#include "comm/bootstrap/messages.h"

namespace tandem::bootstrap {

// One connection that carries frames (messages.h). Lives on the IoLoop thread; its owners hold it by
// shared_ptr, and operations in flight keep it alive until it is closed. Handlers may replace themselves,
// close, or drop the channel.
class Channel : public std::enable_shared_from_this<Channel> {
 public:
  using FrameHandler = std::function<void(std::string_view body)>;
  using CloseHandler = std::function<void(const Status& why)>;

  Channel(asio::ip::tcp::socket socket, size_t frame_limit);

  void SetHandlers(FrameHandler on_frame, CloseHandler on_close);
  // Longer frames than this close the connection before they are read.
  void SetFrameLimit(size_t bytes) { frame_limit_ = bytes; }
  // REQUIRES: handlers are set
  void Start() { ReadHeader(); }

  void Send(const Message& message) { SendFrame(std::make_shared<const std::string>(Encode(message))); }
  // The frame may be shared by many channels.
  void SendFrame(std::shared_ptr<const std::string> frame);
  bool HasUnsent() const { return !unsent_.empty(); }

  // Closes once everything is sent and the other side has closed too, or after a short while. No handler runs
  // any more.
  void Finish();
  // Closes now. No handler runs any more.
  void Close();

 private:
  void ReadHeader();
  void ReadBody();
  void WriteNext();
  void Fail(const Status& why);

  asio::ip::tcp::socket socket_;
  asio::steady_timer finish_timer_;
  size_t frame_limit_;
  FrameHandler on_frame_;
  CloseHandler on_close_;
  std::array<unsigned char, kFrameHeaderBytes> header_{};
  std::string body_;
  std::deque<std::shared_ptr<const std::string>> unsent_;
  size_t unsent_bytes_ = 0;
  bool finishing_ = false;
};

// A TCP socket that programs started by this process do not inherit: they would keep the connection open
// after this process has died, and hide its death from the others.
Result<UniqueFd> OpenTcpSocket(bool v6);
// Small frames at once, and notice when the other host is gone.
void SetConnectionOptions(int fd);

}  // namespace tandem::bootstrap
