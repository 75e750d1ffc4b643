// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "stream/task.h"

namespace tandem {

// `rows` pieces of `bytes` each, every piece a pitch after the one before.
struct CopyShape {
  std::byte* to = nullptr;
  const std::byte* from = nullptr;
  size_t bytes = 0;
  size_t rows = 1;
  size_t to_pitch = 0;
  size_t from_pitch = 0;

  size_t total() const { return bytes * rows; }
};

void CopyNow(const CopyShape& shape);

// Sets bytes to a repeated 32-bit pattern; a set of single bytes repeats its byte four times.
struct FillShape {
  std::byte* to = nullptr;
  size_t bytes = 0;
  uint32_t pattern = 0;
};

void FillNow(const FillShape& shape);

// Moves data in stream order, a slice at each run, so that no run takes long. `captured`: the source of the
// first shape, owned by the task.
class CopyTask final : public Task {
 public:
  explicit CopyTask(std::vector<CopyShape> shapes, std::vector<std::byte> captured = {});
  Step Run(const RunContext& context) override;
  void Cancel(const Status& why) override;

 private:
  std::vector<CopyShape> shapes_;
  std::vector<std::byte> captured_;
  size_t shape_ = 0;
  size_t row_ = 0;
  size_t offset_ = 0;  // in the row
  bool cancelled_ = false;
};

class FillTask final : public Task {
 public:
  explicit FillTask(const FillShape& shape) : left_(shape) {}
  Step Run(const RunContext& context) override;
  void Cancel(const Status& why) override;

 private:
  FillShape left_;
  bool cancelled_ = false;
};

}  // namespace tandem
