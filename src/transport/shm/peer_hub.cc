// SPDX-License-Identifier: Apache-2.0
#include "transport/shm/peer_hub.h"

#include <sodium.h>
#include <unistd.h>

#include <array>
#include <asio/io_context.hpp>
#include <asio/post.hpp>
#include <future>
#include <utility>

#include "base/io_loop.h"
#include "transport/shm/peer_core.h"

namespace tandem::shm {
namespace {

class PeerHubOnLoop final : public PeerHub {
 public:
  explicit PeerHubOnLoop(std::shared_ptr<PeerCore> core) : core_(std::move(core)) {}

  ~PeerHubOnLoop() override {
    if (IoLoop::IsLoopThread()) {
      core_->Stop();
      return;
    }
    // Waits, so that no handler is running when this returns.
    std::promise<void> stopped;
    asio::post(IoLoop::Context(), [this, &stopped] {
      core_->Stop();
      stopped.set_value();
    });
    stopped.get_future().wait();
  }

  const PeerAddress& address() const override { return core_->address(); }

  // Always by way of the loop, even from its own thread: a handler that sends is not called again before it
  // returns.
  void Send(const PeerAddress& to, PeerMessage message) override {
    asio::post(IoLoop::Context(), [core = core_, to, message = std::move(message)]() mutable {
      core->Send(to, std::move(message));
    });
  }

 private:
  std::shared_ptr<PeerCore> core_;
};

PeerAddress MakeAddress() {
  PeerAddress address;
  randombytes_buf(address.id.bytes.data(), address.id.bytes.size());
  randombytes_buf(address.token.data(), address.token.size());
  // The suffix keeps whoever knows only the id from taking the name first.
  ProcessId suffix;
  randombytes_buf(suffix.bytes.data(), suffix.bytes.size());
  address.socket = "tandem." + address.id.ToHex() + "." + suffix.ToHex().substr(0, 16);
  address.pid = getpid();
  return address;
}

}  // namespace

Result<std::unique_ptr<PeerHub>> StartPeerHub(PeerHub::Handler& handler, const PeerHubOptions& options) {
  if (sodium_init() < 0) {
    return Status::Error(Code::kSystem, "sodium_init() failed: the system gives no random numbers");
  }
  const PeerAddress address = MakeAddress();
  Result<UniqueFd> listener = ListenAbstract(address.socket);
  if (!listener) return std::move(listener).status().Annotate("opening this process's peer socket");
  auto core = std::make_shared<PeerCore>(handler, address, options);
  TANDEM_RETURN_IF_ERROR(core->Start(*std::move(listener)));
  return std::unique_ptr<PeerHub>(std::make_unique<PeerHubOnLoop>(std::move(core)));
}

Result<std::unique_ptr<PeerHub>> PeerHub::Start(Handler& handler) { return StartPeerHub(handler, {}); }

}  // namespace tandem::shm
