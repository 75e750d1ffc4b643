// SPDX-License-Identifier: Apache-2.0
#include "transport/channel.h"

namespace tandem {

Status GaveUpStatus() {
  return Status::Error(
      Code::kPeerLost,
      "the other rank gave up this transfer (its time limit passed, or its stream was aborted)");
}

}  // namespace tandem
