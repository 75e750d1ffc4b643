// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/result.h"
#include "comm/bootstrap/bootstrap.h"
#include "comm/bootstrap/keys.h"

// What goes over a bootstrap connection. A frame is a 4-byte little-endian length and that many bytes of
// JSON.
//
//   rank's process             root's process
//   Hello             ->                         protocol version, root id, nonce
//                     <-       Challenge         nonce, proof that the root knows the secret
//   RankProof         ->                         proof that the rank knows it
//                     <-       Welcome
//   JoinRequest       ->                         once for each rank of the process
//                     <-       Waiting           now and then, while ranks are missing
//                     <-       Table             all have come: the exchange is over, membership begins
//   Left, Lost        <>                         as ranks go
//                     <-       Failure           instead of any of the root's; the connection closes after it
//
// Ranks of one host that read the same rank table have no root info yet. They get it over a socket of the
// host:
//
//   Knock             ->                         protocol version, rank, what the table says
//                     <-       Key               the root info; or Failure
namespace tandem::bootstrap {

inline constexpr uint32_t kProtocol = 1;
inline constexpr size_t kFrameHeaderBytes = 4;
inline constexpr size_t kStrangerFrameBytes = size_t{4} * 1024;      // before the proof
inline constexpr size_t kRankFrameBytes = size_t{64} * 1024;         // from a proven rank to the root
inline constexpr size_t kRootFrameBytes = size_t{64} * 1024 * 1024;  // from a proven root: the table
inline constexpr size_t kKnockFrameBytes = size_t{64} * 1024 * 1024;
inline constexpr uint32_t kMaxRanks = 65536;

struct Hello {
  RootId root{};
  Nonce nonce{};
};
struct Challenge {
  Nonce nonce{};
  Proof proof{};
};
struct RankProof {
  Proof proof{};
};
struct Welcome {};
struct JoinRequest {
  uint32_t rank_count = 0;
  int64_t wait_ms = 0;  // how long this rank is ready to wait
  RankRecord record;
};
struct Waiting {
  std::string text;  // "connected 0,1; missing 2"
};
struct Table {
  RankTable table;
  std::vector<uint32_t> root_ranks;  // those in the root's process
};
struct Failure {
  Status status;
};
struct Left {
  uint32_t rank = 0;
};
struct Lost {
  RankLoss loss;
};
struct Knock {
  uint32_t rank = 0;
  int32_t pid = 0;
  TableFacts facts;
};
struct Key {
  RootInfoBytes root_info{};
};

using Message = std::variant<Hello, Challenge, RankProof, Welcome, JoinRequest, Waiting, Table, Failure, Left,
                             Lost, Knock, Key>;

// The whole frame, length included.
std::string Encode(const Message& message);
// From the bytes after the length. Any bytes may come in; kMismatch with EI0008 when the sender speaks
// another version of the protocol, kNetwork for anything else that cannot be understood.
Result<Message> DecodeMessage(std::string_view body);

// The length that a header announces.
uint32_t FrameBytes(const std::array<unsigned char, kFrameHeaderBytes>& header);

}  // namespace tandem::bootstrap
