// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>

#include "property/schedule.h"
#include "support/job.h"

namespace tandem::test {

// Runs the schedule in new processes and checks every byte that arrived and the guards of every buffer. Good
// and without text unless something is wrong.
JobEnd ExecuteSchedule(const Schedule& schedule, std::chrono::seconds deadline);

}  // namespace tandem::test
