// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hccl/hccl_comm.h>

namespace tandem::capi {

// Tells the callbacks of HcclCommRegCommStateCallback.
void TellCommState(HcclComm comm, HcclCommStatePhase phase);

}  // namespace tandem::capi
