// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <rapidcheck.h>

#include "property/schedule.h"

namespace tandem::test {

// Valid schedules of 2 to `most_ranks` ranks. Shrinks to fewer steps, messages, ranks, streams and bytes.
rc::Gen<Schedule> AnySchedule(uint32_t most_ranks);

}  // namespace tandem::test
