// SPDX-License-Identifier: Apache-2.0
#include "run/run_directory.h"

#include <stdlib.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>
#include <utility>

namespace tandem::tools {

Result<RunDirectory> RunDirectory::Create() {
  const char* base = std::getenv("TMPDIR");
  std::string path = std::string(base != nullptr && *base != '\0' ? base : "/tmp") + "/tandem-run-XXXXXX";
  if (mkdtemp(path.data()) == nullptr) {
    return Status::FromErrno(errno, "cannot make a directory %s (TMPDIR says where)", path.c_str());
  }
  std::error_code ignored;
  const std::filesystem::path absolute = std::filesystem::absolute(path, ignored);
  return RunDirectory(ignored ? path : absolute.string());  // absolute: ranks may change their directory
}

RunDirectory::RunDirectory(RunDirectory&& other) noexcept : path_(std::exchange(other.path_, {})) {}

RunDirectory::~RunDirectory() {
  if (path_.empty()) return;
  std::error_code error;
  std::filesystem::remove_all(path_, error);
  if (error)
    std::fprintf(stderr, "tandem run: cannot remove %s: %s\n", path_.c_str(), error.message().c_str());
}

}  // namespace tandem::tools
