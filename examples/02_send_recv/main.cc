// SPDX-License-Identifier: Apache-2.0

// Ranks 0 and 1 exchange buffers with HcclSend and HcclRecv. A send is not complete before its receive
// has been posted and has the data, so the two ranks must use opposite orders: 0 sends first, 1 receives
// first. With more ranks, 2 and 3 do the same, then 4 and 5, and so on.

#include <cstdio>
#include <vector>

#include "../common/launch.h"

namespace {

constexpr uint64_t kCount = 1 << 20;
constexpr size_t kBytes = kCount * sizeof(int32_t);

std::vector<int32_t> ValuesOf(uint32_t rank) {
  std::vector<int32_t> values(kCount);
  for (uint64_t i = 0; i < kCount; ++i) values[i] = static_cast<int32_t>(i * 7 + uint64_t{rank} * 1000003);
  return values;
}

int Exchange(uint32_t rank, uint32_t partner, void* send_buffer, void* recv_buffer, HcclComm comm,
             aclrtStream stream) {
  if (rank < partner) {
    HCCL_CHECK(HcclSend(send_buffer, kCount, HCCL_DATA_TYPE_INT32, partner, comm, stream));
    HCCL_CHECK(HcclRecv(recv_buffer, kCount, HCCL_DATA_TYPE_INT32, partner, comm, stream));
  } else {
    HCCL_CHECK(HcclRecv(recv_buffer, kCount, HCCL_DATA_TYPE_INT32, partner, comm, stream));
    HCCL_CHECK(HcclSend(send_buffer, kCount, HCCL_DATA_TYPE_INT32, partner, comm, stream));
  }
  ACL_CHECK(aclrtSynchronizeStream(stream));
  return 0;
}

int Report(uint32_t rank, uint32_t from, const std::vector<int32_t>& received) {
  const bool right = received == ValuesOf(from);
  std::printf("rank %u received %zu numbers from rank %u: %d %d %d ... %d  %s\n", rank, received.size(), from,
              received[0], received[1], received[2], received[kCount - 1], right ? "ok" : "WRONG");
  return right ? 0 : 1;
}

int RunRank(const example::Rank& self) {
  if (self.size % 2 != 0) {
    std::fprintf(stderr, "ranks work in pairs: %u ranks, expected an even number\n", self.size);
    return 1;
  }
  ACL_CHECK(aclrtSetDevice(self.device));
  HcclComm comm = nullptr;
  HCCL_CHECK(HcclCommInitRootInfo(self.size, &self.root_info, self.rank, &comm));
  aclrtStream stream = nullptr;
  ACL_CHECK(aclrtCreateStream(&stream));

  void* send_buffer = nullptr;
  void* recv_buffer = nullptr;
  ACL_CHECK(aclrtMalloc(&send_buffer, kBytes, ACL_MEM_MALLOC_HUGE_FIRST));
  ACL_CHECK(aclrtMalloc(&recv_buffer, kBytes, ACL_MEM_MALLOC_HUGE_FIRST));
  const std::vector<int32_t> mine = ValuesOf(self.rank);
  ACL_CHECK(aclrtMemcpy(send_buffer, kBytes, mine.data(), kBytes, ACL_MEMCPY_HOST_TO_DEVICE));

  const uint32_t partner = self.rank ^ 1U;
  if (Exchange(self.rank, partner, send_buffer, recv_buffer, comm, stream) != 0) return 1;

  std::vector<int32_t> received(kCount);
  ACL_CHECK(aclrtMemcpy(received.data(), kBytes, recv_buffer, kBytes, ACL_MEMCPY_DEVICE_TO_HOST));
  const int failed = Report(self.rank, partner, received);

  ACL_CHECK(aclrtFree(send_buffer));
  ACL_CHECK(aclrtFree(recv_buffer));
  ACL_CHECK(aclrtDestroyStream(stream));
  HCCL_CHECK(HcclCommDestroy(comm));
  ACL_CHECK(aclrtResetDevice(self.device));
  return failed;
}

}  // namespace

int main() { return example::Launch(2, RunRank); }
