// SPDX-License-Identifier: Apache-2.0
// HcclSend, HcclRecv, HcclBatchSendRecv, HcclBarrier.
#include <hccl/hccl.h>

#include <array>
#include <cstddef>
#include <memory_resource>
#include <string>
#include <utility>
#include <vector>

#include "base/log.h"
#include "capi/communicators.h"
#include "capi/enter.h"
#include "capi/entry_log.h"
#include "capi/group.h"
#include "capi/handles.h"
#include "comm/data_type.h"
#include "comm/p2p/items.h"
#include "stream/memory.h"

namespace tandem::capi {
namespace {

// A count that leaves the allocation would overwrite, or send, what lies behind it.
Status CheckBuffer(const P2pItem& item, const char* argument) {
  Status status = CheckExtent(item.buffer, item.bytes, argument);
  if (status.ok()) [[likely]]
    return status;
  return std::move(status).Annotate("count is " + std::to_string(item.count) + " x " +
                                    DataTypeName(item.type));
}

// The order of the checks is that of the device's library (spec hccl.md 1.3, legacy path), since it decides
// which of several mistakes is reported.
Status Transfer(const char* call, Direction direction, void* buffer, const char* buffer_name, uint64_t count,
                HcclDataType type, uint32_t peer, const char* peer_name, HcclComm comm, aclrtStream stream) {
  const OpenCommunicator communicator(comm);
  if (!communicator) [[unlikely]]
    return OpenCommunicator::Why(comm);
  TANDEM_RETURN_IF_ERROR(CheckNotNull(buffer, buffer_name));
  TANDEM_RETURN_IF_ERROR(CheckNotNull(stream, "stream"));
  TANDEM_RETURN_IF_ERROR(CheckCount(count));
  if (InGroup()) [[unlikely]] {
    return QueueInGroup(
        {call, direction, buffer, count, type, peer, peer_name, communicator.shared(), stream});
  }
  TANDEM_RETURN_IF_ERROR(CheckType(type));
  ManagedStream* const queue = FindStream(stream);
  if (queue == nullptr) [[unlikely]]
    return BadHandle(HandleKind::kStream, stream, "stream");
  TANDEM_RETURN_IF_ERROR(CheckPeer(peer, peer_name, communicator->size()));
  if (peer == communicator->rank()) {
    return Status::Error(
        Code::kNotSupported,
        "%s is %u, the calling rank itself; use HcclBatchSendRecv with a send and a receive, or "
        "aclrtMemcpyAsync",
        peer_name, peer);
  }
  P2pItem item;
  item.direction = direction;
  item.buffer = buffer;
  item.count = count;
  item.type = type;
  item.bytes = count * FindDataType(type)->bytes;
  item.peer = peer;
  TANDEM_RETURN_IF_ERROR(CheckBuffer(item, buffer_name));
  if (EntryLogWanted()) [[unlikely]]
    LogTransfer(call, item, *communicator.shared(), *queue);
  return communicator.Submit(call, Space::kPlain, {&item, 1}, *queue);
}

bool NothingToMove(const char* call, uint64_t count) {
  if (count != 0) return false;
  TANDEM_LOG(kInfo, "%s: count is 0, nothing is queued and the other rank is not contacted", call);
  return true;
}

Status CheckItem(const HcclSendRecvItem& item, uint32_t rank_count) {
  if (item.sendRecvType != HCCL_SEND && item.sendRecvType != HCCL_RECV) {
    return Status::Error(Code::kInvalidArgument,
                         "sendRecvType is %d, expected HCCL_SEND (0) or HCCL_RECV (1)",
                         static_cast<int>(item.sendRecvType));
  }
  TANDEM_RETURN_IF_ERROR(CheckType(item.dataType));
  TANDEM_RETURN_IF_ERROR(CheckCount(item.count));
  TANDEM_RETURN_IF_ERROR(CheckPeer(item.remoteRank, "remoteRank", rank_count));
  // Frameworks pass empty tensors with any pointer; they take no part.
  return item.count == 0 ? Status::Ok() : CheckNotNull(item.buf, "buf");
}

Status Batch(const HcclSendRecvItem* items, uint32_t count, HcclComm comm, aclrtStream stream) {
  TANDEM_RETURN_IF_ERROR(RefuseInGroup());
  const OpenCommunicator communicator(comm);
  if (!communicator) [[unlikely]]
    return OpenCommunicator::Why(comm);
  TANDEM_RETURN_IF_ERROR(CheckNotNull(stream, "stream"));
  TANDEM_RETURN_IF_ERROR(CheckNotNull(items, "sendRecvInfo"));
  if (count == 0) return Status::Ok();
  ManagedStream* const queue = FindStream(stream);
  if (queue == nullptr) [[unlikely]]
    return BadHandle(HandleKind::kStream, stream, "stream");
  // Room on the stack for the usual batch.
  std::array<std::byte, 2048> room;
  std::pmr::monotonic_buffer_resource memory(room.data(), room.size());
  std::pmr::vector<P2pItem> moved(&memory);
  std::pmr::vector<uint32_t> positions(&memory);
  moved.reserve(count);
  positions.reserve(count);
  for (uint32_t i = 0; i < count; ++i) {
    const HcclSendRecvItem& item = items[i];
    if (Status valid = CheckItem(item, communicator->size()); !valid.ok()) {
      return std::move(valid).Annotate("sendRecvInfo[" + std::to_string(i) + "]");
    }
    if (item.count == 0) continue;
    moved.push_back({item.sendRecvType == HCCL_SEND ? Direction::kSend : Direction::kReceive, item.buf,
                     item.count, item.dataType, item.count * FindDataType(item.dataType)->bytes,
                     item.remoteRank});
    positions.push_back(i);
    if (Status valid = CheckBuffer(moved.back(), "buf"); !valid.ok()) {
      return std::move(valid).Annotate("sendRecvInfo[" + std::to_string(i) + "]");
    }
  }
  TANDEM_RETURN_IF_ERROR(
      ArrangeBatch(moved, positions, communicator->rank(), communicator->batch_duplicates()));
  WarnOfOverlaps(moved, positions);
  if (EntryLogWanted()) [[unlikely]]
    LogBatch({items, count}, *communicator.shared(), *queue);
  if (moved.empty()) return Status::Ok();
  return communicator.Submit("HcclBatchSendRecv", Space::kBatch, moved, *queue);
}

// Every rank sends a byte to every other and receives one: none passes before all have come.
Status Barrier(HcclComm comm, aclrtStream stream) {
  TANDEM_RETURN_IF_ERROR(RefuseInGroup());
  const OpenCommunicator communicator(comm);
  if (!communicator) [[unlikely]]
    return OpenCommunicator::Why(comm);
  TANDEM_RETURN_IF_ERROR(CheckNotNull(stream, "stream"));
  ManagedStream* const queue = FindStream(stream);
  if (queue == nullptr) [[unlikely]]
    return BadHandle(HandleKind::kStream, stream, "stream");
  std::vector<P2pItem> items;
  for (uint32_t peer = 0; peer < communicator->size(); ++peer) {
    if (peer == communicator->rank()) continue;
    items.push_back({Direction::kSend, nullptr, 1, HCCL_DATA_TYPE_INT8, 1, peer});
    items.push_back({Direction::kReceive, nullptr, 1, HCCL_DATA_TYPE_INT8, 1, peer});
  }
  if (EntryLogWanted()) [[unlikely]]
    LogBarrier(*communicator.shared(), *queue);
  if (items.empty()) return Status::Ok();
  return communicator.Submit("HcclBarrier", Space::kBarrier, items, *queue);
}

}  // namespace
}  // namespace tandem::capi

