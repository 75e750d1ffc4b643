// SPDX-License-Identifier: Apache-2.0
// What other processes open: device memory and events by key, physical memory by number.
#include <array>
#include <cstring>

#include "badargs/rows.h"

namespace tandem::test::badargs {
namespace {

constexpr int64_t kIpcWrong = ACL_ERROR_RT_PARAM_INVALID;
using Key = std::array<char, 65>;

int64_t Export(void* data, size_t bytes = World::kBytes, size_t room = 65, uint64_t flags = 0) {
  Key key{};
  return aclrtIpcMemGetExportKey(data, bytes, key.data(), room, flags);
}

Rows IpcExportRows() {
  const char* function = "aclrtIpcMemGetExportKey";
  Rows rows;
  RefuseNull(rows, function, "devPtr", [](World&) { return Export(nullptr); });
  RefuseNull(rows, function, "key",
             [](World& w) { return aclrtIpcMemGetExportKey(w.device_memory, 4096, nullptr, 65, 0); });
  Refuse(rows, function, "size 0", [](World& w) { return Export(w.device_memory, 0); }, kIpcWrong,
         {"size is 0", "at least 1"});
  for (const size_t room : {size_t{0}, size_t{58}}) {
    Refuse(rows, function, "len too small", [room](World& w) { return Export(w.device_memory, 4096, room); },
           kIpcWrong, {"len is " + std::to_string(room), "expected 65"});
  }
  Refuse(rows, function, "flags", [](World& w) { return Export(w.device_memory, 4096, 65, 2); }, kIpcWrong,
         {"flags is 0x2", "DISABLE_PID_VALIDATION (1)"});
  RefuseWithoutContext(rows, function, [](World& w) { return Export(w.device_memory); });
  for (const size_t bytes : {World::kBytes + 33, SIZE_MAX}) {
    Refuse(rows, function, "more than the allocation",
           [bytes](World& w) { return Export(w.device_memory, bytes); }, kIpcWrong,
           {"size is " + std::to_string(bytes), "ends 4128 bytes after devPtr"});
  }
  Refuse(rows, function, "not from the start of a page",
         [](World& w) { return Export(static_cast<char*>(w.device_memory) + 64, 64); }, kIpcWrong,
         {"devPtr is 0x", "only whole pages"});
  const std::vector<std::string> foreign = {"devPtr is 0x", "not memory from aclrtMalloc"};
  Refuse(
      rows, function, "memory of the host", [](World& w) { return Export(w.pinned_memory); }, kIpcWrong,
      foreign);
  Refuse(
      rows, function, "freed memory", [](World& w) { return Export(w.freed_memory); }, kIpcWrong, foreign);
  Refuse(
      rows, function, "a handle", [](World& w) { return Export(w.stream); }, kIpcWrong, foreign);
  Refuse(
      rows, function, "garbage", [](World&) { return Export(Garbage()); }, kIpcWrong, foreign);
  return rows;
}

// A key of this process; closed is one that is not valid any more.
const char* MakeKey(World& w, Key& key, bool closed) {
  static_cast<void>(aclrtIpcMemGetExportKey(w.device_memory, World::kBytes, key.data(), key.size(), 0));
  if (closed) static_cast<void>(aclrtIpcMemClose(key.data()));
  return key.data();
}

using WithKey = std::function<int64_t(World&, const char*)>;

// What can be wrong with the text of a key.
Rows BadKeys(const char* function, const std::string& closed, const WithKey& call) {
  static const std::string letters(58, 'a');
  static const std::string endless(500, 'a');
  Rows rows;
  RefuseNull(rows, function, "key", [call](World& w) { return call(w, nullptr); });
  Refuse(rows, function, "key empty", [call](World& w) { return call(w, ""); }, kIpcWrong,
         {"key has 0 characters", "has 58"});
  Refuse(rows, function, "key of other letters", [call](World& w) { return call(w, letters.c_str()); },
         kIpcWrong, {"key has 58 characters", "not an export key"});
  Refuse(rows, function, "key too long", [call](World& w) { return call(w, endless.c_str()); }, kIpcWrong,
         {"key has 58 or more characters"});
  Refuse(rows, function, "key of a notify",
         [call](World& w) {
           Key key{};
           static_cast<void>(aclrtNotifyGetExportKey(w.notify, key.data(), key.size(), 0));
           return call(w, key.data());
         },
         kIpcWrong, {"key has 58 characters", "of this sort"});
  Refuse(rows, function, "key that was closed",
         [call](World& w) {
           Key key{};
           return call(w, MakeKey(w, key, true));
         },
         kIpcWrong, {closed});
  return rows;
}

// With a key of this process.
Call WithOwnKey(WithKey call) {
  return [call = std::move(call)](World& w) {
    Key key{};
    const int64_t result = call(w, MakeKey(w, key, false));
    static_cast<void>(aclrtIpcMemClose(key.data()));
    return result;
  };
}

Rows KeyRows() {
  Rows rows = BadKeys("aclrtIpcMemSetImportPid", "key is not known here", [](World&, const char* key) {
    int32_t pid = 1;
    return aclrtIpcMemSetImportPid(key, &pid, 1);
  });
  const auto pids = [](int32_t pid, size_t count) {
    return WithOwnKey([pid, count](World&, const char* key) {
      int32_t list = pid;
      return aclrtIpcMemSetImportPid(key, &list, count);
    });
  };
  RefuseNull(rows, "aclrtIpcMemSetImportPid", "pid",
             WithOwnKey([](World&, const char* key) { return aclrtIpcMemSetImportPid(key, nullptr, 1); }));
  Refuse(rows, "aclrtIpcMemSetImportPid", "num 0", pids(1, 0), kIpcWrong, {"num is 0", "expected 1 to"});
  Refuse(rows, "aclrtIpcMemSetImportPid", "num that no list has", pids(1, SIZE_MAX), kIpcWrong,
         {"num is " + std::to_string(SIZE_MAX)});
  Refuse(rows, "aclrtIpcMemSetImportPid", "pid 0", pids(0, 1), kIpcWrong, {"pid[0] is 0", "process id"});
  Refuse(rows, "aclrtIpcMemSetImportPid", "pid negative", pids(-1, 1), kIpcWrong, {"pid[0] is -1"});

  const auto import = [](World&, const char* key) {
    void* data = nullptr;
    return aclrtIpcMemImportByKey(&data, key, 0);
  };
  Append(rows, BadKeys("aclrtIpcMemImportByKey", "made by this process", import));
  RefuseNull(rows, "aclrtIpcMemImportByKey", "devPtr",
             [](World&) { return aclrtIpcMemImportByKey(nullptr, "", 0); });
  Refuse(rows, "aclrtIpcMemImportByKey", "flags",
         [](World&) {
           void* data = nullptr;
           return aclrtIpcMemImportByKey(&data, "", 2);
         },
         kIpcWrong, {"flags is 0x2", "ENABLE_PEER_ACCESS (1)"});
  Refuse(rows, "aclrtIpcMemImportByKey", "key of this process", WithOwnKey(import), kIpcWrong,
         {"made by this process"});

  Append(rows, BadKeys("aclrtIpcMemClose", "neither imported nor exported",
                       [](World&, const char* key) { return aclrtIpcMemClose(key); }));

  Append(rows, BadKeys("aclrtIpcMemSetAttr", "key is not known here", [](World&, const char* key) {
           return aclrtIpcMemSetAttr(key, ACL_RT_IPC_MEM_ATTR_ACCESS_LINK, 0);
         }));
  Refuse(rows, "aclrtIpcMemSetAttr", "type", WithOwnKey([](World&, const char* key) {
           return aclrtIpcMemSetAttr(key, AnyValue<aclrtIpcMemAttrType>(1), 0);
         }),
         kIpcWrong, {"type is 1", "ACCESS_LINK (0)"});
  Refuse(rows, "aclrtIpcMemSetAttr", "attr", WithOwnKey([](World&, const char* key) {
           return aclrtIpcMemSetAttr(key, ACL_RT_IPC_MEM_ATTR_ACCESS_LINK, 2);
         }),
         kIpcWrong, {"attr is 2", "expected 0 or 1"});
  return rows;
}

int64_t OpenBytes(const char* bytes, size_t count) {
  aclrtIpcEventHandle handle{};
  std::memcpy(handle.reserved, bytes, count);
  aclrtEvent event = nullptr;
  return aclrtIpcOpenEventHandle(handle, &event);
}

// The handle of an event that is destroyed afterwards.
int64_t OpenDestroyed(World&) {
  aclrtEvent event = nullptr;
  aclrtIpcEventHandle handle{};
  if (aclrtCreateEventExWithFlag(&event, ACL_EVENT_IPC) != ACL_SUCCESS) return -1;
  static_cast<void>(aclrtIpcGetEventHandle(event, &handle));
  static_cast<void>(aclrtDestroyEvent(event));
  return aclrtIpcOpenEventHandle(handle, &event);
}

Rows IpcEventRows() {
  Rows rows;
  RefuseNull(rows, "aclrtIpcGetEventHandle", "event", [](World&) {
    aclrtIpcEventHandle handle{};
    return aclrtIpcGetEventHandle(nullptr, &handle);
  });
  RefuseNull(rows, "aclrtIpcGetEventHandle", "handle",
             [](World& w) { return aclrtIpcGetEventHandle(w.event, nullptr); });
  Append(rows, BadEvents("aclrtIpcGetEventHandle", "event", [](World&, void* event) {
           aclrtIpcEventHandle handle{};
           return aclrtIpcGetEventHandle(event, &handle);
         }));
  Refuse(rows, "aclrtIpcGetEventHandle", "an ordinary event",
         [](World& w) {
           aclrtIpcEventHandle handle{};
           return aclrtIpcGetEventHandle(w.event, &handle);
         },
         kIpcWrong, {"ACL_EVENT_IPC"});
  const char* open = "aclrtIpcOpenEventHandle";
  RefuseNull(rows, open, "event",
             [](World&) { return aclrtIpcOpenEventHandle(aclrtIpcEventHandle{}, nullptr); });
  const std::vector<std::string> no_event = {"handle holds no event", "aclrtIpcGetEventHandle"};
  static const std::string letters(ACL_IPC_EVENT_HANDLE_SIZE, 'a');
  Refuse(
      rows, open, "all zero", [](World&) { return OpenBytes("", 0); }, kIpcWrong, no_event);
  Refuse(
      rows, open, "letters", [](World&) { return OpenBytes(letters.data(), letters.size()); }, kIpcWrong,
      no_event);
  Refuse(rows, open, "of an event that was destroyed", &OpenDestroyed, kIpcWrong,
         {"handle is of an event", "has destroyed since"});
  return rows;
}

int64_t Share(aclrtDrvMemHandle handle, int type = 0, uint64_t flags = 0) {
  uint64_t number = 0;
  return aclrtMemExportToShareableHandle(handle, AnyValue<aclrtMemHandleType>(type), flags, &number);
}

Rows ShareRows() {
  const char* share = "aclrtMemExportToShareableHandle";
  Rows rows = BadHandles(share, "handle", "physical memory", &World::stale_physical,
                         [](World&, void* handle) { return Share(handle); });
  RefuseNull(rows, share, "shareableHandle", [](World& w) {
    return aclrtMemExportToShareableHandle(w.physical, ACL_MEM_HANDLE_TYPE_NONE, 0, nullptr);
  });
  Refuse(rows, share, "handleType", [](World& w) { return Share(w.physical, 2); }, ACL_ERROR_INVALID_PARAM,
         {"handleType is 2", "NONE (0)"});
  Refuse(rows, share, "flags", [](World& w) { return Share(w.physical, 0, 2); }, ACL_ERROR_INVALID_PARAM,
         {"flags is 2", "expected 0"});
  const char* import = "aclrtMemImportFromShareableHandle";
  RefuseNull(rows, import, "handle", [](World&) { return aclrtMemImportFromShareableHandle(1, 0, nullptr); });
  const auto import_number = [](uint64_t number, int32_t device) {
    aclrtDrvMemHandle handle = nullptr;
    return aclrtMemImportFromShareableHandle(number, device, &handle);
  };
  Append(rows, BadDevices(import, "deviceId",
                          [import_number](World&, int32_t id) { return import_number(1, id); }));
  Refuse(rows, import, "a number of nobody", [import_number](World&) { return import_number(1, 0); },
         kIpcWrong, {"shareableHandle is 1", "no running process has exported"});
  Refuse(
      rows, import, "a number of this process",
      [import_number](World& w) {
        uint64_t number = 0;
        static_cast<void>(aclrtMemExportToShareableHandle(w.physical, ACL_MEM_HANDLE_TYPE_NONE, 0, &number));
        return import_number(number, 0);
      },
      ACL_ERROR_RT_FEATURE_NOT_SUPPORT, {"shareableHandle is ", "exported itself"});
  const char* allow = "aclrtMemSetPidToShareableHandle";
  const auto pids = [](int32_t pid, size_t count) {
    return [pid, count](World&) {
      int32_t list = pid;
      return aclrtMemSetPidToShareableHandle(1, &list, count);
    };
  };
  RefuseNull(rows, allow, "pid", [](World&) { return aclrtMemSetPidToShareableHandle(1, nullptr, 1); });
  Refuse(rows, allow, "pidNum 0", pids(1, 0), kIpcWrong, {"pidNum is 0", "expected 1 to"});
  Refuse(rows, allow, "pidNum that no list has", pids(1, SIZE_MAX), kIpcWrong,
         {"pidNum is " + std::to_string(SIZE_MAX)});
  Refuse(rows, allow, "pid negative", pids(-1, 1), kIpcWrong, {"pid[0] is -1", "process id"});
  Refuse(rows, allow, "a number of nobody", pids(1, 1), kIpcWrong,
         {"shareableHandle is 1", "has not exported"});
  return rows;
}

}  // namespace

Rows IpcRows() {
  Rows rows = IpcExportRows();
  Append(rows, KeyRows());
  Append(rows, IpcEventRows());
  Append(rows, ShareRows());
  return rows;
}

}  // namespace tandem::test::badargs
