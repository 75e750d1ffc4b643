// SPDX-License-Identifier: Apache-2.0
#include "comm/wait_note.h"

#include <algorithm>
#include <cinttypes>
#include <cstdio>

#include "base/note.h"
#include "comm/bootstrap/roster.h"
#include "comm/communicator.h"
#include "comm/data_type.h"

namespace tandem {
namespace {

std::string Whom(std::vector<uint32_t>& peers) {
  std::sort(peers.begin(), peers.end());
  peers.erase(std::unique(peers.begin(), peers.end()), peers.end());
  // Which of several has not come is not known here.
  return (peers.size() == 1 ? "rank " : "at least one of the ranks ") + bootstrap::RankList(peers);
}

std::string What(const WaitFacts& facts, uint32_t rank) {
  char text[256];
  if (facts.only == nullptr) {
    std::snprintf(text, sizeof(text), "%s of %zu transfers, %zu of them not done", facts.call, facts.count,
                  facts.open);
    return text;
  }
  const P2pItem& item = *facts.only;
  const bool send = item.direction == Direction::kSend;
  std::snprintf(text, sizeof(text),
                "%s, %s of %" PRIu64 " x %s (%" PRIu64 " bytes), number %" PRIu64 " from %u to %u",
                facts.call, send ? "send" : "receive", item.count, DataTypeName(item.type).c_str(),
                item.bytes, facts.number, send ? rank : item.peer, send ? item.peer : rank);
  return text;
}

}  // namespace

std::string WaitNoteText(const Communicator& communicator, WaitFacts facts) {
  char begin[64];
  std::snprintf(begin, sizeof(begin), "rank %u has waited %.3g s for ", communicator.rank(), facts.seconds);
  char limit[64] = "no limit";
  if (communicator.exec_timeout()) {
    std::snprintf(limit, sizeof(limit), "%.6g s",
                  std::chrono::duration<double>(*communicator.exec_timeout()).count());
  }
  return begin + Whom(facts.peers) + ": " + What(facts, communicator.rank()) + "; communicator " +
         communicator.name() + ", limit of the wait: " + limit +
         " (HCCL_EXEC_TIMEOUT, TANDEM_EXEC_TIMEOUT or the communicator's own); " + kNoteHint;
}

}  // namespace tandem
