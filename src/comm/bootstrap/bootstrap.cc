// SPDX-License-Identifier: Apache-2.0
#include "comm/bootstrap/bootstrap.h"

#include <unistd.h>

#include <asio/io_context.hpp>
#include <asio/post.hpp>
#include <atomic>
#include <chrono>
#include <optional>
#include <thread>

#include "base/config.h"
#include "base/io_loop.h"
#include "comm/bootstrap/client.h"
#include "comm/bootstrap/door.h"
#include "comm/bootstrap/fate.h"
#include "comm/bootstrap/join.h"
#include "comm/bootstrap/nic.h"
#include "comm/bootstrap/registry.h"
#include "comm/bootstrap/root_server.h"
#include "comm/bootstrap/whitelist.h"
#include "transport/shm/peer_socket.h"

namespace tandem::bootstrap {
namespace {

constexpr auto kGoodbyeTime = std::chrono::seconds(2);
constexpr auto kPlaceTaken = std::chrono::milliseconds(50);

// Runs `work` on the IoLoop thread and waits for its end, at most until `deadline`.
template <typename Work>
void RunOnLoop(Deadline deadline, Work work) {
  if (IoLoop::IsLoopThread()) return work();
  auto done = std::make_shared<std::atomic<uint32_t>>(0);
  asio::post(IoLoop::Context(), [done, work = std::move(work)]() mutable {
    work();
    done->store(1, std::memory_order_release);  // pairs with the load below
    FutexWake(*done, 1, FutexScope::kPrivate);
  });
  while (done->load(std::memory_order_acquire) == 0) {
    if (!FutexWait(*done, 0, deadline, FutexScope::kPrivate)) return;
  }
}

// The IoLoop's thread does not exist in a child made by fork(), so nothing here could work there.
Status CheckNotForked() {
  static const pid_t first = getpid();
  if (first == getpid()) return Status::Ok();
  return Status::Error(
      Code::kNotPermitted,
      "this process was forked from pid %d after Tandem had been used there; fork first, or start "
      "ranks as new programs (fork and exec, `tandem run`)",
      first);
}

struct ListenPlan {
  Nic nic;
  std::vector<uint16_t> ports;
  std::string key;  // equal plans can share one socket, whatever the device
};

Result<ListenPlan> PlanListening(int32_t device) {
  auto nic = ChooseHostNic();
  if (!nic) return std::move(nic).status();
  auto ranges = config::HostPorts();
  if (!ranges) return std::move(ranges).status();
  const auto base = config::BasePort();
  if (!base) return base.status();
  ListenPlan plan{std::move(*nic), PortsToTry(*ranges, *base, device), ""};
  plan.key = plan.nic.address + "|" + std::to_string(*base) + "|" +
             SettingText("HCCL_HOST_SOCKET_PORT_RANGE").value_or("");
  return plan;
}

Result<std::shared_ptr<Listener>> GetListener(const ListenPlan& plan) {
  Registry& registry = Registry::Get();
  if (auto listener = registry.FindListener(plan.key)) return listener;
  auto socket = Listen(plan.nic.address, plan.ports);
  if (!socket) return std::move(socket).status();
  auto listener = std::make_shared<Listener>(IoLoop::Context(), plan.nic.v6);
  TANDEM_RETURN_IF_ERROR(listener->Start(std::move(*socket)));
  registry.KeepListener(plan.key, listener);
  return listener;
}

RootInfo MakeInfo(const ListenPlan& plan, uint16_t port, int32_t device) {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  RootInfo info;
  info.address = plan.nic.address;
  info.port = port;
  info.identifier = info.address + "_" + std::to_string(port) + "_" + std::to_string(device) + "_" +
                    std::to_string(std::chrono::duration_cast<std::chrono::microseconds>(now).count());
  info.id = Random<16>();
  info.secret = Random<32>();
  info.pid = getpid();
  info.host_name = HostName().substr(0, 63);
  return info;
}

// IoLoop thread. With a place, `socket` is its listening socket.
Result<RootInfoBytes> AddRoot(const ListenPlan& plan, int32_t device, std::chrono::nanoseconds wait,
                              const MeetingPlace* place, UniqueFd socket) {
  auto listener = GetListener(plan);
  if (!listener) return std::move(listener).status();
  const RootInfo info = MakeInfo(plan, (*listener)->port(), device);
  const RootInfoBytes bytes = Encode(info);
  auto root = std::make_shared<RootServer>(info, device, *listener, wait);
  root->Start();
  Registry::Get().AddRoot(info.id, root);
  if (place != nullptr) {
    auto door = std::make_shared<Door>(std::move(socket), *place, root, bytes);
    door->Start();
    Registry::Get().KeepDoor(door);
    root->KeepDoor(std::move(door), place->rank_count);
  }
  return bytes;
}

// Ranks of one host need no interface of their choice.
ListenPlan LoopbackPlan() { return {Nic{"lo", "127.0.0.1", false, false}, {0}, "127.0.0.1|rank table"}; }

// IoLoop thread. The listening socket of the place. When another process has it, `holder` is its pid.
Result<UniqueFd> OpenPlace(const MeetingPlace& place, std::optional<int32_t>& holder) {
  if (const auto door = Registry::Get().FindDoor(place.socket); door && !door->IsGathering()) {
    // An earlier exchange of this process that failed: nobody needs to hear of it any more.
    door->Close();
  }
  Result<UniqueFd> socket = shm::ListenAbstract(place.socket);
  if (socket) return socket;
  const auto attempt = shm::ConnectAbstract(place.socket);
  if (!attempt || attempt->outcome != shm::ConnectOutcome::kConnected) return socket;
  const auto who = shm::ReadPeerCredentials(attempt->socket.get());
  if (!who) return socket;
  TANDEM_RETURN_IF_ERROR(
      shm::CheckPeerUser(getuid(), *who).Annotate("the meeting place of this rank table is taken"));
  holder = who->pid;
  return socket;
}

class RankMembership final : public Membership {
 public:
  RankMembership(std::shared_ptr<Member> member, std::shared_ptr<Group> group)
      : member_(std::move(member)), group_(std::move(group)) {}

