// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <string_view>

namespace tandem {

// HCCL_ENTRY_LOG_ENABLE, as it was when a root info or a communicator was last made; without one there is no
// operator call. A plain load, because every operation asks.
inline std::atomic<bool> entry_log_wanted{false};

inline bool EntryLogWanted() { return entry_log_wanted.load(std::memory_order_relaxed); }

// One line in the layout of the log, whatever its level, and as often as it is written: to the standard
// output with ASCEND_SLOG_PRINT_TO_STDOUT, to FOLDER/run/plog where there is a folder for log files, else to
// the standard error.
void WriteRunLog(const char* file, int line, std::string_view text);

}  // namespace tandem
