// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "info/facts.h"

namespace tandem::tools {

// Version and place of the shared library that this program was loaded with.
LibraryFacts GatherLibrary();

// The devices as any program sees them: through the public API only.
DeviceListFacts GatherDevices();

}  // namespace tandem::tools
