// SPDX-License-Identifier: Apache-2.0
#include "capi/entry_log.h"

#include <cinttypes>
#include <cstdio>
#include <string>

#include "comm/data_type.h"
#include "stream/device.h"

namespace tandem::capi {
namespace {

std::string Data(const char* buffer_name, const void* buffer, uint64_t count, int type) {
  char text[160];
  std::snprintf(text, sizeof(text), "%s %p, count %" PRIu64 ", dataType %s", buffer_name, buffer, count,
                DataTypeName(type).c_str());
  return text;
}

// Who calls, and on what it is queued.
std::string Place(const Communicator& communicator, const ManagedStream& stream) {
  return "localRank " + std::to_string(communicator.rank()) + ", streamId " + std::to_string(stream.id()) +
         ", deviceLogicId " + std::to_string(UserIdOfDevice(communicator.device()));
}

void Write(const std::string& text) { WriteRunLog(__FILE__, __LINE__, text); }

}  // namespace

void LogTransfer(const char* call, const P2pItem& item, const Communicator& communicator,
                 const ManagedStream& stream) {
  const bool send = item.direction == Direction::kSend;
  const uint32_t from = send ? communicator.rank() : item.peer;
  const uint32_t to = send ? item.peer : communicator.rank();
  Write(std::string("Entry-") + call + ": tag worldCommSendRecv_" + std::to_string(from) + "_" +
        std::to_string(to) + "_" + communicator.name() + ", " +
        Data(send ? "sendBuf" : "recvBuf", item.buffer, item.count, item.type) +
        (send ? ", destRank " : ", srcRank ") + std::to_string(item.peer) + ", " +
        Place(communicator, stream));
}

void LogBatch(std::span<const HcclSendRecvItem> items, const Communicator& communicator,
              const ManagedStream& stream) {
  const std::string begin = "Entry-HcclBatchSendRecv: tag worldBatchSendRecv_" + communicator.name() + ", ";
  Write(begin + "itemNum " + std::to_string(items.size()) + ", " + Place(communicator, stream));
  for (size_t i = 0; i < items.size(); ++i) {
    const HcclSendRecvItem& item = items[i];
    Write(begin + "item " + std::to_string(i) + " of " + std::to_string(items.size()) + ": " +
          (item.sendRecvType == HCCL_SEND ? "send" : "receive") + ", " +
          Data("buf", item.buf, item.count, item.dataType) + ", remoteRank " +
          std::to_string(item.remoteRank) + ", localRank " + std::to_string(communicator.rank()));
  }
}

void LogBarrier(const Communicator& communicator, const ManagedStream& stream) {
  Write("Entry-HcclBarrier: communicator " + communicator.name() + ", " + Place(communicator, stream));
}

}  // namespace tandem::capi
