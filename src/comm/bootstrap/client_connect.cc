// SPDX-License-Identifier: Apache-2.0
// How a client gets its connection: from which address, how often it tries, and when it takes the root for
// gone.
#include <sys/socket.h>

#include <asio/io_context.hpp>
#include <asio/ip/address.hpp>

#include "base/io_loop.h"
#include "base/note.h"
#include "comm/bootstrap/client.h"
#include "comm/bootstrap/fate.h"
#include "comm/bootstrap/nic.h"
#include "comm/bootstrap/registry.h"

namespace tandem::bootstrap {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr auto kFirstRetry = milliseconds(50);
constexpr auto kSlowestRetry = seconds(1);
// The root listens before anybody can have its root info, so a refused connection means that it has gone. On
// another host something in between may refuse for a moment.
constexpr auto kRefusedHere = milliseconds(500);
constexpr auto kRefusedElsewhere = seconds(5);

}  // namespace

void Client::Start() {
  asio::error_code error;
  const auto address = asio::ip::make_address(info_.address, error);
  if (error) {
    return Fail(Status::Error(Code::kConnect, "%s: \"%s\" cannot be used on this host: %s",
                              RootText().c_str(), info_.address.c_str(), error.message().c_str())
                    .WithId("EI0015"));
  }
  root_ = {address, info_.port};
  root_is_here_ = IsAddressOfThisHost(info_.address);
  // An interface was chosen for meeting other hosts; what is on this host is reached without it.
  const auto wished = address.is_loopback() ? Result<bool>(false) : IsNicWished();
  if (wished && *wished) {
    const auto nic = ChooseHostNic();
    if (!nic) {
      return Fail(Status::Error(Code::kInvalidArgument, "%s", std::string(nic.status().text()).c_str())
                      .WithId(nic.status().id()));
    }
    if (nic->v6 == address.is_v6()) source_ = nic->address;
  }
  began_ = Clock::now();
  if (note_after_) ArmNote(*note_after_);
  Connect();
}

Status Client::OpenSocket() {
  auto fd = OpenTcpSocket(root_.address().is_v6());
  if (!fd) return std::move(fd).status();
  asio::error_code error;
  connecting_.assign(root_.protocol(), fd->get(), error);
  if (error) return Status::Error(Code::kSystem, "%s", error.message().c_str());
  fd->Release();
  if (!source_) return Status::Ok();
  connecting_.bind({asio::ip::make_address(*source_, error), 0}, error);
  if (!error) return Status::Ok();
  return Status::Error(Code::kSystem, "bind to %s: %s", source_->c_str(), error.message().c_str());
}

void Client::Connect() {
  phase_ = Phase::kConnecting;
  asio::error_code ignored;
  connecting_.close(ignored);
  if (Status status = OpenSocket(); !status.ok()) return RetryAfter(status, std::chrono::nanoseconds::max());
  connecting_.async_connect(root_, [weak = weak_from_this()](const asio::error_code& error) {
    const auto self = weak.lock();
    if (self && error != asio::error::operation_aborted) self->OnConnected(error);
  });
}

void Client::OnConnected(const asio::error_code& error) {
  if (phase_ != Phase::kConnecting) return;
  if (error == asio::error::connection_refused) {
    const std::chrono::nanoseconds patience = root_is_here_ ? kRefusedHere : kRefusedElsewhere;
    return RetryAfter(Status::Error(Code::kConnect, "connection refused"), patience);
  }
  if (error) {
    const std::string from = source_ ? " from " + *source_ : "";
    const Status why = Status::Error(Code::kNetwork, "connect%s: %s", from.c_str(), error.message().c_str());
    return RetryAfter(why, std::chrono::nanoseconds::max());
  }
  phase_ = Phase::kProving;
  channel_ = std::make_shared<Channel>(std::move(connecting_), kStrangerFrameBytes);
  channel_->SetHandlers([self = shared_from_this()](std::string_view body) { self->OnFrame(body); },
                        [self = shared_from_this()](const Status& why) { self->OnClosed(why); });
  nonce_ = Random<32>();
  channel_->Send(Hello{info_.id, nonce_});
  channel_->Start();
}

void Client::RetryAfter(const Status& why, std::chrono::nanoseconds patience) {
  phase_ = Phase::kConnecting;
  const bool same = last_failure_.text() == why.text();
  if (!first_failure_ || !same) first_failure_ = Clock::now();
  retry_wait_ = same ? std::min<std::chrono::nanoseconds>(retry_wait_ * 2, kSlowestRetry) : kFirstRetry;
  last_failure_ = why;
  if (Clock::now() - *first_failure_ >= patience) return Fail(NotListening(why));
  retry_timer_.expires_after(retry_wait_);
  retry_timer_.async_wait([weak = weak_from_this()](const asio::error_code& error) {
    const auto self = weak.lock();
    if (self && !error && self->phase_ == Phase::kConnecting) self->Connect();
  });
}

Status Client::NotListening(const Status& why) const {
  // The socket lasts until all ranks of the exchange have left, so a process that lives and does not listen
  // has had its exchange. A number that another process has by now is taken for it; both texts ask for a new
  // root info.
  const bool refused = why.code() == Code::kConnect;
  if (refused && root_is_here_ && info_.host_name == HostName().substr(0, info_.host_name.size()) &&
      IsProcessHere(info_.pid)) {
    return AlreadyUsed(RootText() + " listens no more");
  }
  return Gone(std::string(why.text()));
}

void Client::ArmNote(std::chrono::nanoseconds wait) {
  note_timer_.expires_after(wait);
  note_timer_.async_wait([weak = weak_from_this(), wait](const asio::error_code& error) {
    const auto self = weak.lock();
    if (!self || error || self->phase_ > Phase::kProving) return;
    const std::string from = self->source_.value_or("any interface");
    const std::string why =
        self->last_failure_.ok() ? "no answer yet" : std::string(self->last_failure_.text());
    WriteNote("cannot reach " + self->RootText() + " from " + from + ": " + why +
              "; the limit is HCCL_CONNECT_TIMEOUT or TANDEM_CONNECT_TIMEOUT; " + kNoteHint);
    self->ArmNote(wait * 2);
  });
}

}  // namespace tandem::bootstrap
