// SPDX-License-Identifier: Apache-2.0

// The sample code of the HcclBatchSendRecv page, as a program. Between "page" and "end of page" its lines
// are as published; calls named Fill and Check are what a sample leaves out: data, and a look at it.
//
//   g++ ring_page.cc -lhccl -lascendcl
//   ./a.out threads                 eight threads
//   tandem run -n 8 ./a.out         eight processes

#include <acl/acl.h>
#include <hccl/hccl.h>

#include "page_main.h"

#define ACLCHECK PAGE_CHECK

static int RunPage(const HcclRootInfo& rootInfo, int32_t deviceId) {
  // page
  // clang-format off
// 申请集合通信操作的 Device 内存
void *sendBuf = nullptr;
void *recvBuf = nullptr;
uint64_t count = 8;
size_t mallocSize = count * sizeof(float);
aclrtMalloc((void **)&sendBuf, mallocSize, ACL_MEM_MALLOC_HUGE_FIRST);
aclrtMalloc((void **)&recvBuf, mallocSize, ACL_MEM_MALLOC_HUGE_FIRST);

// 初始化通信域
uint32_t rankSize = 8;
HcclComm hcclComm;
HcclCommInitRootInfo(rankSize, &rootInfo, deviceId, &hcclComm);

// 创建任务流
aclrtStream stream;
aclrtCreateStream(&stream);

ACLCHECK(page::Fill(sendBuf, count, 100 * deviceId));

// 执行 Send/Recv，将数据发送至下一节点，同时接收上一节点的数据
// HcclBatchSendRecv 可以同时下发本 rank 上的多个收发任务
uint32_t next = (deviceId + 1) % count;
uint32_t prev = (deviceId - 1 + count) % count;
HcclSendRecvItem sendRecvInfo[2];
sendRecvInfo[0] = HcclSendRecvItem{HCCL_SEND, sendBuf, count, HCCL_DATA_TYPE_FP32, next};
sendRecvInfo[1] = HcclSendRecvItem{HCCL_RECV, recvBuf, count, HCCL_DATA_TYPE_FP32, prev};
HcclBatchSendRecv(sendRecvInfo, 2, hcclComm, stream);

// 阻塞等待任务流中的集合通信任务执行完成
ACLCHECK(aclrtSynchronizeStream(stream));

const int wrong = page::Check(deviceId, prev, recvBuf, count, 100 * prev);

// 释放资源
aclrtFree(sendBuf);          // 释放 Device 侧内存
aclrtFree(recvBuf);          // 释放 Device 侧内存
aclrtDestroyStream(stream);  // 销毁任务流
HcclCommDestroy(hcclComm);   // 销毁通信域
  // clang-format on
  // end of page
  return wrong;
}

int main(int argc, char** argv) { return page::Main<RunPage>(argc, argv, 8); }
