// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "info/facts.h"

namespace tandem::tools {

// What this machine gives to this process.
HostFacts GatherHost();

}  // namespace tandem::tools
