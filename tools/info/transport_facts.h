// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "info/facts.h"

namespace tandem::tools {

// The ways in which bytes can get from rank to rank, and whether this machine allows each.
std::vector<TransportFacts> GatherTransports();

}  // namespace tandem::tools
