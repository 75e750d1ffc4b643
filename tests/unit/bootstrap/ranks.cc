// SPDX-License-Identifier: Apache-2.0
#include "unit/bootstrap/ranks.h"

#include <unistd.h>

#include <algorithm>
#include <asio/io_context.hpp>
#include <asio/post.hpp>
#include <condition_variable>
#include <cstdlib>
#include <filesystem>
#include <future>
#include <mutex>
#include <optional>
#include <thread>

#include "base/config.h"
#include "base/io_loop.h"
#include "comm/bootstrap/fate.h"
#include "comm/bootstrap/keys.h"

namespace tandem::bootstrap::test {

Environment::Environment(SettingPairs settings) {
  settings.insert(settings.begin(), {{"HCCL_IF_IP", "127.0.0.1"}, {"HCCL_HOST_SOCKET_PORT_RANGE", "auto"}});
  for (const auto& [name, value] : settings) {
    setenv(name.c_str(), value.c_str(), 1);
    names_.push_back(name);
  }
  config::ReadAgainForTest();
}

Environment::~Environment() {
  for (const std::string& name : names_) unsetenv(name.c_str());
  config::ReadAgainForTest();
}

RankRecord Record(uint32_t rank) {
  static const auto process_id = Random<16>();
  RankRecord record;
  record.rank = rank;
  record.device = static_cast<int32_t>(rank);
  record.host = HostIdentity();
  record.host_name = HostName();
  record.uid = getuid();
  record.cores = "0-3,8";
  record.process.id.bytes = process_id;
  record.process.socket = "tandem-test";
  record.process.token = Random<32>();
  record.process.pid = getpid();
  return record;
}

RankRecord ForeignRecord(uint32_t rank, int32_t pid) {
  RankRecord record = Record(rank);
  record.process.id.bytes = Random<16>();
  record.process.pid = pid;
  return record;
}

std::vector<Rank> Ranks(uint32_t count, const std::function<bool(uint32_t)>& is_far) {
  std::vector<Rank> ranks;
  for (uint32_t rank = 0; rank < count; ++rank) {
    const bool far = is_far(rank);
    ranks.push_back(
        {far ? ForeignRecord(rank, 100'000'000 + static_cast<int32_t>(rank)) : Record(rank), count, far});
  }
  return ranks;
}

std::vector<Joined> JoinAll(const RootInfoBytes& info, const std::vector<Rank>& ranks, Deadline deadline) {
  std::vector<std::optional<Joined>> results(ranks.size());
  std::vector<std::thread> threads;
  for (size_t i = 0; i < ranks.size(); ++i) {
    threads.emplace_back([&, i] {
      const Rank& rank = ranks[i];
      results[i].emplace(
          JoinWith(info, rank.rank_count, rank.record, deadline, {.share_process = !rank.as_own_process}));
    });
  }
  for (std::thread& thread : threads) thread.join();
  std::vector<Joined> joined;
  for (auto& result : results) joined.push_back(std::move(*result));
  return joined;
}

struct Losses::State {
  std::mutex mutex;
  std::condition_variable changed;
  std::vector<RankLoss> losses;
};

std::shared_ptr<Losses::State> Losses::MakeState() { return std::make_shared<State>(); }

LossHandler Losses::Handler() {
  return [state = state_](const RankLoss& loss) {
    const std::lock_guard lock(state->mutex);
    state->losses.push_back(loss);
    state->changed.notify_all();
  };
}

std::vector<RankLoss> Losses::Await(size_t count) {
  std::unique_lock lock(state_->mutex);
  state_->changed.wait_until(lock, Patient(), [&] { return state_->losses.size() >= count; });
  auto losses = state_->losses;
  std::sort(losses.begin(), losses.end(), [](const auto& a, const auto& b) { return a.rank < b.rank; });
  return losses;
}

size_t OpenDescriptors() {
  const std::filesystem::directory_iterator entries("/proc/self/fd");
  return static_cast<size_t>(std::distance(begin(entries), end(entries))) -
         1;  // without the one that lists them
}

void SettleLoop() {
  std::promise<void> done;
  asio::post(IoLoop::Context(), [&] { done.set_value(); });
  done.get_future().wait();
}

}  // namespace tandem::bootstrap::test
