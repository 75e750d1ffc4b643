// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "comm/bootstrap/bootstrap.h"
#include "comm/bootstrap/join.h"

namespace tandem::bootstrap::test {

using Joined = Result<std::unique_ptr<Membership>>;

// Long enough for the slowest machine; a test that reaches it has failed.
inline Deadline Patient() { return Clock::now() + std::chrono::seconds(60); }

using SettingPairs = std::vector<std::pair<std::string, std::string>>;

// Settings for one test: loopback, any free port. Restores and forgets them afterwards.
class Environment {
 public:
  explicit Environment(SettingPairs settings = {});
  ~Environment();
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;

 private:
  std::vector<std::string> names_;
};

// Which ranks of a test look like another process.
inline bool Nobody(uint32_t) { return false; }
inline bool AllButZero(uint32_t rank) { return rank != 0; }
inline bool Everybody(uint32_t) { return true; }

// A rank of this process with a device of its own.
RankRecord Record(uint32_t rank);
// A rank that looks like another process of this host.
RankRecord ForeignRecord(uint32_t rank, int32_t pid);

// Joins these ranks at the same time, a thread for each, and returns their results in order.
struct Rank {
  RankRecord record;
  uint32_t rank_count = 0;
  bool as_own_process = false;
};
std::vector<Joined> JoinAll(const RootInfoBytes& info, const std::vector<Rank>& ranks,
                            Deadline deadline = Patient());
// `count` ranks; those for which `is_far` holds connect as processes of their own.
std::vector<Rank> Ranks(uint32_t count, const std::function<bool(uint32_t)>& is_far);

// Collects what a membership hears.
class Losses {
 public:
  LossHandler Handler();
  // Waits until `count` losses have been told, and returns them by rank.
  std::vector<RankLoss> Await(size_t count);

 private:
  struct State;
  std::shared_ptr<State> state_ = MakeState();
  static std::shared_ptr<State> MakeState();
};

// The number of open descriptors of this process.
size_t OpenDescriptors();
// Waits until the loop has nothing to do for the moment: everything posted before has run.
void SettleLoop();

}  // namespace tandem::bootstrap::test
