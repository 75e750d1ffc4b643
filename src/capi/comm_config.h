// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hccl/hccl_types.h>

#include "base/result.h"
#include "comm/communicator.h"

namespace tandem::capi {

// Reads a configuration by the size and version that it declares, as the device's loader does: older and
// newer structures are accepted, fields that the version does not have keep their defaults. Source: HCOMM 9.x
// sources, configuration loader (spec hccl.md 2.7).
Result<Communicator::Options> LoadCommConfig(const HcclCommConfig* given);

// What holds without a configuration: the environment, then the defaults.
Result<Communicator::Options> DefaultCommOptions();

}  // namespace tandem::capi
