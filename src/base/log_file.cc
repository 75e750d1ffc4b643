// SPDX-License-Identifier: Apache-2.0
#include "base/log_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <ctime>
#include <utility>

#include "base/quiet_write.h"

namespace tandem {
namespace {

// Makes the folder and those above it that are missing. 0 or errno.
int MakeFolders(const std::string& folder) {
  for (size_t end = folder.find('/', 1);; end = folder.find('/', end + 1)) {
    const std::string part = folder.substr(0, end);
    if (mkdir(part.c_str(), 0750) != 0 && errno != EEXIST && errno != EISDIR) return errno;
    if (end == std::string::npos) return 0;
  }
}

std::string FileName(pid_t pid, uint32_t number) {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  std::tm local{};
  localtime_r(&now.tv_sec, &local);
  std::array<char, 32> time{};
  std::strftime(time.data(), time.size(), "%Y%m%d%H%M%S", &local);
  std::string name = "plog-" + std::to_string(pid) + "_" + time.data();
  if (number > 0) name += "_" + std::to_string(number);
  return name + ".log";
}

}  // namespace

LogFile::LogFile(std::string folder, size_t most_files, uint64_t file_bytes, const char* kind)
    : folder_(std::move(folder) + "/" + kind + "/plog"), most_files_(most_files), file_bytes_(file_bytes) {}

int LogFile::Open() {
  if (pid_ != getpid()) {
    pid_ = getpid();
    paths_.clear();
    count_ = 0;
  }
  path_ = folder_ + "/" + FileName(pid_, count_);
  if (const int error = MakeFolders(folder_); error != 0) return error;
  UniqueFd fd(open(path_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0640));
  if (!fd.valid()) return errno;
  fd_ = std::move(fd);
  ++count_;
  bytes_ = 0;
  torn_ = false;
  paths_.push_back(path_);
  for (; paths_.size() > most_files_; paths_.pop_front()) unlink(paths_.front().c_str());
  return 0;
}

int LogFile::Write(std::string_view line) {
  if (!fd_.valid() || pid_ != getpid() || bytes_ >= file_bytes_) {
    fd_.Reset();
    if (const int error = Open(); error != 0) return error;
  }
  std::string text(torn_ ? "\n" : "");
  text += line;
  text += '\n';
  const ssize_t written = WriteQuietly(fd_.get(), text);
  if (written < 0) return errno;
  bytes_ += static_cast<uint64_t>(written);
  torn_ = static_cast<size_t>(written) < text.size();
  return torn_ ? ENOSPC : 0;
}

}  // namespace tandem
