// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/result.h"
#include "transport/shm/offers.h"

namespace tandem {

// Device memory of one process that others map by a key. Thread-safe.

// kInvalidValue unless [data, data + bytes) is device memory of this process that begins at a page. Every
// call makes a new key. `to_all`: whoever has the key may map it.
Result<shm::OfferKey> ExportDeviceMemory(void* data, size_t bytes, bool to_all);

// Maps it once more. Errors of shm::TakeOffer; kInvalidValue for a key of this process.
Result<void*> ImportDeviceMemory(const shm::OfferKey& key);

// Ends all imports of the key here or, when this process made it, withdraws it. Never waits for work that
// uses the memory: such work finds empty pages. kInvalidValue: the key is neither imported nor exported here.
Status CloseDeviceMemoryKey(const shm::OfferKey& key);

// Whether the key is imported or exported here.
bool KnowsDeviceMemoryKey(const shm::OfferKey& key);

}  // namespace tandem
