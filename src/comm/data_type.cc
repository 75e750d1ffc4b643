// SPDX-License-Identifier: Apache-2.0
#include "comm/data_type.h"

namespace tandem {

std::string DataTypeName(int value) {
  const std::optional<DataType> type = FindDataType(value);
  return type ? type->name : std::to_string(value) + " (no data type)";
}

}  // namespace tandem
