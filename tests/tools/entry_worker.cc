// SPDX-License-Identifier: Apache-2.0
// Started by entry_log_test.py: two ranks of this process make every operator call, right and wrong.
#include <acl/acl.h>
#include <hccl/hccl.h>

#include <array>
#include <cstdio>

namespace {

int failures = 0;

void Expect(const char* call, int code, int expected = 0) {
  if (code == expected) return;
  const char* text = aclGetRecentErrMsg();
  std::printf("%s returned %d: %s\n", call, code, text == nullptr ? "" : text);
  ++failures;
}

}  // namespace

int main() {
  std::array<int32_t, 2> devices = {3, 5};
  std::array<HcclComm, 2> comms{};
  Expect("init", HcclCommInitAll(2, devices.data(), comms.data()));
  std::array<aclrtStream, 2> streams{};
  std::array<void*, 2> memory{};
  for (int i = 0; i < 2; ++i) {
    Expect("device", aclrtSetDevice(devices[i]));
    Expect("stream", aclrtCreateStream(&streams[i]));
    Expect("memory", aclrtMalloc(&memory[i], 4096, ACL_MEM_MALLOC_HUGE_FIRST));
    int32_t id = -1;
    Expect("id", aclrtStreamGetId(streams[i], &id));
    char name[COMM_NAME_MAX_LENGTH];
    Expect("name", HcclGetCommName(comms[i], name));
    std::printf("rank %d stream %d buffer %p name %s\n", i, id, memory[i], name);
  }
  // Twice the same, which a log might take for one.
  for (int round = 0; round < 2; ++round) {
    Expect("send", HcclSend(memory[0], 7, HCCL_DATA_TYPE_FP32, 1, comms[0], streams[0]));
    Expect("receive", HcclRecv(memory[1], 7, HCCL_DATA_TYPE_FP32, 0, comms[1], streams[1]));
  }
  for (uint32_t i = 0; i < 2; ++i) {
    HcclSendRecvItem items[] = {
        {HCCL_SEND, memory[i], 8, HCCL_DATA_TYPE_INT8, 1 - i},
        {HCCL_RECV, static_cast<char*>(memory[i]) + 64, 8, HCCL_DATA_TYPE_INT8, 1 - i},
        {HCCL_SEND, nullptr, 0, HCCL_DATA_TYPE_INT8, 1 - i}};
    Expect("batch", HcclBatchSendRecv(items, 3, comms[i], streams[i]));
  }
  for (int i = 0; i < 2; ++i) Expect("barrier", HcclBarrier(comms[i], streams[i]));
  Expect("group", HcclGroupStart());
  Expect("send", HcclSend(memory[0], 9, HCCL_DATA_TYPE_INT16, 1, comms[0], streams[0]));
  Expect("receive", HcclRecv(memory[1], 9, HCCL_DATA_TYPE_INT16, 0, comms[1], streams[1]));
  Expect("group", HcclGroupEnd());
  // None of these is queued.
  Expect("nothing", HcclSend(memory[0], 0, HCCL_DATA_TYPE_FP32, 1, comms[0], streams[0]));
  Expect("rank", HcclSend(memory[0], 7, HCCL_DATA_TYPE_FP32, 2, comms[0], streams[0]), HCCL_E_PARA);
  HcclSendRecvItem wrong = {HCCL_SEND, memory[0], 8, HCCL_DATA_TYPE_INT8, 9};
  Expect("item", HcclBatchSendRecv(&wrong, 1, comms[0], streams[0]), HCCL_E_PARA);
  for (int i = 0; i < 2; ++i) {
    Expect("device", aclrtSetDevice(devices[i]));
    Expect("wait", aclrtSynchronizeStream(streams[i]));
    Expect("free", aclrtFree(memory[i]));
    Expect("destroy", HcclCommDestroy(comms[i]));
    Expect("stream", aclrtDestroyStream(streams[i]));
    Expect("reset", aclrtResetDevice(devices[i]));
  }
  std::printf("end\n");
  return failures == 0 ? 0 : 1;
}
