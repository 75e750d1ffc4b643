// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "comm/bootstrap/bootstrap.h"

namespace tandem::bootstrap {

struct JoinOptions {
  // Off: the rank connects as if it were a process of its own, even to a root in this process. For tests.
  bool share_process = true;
};

Result<std::unique_ptr<Membership>> JoinWith(const RootInfoBytes& root_info, uint32_t rank_count,
                                             RankRecord self, Deadline deadline, const JoinOptions& options);

}  // namespace tandem::bootstrap
