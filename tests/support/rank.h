// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <acl/acl.h>
#include <hccl/hccl.h>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "support/board.h"
#include "support/buffer.h"

namespace tandem::test {

// Thrown by the checks below; ends the rank's body and with it the job.
struct CheckFailed : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// How a wait on a stream ended.
struct Outcome {
  aclError code = ACL_SUCCESS;
  std::string text;  // of aclGetRecentErrMsg
  bool Says(const std::string& part) const { return text.find(part) != std::string::npos; }
};

// What one rank of a job works with. Belongs to the thread that runs the rank's body.
class Rank {
 public:
  Rank(Board& board, uint32_t index, uint32_t size, bool own_process)
      : board_(board), index_(index), size_(size), own_process_(own_process) {}
  Rank(const Rank&) = delete;
  Rank& operator=(const Rank&) = delete;

  uint32_t index() const { return index_; }
  uint32_t size() const { return size_; }
  uint32_t next() const { return (index_ + 1) % size_; }
  uint32_t previous() const { return (index_ + size_ - 1) % size_; }
  // Otherwise the ranks are threads of one process.
  bool own_process() const { return own_process_; }
  Board& board() const { return board_; }
  HcclComm comm() const { return comm_; }
  aclrtStream stream() const { return stream_; }

  // Device `index` becomes current, with a stream and a communicator over all ranks.
  void Open();
  // The end of what Open began; every call must succeed.
  void Close();
  // One more communicator over all ranks. All must ask in the same order.
  HcclComm Join();

  void Send(const Buffer& buffer, uint32_t to, HcclDataType type = HCCL_DATA_TYPE_INT8);
  void Receive(const Buffer& buffer, uint32_t from, HcclDataType type = HCCL_DATA_TYPE_INT8);
  void Batch(std::vector<HcclSendRecvItem> items);
  void Synchronize(int line = __builtin_LINE());
  Outcome TrySynchronize();

  // A buffer with the bytes of message `number` from this rank to `to`.
  Buffer Outgoing(uint32_t to, uint32_t number, uint64_t bytes, Memory memory = Memory::kDevice);
  Buffer Incoming(uint64_t bytes, Memory memory = Memory::kDevice) const { return Buffer(memory, bytes); }
  void ExpectArrived(const Buffer& buffer, uint32_t from, uint32_t number, int line = __builtin_LINE()) const;
  void ExpectUntouched(const Buffer& buffer, int line = __builtin_LINE()) const;

  void Require(bool good, const std::string& what, int line = __builtin_LINE()) const;
  void Ok(aclError code, int line = __builtin_LINE()) const;
  void Ok(HcclResult code, int line = __builtin_LINE()) const;
  // The call failed with this code, and the text that it left says all `parts`.
  void Refused(HcclResult code, HcclResult expected, const std::vector<std::string>& parts,
               int line = __builtin_LINE()) const;
  void Says(const Outcome& outcome, aclError code, const std::vector<std::string>& parts,
            int line = __builtin_LINE()) const;
  // Host barrier of all ranks.
  void Meet() { board_.Meet(size_); }

 private:
  Board& board_;
  const uint32_t index_;
  const uint32_t size_;
  const bool own_process_;
  uint32_t roots_ = 0;
  HcclComm comm_ = nullptr;
  aclrtStream stream_ = nullptr;
};

uint64_t BytesOf(HcclDataType type);
HcclSendRecvItem SendItem(const Buffer& buffer, uint32_t to, HcclDataType type = HCCL_DATA_TYPE_INT8);
HcclSendRecvItem ReceiveItem(const Buffer& buffer, uint32_t from, HcclDataType type = HCCL_DATA_TYPE_INT8);
// The text of the last failure of this thread, and empties the store.
std::string TakeErrorText();

}  // namespace tandem::test
