// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace tandem {

// The value of a lower-case hexadecimal digit, or -1.
constexpr int HexDigitValue(char digit) {
  if (digit >= '0' && digit <= '9') return digit - '0';
  if (digit >= 'a' && digit <= 'f') return digit - 'a' + 10;
  return -1;
}

}  // namespace tandem
