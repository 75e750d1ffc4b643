// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>

#include "badargs/rows.h"

namespace tandem::test::badargs {

inline constexpr size_t kBytes = World::kBytes;
// What an allocation of kBytes has with its padding.
inline constexpr size_t kPadded = kBytes + 32;

// Ordinary memory, enough for every copy that is not refused in time.
inline std::array<char, 2 * kPadded> host_memory;

}  // namespace tandem::test::badargs
