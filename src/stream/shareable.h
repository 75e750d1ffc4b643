// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "base/result.h"
#include "stream/physical_memory.h"

namespace tandem {

// Physical memory that other processes of this host and user can open, by a number of 64 bits. The number
// names a socket of the process that exported it (in the abstract name space, made with the first export,
// gone with the process) and an entry in its list; who connects there and may have the memory gets its
// descriptor. Thread-safe.

// The number; the same one as before for the same memory and check. `check_pid`: only processes named by
// AllowImport may open it. kNotSupported for memory that was imported, and after fork.
Result<uint64_t> ExportPhysical(const std::shared_ptr<PhysicalMemory>& memory, bool check_pid);

// kInvalidValue unless this process exported the number and the memory is alive.
Status AllowImport(uint64_t number, const int32_t* pids, size_t count);

// Waits for the answer of the other process, at most some seconds (kWaitTimeout). kInvalidValue: nobody has
// such a number. kNotPermitted: this process may not open it. kNotSupported: it is this process's own.
Result<std::shared_ptr<PhysicalMemory>> ImportPhysical(uint64_t number, int32_t device);

}  // namespace tandem
