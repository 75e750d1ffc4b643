// SPDX-License-Identifier: Apache-2.0
#include "badargs/rows.h"

#include <string_view>
#include <utility>

namespace tandem::test::badargs {
namespace {

struct BadHandle {
  const char* bad;
  std::function<void*(World&)> get;
  std::vector<std::string> words;
};

Rows Expand(const char* function, const std::vector<BadHandle>& handles, const std::string& argument,
            int64_t code, const WithHandle& call) {
  Rows rows;
  for (const BadHandle& handle : handles) {
    std::vector<std::string> words = handle.words;
    words.push_back(argument + " is ");
    rows.push_back({function, handle.bad,
                    [call, get = handle.get](World& world) { return call(world, get(world)); }, code,
                    std::move(words)});
  }
  return rows;
}

void* GarbageHandle(World&) { return Garbage(); }
// A handle that was never given out: the tag and kind of a stream, of an unused slot.
void* InventedStream(World&) { return reinterpret_cast<void*>(uintptr_t{0x5A200000010FFFFF}); }

}  // namespace

void Refuse(Rows& rows, const char* function, std::string bad, Call call, int64_t code,
            std::vector<std::string> words) {
  rows.push_back({function, std::move(bad), std::move(call), code, std::move(words)});
}

void Allow(Rows& rows, const char* function, std::string bad, Call call) {
  rows.push_back({function, std::move(bad), std::move(call), 0, {""}});
}

void RefuseNull(Rows& rows, const char* function, const std::string& argument, Call call) {
  const bool hccl = std::string_view(function).starts_with("Hccl");
  std::vector<std::string> words = {argument + " is null"};
  if (hccl) words.emplace_back("EI0003");
  Refuse(rows, function, argument + " null", std::move(call), hccl ? HCCL_E_PTR : ACL_ERROR_INVALID_PARAM,
         std::move(words));
}

void RefuseWithoutContext(Rows& rows, const char* function, Call call) {
  const bool hccl = std::string_view(function).starts_with("Hccl");
  rows.push_back({function,
                  "no context",
                  std::move(call),
                  hccl ? HCCL_E_RUNTIME : ACL_ERROR_RT_CONTEXT_NULL,
                  {"no current context", "aclrtSetDevice"},
                  Thread::kBare});
}

Rows BadStreams(const char* function, const WithHandle& call) {
  return Expand(
      function,
      {{"stream was destroyed", [](World& w) { return w.stale_stream; }, {"destroyed already"}},
       {"stream is an event", [](World& w) { return w.event; }, {"kind event", "expected a stream"}},
       {"stream is a context", [](World& w) { return w.context; }, {"kind context"}},
       {"stream is memory", [](World& w) { return w.device_memory; }, {"no handle of this library"}},
       {"stream was never given out", &InventedStream, {"destroyed already"}},
       {"stream is garbage", &GarbageHandle, {"no handle of this library"}}},
      "stream", ACL_ERROR_RT_INVALID_HANDLE, call);
}

Rows StreamsOfOthers(const char* function, const WithHandle& call) {
  const std::vector<std::string> words = {"stream", "belongs to another context", "aclrtSetCurrentContext"};
  Rows rows;
  Refuse(
      rows, function, "stream of another context",
      [call](World& w) { return call(w, w.stream_of_other_context); }, ACL_ERROR_RT_STREAM_CONTEXT, words);
  Refuse(
      rows, function, "stream of another device",
      [call](World& w) { return call(w, w.stream_of_other_device); }, ACL_ERROR_RT_STREAM_CONTEXT, words);
  RefuseWithoutContext(rows, function, [call](World& w) { return call(w, w.stream); });
  return rows;
}

Rows BadStreamsToSubmit(const char* function, const WithHandle& call) {
  Rows rows = BadStreamsToQuery(function, call);
  Append(rows, StreamsOfOthers(function, call));
  return rows;
}

Rows BadStreamsToQuery(const char* function, const WithHandle& call) {
  Rows rows = BadStreams(function, call);
  RefuseWithoutContext(rows, function, [call](World& w) { return call(w, nullptr); });
  rows.back().bad = "stream null, and no context whose default stream it could be";
  return rows;
}

Rows BadHandles(const char* function, const std::string& argument, const std::string& kind,
                void* World::*stale, const WithHandle& call) {
  Rows rows;
  RefuseNull(rows, function, argument, [call](World& w) { return call(w, nullptr); });
  const std::string expected = "expected a " + kind;
  Append(
      rows,
      Expand(
          function,
          {{"was destroyed", [stale](World& w) { return w.*stale; }, {"a " + kind + " that was destroyed"}},
           {"is a stream", [](World& w) { return w.stream; }, {"kind stream", expected}},
           {"is memory", [](World& w) { return w.device_memory; }, {"no handle", expected}},
           {"is garbage", &GarbageHandle, {"no handle of this library", expected}}},
          argument, ACL_ERROR_RT_INVALID_HANDLE, call));
  return rows;
}

Rows BadEvents(const char* function, const char* argument, const WithHandle& call) {
  return Expand(
      function,
      {{"event was destroyed", [](World& w) { return w.stale_event; }, {"destroyed already"}},
       {"event is a stream", [](World& w) { return w.stream; }, {"kind stream", "expected a event"}},
       {"event is garbage", &GarbageHandle, {"no handle of this library"}}},
      argument, ACL_ERROR_RT_INVALID_HANDLE, call);
}

Rows BadComms(const char* function, const WithHandle& call) {
  return Expand(
      function,
      {{"comm was destroyed", [](World& w) { return w.stale_comm; }, {"EI0003", "destroyed already"}},
       {"comm is a stream", [](World& w) { return w.stream; }, {"EI0003", "expected a communicator"}},
       {"comm is memory", [](World& w) { return w.device_memory; }, {"no handle of this library"}},
       {"comm is garbage", &GarbageHandle, {"EI0003", "no handle of this library"}}},
      "comm", HCCL_E_PARA, call);
}

Rows BadDevices(const char* function, const char* argument,
                const std::function<int64_t(World&, int32_t)>& call) {
  Rows rows;
  for (const int32_t id : {-1, 8, 1000000, INT32_MAX, INT32_MIN}) {
    rows.push_back({function,
                    "no such device",
                    [call, id](World& world) { return call(world, id); },
                    ACL_ERROR_RT_INVALID_DEVICEID,
                    {std::string(argument) + " is " + std::to_string(id), "expected 0 to 7"}});
  }
  return rows;
}

Rows AllRows() {
  Rows all;
  for (Rows (*family)() : {&AllocatorRows,   &BatchCopyRows,   &CallbackRows,       &CommMemoryRows,
                           &CommSettingRows, &CommStateRows,   &CommunicatorRows,   &ContextRows,
                           &CopyRows,        &DataBufferRows,  &DeviceInfoRows,     &DeviceRows,
                           &EventRows,       &EventStateRows,  &FillRows,           &HostMemoryRows,
                           &InitRows,        &IpcRows,         &MemoryRows,         &MemoryTaskRows,
                           &NotifyRows,      &P2pRows,         &PhysicalMemoryRows, &PoolRows,
                           &QueryRows,       &RankTableRows,   &StreamRows,         &StreamStateRows,
                           &SubCommRows,     &UnsupportedRows, &VirtualMemoryRows}) {
    Append(all, family());
  }
  return all;
}

}  // namespace tandem::test::badargs
