// SPDX-License-Identifier: Apache-2.0
#include "comm/bootstrap/handshake.h"

#include "base/io_loop.h"
#include "base/log.h"
#include "comm/bootstrap/registry.h"
#include "comm/bootstrap/root_server.h"

#include <asio/io_context.hpp>

namespace tandem::bootstrap {
namespace {

Status RootGone() {
  return Status::Error(
             Code::kConnect,
             "the root rank's process has gone, and another root answers at its address; get a new root info "
             "from HcclGetRootInfo")
      .WithId("EI0015");
}

// Owned by the channel's handlers and the timer; gone when the channel is handed over or closed.
class Handshake : public std::enable_shared_from_this<Handshake> {
 public:
  Handshake(std::shared_ptr<Channel> channel, std::unique_ptr<Listener::Place> place)
      : channel_(std::move(channel)), place_(std::move(place)), timer_(IoLoop::Context()) {}

  void Start() {
    channel_->SetHandlers([self = shared_from_this()](std::string_view body) { self->OnFrame(body); },
                          [self = shared_from_this()](const Status&) { self->End(); });
    timer_.expires_after(Listener::kStrangerTime);
    timer_.async_wait([self = shared_from_this()](const asio::error_code& error) {
      if (error || !self->channel_) return;
      self->channel_->Close();
      self->End();
    });
    channel_->Start();
  }

 private:
  void OnFrame(std::string_view body) {
    const auto message = DecodeMessage(body);
    if (!message && message.status().code() == Code::kMismatch) return Refuse(message.status());
    const auto* hello = message ? std::get_if<Hello>(&*message) : nullptr;
    const auto* proof = message ? std::get_if<RankProof>(&*message) : nullptr;
    if (hello != nullptr && !challenged_) return OnHello(*hello);
    if (proof != nullptr && challenged_) return OnProof(*proof);
    channel_->Close();
    End();
  }

  void OnHello(const Hello& hello) {
    root_id_ = hello.root;
    const auto root = Registry::Get().FindRoot(root_id_);
    if (!root) {
      const Status used = Registry::Get().WhyUsed(root_id_);
      return Refuse(used.ok() ? RootGone() : used);
    }
    challenged_ = true;
    const auto root_nonce = Random<32>();
    expected_ = MakeProof(root->secret(), Side::kRank, root_id_, hello.nonce, root_nonce);
    channel_->Send(
        Challenge{root_nonce, MakeProof(root->secret(), Side::kRoot, root_id_, hello.nonce, root_nonce)});
  }

  void OnProof(const RankProof& proof) {
    const auto root = Registry::Get().FindRoot(root_id_);
    if (!SameProof(proof.proof, expected_)) {
      TANDEM_LOG(kInfo, "a connection to the root was refused: it does not know the secret of the root info");
      return Refuse(Status::Error(Code::kNotPermitted,
                                  "the root refused this rank: it does not know the secret of the "
                                  "root info"));
    }
    if (!root) return Refuse(AlreadyUsed(""));
    const auto channel = channel_;
    channel->Send(Welcome{});
    End();
    root->Adopt(channel);
  }

  void Refuse(const Status& status) {
    channel_->Send(Failure{status});
    channel_->Finish();
    End();
  }

  void End() {
    channel_.reset();
    place_.reset();
    timer_.cancel();
  }

  std::shared_ptr<Channel> channel_;
  std::unique_ptr<Listener::Place> place_;
  asio::steady_timer timer_;
  RootId root_id_{};
  Proof expected_{};
  bool challenged_ = false;
};

}  // namespace

void StartHandshake(std::shared_ptr<Channel> channel, std::unique_ptr<Listener::Place> place) {
  std::make_shared<Handshake>(std::move(channel), std::move(place))->Start();
}

}  // namespace tandem::bootstrap
