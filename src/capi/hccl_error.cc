// SPDX-License-Identifier: Apache-2.0
// HcclGetErrorString.
#include <hccl/hccl_comm.h>

#include <array>

namespace {

// Index is the code. Source: HCCL sources, error strings (spec hccl.md 2.2).
constexpr std::array<const char*, 25> kTexts = {"no error",
                                                "parameter error",
                                                "empty pointer",
                                                "memory error",
                                                "internal error",
                                                "not support feature",
                                                "not found specific resource",
                                                "resource unavailable",
                                                "call system interface error",
                                                "timeout",
                                                "open file fail",
                                                "tcp connect fail",
                                                "roce connect fail",
                                                "tcp transfer fail",
                                                "roce transfer fail",
                                                "call runtime api fail",
                                                "call driver api fail",
                                                "call profiling api fail",
                                                "call cce api fail",
                                                "call network api fail",
                                                "try again",
                                                "error cqe",
                                                "error communicator suspending",
                                                "retry constraint",
                                                "out of memory"};

}  // namespace

extern "C" const char* HcclGetErrorString(HcclResult code) {
  const auto value = static_cast<int>(code);
  if (value >= 0 && value < static_cast<int>(kTexts.size())) return kTexts[static_cast<size_t>(value)];
  // Inside the range of the enumeration, but without a text of its own.
  if (value >= 0 && value < HCCL_E_RESERVED) return "unknown err";
  return "unknown error";
}
