// SPDX-License-Identifier: Apache-2.0
#include "capi/reduction.h"

#include <bit>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "capi/float16.h"

namespace tandem::capi {
namespace {

// How elements of one type are stored and what is calculated with. Wide is at least as wide as the stored
// type; integers are unsigned there while they are added, because overflow wraps.
template <typename T>
struct Plain {
  using Stored = T;
  using Wide = T;
  static T Widen(T value) { return value; }
  static T Narrow(T value) { return value; }
};

struct Half {
  using Stored = uint16_t;
  using Wide = float;
  static float Widen(uint16_t value) { return HalfToFloat(value); }
  static uint16_t Narrow(float value) { return FloatToHalf(value); }
};

// The upper half of a float.
struct Brain {
  using Stored = uint16_t;
  using Wide = float;
  static float Widen(uint16_t value) { return std::bit_cast<float>(static_cast<uint32_t>(value) << 16); }
  static uint16_t Narrow(float value) {
    const uint32_t bits = std::bit_cast<uint32_t>(value);
    // Rounding could turn a value that is no number into infinity.
    if ((bits & 0x7FFFFFFFU) > 0x7F800000U) return static_cast<uint16_t>(bits >> 16 | 0x40U);
    return static_cast<uint16_t>((bits + 0x7FFFU + (bits >> 16 & 1U)) >> 16);
  }
};

struct Sum {
  template <typename T>
  static T Apply(T a, T b) {
    if constexpr (std::is_integral_v<T>) {
      return static_cast<T>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
    } else {
      return a + b;
    }
  }
};
struct Max {
  template <typename T>
  static T Apply(T a, T b) {
    return b > a ? b : a;
  }
};
struct Min {
  template <typename T>
  static T Apply(T a, T b) {
    return b < a ? b : a;
  }
};
struct Equal {
  template <typename T>
  static T Apply(T a, T b) {
    return a == b ? T{1} : T{0};
  }
};

template <typename Type, typename Operation>
void Reduce(std::byte* to, const std::byte* from, size_t count) {
  using Stored = typename Type::Stored;
  for (size_t i = 0; i < count; ++i) {
    // Through copies, because neither address need be a multiple of the element's size.
    Stored a;
    Stored b;
    std::memcpy(&a, to + i * sizeof a, sizeof a);
    std::memcpy(&b, from + i * sizeof b, sizeof b);
    const Stored result = Type::Narrow(Operation::Apply(Type::Widen(a), Type::Widen(b)));
    std::memcpy(to + i * sizeof result, &result, sizeof result);
  }
}

template <typename Type>
Result<TypedReduction> Of(aclrtReduceKind kind) {
  constexpr size_t kBytes = sizeof(typename Type::Stored);
  switch (kind) {
    case ACL_RT_MEMCPY_SDMA_AUTOMATIC_SUM:
      return TypedReduction{&Reduce<Type, Sum>, kBytes};
    case ACL_RT_MEMCPY_SDMA_AUTOMATIC_MAX:
      return TypedReduction{&Reduce<Type, Max>, kBytes};
    case ACL_RT_MEMCPY_SDMA_AUTOMATIC_MIN:
      return TypedReduction{&Reduce<Type, Min>, kBytes};
    case ACL_RT_MEMCPY_SDMA_AUTOMATIC_EQUAL:
      return TypedReduction{&Reduce<Type, Equal>, kBytes};
  }
  return Status::Error(Code::kInvalidValue, "kind is %d, expected 10 (sum), 11 (max), 12 (min) or 13 (equal)",
                       static_cast<int>(kind));
}

}  // namespace

bool IsReducible(aclDataType type) {
  switch (type) {
    case ACL_FLOAT:
    case ACL_FLOAT16:
    case ACL_BF16:
    case ACL_DOUBLE:
    case ACL_INT8:
    case ACL_INT16:
    case ACL_INT32:
    case ACL_INT64:
    case ACL_UINT8:
    case ACL_UINT16:
    case ACL_UINT32:
    case ACL_UINT64:
      return true;
    default:
      return false;
  }
}

Result<TypedReduction> FindReduction(aclrtReduceKind kind, aclDataType type) {
  switch (type) {
    case ACL_FLOAT:
      return Of<Plain<float>>(kind);
    case ACL_FLOAT16:
      return Of<Half>(kind);
    case ACL_BF16:
      return Of<Brain>(kind);
    case ACL_DOUBLE:
      return Of<Plain<double>>(kind);
    case ACL_INT8:
      return Of<Plain<int8_t>>(kind);
    case ACL_INT16:
      return Of<Plain<int16_t>>(kind);
    case ACL_INT32:
      return Of<Plain<int32_t>>(kind);
    case ACL_INT64:
      return Of<Plain<int64_t>>(kind);
    case ACL_UINT8:
      return Of<Plain<uint8_t>>(kind);
    case ACL_UINT16:
      return Of<Plain<uint16_t>>(kind);
    case ACL_UINT32:
      return Of<Plain<uint32_t>>(kind);
    case ACL_UINT64:
      return Of<Plain<uint64_t>>(kind);
    default:
      return Status::Error(Code::kInternal, "no reduction for type %d", static_cast<int>(type));
  }
}

}  // namespace tandem::capi
