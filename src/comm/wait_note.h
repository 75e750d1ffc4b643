// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace tandem {

class Communicator;
struct P2pItem;

// What a task that waits for other ranks knows of itself.
struct WaitFacts {
  const char* call = "";
  double seconds = 0;
  const P2pItem* only = nullptr;  // the item, when there is one only
  uint64_t number = 0;            // and its number in that direction, from 1
  size_t count = 0;               // items
  size_t open = 0;                // of these, not done
  std::vector<uint32_t> peers;    // of all items
};

// "rank 1 has waited 5 s for rank 0: HcclRecv of 64 x fp32 (256 bytes), number 1 from 0 to 1; ..."
std::string WaitNoteText(const Communicator& communicator, WaitFacts facts);

}  // namespace tandem
