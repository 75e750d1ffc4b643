// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "comm/bootstrap/bootstrap.h"

namespace tandem::bootstrap {

// The ranks that have come so far, and the rules they must keep to. No sockets, no threads.
class Roster {
 public:
  // Adds one rank; `is_root` when it is the one that made the root info. EI0015 or EI0014 (kInvalidArgument),
  // naming both ranks, when it takes the place of one that came before. What it says about the number of
  // ranks is kept for CountConflict.
  Status Add(const RankRecord& record, uint32_t rank_count, bool is_root);
  // EI0015 (kInvalidArgument), naming a rank that was given another number of ranks than the root, or, as
  // long as that has not come, than the first rank.
  Status CountConflict() const;
  bool HasRoot() const { return has_root_; }

  bool IsEmpty() const { return entries_.empty(); }
  // What the root says, or else the first rank. 0 while nobody has come.
  uint32_t rank_count() const { return rank_count_; }
  bool IsComplete() const {
    return rank_count_ != 0 && entries_.size() == rank_count_ && CountConflict().ok();
  }
  const RankRecord* Find(uint32_t rank) const;
  // "connected 0,1,2; missing 3"
  std::string Progress() const;
  // By rank. REQUIRES: IsComplete()
  std::vector<RankRecord> Records() const;

 private:
  void NoteCount(uint32_t rank, uint32_t rank_count, bool is_root);

  std::map<uint32_t, RankRecord> entries_;
  std::map<std::pair<std::string, int32_t>, uint32_t> devices_;  // (host, device) -> rank
  uint32_t rank_count_ = 0;
  uint32_t count_rank_ = 0;  // the rank that said so
  bool has_root_ = false;    // and whether it is the root
  // What each rank said, when not all said the same; so it costs nothing where all is well.
  std::map<uint32_t, uint32_t> odd_counts_;
};

// "0,1,2", or "0-255,300" when there are many.
std::string RankList(const std::vector<uint32_t>& ranks);

}  // namespace tandem::bootstrap
