// SPDX-License-Identifier: Apache-2.0
#include "comm/data_type.h"

#include <array>

namespace tandem {
namespace {

// Index is the value of HcclDataType; 13 is not assigned.
constexpr std::array<DataType, 18> kTypes = {{{"int8", 1},
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

}  // namespace

std::optional<DataType> FindDataType(int value) {
  if (value < 0 || value >= static_cast<int>(kTypes.size())) return std::nullopt;
  const DataType& type = kTypes[static_cast<size_t>(value)];
  if (type.name == nullptr) return std::nullopt;
  return type;
}

std::string DataTypeName(int value) {
  const std::optional<DataType> type = FindDataType(value);
  return type ? type->name : std::to_string(value) + " (no data type)";
}

}  // namespace tandem
