// SPDX-License-Identifier: Apache-2.0
#include "stream/shareable_server.h"

#include <sys/random.h>
#include <unistd.h>

#include <asio/post.hpp>
#include <atomic>
#include <cstdio>
#include <span>
#include <utility>

#include "base/io_loop.h"
#include "base/log.h"
#include "transport/shm/peer_socket.h"

namespace tandem {
namespace {

constexpr std::chrono::seconds kServePatience{5};
constexpr std::chrono::milliseconds kAcceptRetry{100};
constexpr uint64_t kIndexes = uint64_t{1} << 24;

std::atomic<ShareServer*> process_server{nullptr};

}  // namespace

std::string ShareSocketName(uint64_t process) {
  char name[40];
  std::snprintf(name, sizeof name, "tandem-shareable-%010llx", static_cast<unsigned long long>(process));
  return name;
}

// One importer that has connected. Lives as long as its handlers.
class ShareServer::Session : public std::enable_shared_from_this<Session> {
 public:
  explicit Session(ShareServer& server)
      : server_(server), socket_(IoLoop::Context()), timer_(IoLoop::Context()) {}

  void Start(UniqueFd socket) {
    asio::error_code error;
    socket_.assign(socket.get(), error);
    if (error) return;
    socket.Release();
    timer_.expires_after(kServePatience);
    timer_.async_wait([self = shared_from_this()](const asio::error_code&) { self->Close(); });
    socket_.async_wait(asio::posix::stream_descriptor::wait_read,
                       [self = shared_from_this()](const asio::error_code& failed) {
                         if (!failed) self->OnReadable();
                         self->Close();
                       });
  }

 private:
  void OnReadable() {
    // So few bytes, sent in one piece, arrive in one piece; whoever sends them otherwise is no importer.
    ShareRequest request;
    const auto bytes = std::as_writable_bytes(std::span(&request, 1));
    const shm::SocketTransfer got = shm::ReceiveBytes(socket_.native_handle(), bytes, nullptr);
    if (got.error != 0 || got.bytes != sizeof request || request.magic != ShareRequest::kMagic ||
        request.version != ShareRequest::kVersion) {
      return;
    }
    server_.Answer(socket_.native_handle(), request);
  }
  void Close() {
    timer_.cancel();
    asio::error_code ignored;
    socket_.close(ignored);
  }

