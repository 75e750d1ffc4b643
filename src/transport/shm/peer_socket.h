// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "base/fd.h"
#include "base/result.h"

namespace tandem::shm {

// The system calls of the hub: Unix stream sockets in the abstract name space, never blocking, closed on
// exec.

struct PeerCredentials {
  pid_t pid = 0;  // 0 when the process is not visible from this pid name space
  uid_t uid = 0;
};

// "process 4711", or what can be said when the pid is unknown.
std::string PeerName(pid_t pid);
// Whether the process is gone, or is so far gone that its descriptors are being closed.
bool HasProcessEnded(pid_t pid);
// kPeerLost, "process <pid> ended" or "process <pid> closed its connection".
Status DescribePeerEnd(pid_t pid);
// kResourceExhausted, naming the limit and how to raise it, for "<what> failed: ...".
Status OutOfDescriptors(const std::string& what);
// FromErrno, except that running out of descriptors gives OutOfDescriptors.
Status PeerSocketError(int error_number, const std::string& what);

Result<UniqueFd> ListenAbstract(const std::string& name);
// Invalid descriptor and ok: nobody waits to be accepted.
Result<UniqueFd> AcceptPeer(int listener);

enum class ConnectOutcome : uint8_t { kConnected, kQueueFull, kRefused };
struct ConnectAttempt {
  ConnectOutcome outcome;
  UniqueFd socket;
};
Result<ConnectAttempt> ConnectAbstract(const std::string& name);

Result<PeerCredentials> ReadPeerCredentials(int socket);
// Success when both run for the same user or either is root.
Status CheckPeerUser(uid_t own, const PeerCredentials& peer);

// What a non-blocking transfer did. bytes == 0 with error == 0 is the end of the stream when receiving.
struct SocketTransfer {
  size_t bytes = 0;
  int error = 0;           // errno; EAGAIN when nothing could be done now
  bool truncated = false;  // descriptors came that could not be taken
};

// Sends the head and then the body, with descriptors attached to the first byte (empty when none).
SocketTransfer SendBytes(int socket, std::span<const std::byte> head, std::span<const std::byte> body,
                         std::span<const int> descriptors);
// Receives at most buffer.size() bytes. Descriptors are appended to *descriptors, or thrown away by the
// kernel and told as `truncated` when it is null.
SocketTransfer ReceiveBytes(int socket, std::span<std::byte> buffer, std::vector<UniqueFd>* descriptors);

}  // namespace tandem::shm
