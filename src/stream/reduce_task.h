// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "stream/task.h"

namespace tandem {

// to[i] = operation(to[i], from[i]) for `count` elements.
using Reduction = void (*)(std::byte* to, const std::byte* from, size_t count);

struct ReduceShape {
  std::byte* to = nullptr;
  const std::byte* from = nullptr;
  size_t count = 0;
  size_t element_bytes = 0;
  Reduction reduction = nullptr;
};

// Reduces in stream order, a slice at each run, so that no run takes long.
class ReduceTask final : public Task {
 public:
  explicit ReduceTask(const ReduceShape& shape) : left_(shape) {}
  Step Run(const RunContext& context) override;
  void Cancel(const Status& why) override;

 private:
  ReduceShape left_;
  bool cancelled_ = false;
};

}  // namespace tandem
