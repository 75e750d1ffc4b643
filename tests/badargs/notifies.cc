// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "badargs/rows.h"

namespace tandem::test::badargs {
namespace {

constexpr int64_t kNotifieWrong = ACL_ERROR_RT_PARAM_INVALID;

// A notify of device 1, which is waited for on a stream of device 0.
int64_t WaitOnAnotherDevice(World& w) {
  aclrtNotify notify = nullptr;
  static_cast<void>(aclrtSetDevice(1));
  static_cast<void>(aclrtCreateNotify(&notify, 0));
  static_cast<void>(aclrtSetDevice(0));
  const aclError result = aclrtWaitAndResetNotify(notify, w.stream, 1);
  static_cast<void>(aclrtDestroyNotify(notify));
  static_cast<void>(aclrtResetDevice(1));
  static_cast<void>(aclrtResetDevice(0));
  return result;
}

// Both calls that make one.
Rows NotifieCreationRows(const char* function, const std::string& argument,
                         aclError (*create)(void**, uint64_t)) {
  Rows rows;
  RefuseNull(rows, function, argument, [create](World&) { return create(nullptr, 0); });
  for (const uint64_t flag : {uint64_t{2}, UINT64_MAX}) {
    Refuse(rows, function, "flag",
           [create, flag](World&) {
             void* notify = nullptr;
             return create(&notify, flag);
           },
           kNotifieWrong,
           {"flag is 0x" + std::string(flag == 2 ? "2" : "ffffffffffffffff"), "ACL_NOTIFY_DEFAULT"});
  }
  RefuseWithoutContext(rows, function, [create](World&) {
    void* notify = nullptr;
    return create(&notify, 0);
  });
  return rows;
}

Rows BadNotifies(const char* function, const WithHandle& call) {
  Rows rows = BadHandles(function, "notify", "notify", &World::stale_notify, call);
  Refuse(rows, function, "notify is one that counts", [call](World& w) { return call(w, w.counter); },
         ACL_ERROR_RT_INVALID_HANDLE, {"notify is 0x", "kind counting notify", "expected a notify"});
  return rows;
}

Rows BadCounters(const char* function, const WithHandle& call) {
  Rows rows = BadHandles(function, "cntNotify", "counting notify", &World::stale_counter, call);
  Refuse(rows, function, "cntNotify is one that does not count",
         [call](World& w) { return call(w, w.notify); }, ACL_ERROR_RT_INVALID_HANDLE,
         {"cntNotify is 0x", "kind notify", "expected a counting notify"});
  return rows;
}

Rows FlagRows() {
  Rows rows = NotifieCreationRows("aclrtCreateNotify", "notify", &aclrtCreateNotify);
  Append(rows, BadNotifies("aclrtDestroyNotify", [](World&, void* n) { return aclrtDestroyNotify(n); }));
  Append(rows,
         BadNotifies("aclrtRecordNotify", [](World& w, void* n) { return aclrtRecordNotify(n, w.stream); }));
  Append(rows, BadStreamsToSubmit("aclrtRecordNotify",
                                  [](World& w, void* s) { return aclrtRecordNotify(w.notify, s); }));
  Append(rows, BadNotifies("aclrtWaitAndResetNotify",
                           [](World& w, void* n) { return aclrtWaitAndResetNotify(n, w.stream, 1); }));
  Append(rows, BadStreamsToSubmit("aclrtWaitAndResetNotify",
                                  [](World& w, void* s) { return aclrtWaitAndResetNotify(w.notify, s, 1); }));
  Refuse(rows, "aclrtWaitAndResetNotify", "a notify of another device", &WaitOnAnotherDevice, kNotifieWrong,
         {"created on device 1", "belongs to device 0"});
  Append(rows, BadNotifies("aclrtGetNotifyId", [](World&, void* n) {
           uint32_t id = 0;
           return aclrtGetNotifyId(n, &id);
         }));
  RefuseNull(rows, "aclrtGetNotifyId", "notifyId",
             [](World& w) { return aclrtGetNotifyId(w.notify, nullptr); });
  return rows;
}

Rows BatchResetRows() {
  const char* function = "aclrtNotifyBatchReset";
  Rows rows;
  RefuseNull(rows, function, "notifies", [](World&) { return aclrtNotifyBatchReset(nullptr, 1); });
  Refuse(rows, function, "num 0", [](World& w) { return aclrtNotifyBatchReset(&w.notify, 0); }, kNotifieWrong,
         {"num is 0", "at least 1"});
  const auto second = [](void* bad) {
    return [bad](World& w) {
      std::array<aclrtNotify, 2> notifies = {w.notify, bad};
      return aclrtNotifyBatchReset(notifies.data(), 2);
    };
  };
  Refuse(rows, function, "the second null", second(nullptr), ACL_ERROR_INVALID_PARAM,
         {"notifies[1]", "notify is null"});
  Refuse(rows, function, "the second is garbage", second(Garbage()), ACL_ERROR_RT_INVALID_HANDLE,
         {"notifies[1]", "notify is 0x", "no handle of this library"});
  Refuse(rows, function, "the second was destroyed", [second](World& w) { return second(w.stale_notify)(w); },
         ACL_ERROR_RT_INVALID_HANDLE, {"notifies[1]", "notify is 0x", "destroyed already"});
  // Nothing stands behind the last entry but what is no notify.
  Refuse(rows, function, "num above the list",
         [](World& w) {
           std::array<aclrtNotify, 3> notifies = {w.notify, w.notify, nullptr};
           return aclrtNotifyBatchReset(notifies.data(), SIZE_MAX);
         },
         ACL_ERROR_INVALID_PARAM, {"notifies[2]", "notify is null"});
  return rows;
}

Rows NotifieExportRows() {
  static std::array<char, 65> key;
  Rows rows = BadNotifies("aclrtNotifyGetExportKey", [](World&, void* n) {
    return aclrtNotifyGetExportKey(n, key.data(), key.size(), 0);
  });
  RefuseNull(rows, "aclrtNotifyGetExportKey", "key",
             [](World& w) { return aclrtNotifyGetExportKey(w.notify, nullptr, 65, 0); });
  for (const size_t room : {size_t{0}, size_t{64}}) {
    Refuse(rows, "aclrtNotifyGetExportKey", "len too small",
           [room](World& w) { return aclrtNotifyGetExportKey(w.notify, key.data(), room, 0); }, kNotifieWrong,
           {"len is " + std::to_string(room), "at least 65"});
  }
  for (const uint64_t flags : {1, 3}) {
    Refuse(rows, "aclrtNotifyGetExportKey", "flags",
           [flags](World& w) { return aclrtNotifyGetExportKey(w.notify, key.data(), key.size(), flags); },
           kNotifieWrong, {"flags is 0x" + std::to_string(flags), "DISABLE_PID_VALIDATION (2)"});
  }
  Append(rows, BadNotifies("aclrtNotifySetImportPid", [](World&, void* n) {
           int32_t pid = 1;
           return aclrtNotifySetImportPid(n, &pid, 1);
         }));
  RefuseNull(rows, "aclrtNotifySetImportPid", "pid",
             [](World& w) { return aclrtNotifySetImportPid(w.notify, nullptr, 1); });
  const auto pids = [](int32_t pid, size_t count) {
    return [pid, count](World& w) {
      int32_t list = pid;
      return aclrtNotifySetImportPid(w.notify, &list, count);
    };
  };
  Refuse(rows, "aclrtNotifySetImportPid", "num 0", pids(1, 0), kNotifieWrong, {"num is 0", "expected 1 to"});
  Refuse(rows, "aclrtNotifySetImportPid", "num that no list has", pids(1, SIZE_MAX), kNotifieWrong,
         {"num is " + std::to_string(SIZE_MAX), "expected 1 to"});
  Refuse(rows, "aclrtNotifySetImportPid", "pid 0", pids(0, 1), kNotifieWrong, {"pid[0] is 0", "process id"});
  Refuse(rows, "aclrtNotifySetImportPid", "pid negative", pids(-5, 1), kNotifieWrong,
         {"pid[0] is -5", "process id"});
  return rows;
}

Rows ImportRows() {
  const char* function = "aclrtNotifyImportByKey";
  static const std::string letters(58, 'a');
  static const std::string endless(500, 'a');
  const auto import = [](const char* key, uint64_t flags = 0) {
    return [key, flags](World&) {
      aclrtNotify notify = nullptr;
      return aclrtNotifyImportByKey(&notify, key, flags);
    };
  };
  Rows rows;
  RefuseNull(rows, function, "notify", [](World&) { return aclrtNotifyImportByKey(nullptr, "", 0); });
  RefuseNull(rows, function, "key", import(nullptr));
  Refuse(rows, function, "flags", import("", 1), kNotifieWrong, {"flags is 0x1", "ENABLE_PEER_ACCESS (2)"});
  Refuse(rows, function, "key empty", import(""), kNotifieWrong, {"key has 0 characters", "has 58"});
  Refuse(rows, function, "key of other letters", import(letters.c_str()), kNotifieWrong,
         {"key has 58 characters"});
  Refuse(rows, function, "key too long", import(endless.c_str()), kNotifieWrong,
         {"key has 58 or more characters"});
  Refuse(rows, function, "key of a notify that was destroyed",
         [](World&) {
           std::array<char, 65> key{};
           aclrtNotify notify = nullptr;
           static_cast<void>(aclrtCreateNotify(&notify, 0));
           static_cast<void>(aclrtNotifyGetExportKey(notify, key.data(), key.size(), 2));
           static_cast<void>(aclrtDestroyNotify(notify));
           return aclrtNotifyImportByKey(&notify, key.data(), 0);
         },
         kNotifieWrong, {"key is not known"});
  rows.push_back({function,
                  "no context",
                  [](World& w) -> int64_t {
                    std::array<char, 65> key{};
                    aclrtNotify notify = nullptr;
                    if (aclrtNotifyGetExportKey(w.notify, key.data(), key.size(), 2) != ACL_SUCCESS)
                      return -1;
                    return aclrtNotifyImportByKey(&notify, key.data(), 0);
                  },
                  ACL_ERROR_RT_CONTEXT_NULL,
                  {"no current context"},
                  Thread::kBare});
  return rows;
}

int64_t RecordCounter(aclrtCntNotify notify, aclrtStream stream, int mode = 0) {
  aclrtCntNotifyRecordInfo info{AnyValue<aclrtCntNotifyRecordMode>(mode), 1};
  return aclrtCntNotifyRecord(notify, stream, &info);
}

int64_t WaitForCounter(aclrtCntNotify notify, aclrtStream stream, int mode = 0, uint8_t reserved = 0) {
  aclrtCntNotifyWaitInfo info{};
  info.mode = AnyValue<aclrtCntNotifyWaitMode>(mode);
  info.rsv[2] = reserved;
  return aclrtCntNotifyWaitWithTimeout(notify, stream, &info);
}

Rows CounterRows() {
  Rows rows = NotifieCreationRows("aclrtCntNotifyCreate", "cntNotify", &aclrtCntNotifyCreate);
  Append(rows,
         BadCounters("aclrtCntNotifyDestroy", [](World&, void* n) { return aclrtCntNotifyDestroy(n); }));
  Append(rows,
         BadCounters("aclrtCntNotifyRecord", [](World& w, void* n) { return RecordCounter(n, w.stream); }));
  Append(rows, BadStreamsToSubmit("aclrtCntNotifyRecord",
                                  [](World& w, void* s) { return RecordCounter(w.counter, s); }));
  RefuseNull(rows, "aclrtCntNotifyRecord", "info",
             [](World& w) { return aclrtCntNotifyRecord(w.counter, w.stream, nullptr); });
  for (const int mode : {-1, 3, 5}) {
    Refuse(rows, "aclrtCntNotifyRecord", "mode",
           [mode](World& w) { return RecordCounter(w.counter, w.stream, mode); }, kNotifieWrong,
           {"info->mode is " + std::to_string(mode), "expected 0 (set)"});
  }
  Append(rows, BadCounters("aclrtCntNotifyWaitWithTimeout",
                           [](World& w, void* n) { return WaitForCounter(n, w.stream); }));
  Append(rows, BadStreamsToSubmit("aclrtCntNotifyWaitWithTimeout",
                                  [](World& w, void* s) { return WaitForCounter(w.counter, s); }));
  RefuseNull(rows, "aclrtCntNotifyWaitWithTimeout", "info",
             [](World& w) { return aclrtCntNotifyWaitWithTimeout(w.counter, w.stream, nullptr); });
  for (const int mode : {-1, 5}) {
    Refuse(rows, "aclrtCntNotifyWaitWithTimeout", "mode",
           [mode](World& w) { return WaitForCounter(w.counter, w.stream, mode); }, kNotifieWrong,
           {"info->mode is " + std::to_string(mode), "expected 0 (less)"});
  }
  Refuse(rows, "aclrtCntNotifyWaitWithTimeout", "rsv",
         [](World& w) { return WaitForCounter(w.counter, w.stream, 0, 1); }, ACL_ERROR_INVALID_PARAM,
         {"info->rsv", "zero"});
  Append(rows, BadCounters("aclrtCntNotifyReset",
                           [](World& w, void* n) { return aclrtCntNotifyReset(n, w.stream); }));
  Append(rows, BadStreamsToSubmit("aclrtCntNotifyReset",
                                  [](World& w, void* s) { return aclrtCntNotifyReset(w.counter, s); }));
  Append(rows, BadCounters("aclrtCntNotifyGetId", [](World&, void* n) {
           uint32_t id = 0;
           return aclrtCntNotifyGetId(n, &id);
         }));
  RefuseNull(rows, "aclrtCntNotifyGetId", "notifyId",
             [](World& w) { return aclrtCntNotifyGetId(w.counter, nullptr); });
  return rows;
}

}  // namespace

Rows NotifyRows() {
  Rows rows = FlagRows();
  Append(rows, BatchResetRows());
  Append(rows, NotifieExportRows());
  Append(rows, ImportRows());
  Append(rows, CounterRows());
  return rows;
}

}  // namespace tandem::test::badargs
