// SPDX-License-Identifier: Apache-2.0
#include "comm/p2p/items.h"

#include <algorithm>
#include <atomic>
#include <cinttypes>
#include <map>
#include <numeric>
#include <optional>
#include <utility>

#include "base/log.h"
#include "comm/data_type.h"

namespace tandem {
namespace {

constexpr int kInt128 = 12;

const char* Verb(Direction direction) { return direction == Direction::kSend ? "send to" : "receive from"; }

Status CheckSelf(std::span<const P2pItem> items, std::span<const uint32_t> positions, uint32_t rank) {
  std::vector<size_t> sends;
  std::vector<size_t> receives;
  for (size_t i = 0; i < items.size(); ++i) {
    if (items[i].peer != rank) continue;
    (items[i].direction == Direction::kSend ? sends : receives).push_back(i);
  }
  if (sends.size() != receives.size()) {
    return Status::Error(
        Code::kInvalidArgument,
        "sendRecvInfo has %zu sends to the calling rank %u itself and %zu receives from it; both "
        "numbers must be equal",
        sends.size(), rank, receives.size());
  }
  for (size_t i = 0; i < sends.size(); ++i) {
    const P2pItem& send = items[sends[i]];
    const P2pItem& receive = items[receives[i]];
    if (send.count == receive.count && send.type == receive.type) continue;
    return Status::Error(Code::kInvalidArgument,
                         "sendRecvInfo[%u] sends %" PRIu64
                         " x %s to the calling rank %u itself, but sendRecvInfo[%u] "
                         "receives %" PRIu64 " x %s; count and type must be equal",
                         positions[sends[i]], send.count, DataTypeName(send.type).c_str(), rank,
                         positions[receives[i]], receive.count, DataTypeName(receive.type).c_str());
  }
  return Status::Ok();
}

// The first item whose peer and direction an earlier one has, and that one.
std::optional<std::pair<size_t, size_t>> FindDuplicate(std::span<const P2pItem> items) {
  // Comparing a few with each other is cheaper than keeping a book, which has to be allocated.
  constexpr size_t kFew = 8;
  std::map<std::pair<Direction, uint32_t>, size_t> book;
  for (size_t i = 0; i < items.size(); ++i) {
    const auto same = [&](const P2pItem& other) {
      return other.direction == items[i].direction && other.peer == items[i].peer;
    };
    if (items.size() <= kFew) {
      const auto before = items.begin() + static_cast<ptrdiff_t>(i);
      const auto found = std::find_if(items.begin(), before, same);
      if (found != before) return std::pair(static_cast<size_t>(found - items.begin()), i);
    } else if (const auto [first, added] = book.emplace(std::pair(items[i].direction, items[i].peer), i);
               !added) {
      return std::pair(first->second, i);
    }
  }
  return std::nullopt;
}

Status RefuseDuplicates(std::span<const P2pItem> items, std::span<const uint32_t> positions) {
  const auto found = FindDuplicate(items);
  if (!found) return Status::Ok();
  const P2pItem& second = items[found->second];
  return Status::Error(
      Code::kInvalidArgument,
      "sendRecvInfo[%u] and sendRecvInfo[%u] both %s rank %u; one call may carry one block in each "
      "direction between two ranks. Use two calls, or set TANDEM_BATCH_DUPLICATES=list to match "
      "such items in list order (sorted: by size)",
      positions[found->first], positions[found->second], Verb(second.direction), second.peer);
}

struct Overlap {
  size_t first;
  size_t second;
};

const std::byte* Begin(const P2pItem& item) { return static_cast<const std::byte*>(item.buffer); }
const std::byte* End(const P2pItem& item) { return Begin(item) + item.bytes; }

std::optional<Overlap> FindOverlap(std::span<const P2pItem> items) {
  // By address, remembering the item that ends last, and the receive that ends last.
  std::vector<size_t> order(items.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::sort(order.begin(), order.end(),
            [&](size_t a, size_t b) { return Begin(items[a]) < Begin(items[b]); });
  std::optional<size_t> last;
  std::optional<size_t> last_receive;
  for (const size_t i : order) {
    const bool receives = items[i].direction == Direction::kReceive;
    const std::optional<size_t>& before = receives ? last : last_receive;
    if (before && Begin(items[i]) < End(items[*before])) return Overlap{*before, i};
    if (!last || End(items[i]) > End(items[*last])) last = i;
    if (receives && (!last_receive || End(items[i]) > End(items[*last_receive]))) last_receive = i;
  }
  return std::nullopt;
}

// The usual batch, without anything allocated.
bool IsPlainPair(std::span<const P2pItem> items) {
  if (items.size() != 2) return items.size() < 2;
  return End(items[0]) <= Begin(items[1]) || End(items[1]) <= Begin(items[0]);
}

}  // namespace

Status CheckCount(uint64_t count) {
  if (count <= kMaxCount) return Status::Ok();
  return Status::Error(Code::kInvalidArgument, "count is %" PRIu64 " elements, expected at most %" PRIu64,
                       count, kMaxCount);
}

Status CheckType(int type) {
  if (type != kInt128 && FindDataType(type)) return Status::Ok();
  return Status::Error(
             Code::kNotSupported,
             "dataType is %d (%s); point-to-point calls move int8, int16, int32, int64, uint8, uint16, "
             "uint32, uint64, fp16, fp32, fp64, bfp16, hif8, fp8e4m3, fp8e5m2 and fp8e8m0",
             type, DataTypeName(type).c_str())
      .WithId("EI0003");
}

Status CheckPeer(uint32_t peer, const char* argument, uint32_t rank_count) {
  if (peer < rank_count) return Status::Ok();
  return Status::Error(Code::kInvalidArgument,
                       "%s is %u, expected less than the number of ranks, which is %u", argument, peer,
                       rank_count);
}

Status ArrangeBatch(std::span<P2pItem> items, std::span<uint32_t> positions, uint32_t rank,
                    BatchDuplicates rule) {
  if (rule == BatchDuplicates::kReject) TANDEM_RETURN_IF_ERROR(RefuseDuplicates(items, positions));
  if (rule == BatchDuplicates::kSorted) {
    std::vector<size_t> order(items.size());
    std::iota(order.begin(), order.end(), size_t{0});
    std::stable_sort(order.begin(), order.end(), [&items](size_t a, size_t b) {
      return std::pair(items[a].count, items[a].type) > std::pair(items[b].count, items[b].type);
    });
    std::vector<P2pItem> sorted;
    std::vector<uint32_t> places;
    for (const size_t i : order) {
      sorted.push_back(items[i]);
      places.push_back(positions[i]);
    }
    std::copy(sorted.begin(), sorted.end(), items.begin());
    std::copy(places.begin(), places.end(), positions.begin());
  }
  return CheckSelf(items, positions, rank);
}

void WarnOfOverlaps(std::span<const P2pItem> items, std::span<const uint32_t> positions) {
  static std::atomic<int> warnings_left{8};
  if (IsPlainPair(items) || warnings_left.load(std::memory_order_relaxed) <= 0) return;
  const std::optional<Overlap> found = FindOverlap(items);
  if (!found || warnings_left.fetch_sub(1, std::memory_order_relaxed) <= 0) return;
  const P2pItem& first = items[found->first];
  const P2pItem& second = items[found->second];
  TANDEM_LOG(
      kWarn,
      "HcclBatchSendRecv: sendRecvInfo[%u] (%s rank %u, %p, %zu bytes) and sendRecvInfo[%u] (%s rank %u, "
      "%p, %zu bytes) overlap; what the overlapping bytes hold afterwards is undefined",
      positions[found->first], Verb(first.direction), first.peer, first.buffer,
      static_cast<size_t>(first.bytes), positions[found->second], Verb(second.direction), second.peer,
      second.buffer, static_cast<size_t>(second.bytes));
}

}  // namespace tandem
