// SPDX-License-Identifier: Apache-2.0

// Uses every C++ overload of acl_rt_api.h once, beside the C call of the same name. Only compiled, never
// linked: what is checked is that each call finds exactly one function.

#include <acl/acl_rt_api.h>

namespace {

struct Arguments {
  float* pointer;
  const float* source;
  float** pointers;
  void** addresses;
  size_t* sizes;
  aclrtMemcpyBatchAttr attribute;
  aclrtStream stream;
  aclrtEvent event;
};

aclError Streams(Arguments& a) {
  uint64_t actual = 0;
  return aclrtSynchronizeDevice() + aclrtSynchronizeDevice(1) + aclrtSynchronizeStream(a.stream) +
         aclrtSynchronizeStream(a.stream, 1) + aclrtSynchronizeEvent(a.event) +
         aclrtSynchronizeEvent(a.event, 1) + aclrtStreamWaitEvent(a.stream, a.event) +
         aclrtStreamWaitEvent(a.stream, a.event, 1) + aclrtCreateStream(&a.stream) +
         aclrtCreateStream(&a.stream, 0, ACL_STREAM_FAST_LAUNCH) + aclrtCreateEvent(&a.event) +
         aclrtCreateEvent(&a.event, ACL_EVENT_SYNC) + aclrtSetOpExecuteTimeOut(1) +
         aclrtSetOpExecuteTimeOut(1, &actual);
}

aclError Memory(Arguments& a) {
  void* untyped = nullptr;
  return aclrtMalloc(&untyped, 4, ACL_MEM_MALLOC_HUGE_FIRST) + aclrtMalloc(&a.pointer, 4) +
         aclrtMalloc(&a.pointer, 4, ACL_MEM_MALLOC_HUGE_ONLY) + aclrtMallocHost(&untyped, 4) +
         aclrtMallocHost(&a.pointer, 4) + aclrtMemcpy(untyped, 4, untyped, 4, ACL_MEMCPY_DEFAULT) +
         aclrtMemcpy(a.pointer, 4, a.source, 4, ACL_MEMCPY_DEFAULT) +
         aclrtMemcpyAsync(a.pointer, 4, a.source, 4, ACL_MEMCPY_DEFAULT, a.stream) +
         aclrtMemcpy2d(a.pointer, 4, a.source, 4, 4, 1, ACL_MEMCPY_DEFAULT) +
         aclrtMemcpy2dAsync(a.pointer, 4, a.source, 4, 4, 1, ACL_MEMCPY_DEFAULT, a.stream);
}

aclError Batches(Arguments& a) {
  size_t failed = 0;
  return aclrtMemcpyBatch(a.addresses, a.sizes, a.addresses, a.sizes, 1, &a.attribute, a.sizes, 1, &failed) +
         aclrtMemcpyBatch(a.pointers, a.sizes, a.pointers, a.sizes, 1, &a.attribute, a.sizes, 1) +
         aclrtMemcpyBatch(a.pointers, a.sizes, a.pointers, a.sizes, 1, a.attribute) +
         aclrtMemcpyBatch(a.addresses, a.sizes, a.addresses, a.sizes, 1, a.attribute) +
         aclrtMemcpyBatchAsync(a.pointers, a.sizes, a.pointers, a.sizes, 1, &a.attribute, a.sizes, 1,
                               a.stream) +
         aclrtMemcpyBatchAsync(a.pointers, a.sizes, a.pointers, a.sizes, 1, a.attribute, a.stream);
}

}  // namespace

aclError UseAllOverloads(void* arguments);
aclError UseAllOverloads(void* arguments) {
  Arguments& a = *static_cast<Arguments*>(arguments);
  return Streams(a) + Memory(a) + Batches(a);
}
