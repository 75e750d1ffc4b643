// SPDX-License-Identifier: Apache-2.0
#include "comm/bootstrap/roster.h"

namespace tandem::bootstrap {
namespace {

constexpr size_t kManyRanks = 16;
constexpr size_t kMaxParts = 64;

}  // namespace

Status Roster::CheckCount(const RankRecord& record, uint32_t rank_count, bool local) const {
  if (rank_count_ == 0 || rank_count == rank_count_) return Status::Ok();
  // The root's word is named last: it is the one to compare with.
  const bool newcomer_is_root = local && !count_is_root_;
  const uint32_t odd_rank = newcomer_is_root ? count_rank_ : record.rank;
  const uint32_t odd_count = newcomer_is_root ? rank_count_ : rank_count;
  const uint32_t other_rank = newcomer_is_root ? record.rank : count_rank_;
  const uint32_t other_count = newcomer_is_root ? rank_count : rank_count_;
  return Status::Error(
             Code::kInvalidArgument,
             "the ranks were given different nRanks: rank %u says %u ranks, rank %u%s says %u; pass the same "
             "nRanks on all ranks",
             odd_rank, odd_count, other_rank, local || count_is_root_ ? " (root)" : "", other_count)
      .WithId("EI0015");
}

Status Roster::Add(const RankRecord& record, uint32_t rank_count, bool local) {
  TANDEM_RETURN_IF_ERROR(CheckCount(record, rank_count, local));
  if (const RankRecord* other = Find(record.rank); other != nullptr) {
    return Status::Error(
               Code::kInvalidArgument,
               "rank %u was claimed twice: by pid %d on %s and by pid %d on %s; give each process a rank of "
               "its own",
               record.rank, other->process.pid, other->host_name.c_str(), record.process.pid,
               record.host_name.c_str())
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
  if (rank_count_ == 0 || (local && !count_is_root_)) {
    rank_count_ = rank_count;
    count_rank_ = record.rank;
    count_is_root_ = local;
  }
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
