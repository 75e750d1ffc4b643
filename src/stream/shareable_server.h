// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <asio/posix/stream_descriptor.hpp>
#include <asio/steady_timer.hpp>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <type_traits>

#include "base/mutex.h"
#include "base/result.h"
#include "stream/physical_memory.h"

namespace tandem {

// What an importer and an exporter say to each other: one request, one answer. Same machine, hence native
// byte order.
struct ShareRequest {
  static constexpr uint32_t kMagic = 0x52534e54;  // "TNSR"
  static constexpr uint32_t kVersion = 1;
  uint32_t magic = kMagic;
  uint32_t version = kVersion;
  uint64_t number = 0;
};
static_assert(sizeof(ShareRequest) == 16 && std::is_trivially_copyable_v<ShareRequest>);

enum class ShareResult : uint32_t { kGranted = 1, kUnknown = 2, kDenied = 3 };

// With the descriptor when granted.
struct ShareAnswer {
  uint32_t magic = ShareRequest::kMagic;
  uint32_t result = 0;
  uint64_t bytes = 0;
  uint32_t is_host_memory = 0;
  uint32_t reserved = 0;
};
static_assert(sizeof(ShareAnswer) == 24 && std::is_trivially_copyable_v<ShareAnswer>);

// The process part of a number.
constexpr uint64_t ShareProcess(uint64_t number) { return number >> 24; }
std::string ShareSocketName(uint64_t process);

// Answers importers, on the IoLoop thread.
class ShareServer {
 public:
  // Started by the first call. kNotSupported in a child that was forked after that.
  static Result<ShareServer*> Process();
  // Null: nothing was exported yet.
  static ShareServer* ProcessOrNull();

  Result<uint64_t> Export(const std::shared_ptr<PhysicalMemory>& memory, bool check_pid);
  // False: no such number is exported.
  bool Allow(uint64_t number, const int32_t* pids, size_t count);
  bool IsExported(uint64_t number);

 private:
  struct Exported {
    std::weak_ptr<PhysicalMemory> memory;
    bool check_pid = true;
    std::set<pid_t> allowed;
  };
  class Session;

  ShareServer(uint64_t process, UniqueFd listener);
  static Result<ShareServer*> Start();
  Exported* FindAlive(uint64_t number) TANDEM_REQUIRES(mutex_);
  void AwaitImporter();
  void AcceptAll();
  void Answer(int socket, const ShareRequest& request);
  std::shared_ptr<PhysicalMemory> Decide(const ShareRequest& request, pid_t pid, ShareAnswer& answer);

  const uint64_t process_;
  const pid_t pid_;
  asio::posix::stream_descriptor acceptor_;  // on the IoLoop thread only, as the next
  asio::steady_timer retry_;
  Mutex mutex_;
  std::map<uint64_t, Exported> exported_ TANDEM_GUARDED_BY(mutex_);
  uint64_t last_index_ TANDEM_GUARDED_BY(mutex_) = 0;
};

}  // namespace tandem
