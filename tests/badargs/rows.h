// SPDX-License-Identifier: Apache-2.0
// Calls with bad arguments as tables: one row for each thing that can be wrong.
#pragma once

#include <acl/acl.h>
#include <acl/acl_rt_memory_soma.h>
#include <hccl/hccl.h>

#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

namespace tandem::test::badargs {

// Objects that all rows share. Made with device 0, so its primary context is the current one of a row's
// thread. A row that needs to change or destroy something makes its own.
struct World {
  aclrtStream stream = nullptr;
  aclrtStream stale_stream = nullptr;
  aclrtStream stream_of_other_context = nullptr;  // on device 0
  aclrtStream stream_of_other_device = nullptr;
  aclrtContext context = nullptr;  // of stream_of_other_context
  aclrtContext stale_context = nullptr;
  aclrtEvent event = nullptr;  // aclrtCreateEvent, never recorded
  aclrtEvent stale_event = nullptr;
  void* device_memory = nullptr;  // kBytes bytes
  void* freed_memory = nullptr;
  void* pinned_memory = nullptr;  // kBytes bytes
  HcclComm comm = nullptr;        // rank 0 of 2
  HcclComm peer = nullptr;        // rank 1
  HcclComm stale_comm = nullptr;
  aclrtNotify notify = nullptr;
  aclrtNotify stale_notify = nullptr;
  aclrtCntNotify counter = nullptr;
  aclrtCntNotify stale_counter = nullptr;
  aclrtDrvMemHandle physical = nullptr;  // kBytes bytes
  aclrtDrvMemHandle stale_physical = nullptr;
  aclrtMemPool pool = nullptr;  // of device 0
  aclrtMemPool stale_pool = nullptr;
  aclrtAllocatorDesc allocator = nullptr;  // nothing was set in it
  aclrtAllocatorDesc stale_allocator = nullptr;
  static constexpr size_t kBytes = 4096;
};

using Call = std::function<int64_t(World&)>;

enum class Thread : uint8_t { kWithDevice, kBare };  // kBare: never selected a device

struct Row {
  const char* function;            // as src/capi/tandem.map has it
  std::string bad;                 // what is wrong, for the report
  Call call;                       // a pointer counts as 0 when null, else as 1
  int64_t code;                    // what it must give back
  std::vector<std::string> words;  // what the text must say; "" as only word: there is no text
  Thread thread = Thread::kWithDevice;
};

using Rows = std::vector<Row>;

// What the text says when a thread has selected no device.
inline const std::vector<std::string> kNoContext = {"no current context", "aclrtSetDevice"};

// The families. audit_test.cc checks them, and that they name every exported function; arguments_test.cc that
// they name every pointer and every handle.
Rows AllocatorRows();
Rows BatchCopyRows();
Rows CallbackRows();
Rows CommMemoryRows();
Rows CommSettingRows();
Rows CommStateRows();
Rows CommunicatorRows();
Rows ContextRows();
Rows CopyRows();
Rows DataBufferRows();
Rows DeviceInfoRows();
Rows DeviceRows();
Rows EventRows();
Rows EventStateRows();
Rows FillRows();
Rows HostMemoryRows();
Rows InitRows();
Rows IpcRows();
Rows MemoryRows();
Rows MemoryTaskRows();
Rows NotifyRows();
Rows P2pRows();
Rows PhysicalMemoryRows();
Rows PoolRows();
Rows QueryRows();
Rows RankTableRows();
Rows StreamRows();
Rows StreamStateRows();
Rows SubCommRows();
Rows UnsupportedRows();
Rows VirtualMemoryRows();
// All of them.
Rows AllRows();

inline void Append(Rows& rows, Rows more) {
  for (Row& row : more) rows.push_back(std::move(row));
}

// A number where the call takes an enumeration; C programs can pass any.
template <typename Enum>
Enum AnyValue(int value) {
  return static_cast<Enum>(value);
}

// An address that is no handle and that nobody can read.
inline void* Garbage() { return reinterpret_cast<void*>(uintptr_t{0x0BAD0BAD0BAD0BA8}); }

// Adds a row of a thread with a device.
void Refuse(Rows& rows, const char* function, std::string bad, Call call, int64_t code,
            std::vector<std::string> words);
// Adds a row of a value that is allowed: success, and no text.
void Allow(Rows& rows, const char* function, std::string bad, Call call);
// Adds a row of a pointer that must not be null: 100000 of the runtime, HCCL_E_PTR with EI0003 of HCCL.
void RefuseNull(Rows& rows, const char* function, const std::string& argument, Call call);
// Adds a row of a thread that has no current context.
void RefuseWithoutContext(Rows& rows, const char* function, Call call);

// What can be wrong with a handle besides null. `code` is the same for all.
using WithHandle = std::function<int64_t(World&, void*)>;
Rows BadStreams(const char* function, const WithHandle& call);
// And of calls that queue, or change the stream: it must be of the current context.
Rows StreamsOfOthers(const char* function, const WithHandle& call);
// All of these, and null, which is the default stream and needs a current context.
Rows BadStreamsToSubmit(const char* function, const WithHandle& call);
// Of calls that take any live stream: BadStreams, and null as above.
Rows BadStreamsToQuery(const char* function, const WithHandle& call);
// Null, destroyed, of another kind, garbage. `kind` is what texts call it, `stale` a destroyed one.
Rows BadHandles(const char* function, const std::string& argument, const std::string& kind,
                void* World::*stale, const WithHandle& call);
Rows BadEvents(const char* function, const char* argument, const WithHandle& call);
Rows BadComms(const char* function, const WithHandle& call);
// Numbers that are no device.
Rows BadDevices(const char* function, const char* argument,
                const std::function<int64_t(World&, int32_t)>& call);

// Arguments made from nothing but the types: all zero, or all as wrong as can be. Addresses of typed
// objects are null also among the latter, since nobody can tell a wrong one from a right one.
template <typename T>
T Zero() {
  return T{};
}
template <typename T>
T Wrong() {
  using Plain = std::remove_cv_t<T>;
  if constexpr (std::is_same_v<Plain, void*> || std::is_same_v<Plain, const void*>) {
    return Garbage();
  } else if constexpr (std::is_same_v<Plain, bool>) {
    return true;
  } else if constexpr (std::is_integral_v<Plain>) {
    return std::numeric_limits<Plain>::max();
  } else if constexpr (std::is_enum_v<Plain>) {
    return AnyValue<Plain>(0x7FFFFFFF);
  } else {
    return Plain{};
  }
}

template <typename Result>
int64_t AsNumber(Result result) {
  if constexpr (std::is_pointer_v<Result>) {
    return result == nullptr ? 0 : 1;
  } else {
    return static_cast<int64_t>(result);
  }
}

template <typename Result, typename... Arguments>
Call WithZeros(Result (*function)(Arguments...)) {
  return [function](World&) { return AsNumber(function(Zero<Arguments>()...)); };
}
template <typename Result, typename... Arguments>
Call WithGarbage(Result (*function)(Arguments...)) {
  return [function](World&) { return AsNumber(function(Wrong<Arguments>()...)); };
}

}  // namespace tandem::test::badargs
