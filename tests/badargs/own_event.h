// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "badargs/rows.h"

namespace tandem::test::badargs {

// Runs `use` with an event of its own.
template <typename Use>
Call WithEvent(aclError (*create)(aclrtEvent*, uint32_t), uint32_t flags, Use use) {
  return [create, flags, use](World& world) -> int64_t {
    aclrtEvent event = nullptr;
    static_cast<void>(create == nullptr ? aclrtCreateEvent(&event) : create(&event, flags));
    const int64_t result = use(world, event);
    static_cast<void>(aclrtDestroyEvent(event));
    return result;
  };
}

}  // namespace tandem::test::badargs
