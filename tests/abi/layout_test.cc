// SPDX-License-Identifier: Apache-2.0

// The public headers seen from C++: everything is checked while compiling. The program does what clients do
// with the types, so that a change that only breaks their code is seen as well.

#include <cstdio>
#include <type_traits>

#include <acl/acl_rt_api.h>

#include "layout_checks.h"

#define ABI_CONSTANT(name, value) static_assert((name) == (value), #name " is not " #value);
#include "abi_constants.inc"
#undef ABI_CONSTANT

namespace {

static_assert(alignof(HcclRootInfo) == 1);
static_assert(alignof(HcclCommConfig) == 8);
static_assert(std::is_aggregate_v<HcclSendRecvItem>,
              "programs write HcclSendRecvItem{kind, buf, count, type, rank}");
static_assert(std::is_trivially_copyable_v<HcclRootInfo>, "programs send the bytes to other processes");
static_assert(std::is_trivially_copyable_v<HcclCommConfig>);
static_assert(std::is_trivially_copyable_v<dim3>, "passed to C by value");

// Prototypes, written down apart from the headers.
template <typename Expected, typename Actual>
constexpr bool kSame = std::is_same_v<Expected*, Actual>;

using Result = HcclResult;
using Type = HcclDataType;
using Op = HcclReduceOp;
using Comm = HcclComm;
using Stream = aclrtStream;
static_assert(kSame<Result(void*, uint64_t, Type, uint32_t, Comm, Stream), decltype(&HcclSend)>);
static_assert(kSame<Result(void*, uint64_t, Type, uint32_t, Comm, Stream), decltype(&HcclRecv)>);
static_assert(kSame<Result(HcclSendRecvItem*, uint32_t, Comm, Stream), decltype(&HcclBatchSendRecv)>);
static_assert(kSame<Result(void*, void*, uint64_t, Type, Op, Comm, Stream), decltype(&HcclAllReduce)>);
static_assert(kSame<Result(void*, uint64_t, Type, uint32_t, Comm, Stream), decltype(&HcclBroadcast)>);
static_assert(kSame<Result(void*, void*, uint64_t, Type, Op, Comm, Stream), decltype(&HcclReduceScatter)>);
static_assert(kSame<Result(void*, const void*, const void*, void*, uint64_t, Type, Op, Comm, Stream),
                    decltype(&HcclReduceScatterV)>);
static_assert(kSame<Result(void*, void*, uint64_t, Type, uint32_t, Comm, Stream), decltype(&HcclScatter)>);
static_assert(kSame<Result(void*, void*, uint64_t, Type, Comm, Stream), decltype(&HcclAllGather)>);
static_assert(kSame<Result(void*, uint64_t, void*, const void*, const void*, Type, Comm, Stream),
                    decltype(&HcclAllGatherV)>);
static_assert(kSame<Result(const void*, const void*, Type, const void*, Type, Comm, Stream),
                    decltype(&HcclAlltoAllVC)>);
static_assert(kSame<Result(const void*, const void*, const void*, Type, const void*, const void*, const void*,
                           Type, Comm, Stream),
                    decltype(&HcclAlltoAllV)>);
static_assert(kSame<Result(const void*, uint64_t, Type, const void*, uint64_t, Type, Comm, Stream),
                    decltype(&HcclAlltoAll)>);
static_assert(kSame<Result(void*, void*, uint64_t, Type, Op, uint32_t, Comm, Stream), decltype(&HcclReduce)>);
static_assert(kSame<Result(HcclRootInfo*), decltype(&HcclGetRootInfo)>);
static_assert(kSame<Result(uint32_t, const HcclRootInfo*, uint32_t, Comm*), decltype(&HcclCommInitRootInfo)>);
static_assert(kSame<Result(uint32_t, const HcclRootInfo*, uint32_t, const HcclCommConfig*, Comm*),
                    decltype(&HcclCommInitRootInfoConfig)>);
static_assert(kSame<Result(const char*, uint32_t, Comm*), decltype(&HcclCommInitClusterInfo)>);
static_assert(
    kSame<Result(const char*, uint32_t, HcclCommConfig*, Comm*), decltype(&HcclCommInitClusterInfoConfig)>);
static_assert(kSame<Result(uint32_t, int32_t*, Comm*), decltype(&HcclCommInitAll)>);
static_assert(kSame<Result(Comm*, uint32_t, uint32_t*, uint64_t, uint32_t, HcclCommConfig*, Comm*),
                    decltype(&HcclCreateSubCommConfig)>);
static_assert(kSame<uint32_t(), decltype(&HcclGetCommConfigCapability)>);
static_assert(kSame<Result(Comm), decltype(&HcclCommDestroy)>);
static_assert(kSame<Result(Comm, uint32_t*), decltype(&HcclGetRankSize)>);
static_assert(kSame<Result(Comm, uint32_t*), decltype(&HcclGetRankId)>);
static_assert(kSame<Result(Comm, char*), decltype(&HcclGetCommName)>);
static_assert(kSame<Result(Comm, Result*), decltype(&HcclGetCommAsyncError)>);
static_assert(kSame<const char*(Result), decltype(&HcclGetErrorString)>);
static_assert(kSame<Result(Comm, Stream), decltype(&HcclBarrier)>);
static_assert(kSame<Result(HcclConfig, HcclConfigValue), decltype(&HcclSetConfig)>);
static_assert(kSame<aclError(const char*), decltype(&aclInit)>);
static_assert(kSame<aclError(), decltype(&aclFinalize)>);
static_assert(kSame<const char*(), decltype(&aclGetRecentErrMsg)>);

// The batch of the API reference's example.
HcclSendRecvItem MakeItem(void* buffer) {
  const uint64_t count = 8;
  return HcclSendRecvItem{HcclSendRecvType::HCCL_SEND, buffer, count, HCCL_DATA_TYPE_FP32, 1U};
}

// Some clients define macros of these names after the include.
#define ACL_ERROR_NONE 0
static_assert(ACL_ERROR_NONE == 0);
#undef ACL_ERROR_NONE

}  // namespace

int main() {
  float buffer[8] = {};
  const HcclSendRecvItem item = MakeItem(buffer);
  const dim3 grid(2);
  const bool ok = item.buf == buffer && item.count == 8 && item.remoteRank == 1 && grid.x == 2 && grid.y == 1;
  std::puts(ok ? "the layouts are as published" : "aggregate initialisation filled the wrong fields");
  return ok ? 0 : 1;
}
