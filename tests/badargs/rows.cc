// SPDX-License-Identifier: Apache-2.0
#include "badargs/rows.h"

namespace tandem::test::badargs {
namespace {

struct BadHandle {
  const char* bad;
  void* (*get)(World&);
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

Rows BadStreamsToSubmit(const char* function, const WithHandle& call) {
  Rows rows = BadStreams(function, call);
  const std::vector<std::string> words = {"stream", "belongs to another context", "aclrtSetCurrentContext"};
  rows.push_back({function, "stream of another context",
                  [call](World& w) { return call(w, w.stream_of_other_context); },
                  ACL_ERROR_RT_STREAM_CONTEXT, words});
  rows.push_back({function, "stream of another device",
                  [call](World& w) { return call(w, w.stream_of_other_device); }, ACL_ERROR_RT_STREAM_CONTEXT,
                  words});
  rows.push_back({function,
                  "thread without context",
                  [call](World& w) { return call(w, w.stream); },
                  ACL_ERROR_RT_CONTEXT_NULL,
                  {"no current context", "aclrtSetDevice"},
                  Thread::kBare});
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

}  // namespace tandem::test::badargs
