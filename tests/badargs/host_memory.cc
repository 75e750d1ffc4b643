// SPDX-License-Identifier: Apache-2.0
// Registration of memory that the program allocated itself.
#include <array>

#include "badargs/rows.h"

namespace tandem::test::badargs {
namespace {

constexpr size_t kHostMemoryBytes = World::kBytes;
alignas(4096) std::array<char, 2 * kHostMemoryBytes> host_memory;

// Undone when it succeeds.
int64_t Register(void* data, uint64_t bytes = kHostMemoryBytes, int type = 0) {
  void* device = nullptr;
  const aclError result = aclrtHostRegister(data, bytes, AnyValue<aclrtHostRegisterType>(type), &device);
  if (result == ACL_SUCCESS) static_cast<void>(aclrtHostUnregister(data));
  return result;
}

int64_t RegisterV2(void* data, uint64_t bytes = kHostMemoryBytes, uint32_t flag = ACL_HOST_REG_PINNED) {
  const aclError result = aclrtHostRegisterV2(data, bytes, flag);
  if (result == ACL_SUCCESS) static_cast<void>(aclrtHostUnregister(data));
  return result;
}

// Runs `use` while the first page is registered.
template <typename Use>
Call WithRegistered(Use use) {
  return [use](World& world) -> int64_t {
    if (aclrtHostRegisterV2(host_memory.data(), kHostMemoryBytes, ACL_HOST_REG_PINNED) != ACL_SUCCESS)
      return -1;
    const int64_t result = use(world);
    static_cast<void>(aclrtHostUnregister(host_memory.data()));
    return result;
  };
}

// What both calls refuse.
template <typename Function>
Rows HostMemoryRangeRows(const char* function, Function call) {
  const int64_t wrong = ACL_ERROR_RT_PARAM_INVALID;
  Rows rows;
  RefuseNull(rows, function, "ptr", [call](World&) { return call(nullptr, kHostMemoryBytes); });
  Refuse(rows, function, "size 0", [call](World&) { return call(host_memory.data(), 0); },
         ACL_ERROR_INVALID_PARAM, {"size is 0", "at least 1"});
  Refuse(rows, function, "size that wraps around",
         [call](World&) { return call(host_memory.data(), UINT64_MAX); }, wrong,
         {std::to_string(UINT64_MAX) + " bytes at 0x", "beyond the last address"});
  Refuse(rows, function, "garbage", [call](World&) { return call(Garbage(), kHostMemoryBytes); }, wrong,
         {"4096 bytes at 0xbad0bad0bad0ba8"});
  Refuse(rows, function, "a handle", [call](World& w) { return call(w.stream, kHostMemoryBytes); }, wrong,
         {"4096 bytes at 0x5a"});
  for (const auto member : {&World::device_memory, &World::pinned_memory, &World::freed_memory}) {
    Refuse(rows, function, "memory of this library",
           [call, member](World& w) { return call(w.*member, kHostMemoryBytes); }, wrong,
           {"0x", "comes from aclrtMalloc or aclrtMallocHost"});
  }
  Refuse(rows, function, "registered twice",
         WithRegistered([call](World&) { return call(host_memory.data(), 2 * kHostMemoryBytes); }),
         ACL_ERROR_HOST_MEMORY_ALREADY_REGISTERED, {"overlap 4096 bytes at 0x", "registered already"});
  return rows;
}

}  // namespace

Rows HostMemoryRows() {
  Rows rows = HostMemoryRangeRows("aclrtHostRegister",
                                  [](void* data, uint64_t bytes) { return Register(data, bytes); });
  RefuseNull(rows, "aclrtHostRegister", "devPtr", [](World&) {
    return aclrtHostRegister(host_memory.data(), kHostMemoryBytes, ACL_HOST_REGISTER_MAPPED, nullptr);
  });
  for (const int type : {1, 16, -1}) {
    Refuse(rows, "aclrtHostRegister", "type",
           [type](World&) { return Register(host_memory.data(), kHostMemoryBytes, type); },
           ACL_ERROR_RT_FEATURE_NOT_SUPPORT, {"type is 0x", "ACL_HOST_REGISTER_MAPPED (0)"});
  }
  Append(rows, HostMemoryRangeRows("aclrtHostRegisterV2",
                                   [](void* data, uint64_t bytes) { return RegisterV2(data, bytes); }));
  for (const uint32_t flag : {0U, 1U, 0x20U, UINT32_MAX}) {
    Refuse(rows, "aclrtHostRegisterV2", "flag",
           [flag](World&) { return RegisterV2(host_memory.data(), kHostMemoryBytes, flag); },
           ACL_ERROR_RT_PARAM_INVALID, {"flag is 0x", "ACL_HOST_REG_MAPPED (0x2)"});
  }
  const char* end = "aclrtHostUnregister";
  const std::vector<std::string> never = {"0x", "not the start of registered memory"};
  const int64_t code = ACL_ERROR_HOST_MEMORY_NOT_REGISTERED;
  RefuseNull(rows, end, "ptr", [](World&) { return aclrtHostUnregister(nullptr); });
  Refuse(
      rows, end, "never registered", [](World&) { return aclrtHostUnregister(host_memory.data()); }, code,
      never);
  Refuse(
      rows, end, "garbage", [](World&) { return aclrtHostUnregister(Garbage()); }, code, never);
  Refuse(
      rows, end, "device memory", [](World& w) { return aclrtHostUnregister(w.device_memory); }, code, never);
  Refuse(rows, end, "the middle",
         WithRegistered([](World&) { return aclrtHostUnregister(host_memory.data() + 64); }), code, never);
  Refuse(rows, end, "unregistered twice", WithRegistered([](World&) {
           static_cast<void>(aclrtHostUnregister(host_memory.data()));
           return aclrtHostUnregister(host_memory.data());
         }),
         code, never);
  const char* ask = "aclrtHostGetDevicePointer";
  const auto pointer_of = [](void* data, uint32_t flag = 0) {
    void* device = nullptr;
    return aclrtHostGetDevicePointer(data, &device, flag);
  };
  RefuseNull(rows, ask, "pHost", [pointer_of](World&) { return pointer_of(nullptr); });
  RefuseNull(rows, ask, "pDevice", WithRegistered([](World&) {
               return aclrtHostGetDevicePointer(host_memory.data(), nullptr, 0);
             }));
  Refuse(rows, ask, "flag",
         WithRegistered([pointer_of](World&) { return pointer_of(host_memory.data(), 1); }),
         ACL_ERROR_INVALID_PARAM, {"flag is 1", "expected 0"});
  for (void* data : {static_cast<void*>(host_memory.data()), Garbage()}) {
    Refuse(rows, ask, "never registered", [pointer_of, data](World&) { return pointer_of(data); }, code,
           {"0x", "not in registered memory", "aclrtHostRegister first"});
  }
  return rows;
}

}  // namespace tandem::test::badargs
