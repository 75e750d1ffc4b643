// SPDX-License-Identifier: Apache-2.0
// Rank table files, from bytes to entries. A libFuzzer target; run it with the sanitizers, beginning with the
// files in seeds/rank_table. What is accepted keeps to the rules that its users rely on.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "comm/rank_table/rank_table.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t bytes) {
  using namespace tandem::rank_table;
  const auto document = Parse("fuzz.json", {reinterpret_cast<const char*>(data), bytes});
  if (!document) {
    if (document.status().text().empty()) std::abort();
    return 0;
  }
  const auto table = Interpret(*document, 8);
  if (!table) {
    if (table.status().id().empty()) std::abort();
    return 0;
  }
  for (size_t i = 0; i < table->entries.size(); ++i) {
    if (table->entries[i].rank != i || table->entries[i].server.empty()) std::abort();
  }
  (void)Facts(*table);
  return 0;
}
