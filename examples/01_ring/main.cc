// SPDX-License-Identifier: Apache-2.0

// Every rank sends eight floats to the next rank and receives eight from the previous one, in one
// HcclBatchSendRecv. Inside one call a send does not wait for a receive, so no rank has to go first.

#include <cstdio>
#include <string>
#include <vector>

#include "../common/launch.h"

namespace {

constexpr uint64_t kCount = 8;
constexpr size_t kBytes = kCount * sizeof(float);

// Element i of rank r is 10 r + i, so a printed value tells where it came from.
std::vector<float> ValuesOf(uint32_t rank) {
  std::vector<float> values(kCount);
  for (uint64_t i = 0; i < kCount; ++i) values[i] = static_cast<float>(uint64_t{10} * rank + i);
  return values;
}

int Report(uint32_t rank, uint32_t from, const std::vector<float>& received) {
  std::string line = "rank " + std::to_string(rank) + " received from rank " + std::to_string(from) + ":";
  for (float value : received) line += " " + std::to_string(static_cast<int>(value));
  const bool right = received == ValuesOf(from);
  std::printf("%s  %s\n", line.c_str(), right ? "ok" : "WRONG");
  return right ? 0 : 1;
}

int RunRank(const example::Rank& self) {
  ACL_CHECK(aclrtSetDevice(self.device));
  HcclComm comm = nullptr;
  HCCL_CHECK(HcclCommInitRootInfo(self.size, &self.root_info, self.rank, &comm));
  aclrtStream stream = nullptr;
  ACL_CHECK(aclrtCreateStream(&stream));

  void* send_buffer = nullptr;
  void* recv_buffer = nullptr;
  ACL_CHECK(aclrtMalloc(&send_buffer, kBytes, ACL_MEM_MALLOC_HUGE_FIRST));
  ACL_CHECK(aclrtMalloc(&recv_buffer, kBytes, ACL_MEM_MALLOC_HUGE_FIRST));
  const std::vector<float> mine = ValuesOf(self.rank);
  ACL_CHECK(aclrtMemcpy(send_buffer, kBytes, mine.data(), kBytes, ACL_MEMCPY_HOST_TO_DEVICE));

  const uint32_t next = (self.rank + 1) % self.size;
  const uint32_t prev = (self.rank + self.size - 1) % self.size;
  HcclSendRecvItem items[] = {
      {HCCL_SEND, send_buffer, kCount, HCCL_DATA_TYPE_FP32, next},
      {HCCL_RECV, recv_buffer, kCount, HCCL_DATA_TYPE_FP32, prev},
  };
  HCCL_CHECK(HcclBatchSendRecv(items, 2, comm, stream));  // only queued here
  ACL_CHECK(aclrtSynchronizeStream(stream));              // both transfers are done after this

  std::vector<float> received(kCount);
  ACL_CHECK(aclrtMemcpy(received.data(), kBytes, recv_buffer, kBytes, ACL_MEMCPY_DEVICE_TO_HOST));
  const int failed = Report(self.rank, prev, received);

  ACL_CHECK(aclrtFree(send_buffer));
  ACL_CHECK(aclrtFree(recv_buffer));
  ACL_CHECK(aclrtDestroyStream(stream));
  HCCL_CHECK(HcclCommDestroy(comm));
  ACL_CHECK(aclrtResetDevice(self.device));
  return failed;
}

}  // namespace

int main() { return example::Launch(8, RunRank); }
