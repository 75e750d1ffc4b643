// SPDX-License-Identifier: Apache-2.0
// Functions of the host in streams, callbacks on failures and changes, and dropping the work of a device.
#include <pthread.h>

#include "badargs/rows.h"

namespace tandem::test::badargs {
namespace {

uint64_t Self() { return static_cast<uint64_t>(pthread_self()); }

void Nothing(void*) {}

// Runs `use` with a stream of its own.
template <typename Use>
Call WithStream(Use use) {
  return [use](World& world) -> int64_t {
    aclrtStream stream = nullptr;
    if (aclrtCreateStream(&stream) != ACL_SUCCESS) return -1;
    const int64_t result = use(world, stream);
    static_cast<void>(aclrtDestroyStream(stream));
    return result;
  };
}

Rows HostFunctionRows() {
  const char* function = "aclrtLaunchHostFunc";
  Rows rows;
  Refuse(rows, function, "fn null", [](World& w) { return aclrtLaunchHostFunc(w.stream, nullptr, nullptr); },
         ACL_ERROR_RT_PARAM_INVALID, {"fn is null"});
  Allow(rows, function, "args null", WithStream([](World&, aclrtStream stream) {
          const aclError queued = aclrtLaunchHostFunc(stream, &Nothing, nullptr);
          return queued == ACL_SUCCESS ? aclrtSynchronizeStream(stream) : queued;
        }));
  Refuse(rows, function, "a stream with a subscriber", WithStream([](World&, aclrtStream stream) {
           static_cast<void>(aclrtSubscribeReport(Self(), stream));
           return aclrtLaunchHostFunc(stream, &Nothing, nullptr);
         }),
         ACL_ERROR_RT_STREAM_SUBSCRIBE, {"aclrtSubscribeReport", "another stream"});
  Append(rows, BadStreamsToSubmit(function,
                                  [](World&, void* s) { return aclrtLaunchHostFunc(s, &Nothing, nullptr); }));
  return rows;
}

int64_t SubscribeOnTwoDevices(World& w) {
  aclrtStream stream = nullptr;
  static_cast<void>(aclrtCreateStream(&stream));
  static_cast<void>(aclrtSubscribeReport(Self(), stream));
  static_cast<void>(aclrtSetDevice(1));
  const aclError result = aclrtSubscribeReport(Self(), w.stream_of_other_device);
  static_cast<void>(aclrtSetDevice(0));
  static_cast<void>(aclrtDestroyStream(stream));
  static_cast<void>(aclrtResetDevice(1));
  static_cast<void>(aclrtResetDevice(0));
  return result;
}

Rows SubscriptionRows() {
  Rows rows = BadStreamsToSubmit("aclrtSubscribeReport",
                                 [](World&, void* s) { return aclrtSubscribeReport(Self(), s); });
  Append(rows, BadStreamsToSubmit("aclrtUnSubscribeReport",
                                  [](World&, void* s) { return aclrtUnSubscribeReport(Self(), s); }));
  for (const uint64_t thread : {uint64_t{0}, UINT64_MAX}) {
    Allow(rows, "aclrtSubscribeReport", "a thread that does not exist yet",
          WithStream([thread](World&, aclrtStream s) { return aclrtSubscribeReport(thread, s); }));
  }
  Refuse(rows, "aclrtSubscribeReport", "a stream with a subscriber", WithStream([](World&, aclrtStream s) {
           static_cast<void>(aclrtSubscribeReport(Self(), s));
           return aclrtSubscribeReport(1, s);
         }),
         ACL_ERROR_RT_STREAM_SUBSCRIBE, {"subscribed to this stream already", "one subscriber"});
  Refuse(rows, "aclrtSubscribeReport", "a stream with host functions", WithStream([](World&, aclrtStream s) {
           static_cast<void>(aclrtLaunchHostFunc(s, &Nothing, nullptr));
           return aclrtSubscribeReport(Self(), s);
         }),
         ACL_ERROR_RT_STREAM_SUBSCRIBE, {"aclrtLaunchHostFunc"});
  Refuse(rows, "aclrtSubscribeReport", "a thread that serves another device", &SubscribeOnTwoDevices,
         ACL_ERROR_RT_THREAD_SUBSCRIBE, {"threadId ", "device 0", "device 1"});
  Refuse(rows, "aclrtUnSubscribeReport", "nobody has subscribed",
         WithStream([](World&, aclrtStream s) { return aclrtUnSubscribeReport(Self(), s); }),
         ACL_ERROR_RT_STREAM_SUBSCRIBE, {"no thread has subscribed"});
  Refuse(rows, "aclrtUnSubscribeReport", "another thread has subscribed",
         WithStream([](World&, aclrtStream s) {
           static_cast<void>(aclrtSubscribeReport(7, s));
           return aclrtUnSubscribeReport(8, s);
         }),
         ACL_ERROR_RT_THREAD_SUBSCRIBE, {"threadId is 8", "thread 7"});
  return rows;
}

Rows LaunchRows() {
  const char* function = "aclrtLaunchCallback";
  Rows rows = BadStreamsToSubmit(function, [](World&, void* s) {
    return aclrtLaunchCallback(&Nothing, nullptr, ACL_CALLBACK_BLOCK, s);
  });
  for (const int type : {-1, 2}) {
    Refuse(rows, function, "blockType",
           [type](World& w) {
             return aclrtLaunchCallback(&Nothing, nullptr, AnyValue<aclrtCallbackBlockType>(type), w.stream);
           },
           ACL_ERROR_INVALID_PARAM, {"blockType is " + std::to_string(type), "ACL_CALLBACK_BLOCK (1)"});
  }
  Refuse(rows, function, "fn null",
         [](World& w) { return aclrtLaunchCallback(nullptr, nullptr, ACL_CALLBACK_BLOCK, w.stream); },
         ACL_ERROR_RT_PARAM_INVALID, {"fn is null"});
  Allow(rows, function, "userData null", WithStream([](World&, aclrtStream s) {
          static_cast<void>(aclrtSubscribeReport(Self(), s));
          const aclError queued = aclrtLaunchCallback(&Nothing, nullptr, ACL_CALLBACK_BLOCK, s);
          return queued == ACL_SUCCESS ? aclrtProcessReport(60000) : queued;
        }));
  Refuse(rows, function, "nobody has subscribed", WithStream([](World&, aclrtStream s) {
           return aclrtLaunchCallback(&Nothing, nullptr, ACL_CALLBACK_BLOCK, s);
         }),
         ACL_ERROR_RT_STREAM_NO_CB_REG, {"aclrtSubscribeReport first"});
  Refuse(rows, function, "a stream with host functions", WithStream([](World&, aclrtStream s) {
           static_cast<void>(aclrtLaunchHostFunc(s, &Nothing, nullptr));
           return aclrtLaunchCallback(&Nothing, nullptr, ACL_CALLBACK_BLOCK, s);
         }),
         ACL_ERROR_RT_STREAM_SUBSCRIBE, {"aclrtLaunchHostFunc"});
  for (const int32_t timeout : {0, -2, INT32_MIN}) {
    Refuse(rows, "aclrtProcessReport", "timeout", [timeout](World&) { return aclrtProcessReport(timeout); },
           ACL_ERROR_INVALID_PARAM, {"timeout is " + std::to_string(timeout), "milliseconds"});
  }
  Refuse(rows, "aclrtProcessReport", "a thread that serves no stream",
         [](World&) { return aclrtProcessReport(1); }, ACL_ERROR_RT_THREAD_SUBSCRIBE,
         {"serves no stream", "aclrtSubscribeReport"});
  Refuse(rows, "aclrtProcessReport", "nothing comes", WithStream([](World&, aclrtStream s) {
           static_cast<void>(aclrtSubscribeReport(Self(), s));
           return aclrtProcessReport(1);
         }),
         ACL_ERROR_RT_REPORT_TIMEOUT, {"no callback became ready"});
  return rows;
}

Rows ExceptionRows() {
  Rows rows;
  Allow(rows, "aclrtSetExceptionInfoCallback", "callback null",
        [](World&) { return aclrtSetExceptionInfoCallback(nullptr); });
  using Get = uint32_t (*)(const aclrtExceptionInfo*);
  for (const auto& [name, get] :
       {std::pair<const char*, Get>{"aclrtGetTaskIdFromExceptionInfo", &aclrtGetTaskIdFromExceptionInfo},
        {"aclrtGetStreamIdFromExceptionInfo", &aclrtGetStreamIdFromExceptionInfo},
        {"aclrtGetThreadIdFromExceptionInfo", &aclrtGetThreadIdFromExceptionInfo},
        {"aclrtGetDeviceIdFromExceptionInfo", &aclrtGetDeviceIdFromExceptionInfo},
        {"aclrtGetErrorCodeFromExceptionInfo", &aclrtGetErrorCodeFromExceptionInfo}}) {
    Refuse(rows, name, "info null", [get = get](World&) { return AsNumber(get(nullptr)); }, 0xFFFFFFFF, {""});
  }
  return rows;
}

// Callbacks under a name: all four calls refuse and allow the same.
template <typename Callback, typename Set>
Rows NamedRows(const char* function, Callback callback, Set set) {
  Rows rows;
  RefuseNull(rows, function, "regName", [=](World&) { return set(nullptr, callback, nullptr); });
  Refuse(rows, function, "name taken",
         [=](World&) {
           static_cast<void>(set("twice", callback, nullptr));
           const auto second = set("twice", callback, nullptr);
           static_cast<void>(set("twice", nullptr, nullptr));
           return second;
         },
         ACL_ERROR_RT_PARAM_INVALID, {"regName \"twice\"", "registered already"});
  Allow(rows, function, "callback null: nothing of that name is registered afterwards",
        [=](World&) { return set("never", nullptr, nullptr); });
  Allow(rows, function, "args null", [=](World&) {
    const auto result = set("once", callback, nullptr);
    static_cast<void>(set("once", nullptr, nullptr));
    return result;
  });
  return rows;
}

Rows AbortRows() {
  const char* function = "aclrtDeviceTaskAbort";
  Rows rows =
      BadDevices(function, "deviceId", [](World&, int32_t id) { return aclrtDeviceTaskAbort(id, 1); });
  for (const uint32_t timeout : {2160001U, UINT32_MAX}) {
    Refuse(rows, function, "timeout", [timeout](World&) { return aclrtDeviceTaskAbort(0, timeout); },
           ACL_ERROR_RT_PARAM_INVALID, {"timeout is " + std::to_string(timeout) + " ms", "to 2160000"});
  }
  rows.push_back({function,
                  "needs no context",
                  [](World&) { return aclrtDeviceTaskAbort(0, 2160000); },
                  ACL_SUCCESS,
                  {""},
                  Thread::kBare});
  return rows;
}

}  // namespace

Rows CallbackRows() {
  Rows rows = HostFunctionRows();
  Append(rows, SubscriptionRows());
  Append(rows, LaunchRows());
  Append(rows, ExceptionRows());
  Append(rows, NamedRows(
                   "aclrtRegStreamStateCallback", [](aclrtStream, aclrtStreamState, void*) {},
                   [](auto... all) { return aclrtRegStreamStateCallback(all...); }));
  Append(rows, NamedRows(
                   "aclrtRegDeviceStateCallback", [](int32_t, aclrtDeviceState, void*) {},
                   [](auto... all) { return aclrtRegDeviceStateCallback(all...); }));
  Append(rows, NamedRows(
                   "aclrtSetDeviceTaskAbortCallback",
                   [](int32_t, aclrtDeviceTaskAbortStage, uint32_t, void*) { return 0; },
                   [](auto... all) { return aclrtSetDeviceTaskAbortCallback(all...); }));
  Append(rows, AbortRows());
  return rows;
}

}  // namespace tandem::test::badargs
