// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

namespace tandem {

struct DataType {
  const char* name;  // as in HCCL_DATA_TYPE_..., lower case
  uint32_t bytes;    // of one element
};

// Index is the value of HcclDataType; 13 is not assigned.
inline constexpr std::array<DataType, 18> kDataTypes = {{{"int8", 1},
                                                         {"int16", 2},
                                                         {"int32", 4},
                                                         {"fp16", 2},
                                                         {"fp32", 4},
                                                         {"int64", 8},
                                                         {"uint64", 8},
                                                         {"uint8", 1},
                                                         {"uint16", 2},
                                                         {"uint32", 4},
                                                         {"fp64", 8},
                                                         {"bfp16", 2},
                                                         {"int128", 16},
                                                         {nullptr, 0},
                                                         {"hif8", 1},
                                                         {"fp8e4m3", 1},
                                                         {"fp8e5m2", 1},
                                                         {"fp8e8m0", 1}}};

// The type with that value in HcclDataType, or nothing. Source: HCCL sources, size table (spec hccl.md 2.3).
inline std::optional<DataType> FindDataType(int value) {
  if (value < 0 || value >= static_cast<int>(kDataTypes.size())) return std::nullopt;
  const DataType& type = kDataTypes[static_cast<size_t>(value)];
  return type.name != nullptr ? std::optional(type) : std::nullopt;
}

// For messages, also for values that are no type: "fp32", "77 (no data type)".
std::string DataTypeName(int value);

}  // namespace tandem
