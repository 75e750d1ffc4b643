// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <acl/acl_base.h>

#include <string>
#include <string_view>

namespace tandem::capi {

// The text of one failure in CANN's shape: id, pid, time, title, what happened, and where the id has them,
// possible cause and solution.
std::string FormatErrorMessage(std::string_view id, std::string_view what);

// The store behind aclGetRecentErrMsg: of the calling thread, or of the process.
enum class MessageScope { kThread, kProcess };
void SetMessageScope(MessageScope scope);
void StoreMessage(std::string message);
// All stored messages, newest first, and empties the store; null when it is empty. Valid until the next call
// in the same thread (kThread) or process (kProcess).
const char* TakeMessages();

// The thread's last error of the runtime layer.
void SetLastError(aclError error);
aclError PeekLastError();
aclError TakeLastError();

}  // namespace tandem::capi
