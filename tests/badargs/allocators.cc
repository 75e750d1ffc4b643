// SPDX-License-Identifier: Apache-2.0
// A user's allocator, described and registered for a stream.
#include <array>

#include "badargs/rows.h"

namespace tandem::test::badargs {
namespace {

void* AllocatorTake(aclrtAllocator, size_t) { return nullptr; }
void Free(aclrtAllocator, aclrtAllocatorBlock) {}
void* TakeAt(aclrtAllocator, size_t, aclrtAllocatorAddr) { return nullptr; }
void* AddressOf(aclrtAllocatorBlock) { return nullptr; }

Rows BadAllocators(const char* function, const WithHandle& call) {
  return BadHandles(function, "allocatorDesc", "allocator description", &World::stale_allocator, call);
}

template <typename Value>
Rows FieldRows(const char* function, const std::string& argument, aclError (*set)(aclrtAllocatorDesc, Value),
               Value value) {
  Rows rows = BadAllocators(function, [=](World&, void* description) { return set(description, value); });
  RefuseNull(rows, function, argument, [set](World& w) { return set(w.allocator, nullptr); });
  return rows;
}

// Registers a description that has the first `fields` of the four that are needed.
Call RegisterWith(int fields) {
  return [fields](World& w) {
    aclrtAllocatorDesc description = aclrtAllocatorCreateDesc();
    if (fields > 0) static_cast<void>(aclrtAllocatorSetObjToDesc(description, &w));
    if (fields > 1) static_cast<void>(aclrtAllocatorSetAllocFuncToDesc(description, &AllocatorTake));
    if (fields > 2) static_cast<void>(aclrtAllocatorSetFreeFuncToDesc(description, &Free));
    if (fields > 3) static_cast<void>(aclrtAllocatorSetGetAddrFromBlockFuncToDesc(description, &AddressOf));
    const aclError result = aclrtAllocatorRegister(w.stream, description);
    static_cast<void>(aclrtAllocatorUnregister(w.stream));
    static_cast<void>(aclrtAllocatorDestroyDesc(description));
    return result;
  };
}

// Null is refused: it is not the default stream here.
Rows BadOwnStreams(const char* function, const WithHandle& call) {
  Rows rows = BadStreams(function, call);
  RefuseNull(rows, function, "stream", [call](World& w) { return call(w, nullptr); });
  return rows;
}

Rows AllocatorRegisterRows() {
  const char* function = "aclrtAllocatorRegister";
  Rows rows = BadAllocators(function, [](World& w, void* d) { return aclrtAllocatorRegister(w.stream, d); });
  Append(rows,
         BadOwnStreams(function, [](World& w, void* s) { return aclrtAllocatorRegister(s, w.allocator); }));
  constexpr std::array kMissing = {"aclrtAllocatorSetObjToDesc", "aclrtAllocatorSetAllocFuncToDesc",
                                   "aclrtAllocatorSetFreeFuncToDesc",
                                   "aclrtAllocatorSetGetAddrFromBlockFuncToDesc"};
  for (size_t i = 0; i < kMissing.size(); ++i) {
    Refuse(rows, function, "a function is missing", RegisterWith(static_cast<int>(i)),
           ACL_ERROR_INVALID_PARAM,
           {"allocatorDesc is not complete", std::string("call ") + kMissing[i] + " first"});
  }
  Allow(rows, function, "the one function that may be missing", RegisterWith(4));
  return rows;
}

struct Answers {
  aclrtAllocatorDesc description = nullptr;
  aclrtAllocator allocator = nullptr;
  aclrtAllocatorAllocFunc take = nullptr;
  aclrtAllocatorFreeFunc free = nullptr;
  aclrtAllocatorAllocAdviseFunc take_at = nullptr;
  aclrtAllocatorGetAddrFromBlockFunc address_of = nullptr;
};

// Asks with null in place of answer number `null`.
int64_t AllocatorAsk(aclrtStream stream, int null = -1) {
  Answers a;
  return aclrtAllocatorGetByStream(stream, null == 0 ? nullptr : &a.description,
                                   null == 1 ? nullptr : &a.allocator, null == 2 ? nullptr : &a.take,
                                   null == 3 ? nullptr : &a.free, null == 4 ? nullptr : &a.take_at,
                                   null == 5 ? nullptr : &a.address_of);
}

Rows AllocatorAskRows() {
  const char* function = "aclrtAllocatorGetByStream";
  Rows rows = BadOwnStreams(function, [](World&, void* stream) { return AllocatorAsk(stream); });
  constexpr std::array kAnswers = {"allocatorDesc", "allocator",       "allocFunc",
                                   "freeFunc",      "allocAdviseFunc", "getAddrFromBlockFunc"};
  for (size_t i = 0; i < kAnswers.size(); ++i) {
    RefuseNull(rows, function, kAnswers[i],
               [i](World& w) { return AllocatorAsk(w.stream, static_cast<int>(i)); });
  }
  Refuse(rows, function, "nothing was registered", [](World& w) { return AllocatorAsk(w.stream); },
         ACL_ERROR_INVALID_PARAM, {"nothing was registered for stream 0x", "aclrtAllocatorRegister"});
  Append(rows, BadOwnStreams("aclrtAllocatorUnregister",
                             [](World&, void* stream) { return aclrtAllocatorUnregister(stream); }));
  Allow(rows, "aclrtAllocatorUnregister", "nothing was registered",
        [](World& w) { return aclrtAllocatorUnregister(w.stream); });
  return rows;
}

}  // namespace

Rows AllocatorRows() {
  static int object = 0;
  Rows rows;
  Allow(rows, "aclrtAllocatorCreateDesc", "no arguments",
        [](World&) { return aclrtAllocatorDestroyDesc(aclrtAllocatorCreateDesc()); });
  Append(rows, BadAllocators("aclrtAllocatorDestroyDesc",
                             [](World&, void* d) { return aclrtAllocatorDestroyDesc(d); }));
  Append(rows, FieldRows<aclrtAllocator>("aclrtAllocatorSetObjToDesc", "allocator",
                                         &aclrtAllocatorSetObjToDesc, &object));
  Append(rows, FieldRows<aclrtAllocatorAllocFunc>("aclrtAllocatorSetAllocFuncToDesc", "func",
                                                  &aclrtAllocatorSetAllocFuncToDesc, &AllocatorTake));
  Append(rows, FieldRows<aclrtAllocatorFreeFunc>("aclrtAllocatorSetFreeFuncToDesc", "func",
                                                 &aclrtAllocatorSetFreeFuncToDesc, &Free));
  Append(rows, FieldRows<aclrtAllocatorAllocAdviseFunc>("aclrtAllocatorSetAllocAdviseFuncToDesc", "func",
                                                        &aclrtAllocatorSetAllocAdviseFuncToDesc, &TakeAt));
  Append(rows, FieldRows<aclrtAllocatorGetAddrFromBlockFunc>(
                   "aclrtAllocatorSetGetAddrFromBlockFuncToDesc", "func",
                   &aclrtAllocatorSetGetAddrFromBlockFuncToDesc, &AddressOf));
  Append(rows, AllocatorRegisterRows());
  Append(rows, AllocatorAskRows());
  return rows;
}

}  // namespace tandem::test::badargs
