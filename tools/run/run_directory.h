// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/result.h"

namespace tandem::tools {

// A directory of this run alone, mode 0700, removed with its contents when this object dies.
class RunDirectory {
 public:
  static Result<RunDirectory> Create();
  RunDirectory(RunDirectory&& other) noexcept;
  RunDirectory& operator=(RunDirectory&&) = delete;
  ~RunDirectory();

  const std::string& path() const { return path_; }

 private:
  explicit RunDirectory(std::string path) : path_(std::move(path)) {}
  std::string path_;  // empty when moved from
};

}  // namespace tandem::tools
