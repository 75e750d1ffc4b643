// SPDX-License-Identifier: Apache-2.0
// Tasks of a stream that write, watch or combine memory.
#include "badargs/rows.h"

namespace tandem::test::badargs {
namespace {

constexpr int64_t kMemoryTaskWrong = ACL_ERROR_RT_PARAM_INVALID;

using Value = aclError (*)(void*, uint64_t, uint32_t, aclrtStream);

Rows MemoryTaskValueRows(const char* function, Value call, uint32_t bad_flag) {
  Rows rows =
      BadStreamsToSubmit(function, [call](World& w, void* s) { return call(w.device_memory, 0, 0, s); });
  const auto at = [call](auto place, uint32_t flag = 0) {
    return [=](World& w) { return call(place(w), 0, flag, w.stream); };
  };
  RefuseNull(rows, function, "devAddr", [call](World& w) { return call(nullptr, 0, 0, w.stream); });
  for (const uint32_t flag : {bad_flag, UINT32_MAX}) {
    Refuse(rows, function, "flag", at([](World& w) { return w.device_memory; }, flag), kMemoryTaskWrong,
           {"flag is " + std::to_string(flag), "expected "});
  }
  const std::vector<std::string> foreign = {"devAddr is 0x", "expected device memory (aclrtMalloc)"};
  Refuse(rows, function, "memory of the host", at([](World& w) { return w.pinned_memory; }), kMemoryTaskWrong,
         foreign);
  Refuse(rows, function, "freed memory", at([](World& w) { return w.freed_memory; }), kMemoryTaskWrong,
         foreign);
  Refuse(rows, function, "a handle", at([](World& w) { return w.stream; }), kMemoryTaskWrong, foreign);
  Refuse(rows, function, "garbage", at([](World&) { return Garbage(); }), kMemoryTaskWrong, foreign);
  Refuse(rows, function, "not aligned",
         at([](World& w) { return static_cast<void*>(static_cast<char*>(w.device_memory) + 4); }),
         kMemoryTaskWrong, {"devAddr is 0x", "a multiple of 8"});
  return rows;
}

struct Reduction {
  void* dst = nullptr;
  const void* src = nullptr;
  uint64_t bytes = 16;
  int kind = ACL_RT_MEMCPY_SDMA_AUTOMATIC_SUM;
  int type = ACL_FLOAT;
  void* reserve = nullptr;
};

// A reduction within the device memory that `spoil` has changed.
template <typename Spoil>
Call Reduce(Spoil spoil) {
  return [spoil](World& w) {
    Reduction r{w.device_memory, static_cast<char*>(w.device_memory) + 64};
    spoil(w, r);
    return aclrtReduceAsync(r.dst, r.src, r.bytes, AnyValue<aclrtReduceKind>(r.kind),
                            AnyValue<aclDataType>(r.type), w.stream, r.reserve);
  };
}

Rows ReduceRows() {
  const char* function = "aclrtReduceAsync";
  Rows rows = BadStreamsToSubmit(function, [](World& w, void* s) {
    return aclrtReduceAsync(w.device_memory, static_cast<char*>(w.device_memory) + 64, 16,
                            ACL_RT_MEMCPY_SDMA_AUTOMATIC_SUM, ACL_FLOAT, s, nullptr);
  });
  RefuseNull(rows, function, "dst", Reduce([](World&, Reduction& r) { r.dst = nullptr; }));
  RefuseNull(rows, function, "src", Reduce([](World&, Reduction& r) { r.src = nullptr; }));
  Refuse(rows, function, "reserve not null", Reduce([](World&, Reduction& r) { r.reserve = &r; }),
         ACL_ERROR_INVALID_PARAM, {"reserve is 0x", "expected null"});
  Allow(rows, function, "reserve null", [](World& w) -> int64_t {
    const int64_t queued = Reduce([](World&, Reduction&) {})(w);
    return queued == ACL_SUCCESS ? aclrtSynchronizeStream(w.stream) : queued;
  });
  for (const uint64_t bytes : {uint64_t{0}, uint64_t{3}, UINT64_MAX}) {
    Refuse(rows, function, "count", Reduce([bytes](World&, Reduction& r) { r.bytes = bytes; }),
           kMemoryTaskWrong,
           {"count is " + std::to_string(bytes) + " bytes", "a multiple of the element's 4 bytes"});
  }
  for (const int kind : {-1, 0, 9, 14}) {
    Refuse(rows, function, "kind", Reduce([kind](World&, Reduction& r) { r.kind = kind; }), kMemoryTaskWrong,
           {"kind is " + std::to_string(kind), "10"});
  }
  for (const int type : {-1, static_cast<int>(ACL_STRING), 9999}) {
    Refuse(rows, function, "type", Reduce([type](World&, Reduction& r) { r.type = type; }),
           ACL_ERROR_INVALID_PARAM, {"type is " + std::to_string(type), "expected a float"});
  }
  for (const auto member : {&World::freed_memory, &World::stream}) {
    Refuse(rows, function, "dst is not memory of this library",
           Reduce([member](World& w, Reduction& r) { r.dst = w.*member; }), kMemoryTaskWrong,
           {"dst is 0x", "neither device memory nor page-locked"});
    Refuse(rows, function, "src is not memory of this library",
           Reduce([member](World& w, Reduction& r) { r.src = w.*member; }), kMemoryTaskWrong,
           {"src is 0x", "neither device memory nor page-locked"});
  }
  const std::string padded = "allocation of " + std::to_string(World::kBytes + 32);
  Refuse(rows, function, "more than the allocation",
         Reduce([](World&, Reduction& r) { r.bytes = World::kBytes + 64; }), kMemoryTaskWrong,
         {"dst is 0x", padded});
  Refuse(rows, function, "more than the source's allocation", Reduce([](World& w, Reduction& r) {
           r.src = static_cast<char*>(w.device_memory) + World::kBytes;
           r.bytes = 64;
         }),
         kMemoryTaskWrong, {"src is 0x", padded, "ends 32 bytes from there"});
  return rows;
}

}  // namespace

Rows MemoryTaskRows() {
  Rows rows = MemoryTaskValueRows("aclrtValueWrite", &aclrtValueWrite, 1);
  Append(rows, MemoryTaskValueRows("aclrtValueWait", &aclrtValueWait, 4));
  Append(rows, ReduceRows());
  return rows;
}

}  // namespace tandem::test::badargs
