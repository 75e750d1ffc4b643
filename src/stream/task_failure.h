// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "stream/stream_pool.h"

namespace tandem {

// For Context and SubmitTask: how the hook of SetTaskFailureHook learns of failures.

// Whether there is a hook.
bool WantsTaskFailures();

// Wraps the task so that its failure can be told with the thread that queued it. Without a hook: the task
// itself.
std::unique_ptr<Task> WithOrigin(std::unique_ptr<Task> task);

// REQUIRES: called from the stream's failure hook
void TellTaskFailure(ManagedStream& stream, const Status& status);

}  // namespace tandem
