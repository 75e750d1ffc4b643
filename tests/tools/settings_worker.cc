// SPDX-License-Identifier: Apache-2.0
// Started by settings_test.py with settings in its environment: makes the calls that read them, and prints
// the code of each and the texts that they left.
#include <acl/acl.h>
#include <hccl/hccl.h>

#include <cstdio>
#include <cstring>

namespace {

void Print(const char* call, int code) {
  std::printf("%s %d\n", call, code);
  const char* text = aclGetRecentErrMsg();
  if (text != nullptr) std::printf("%s", text);
}

}  // namespace

int main() {
  Print("aclrtSetDevice", aclrtSetDevice(0));
  void* memory = nullptr;
  Print("aclrtMalloc", aclrtMalloc(&memory, 1 << 16, ACL_MEM_MALLOC_HUGE_FIRST));
  HcclRootInfo info;
  std::memset(&info, 0, sizeof(info));
  Print("HcclGetRootInfo", HcclGetRootInfo(&info));
  HcclComm comm = nullptr;
  Print("HcclCommInitRootInfo", HcclCommInitRootInfo(1, &info, 0, &comm));
  int32_t device = 0;
  HcclComm own = nullptr;
  Print("HcclCommInitAll", HcclCommInitAll(1, &device, &own));
  std::printf("end\n");
  std::fflush(stdout);
  HcclCommDestroy(comm);
  HcclCommDestroy(own);
  if (memory != nullptr) aclrtFree(memory);
  aclrtResetDevice(0);
  return 0;
}
