// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <acl/acl_rt.h>

#include <cstddef>
#include <cstdint>

#include "base/result.h"
#include "stream/memory.h"

namespace tandem::capi {

// What an aclrtPhysicalMemProp asks for.
struct PhysicalProperties {
  MemoryPlace place = MemoryPlace::kDevice;
  int32_t device = -1;     // kDevice: its number on this host
  size_t granularity = 0;  // bytes of which sizes must be multiples
};

// kInvalidArgument for a value outside what is documented; kInvalidDevice.
Result<PhysicalProperties> ReadProperties(const aclrtPhysicalMemProp& prop);

}  // namespace tandem::capi
