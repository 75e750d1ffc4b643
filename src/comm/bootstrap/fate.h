// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "base/status.h"
#include "comm/bootstrap/bootstrap.h"

namespace tandem::bootstrap {

// What became of a process whose connection closed, as far as this host can tell: "its process (pid 12 on
// node07) ended" or "its process (pid 12 on node07) closed its connection".
std::string ProcessFate(const RankRecord& record, const Status& why_closed);

// Whether a process of this number is on this host and not about to end.
bool IsProcessHere(int32_t pid);

std::string HostName();

}  // namespace tandem::bootstrap