namespace capi = tandem::capi;

extern "C" {

HcclResult HcclSend(void* sendBuf, uint64_t count, HcclDataType dataType, uint32_t destRank, HcclComm comm,
                    aclrtStream stream) {
  if (capi::NothingToMove("HcclSend", count)) return HCCL_SUCCESS;
  return capi::EnterHccl("HcclSend", [&] {
    return capi::Transfer("HcclSend", tandem::Direction::kSend, sendBuf, "sendBuf", count, dataType, destRank,
                          "destRank", comm, stream);
  });
}

HcclResult HcclRecv(void* recvBuf, uint64_t count, HcclDataType dataType, uint32_t srcRank, HcclComm comm,
                    aclrtStream stream) {
  if (capi::NothingToMove("HcclRecv", count)) return HCCL_SUCCESS;
  return capi::EnterHccl("HcclRecv", [&] {
    return capi::Transfer("HcclRecv", tandem::Direction::kReceive, recvBuf, "recvBuf", count, dataType,
                          srcRank, "srcRank", comm, stream);
  });
}

HcclResult HcclBatchSendRecv(HcclSendRecvItem* sendRecvInfo, uint32_t itemNum, HcclComm comm,
                             aclrtStream stream) {
  return capi::EnterHccl("HcclBatchSendRecv",
                         [&] { return capi::Batch(sendRecvInfo, itemNum, comm, stream); });
}

HcclResult HcclBarrier(HcclComm comm, aclrtStream stream) {
  return capi::EnterHccl("HcclBarrier", [&] { return capi::Barrier(comm, stream); });
}

}  // extern "C"
