// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "info/facts.h"

namespace tandem::tools {

// To the standard output. False when that cannot be written.
bool PrintText(const Facts& facts);
bool PrintJson(const Facts& facts);

}  // namespace tandem::tools
