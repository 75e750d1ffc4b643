// SPDX-License-Identifier: Apache-2.0

// The two samples of the point-to-point chapter, as a program of eight ranks: ranks 0 and 1 use HcclSend and
// HcclRecv; then every rank exchanges with every other through the loop that builds a batch. Between "page"
// and "end of page" the lines are as published.
//
//   g++ chapter_page.cc -lhccl -lascendcl
//   ./a.out threads                 eight threads
//   tandem run -n 8 ./a.out         eight processes

#include <acl/acl.h>
#include <hccl/hccl.h>

#include <string>
#include <vector>

#include "page_main.h"

namespace {

constexpr uint32_t kRanks = 8;

int RunPair(uint32_t rankId, HcclComm hcclComm, aclrtStream stream) {
  const uint64_t count = 1000;
  const HcclDataType dataType = HCCL_DATA_TYPE_FP32;
  void* sendBuf = nullptr;
  void* recvBuf = nullptr;
  PAGE_CHECK(aclrtMalloc(&sendBuf, count * sizeof(float), ACL_MEM_MALLOC_HUGE_FIRST));
  PAGE_CHECK(aclrtMalloc(&recvBuf, count * sizeof(float), ACL_MEM_MALLOC_HUGE_FIRST));
  PAGE_CHECK(page::Fill(sendBuf, count, 100 * rankId));

  // page
  // clang-format off
if(rankId == 0){
    uint32_t destRank = 1;
    uint32_t srcRank = 1;
    HcclSend(sendBuf, count, dataType, destRank, hcclComm, stream);
    HcclRecv(recvBuf, count, dataType, srcRank, hcclComm, stream);
}
if(rankId == 1){
    uint32_t srcRank = 0;
    uint32_t destRank = 0;
    HcclRecv(recvBuf, count, dataType, srcRank, hcclComm, stream);
    HcclSend(sendBuf, count, dataType, destRank, hcclComm, stream);
}
  // clang-format on
  // end of page

  PAGE_CHECK(aclrtSynchronizeStream(stream));
  int wrong = 0;
  if (rankId < 2) wrong = page::Check(rankId, 1 - rankId, recvBuf, count, 100 * (1 - rankId));
  PAGE_CHECK(aclrtFree(sendBuf));
  PAGE_CHECK(aclrtFree(recvBuf));
  return wrong;
}

// The lists that the page's loop reads, one entry for each transfer.
struct Lists {
  std::vector<std::string> op_type;
  std::vector<void*> tensor_ptr_list;
  std::vector<uint64_t> count_list;
  std::vector<HcclDataType> type_list;
  std::vector<uint32_t> remote_rank_list;
};

uint64_t CountBetween(uint32_t from, uint32_t to) { return 1 + 10 * from + to; }

uint32_t FirstValueBetween(uint32_t from, uint32_t to) { return 1000 * from + 100 * to; }

int Add(Lists& lists, const char* op, uint64_t count, uint32_t remote_rank) {
  void* buffer = nullptr;
  PAGE_CHECK(aclrtMalloc(&buffer, count * sizeof(float), ACL_MEM_MALLOC_HUGE_FIRST));
  lists.op_type.emplace_back(op);
  lists.tensor_ptr_list.push_back(buffer);
  lists.count_list.push_back(count);
  lists.type_list.push_back(HCCL_DATA_TYPE_FP32);
  lists.remote_rank_list.push_back(remote_rank);
  return 0;
}

int MakeLists(uint32_t rankId, Lists& lists) {
  for (uint32_t peer = 0; peer < kRanks; ++peer) {
    if (peer == rankId) continue;
    const uint64_t sent = CountBetween(rankId, peer);
    PAGE_CHECK(Add(lists, "isend", sent, peer));
    PAGE_CHECK(page::Fill(lists.tensor_ptr_list.back(), sent, FirstValueBetween(rankId, peer)));
    PAGE_CHECK(Add(lists, "irecv", CountBetween(peer, rankId), peer));
  }
  return 0;
}

int RunBatch(uint32_t rankId, HcclComm hcclComm, aclrtStream stream) {
  constexpr uint32_t itemNum = 2 * (kRanks - 1);
  Lists lists;
  PAGE_CHECK(MakeLists(rankId, lists));
  const auto& [op_type, tensor_ptr_list, count_list, type_list, remote_rank_list] = lists;

  // page
  // clang-format off
HcclSendRecvItem sendRecvInfo[itemNum];
HcclSendRecvType currType;
for (size_t i = 0; i < op_type.size(); ++i) {
    if (op_type[i] == "isend") {
        currType = HcclSendRecvType::HCCL_SEND;
    } else if (op_type[i] == "irecv") {
        currType = HcclSendRecvType::HCCL_RECV;
    } 
    sendRecvInfo[i] = HcclSendRecvItem{currType,
                                       tensor_ptr_list[i],
                                       count_list[i],
                                       type_list[i],
                                       remote_rank_list[i]
                                       };
}
HcclBatchSendRecv(sendRecvInfo, itemNum, hcclComm, stream);
  // clang-format on
  // end of page

  PAGE_CHECK(aclrtSynchronizeStream(stream));
  int wrong = 0;
  for (size_t i = 0; i < itemNum; ++i) {
    const uint32_t peer = remote_rank_list[i];
    if (op_type[i] == "irecv") {
      wrong |= page::Check(rankId, peer, tensor_ptr_list[i], count_list[i], FirstValueBetween(peer, rankId));
    }
    PAGE_CHECK(aclrtFree(tensor_ptr_list[i]));
  }
  return wrong;
}

int RunPage(const HcclRootInfo& rootInfo, int32_t deviceId) {
  const uint32_t rankId = static_cast<uint32_t>(deviceId);
  HcclComm hcclComm = nullptr;
  aclrtStream stream = nullptr;
  PAGE_CHECK(HcclCommInitRootInfo(kRanks, &rootInfo, rankId, &hcclComm));
  PAGE_CHECK(aclrtCreateStream(&stream));
  PAGE_CHECK(RunPair(rankId, hcclComm, stream));
  PAGE_CHECK(RunBatch(rankId, hcclComm, stream));
  PAGE_CHECK(aclrtDestroyStream(stream));
  PAGE_CHECK(HcclCommDestroy(hcclComm));
  return 0;
}

}  // namespace

int main(int argc, char** argv) { return page::Main<RunPage>(argc, argv, kRanks); }