  ShareServer& server_;
  asio::posix::stream_descriptor socket_;
  asio::steady_timer timer_;
};

ShareServer::ShareServer(uint64_t process, UniqueFd listener)
    : process_(process),
      pid_(getpid()),
      acceptor_(IoLoop::Context(), listener.Release()),
      retry_(IoLoop::Context()) {}

Result<ShareServer*> ShareServer::Start() {
  uint64_t process = 0;
  if (getrandom(&process, sizeof process, 0) != static_cast<ssize_t>(sizeof process)) {
    return Status::FromErrno(errno, "getrandom");
  }
  process = ShareProcess(process);
  Result<UniqueFd> listener = shm::ListenAbstract(ShareSocketName(process));
  if (!listener) return std::move(listener).status();
  // Never destroyed: importers may come until the process ends.
  auto* server = new ShareServer(process, std::move(*listener));
  asio::post(IoLoop::Context(), [server] { server->AwaitImporter(); });
  return server;
}

Result<ShareServer*> ShareServer::Process() {
  static Mutex starting;
  MutexLock lock(starting);
  ShareServer* server = ProcessOrNull();
  if (server == nullptr) {
    Result<ShareServer*> started = Start();
    if (!started) return started;
    server = *started;
    process_server.store(server, std::memory_order_release);
  }
  if (server->pid_ != getpid()) {
    return Status::Error(
        Code::kNotSupported,
        "this process was forked after its parent had exported memory, and cannot export any "
        "itself");
  }
  return server;
}

ShareServer* ShareServer::ProcessOrNull() { return process_server.load(std::memory_order_acquire); }

ShareServer::Exported* ShareServer::FindAlive(uint64_t number) {
  const auto found = exported_.find(number);
  return found == exported_.end() || found->second.memory.expired() ? nullptr : &found->second;
}

Result<uint64_t> ShareServer::Export(const std::shared_ptr<PhysicalMemory>& memory, bool check_pid) {
  MutexLock lock(mutex_);
  std::erase_if(exported_, [](const auto& entry) { return entry.second.memory.expired(); });
  for (const auto& [number, entry] : exported_) {
    if (entry.memory.lock() == memory && entry.check_pid == check_pid) return number;
  }
  if (last_index_ + 1 == kIndexes) {
    return Status::Error(Code::kResourceExhausted, "this process has exported %llu pieces of memory already",
                         static_cast<unsigned long long>(last_index_));
  }
  const uint64_t number = process_ * kIndexes + ++last_index_;
  exported_.emplace(number, Exported{memory, check_pid, {}});
  return number;
}

bool ShareServer::Allow(uint64_t number, const int32_t* pids, size_t count) {
  MutexLock lock(mutex_);
  Exported* const entry = FindAlive(number);
  if (entry == nullptr) return false;
  entry->allowed.insert(pids, pids + count);
  return true;
}

bool ShareServer::IsExported(uint64_t number) {
  MutexLock lock(mutex_);
  return FindAlive(number) != nullptr;
}

void ShareServer::AwaitImporter() {
  acceptor_.async_wait(asio::posix::stream_descriptor::wait_read, [this](const asio::error_code& error) {
    if (!error) AcceptAll();
  });
}

void ShareServer::AcceptAll() {
  for (;;) {
    Result<UniqueFd> socket = shm::AcceptPeer(acceptor_.native_handle());
    if (!socket) {
      // Out of descriptors: the importer stays in the kernel's queue meanwhile.
      TANDEM_LOG(kWarn, "an importer of memory has to wait: %s", std::string(socket.status().text()).c_str());
      retry_.expires_after(kAcceptRetry);
      retry_.async_wait([this](const asio::error_code&) { AcceptAll(); });
      return;
    }
    if (!socket->valid()) break;
    // Another user's process learns nothing, not even whether there is such a number.
    const Result<shm::PeerCredentials> peer = shm::ReadPeerCredentials(socket->get());
    if (!peer || !shm::CheckPeerUser(geteuid(), *peer).ok()) continue;
    std::make_shared<Session>(*this)->Start(std::move(*socket));
  }
  AwaitImporter();
}

std::shared_ptr<PhysicalMemory> ShareServer::Decide(const ShareRequest& request, pid_t pid,
                                                    ShareAnswer& answer) {
  MutexLock lock(mutex_);
  const Exported* const entry = FindAlive(request.number);
  std::shared_ptr<PhysicalMemory> memory = entry == nullptr ? nullptr : entry->memory.lock();
  if (memory == nullptr) {
    answer.result = static_cast<uint32_t>(ShareResult::kUnknown);
  } else if (entry->check_pid && !entry->allowed.contains(pid)) {
    answer.result = static_cast<uint32_t>(ShareResult::kDenied);
    memory.reset();
  } else {
    answer.result = static_cast<uint32_t>(ShareResult::kGranted);
    answer.bytes = memory->bytes();
    answer.is_host_memory = memory->place() == MemoryPlace::kPinned ? 1 : 0;
  }
  return memory;
}

void ShareServer::Answer(int socket, const ShareRequest& request) {
  const Result<shm::PeerCredentials> peer = shm::ReadPeerCredentials(socket);
  if (!peer) return;
  ShareAnswer answer;
  const std::shared_ptr<PhysicalMemory> memory = Decide(request, peer->pid, answer);
  const int fd = memory == nullptr ? -1 : memory->fd().get();
  const std::span<const int> descriptors(&fd, memory == nullptr ? 0 : 1);
  // The socket's buffer is empty, so all of it fits; an importer that is gone already misses nothing.
  static_cast<void>(shm::SendBytes(socket, std::as_bytes(std::span(&answer, 1)), {}, descriptors));
}

}  // namespace tandem
