// SPDX-License-Identifier: Apache-2.0
#include "badargs/rows.h"

namespace tandem::test::badargs {
namespace {

constexpr auto kType = HCCL_DATA_TYPE_FP32;
constexpr uint64_t kCount = World::kBytes / sizeof(float);
// What an allocation of kBytes has with its padding.
constexpr size_t kP2pPadded = World::kBytes + 32;
constexpr uint64_t kMost = 0x7FFFFFFFFU;

// A stream that cannot be resolved is an argument of HCCL here.
Rows BadHcclStreams(const char* function, const WithHandle& call) {
  Rows rows = BadStreams(function, call);
  for (Row& row : rows) {
    row.code = HCCL_E_PARA;
    row.words.push_back("EI0003");
  }
  rows.push_back({function,
                  "stream null",
                  [call](World& w) { return call(w, nullptr); },
                  HCCL_E_PTR,
                  {"EI0003", "stream is null"}});
  return rows;
}

using Transfer = HcclResult (*)(void*, uint64_t, HcclDataType, uint32_t, HcclComm, aclrtStream);

Rows TransferRows(const char* function, const std::string& buffer, const std::string& peer, Transfer call) {
  const std::string padded = "allocation of " + std::to_string(kP2pPadded);
  Rows rows = {
      {function,
       "count 0 before everything",
       [call](World&) { return call(nullptr, 0, AnyValue<HcclDataType>(99), 99, nullptr, nullptr); },
       HCCL_SUCCESS,
       {""}},
      {function,
       "comm null, before the buffer",
       [call](World&) { return call(nullptr, 1, kType, 1, nullptr, nullptr); },
       HCCL_E_PTR,
       {"EI0003", "comm is null"}},
      {function,
       "buffer null, before the stream",
       [call](World& w) { return call(nullptr, 1, kType, 1, w.comm, nullptr); },
       HCCL_E_PTR,
       {"EI0003", buffer + " is null"}},
      {function,
       "count too large, before the type",
       [call](World& w) {
         return call(w.device_memory, kMost + 1, AnyValue<HcclDataType>(99), 9, w.comm, w.stream);
       },
       HCCL_E_PARA,
       {"EI0003", "count is 34359738368", "at most 34359738367"}},
      {function,
       "count that overflows bytes",
       [call](World& w) { return call(w.device_memory, UINT64_MAX, kType, 1, w.comm, w.stream); },
       HCCL_E_PARA,
       {"EI0003", "count is 18446744073709551615"}},
      {function,
       "rank is the number of ranks",
       [call](World& w) { return call(w.device_memory, 1, kType, 2, w.comm, w.stream); },
       HCCL_E_PARA,
       {"EI0003", peer + " is 2", "number of ranks, which is 2"}},
      {function,
       "rank -1",
       [call](World& w) { return call(w.device_memory, 1, kType, UINT32_MAX, w.comm, w.stream); },
       HCCL_E_PARA,
       {"EI0003", peer + " is 4294967295"}},
      {function,
       "own rank",
       [call](World& w) { return call(w.device_memory, 1, kType, 0, w.comm, w.stream); },
       HCCL_E_NOT_SUPPORT,
       {"EI0003", peer + " is 0", "itself"}},
      {function,
       "one element too many",
       [call](World& w) { return call(w.device_memory, kCount + 9, kType, 1, w.comm, w.stream); },
       HCCL_E_PARA,
       {"EI0003", "count is " + std::to_string(kCount + 9) + " x fp32", buffer + " is 0x", padded}},
      {function,
       "the largest count",
       [call](World& w) { return call(w.device_memory, kMost, kType, 1, w.comm, w.stream); },
       HCCL_E_PARA,
       {"count is 34359738367", buffer + " is 0x", padded}},
      {function,
       "too many from the middle",
       [call](World& w) {
         return call(static_cast<char*>(w.device_memory) + 2048, kCount, kType, 1, w.comm, w.stream);
       },
       HCCL_E_PARA,
       {buffer + " is 0x", padded, "ends 2080 bytes from there"}},
      {function,
       "too many for page-locked memory",
       [call](World& w) { return call(w.pinned_memory, kCount + 1, kType, 1, w.comm, w.stream); },
       HCCL_E_PARA,
       {buffer + " is 0x", "allocation of " + std::to_string(World::kBytes)}},
      {function,
       "freed buffer",
       [call](World& w) { return call(w.freed_memory, 1, kType, 1, w.comm, w.stream); },
       HCCL_E_PARA,
       {"EI0003", buffer + " is 0x", "not allocated"}},
      {function,
       "buffer that wraps around",
       [call](World& w) {
         return call(reinterpret_cast<void*>(UINTPTR_MAX - 64), kCount, kType, 1, w.comm, w.stream);
       },
       HCCL_E_PARA,
       {buffer + " is 0x", "address space"}},
  };
  for (const int type : {-1, 12, 13, 18, 255, INT32_MAX}) {
    rows.push_back({function,
                    "dataType",
                    [call, type](World& w) {
                      return call(w.device_memory, 1, AnyValue<HcclDataType>(type), 1, w.comm, w.stream);
                    },
                    HCCL_E_NOT_SUPPORT,
                    {"EI0003", "dataType is " + std::to_string(type), "fp32"}});
  }
  Append(rows, BadComms(function, [call](World& w, void* comm) {
           return call(w.device_memory, 1, kType, 1, comm, w.stream);
         }));
  Append(rows, BadHcclStreams(function, [call](World& w, void* stream) {
           return call(w.device_memory, 1, kType, 1, w.comm, stream);
         }));
  return rows;
}

// A batch whose second item is this.
using Item = std::function<HcclSendRecvItem(World&)>;
Call BatchWith(Item item) {
  return [item = std::move(item)](World& w) {
    HcclSendRecvItem items[2] = {{HCCL_SEND, w.device_memory, 1, kType, 1}, item(w)};
    return HcclBatchSendRecv(items, 2, w.comm, w.stream);
  };
}

Rows ItemRows() {
  const char* function = "HcclBatchSendRecv";
  const std::string second = "sendRecvInfo[1]";
  const std::string padded = "allocation of " + std::to_string(kP2pPadded);
  return {
      {function,
       "sendRecvType",
       BatchWith([](World& w) {
         return HcclSendRecvItem{AnyValue<HcclSendRecvType>(2), w.device_memory, 1, kType, 1};
       }),
       HCCL_E_PARA,
       {"EI0003", second, "sendRecvType is 2"}},
      {function,
       "dataType",
       BatchWith([](World& w) {
         return HcclSendRecvItem{HCCL_RECV, w.device_memory, 1, AnyValue<HcclDataType>(12), 1};
       }),
       HCCL_E_NOT_SUPPORT,
       {"EI0003", second, "dataType is 12"}},
      {function,
       "count",
       BatchWith([](World& w) {
         return HcclSendRecvItem{HCCL_RECV, w.device_memory, kMost + 1, kType, 1};
       }),
       HCCL_E_PARA,
       {"EI0003", second, "count is 34359738368"}},
      {function,
       "remoteRank",
       BatchWith([](World& w) {
         return HcclSendRecvItem{HCCL_RECV, w.device_memory, 1, kType, 2};
       }),
       HCCL_E_PARA,
       {"EI0003", second, "remoteRank is 2"}},
      {function,
       "remoteRank of an empty item",
       BatchWith([](World&) {
         return HcclSendRecvItem{HCCL_RECV, nullptr, 0, kType, 7};
       }),
       HCCL_E_PARA,
       {second, "remoteRank is 7"}},
      {function,
       "buf null",
       BatchWith([](World&) {
         return HcclSendRecvItem{HCCL_RECV, nullptr, 1, kType, 1};
       }),
       HCCL_E_PTR,
       {"EI0003", second, "buf is null"}},
      {function,
       "too many elements",
       BatchWith([](World& w) {
         return HcclSendRecvItem{HCCL_RECV, w.device_memory, kCount + 9, kType, 1};
       }),
       HCCL_E_PARA,
       {"EI0003", second, "count is 1033 x fp32", "buf is 0x", padded}},
      {function,
       "freed buffer",
       BatchWith([](World& w) {
         return HcclSendRecvItem{HCCL_RECV, w.freed_memory, 1, kType, 1};
       }),
       HCCL_E_PARA,
       {second, "buf is 0x", "not allocated"}},
      {function,
       "a peer twice",
       BatchWith([](World& w) {
         return HcclSendRecvItem{HCCL_SEND, w.device_memory, 1, kType, 1};
       }),
       HCCL_E_PARA,
       {"sendRecvInfo[0]", second, "rank 1", "TANDEM_BATCH_DUPLICATES"}},
      {function,
       "a self item alone",
       BatchWith([](World& w) {
         return HcclSendRecvItem{HCCL_SEND, w.device_memory, 1, kType, 0};
       }),
       HCCL_E_PARA,
       {"EI0003", "1 sends", "0 receives", "itself"}},
  };
}

}  // namespace

Rows P2pRows() {
  Rows rows = TransferRows("HcclSend", "sendBuf", "destRank", &HcclSend);
  Append(rows, TransferRows("HcclRecv", "recvBuf", "srcRank", &HcclRecv));
  Append(rows, ItemRows());
  const auto batch = [](World& w, uint32_t count, HcclComm comm, aclrtStream stream) {
    HcclSendRecvItem item{HCCL_SEND, w.device_memory, 1, kType, 1};
    return HcclBatchSendRecv(&item, count, comm, stream);
  };
  Append(rows, {{"HcclBatchSendRecv",
                 "comm null, before itemNum",
                 [](World&) { return HcclBatchSendRecv(nullptr, 0, nullptr, nullptr); },
                 HCCL_E_PTR,
                 {"EI0003", "comm is null"}},
                {"HcclBatchSendRecv",
                 "sendRecvInfo null, before itemNum",
                 [](World& w) { return HcclBatchSendRecv(nullptr, 0, w.comm, w.stream); },
                 HCCL_E_PTR,
                 {"EI0003", "sendRecvInfo is null"}},
                {"HcclBatchSendRecv",
                 "itemNum 0",
                 [batch](World& w) { return batch(w, 0, w.comm, w.stream); },
                 HCCL_SUCCESS,
                 {""}},
                {"HcclBarrier",
                 "comm null",
                 [](World& w) { return HcclBarrier(nullptr, w.stream); },
                 HCCL_E_PTR,
                 {"EI0003", "comm is null"}}});
  Append(rows, BadComms("HcclBatchSendRecv",
                        [batch](World& w, void* comm) { return batch(w, 1, comm, w.stream); }));
  Append(rows, BadHcclStreams("HcclBatchSendRecv",
                              [batch](World& w, void* stream) { return batch(w, 1, w.comm, stream); }));
  Append(rows, BadComms("HcclBarrier", [](World& w, void* comm) { return HcclBarrier(comm, w.stream); }));
  Append(rows, BadHcclStreams("HcclBarrier", [](World& w, void* s) { return HcclBarrier(w.comm, s); }));
  return rows;
}

}  // namespace tandem::test::badargs
