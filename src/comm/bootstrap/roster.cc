// SPDX-License-Identifier: Apache-2.0
#include "comm/bootstrap/roster.h"

#include <utility>

namespace tandem::bootstrap {
namespace {

constexpr size_t kManyRanks = 16;
constexpr size_t kMaxParts = 64;

}  // namespace

// The root's word counts, or as long as that has not come the first rank's. `odd_counts_` has those that say
// something else.
void Roster::NoteCount(uint32_t rank, uint32_t rank_count, bool is_root) {
  const bool takes_over = rank_count_ == 0 || (is_root && !has_root_);
  if (!takes_over) {
    if (rank_count != rank_count_) odd_counts_.emplace(rank, rank_count);
    return;
  }
  if (rank_count_ != 0 && rank_count != rank_count_) {
    std::map<uint32_t, uint32_t> said;
    for (const auto& [known, record] : entries_) {
      const auto odd = odd_counts_.find(known);
      const uint32_t count = odd == odd_counts_.end() ? rank_count_ : odd->second;
      if (count != rank_count) said.emplace(known, count);
    }
    odd_counts_ = std::move(said);
  }
  rank_count_ = rank_count;
  count_rank_ = rank;
  has_root_ = is_root;
}

Status Roster::CountConflict() const {
  if (odd_counts_.empty()) return Status::Ok();
  const auto [rank, count] = *odd_counts_.begin();
  const std::string other = has_root_ ? "root" : "rank " + std::to_string(count_rank_);
  const std::string which = has_root_ ? " (rank " + std::to_string(count_rank_) + ")" : "";
  return Status::Error(Code::kInvalidArgument,
                       "the ranks were given different nRanks: rank %u says %u ranks, %s says %u%s; pass the "
                       "same nRanks on all ranks",
                       rank, count, other.c_str(), rank_count_, which.c_str())
      .WithId("EI0015");
}

Status Roster::Add(const RankRecord& record, uint32_t rank_count, bool is_root) {
  if (const RankRecord* other = Find(record.rank); other != nullptr) {
    return Status::Error(
               Code::kInvalidArgument,
               "rank %u was claimed twice: by pid %d on %s (device %d) and by pid %d on %s (device %d); give "
               "each process a rank of its own",
               record.rank, other->process.pid, other->host_name.c_str(), other->device, record.process.pid,
               record.host_name.c_str(), record.device)
        .WithId("EI0015");
  }
  const auto [place, is_new] = devices_.emplace(std::pair(record.host, record.device), record.rank);
  if (!is_new) {
    const RankRecord& other = *Find(place->second);
    return Status::Error(
               Code::kInvalidArgument,
               "rank %u (pid %d) and rank %u (pid %d) both use device %d of host %s; give each rank a device "
               "of its own with aclrtSetDevice",
               other.rank, other.process.pid, record.rank, record.process.pid, record.device,
               record.host_name.c_str())
        .WithId("EI0014");
  }
  NoteCount(record.rank, rank_count, is_root);
  entries_.emplace(record.rank, record);
  return Status::Ok();
}

const RankRecord* Roster::Find(uint32_t rank) const {
  const auto found = entries_.find(rank);
  return found == entries_.end() ? nullptr : &found->second;
}

std::string Roster::Progress() const {
  std::vector<uint32_t> connected;
  std::vector<uint32_t> missing;
  for (uint32_t rank = 0; rank < rank_count_; ++rank)
    (Find(rank) != nullptr ? connected : missing).push_back(rank);
  return "connected " + RankList(connected) + "; missing " + RankList(missing);
}

std::vector<RankRecord> Roster::Records() const {
  std::vector<RankRecord> records;
  records.reserve(entries_.size());
  for (const auto& [rank, record] : entries_) records.push_back(record);
  return records;
}

std::string RankList(const std::vector<uint32_t>& ranks) {
  if (ranks.empty()) return "none";
  std::string text;
  size_t parts = 0;
  for (size_t first = 0; first < ranks.size();) {
    size_t last = first;
    while (ranks.size() > kManyRanks && last + 1 < ranks.size() && ranks[last + 1] == ranks[last] + 1) ++last;
    if (++parts > kMaxParts) return text + ",... (" + std::to_string(ranks.size()) + " in all)";
    text += (text.empty() ? "" : ",") + std::to_string(ranks[first]);
    if (last > first) text += (last == first + 1 ? "," : "-") + std::to_string(ranks[last]);
    first = last + 1;
  }
  return text;
}

}  // namespace tandem::bootstrap
