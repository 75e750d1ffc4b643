// SPDX-License-Identifier: Apache-2.0
#pragma once

// How the root info gets from rank 0 to the other processes: a file in a directory that only this
// job's user may enter. The bytes carry the job's secret, so the file is readable by its owner only.

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>

#include "hccl/hccl.h"

namespace example {

inline std::string RootInfoPath() {
  const char* directory = std::getenv("TANDEM_RUN_DIR");
  if (directory != nullptr && *directory != '\0') return std::string(directory) + "/root_info";
  std::fprintf(stderr,
               "TANDEM_RUN_DIR is not set; start me with: tandem run -n N (or name an empty "
               "private directory that all ranks see)\n");
  return {};
}

inline int FileFailure(const char* what, const std::string& path) {
  std::fprintf(stderr, "cannot %s %s: %s\n", what, path.c_str(), std::strerror(errno));
  return 1;
}

// Written under another name and then renamed, so that nobody reads half of it.
inline int PublishRootInfo(const HcclRootInfo& root_info) {
  const std::string path = RootInfoPath();
  if (path.empty()) return 1;
  const std::string unfinished = path + ".unfinished";
  const int file = ::open(unfinished.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (file < 0) return FileFailure("create", unfinished);
  const ssize_t written = ::write(file, root_info.internal, sizeof(root_info.internal));
  if (::close(file) != 0 || written != static_cast<ssize_t>(sizeof(root_info.internal))) {
    return FileFailure("write", unfinished);
  }
  if (std::rename(unfinished.c_str(), path.c_str()) != 0) return FileFailure("rename", unfinished);
  return 0;
}

inline int AwaitRootInfo(HcclRootInfo* root_info) {
  using std::chrono::steady_clock;
  const std::string path = RootInfoPath();
  if (path.empty()) return 1;
  const steady_clock::time_point deadline = steady_clock::now() + std::chrono::seconds(60);
  int file = -1;
  while ((file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC)) < 0) {
    if (errno != ENOENT) return FileFailure("open", path);
    if (steady_clock::now() > deadline) {
      std::fprintf(stderr, "no %s after 60 s; did rank 0 start?\n", path.c_str());
      return 1;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  const ssize_t bytes = ::read(file, root_info->internal, sizeof(root_info->internal));
  ::close(file);
  if (bytes == static_cast<ssize_t>(sizeof(root_info->internal))) return 0;
  std::fprintf(stderr, "%s has %zd bytes, expected %zu\n", path.c_str(), bytes, sizeof(root_info->internal));
  return 1;
}

}  // namespace example
