// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace tandem {

struct DataType {
  const char* name;  // as in HCCL_DATA_TYPE_..., lower case
  uint32_t bytes;    // of one element
};

// The type with that value in HcclDataType, or nothing. Source: HCCL sources, size table (spec hccl.md 2.3).
std::optional<DataType> FindDataType(int value);

// For messages, also for values that are no type: "fp32", "77 (no data type)".
std::string DataTypeName(int value);

}  // namespace tandem