  ~RankMembership() override {
    member_->SetLossHandler(nullptr);
    // Waits until the word has been handed to the system: the process may end right after.
    RunOnLoop(Clock::now() + kGoodbyeTime, [member = member_, group = group_] { group->Leave(member); });
  }

  const RankTable& table() const override { return member_->table(); }

  void SetLossHandler(LossHandler handler) override {
    const bool listens = handler != nullptr;
    member_->SetLossHandler(std::move(handler));
    if (listens) asio::post(IoLoop::Context(), [member = member_] { member->TellLosses(); });
  }

 private:
  const std::shared_ptr<Member> member_;
  const std::shared_ptr<Group> group_;
};

// IoLoop thread.
std::shared_ptr<Group> FindOrMakeGroup(const RootInfo& info, const std::shared_ptr<Member>& member,
                                       bool share) {
  if (!share) return std::make_shared<Client>(info, false);
  Registry& registry = Registry::Get();
  if (auto group = registry.FindGroup(info.id)) return group;
  if (Status used = registry.WhyUsed(info.id); !used.ok()) {
    member->Fail(used);
    return nullptr;
  }
  auto client = std::make_shared<Client>(info, true);
  registry.AddClient(info.id, client);
  return client;
}

}  // namespace

Result<RootInfoBytes> StartRoot(int32_t device) {
  TANDEM_RETURN_IF_ERROR(CheckNotForked());
  TANDEM_RETURN_IF_ERROR(CheckWhitelist());
  auto plan = PlanListening(device);
  if (!plan) return std::move(plan).status();
  const auto wait = config::RootExchangeTimeout();
  if (!wait) return wait.status();
  std::optional<Result<RootInfoBytes>> result;
  RunOnLoop(kNever, [&] { result.emplace(AddRoot(*plan, device, *wait, nullptr, {})); });
  return std::move(*result);
}

Result<RootInfoBytes> StartRootAt(const MeetingPlace& place, int32_t device, Deadline deadline) {
  TANDEM_RETURN_IF_ERROR(CheckNotForked());
  const auto wait = config::RootExchangeTimeout();
  if (!wait) return wait.status();
  for (;;) {
    std::optional<Result<RootInfoBytes>> result;
    std::optional<int32_t> holder;
    RunOnLoop(kNever, [&] {
      Result<UniqueFd> socket = OpenPlace(place, holder);
      if (!socket) return result.emplace(std::move(socket).status()), void();
      result.emplace(AddRoot(LoopbackPlan(), device, *wait, &place, std::move(*socket)));
    });
    if (*result || !holder) return std::move(*result);
    if (Clock::now() >= deadline) {
      return Status::Error(Code::kUnavailable,
                           "rank 0 of this rank table is being created by another job too (pid %d), and has "
                           "been for as long as this one could wait; give jobs that start at the same time "
                           "tables with different devices for rank 0, or start them with `tandem run`",
                           *holder)
          .WithId("EI0015");
    }
    std::this_thread::sleep_until(std::min(Clock::now() + kPlaceTaken, deadline));
  }
}

Result<std::string> NameIn(const RootInfoBytes& root_info) {
  auto info = Decode(root_info);
  if (!info) return std::move(info).status();
  return std::move(info->identifier);
}

Result<std::unique_ptr<Membership>> JoinWith(const RootInfoBytes& root_info, uint32_t rank_count,
                                             RankRecord self, Deadline deadline, const JoinOptions& options) {
  TANDEM_RETURN_IF_ERROR(CheckNotForked());
  if (rank_count == 0 || rank_count > kMaxRanks || self.rank >= rank_count) {
    return Status::Error(
               Code::kInvalidArgument,
               "rank %u of %u ranks; expected 1 to %u ranks and a rank from 0 to that number minus 1",
               self.rank, rank_count, kMaxRanks)
        .WithId("EI0003");
  }
  auto info = Decode(root_info);
  if (!info) return std::move(info).status();
  const auto member = std::make_shared<Member>(rank_count, std::move(self), deadline);
  auto group = std::make_shared<std::shared_ptr<Group>>();
  asio::post(IoLoop::Context(), [=, info = std::move(*info)] {
    *group = FindOrMakeGroup(info, member, options.share_process);
    // The group may drop itself when it fails at once.
    if (const auto keep = *group) keep->Add(member);
  });
  if (Status status = member->Wait(); !status.ok()) {
    asio::post(IoLoop::Context(), [=] {
      if (*group) (*group)->Leave(member);
    });
    return status;
  }
  return std::unique_ptr<Membership>(std::make_unique<RankMembership>(member, *group));
}

Result<std::unique_ptr<Membership>> Join(const RootInfoBytes& root_info, uint32_t rank_count, RankRecord self,
                                         Deadline deadline) {
  return JoinWith(root_info, rank_count, std::move(self), deadline, {});
}

}  // namespace tandem::bootstrap
