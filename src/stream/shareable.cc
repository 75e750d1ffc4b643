// SPDX-License-Identifier: Apache-2.0
#include "stream/shareable.h"

#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <span>
#include <thread>
#include <utility>
#include <vector>

#include "base/futex.h"
#include "base/mapping.h"
#include "stream/shareable_server.h"
#include "transport/shm/peer_socket.h"

namespace tandem {
namespace {

constexpr std::chrono::seconds kPatience{10};
constexpr std::chrono::milliseconds kConnectRetry{5};

Status Unknown(uint64_t number) {
  return Status::Error(
      Code::kInvalidValue,
      "shareableHandle is %llu, which no running process has exported, or whose memory is gone",
      static_cast<unsigned long long>(number));
}

Status NoAnswer() {
  return Status::Error(Code::kWaitTimeout, "the process that exported the memory did not answer in %lld s",
                       static_cast<long long>(kPatience.count()));
}

Status BadAnswer(const char* what) {
  return Status::Error(Code::kInvalidValue,
                       "the process that answers for shareableHandle %s; mixed versions of Tandem?", what);
}

Result<UniqueFd> Connect(uint64_t number, Deadline deadline) {
  for (;;) {
    Result<shm::ConnectAttempt> attempt = shm::ConnectAbstract(ShareSocketName(ShareProcess(number)));
    if (!attempt) return std::move(attempt).status();
    if (attempt->outcome == shm::ConnectOutcome::kRefused) return Unknown(number);
    if (attempt->outcome == shm::ConnectOutcome::kConnected) return std::move(attempt->socket);
    if (Clock::now() >= deadline) return NoAnswer();
    std::this_thread::sleep_for(kConnectRetry);
  }
}

struct Received {
  ShareAnswer answer;
  std::vector<UniqueFd> descriptors;
};

Result<Received> Receive(uint64_t number, const UniqueFd& socket, Deadline deadline) {
  Received received;
  const auto whole = std::as_writable_bytes(std::span(&received.answer, 1));
  for (size_t filled = 0; filled < whole.size();) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now());
    if (left.count() <= 0) return NoAnswer();
    pollfd waiting{socket.get(), POLLIN, 0};
    if (poll(&waiting, 1, static_cast<int>(left.count())) <= 0) continue;
    const shm::SocketTransfer got =
        shm::ReceiveBytes(socket.get(), whole.subspan(filled), &received.descriptors);
    if (got.error == EAGAIN) continue;
    if (got.truncated) return shm::OutOfDescriptors("taking the descriptor of imported memory");
    // The process ended, or does not know what it was asked.
    if (got.error != 0 || got.bytes == 0) return Unknown(number);
    filled += got.bytes;
  }
  return received;
}

}  // namespace

Result<uint64_t> ExportPhysical(const std::shared_ptr<PhysicalMemory>& memory, bool check_pid) {
  if (memory->imported()) {
    return Status::Error(Code::kNotSupported,
                         "handle is memory of another process, which alone can export it");
  }
  const Result<ShareServer*> server = ShareServer::Process();
  return server ? (*server)->Export(memory, check_pid) : server.status();
}

Status AllowImport(uint64_t number, const int32_t* pids, size_t count) {
  ShareServer* const server = ShareServer::ProcessOrNull();
  if (server != nullptr && server->Allow(number, pids, count)) return Status::Ok();
  return Status::Error(
      Code::kInvalidValue,
      "shareableHandle is %llu, which this process has not exported, or whose memory is gone",
      static_cast<unsigned long long>(number));
}

Result<std::shared_ptr<PhysicalMemory>> ImportPhysical(uint64_t number, int32_t device) {
  if (ShareServer* own = ShareServer::ProcessOrNull(); own != nullptr && own->IsExported(number)) {
    return Status::Error(Code::kNotSupported,
                         "shareableHandle is %llu, which this process exported itself; use its own handle",
                         static_cast<unsigned long long>(number));
  }
  const Deadline deadline = Clock::now() + kPatience;
  const Result<UniqueFd> socket = Connect(number, deadline);
  if (!socket) return socket.status();
  // A name can be taken by anybody; memory is taken from processes of this user only.
  const Result<shm::PeerCredentials> peer = shm::ReadPeerCredentials(socket->get());
  if (!peer) return peer.status();
  TANDEM_RETURN_IF_ERROR(shm::CheckPeerUser(geteuid(), *peer));
  ShareRequest request;
  request.number = number;
  const shm::SocketTransfer sent =
      shm::SendBytes(socket->get(), std::as_bytes(std::span(&request, 1)), {}, {});
  if (sent.error != 0) return Unknown(number);
  Result<Received> received = Receive(number, *socket, deadline);
  if (!received) return std::move(received).status();
  const ShareAnswer& answer = received->answer;
  if (answer.magic != ShareRequest::kMagic) return BadAnswer("speaks another language");
  if (answer.result == static_cast<uint32_t>(ShareResult::kUnknown)) return Unknown(number);
  if (answer.result == static_cast<uint32_t>(ShareResult::kDenied)) {
    return Status::Error(Code::kNotPermitted,
                         "process %d may not import this memory: the exporting process must name it with "
                         "aclrtMemSetPidToShareableHandle, or export without pid check",
                         getpid());
  }
  if (answer.result != static_cast<uint32_t>(ShareResult::kGranted) || received->descriptors.size() != 1)
    return BadAnswer("sent no memory");
  // Sealed and long enough: a mapping of it cannot be cut short later.
  const Result<size_t> bytes = SealedSize(received->descriptors[0]);
  if (!bytes || *bytes == 0 || *bytes != answer.bytes) return BadAnswer("sent memory of another size");
  const MemoryPlace place = answer.is_host_memory != 0 ? MemoryPlace::kPinned : MemoryPlace::kDevice;
  return PhysicalMemory::Adopt(std::move(received->descriptors[0]), place, device, *bytes);
}

}  // namespace tandem
