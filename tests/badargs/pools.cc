// SPDX-License-Identifier: Apache-2.0
#include <acl/acl_rt_memory_soma.h>

#include "badargs/rows.h"

namespace tandem::test::badargs {
namespace {

constexpr int64_t kPoolWrong = ACL_ERROR_RT_PARAM_INVALID;

// aclrtMemPoolCreate with properties that `spoil` has changed.
template <typename Spoil>
Call Create(Spoil spoil) {
  return [spoil](World&) {
    aclrtMemPoolProps props{};
    props.location.type = ACL_MEM_LOCATION_TYPE_DEVICE;
    spoil(props);
    aclrtMemPool pool = nullptr;
    const aclError result = aclrtMemPoolCreate(&pool, &props);
    if (result == ACL_SUCCESS) static_cast<void>(aclrtMemPoolDestroy(pool));
    return result;
  };
}

// Destroys a pool of which a block is still in use.
int64_t DestroyInUse(World& w) {
  aclrtMemPoolProps props{};
  props.location.type = ACL_MEM_LOCATION_TYPE_DEVICE;
  aclrtMemPool pool = nullptr;
  void* block = nullptr;
  if (aclrtMemPoolCreate(&pool, &props) != ACL_SUCCESS) return -1;
  static_cast<void>(aclrtMemPoolMallocAsync(&block, 64, pool, w.stream));
  const aclError result = aclrtMemPoolDestroy(pool);
  static_cast<void>(aclrtMemPoolFreeAsync(block, w.stream));
  static_cast<void>(aclrtSynchronizeStream(w.stream));
  static_cast<void>(aclrtMemPoolDestroy(pool));
  return result;
}

Rows LifeRows() {
  using Props = aclrtMemPoolProps;
  const char* create = "aclrtMemPoolCreate";
  Rows rows;
  RefuseNull(rows, create, "memPool", [](World&) {
    const Props props{};
    return aclrtMemPoolCreate(nullptr, &props);
  });
  RefuseNull(rows, create, "poolProps", [](World&) {
    aclrtMemPool pool = nullptr;
    return aclrtMemPoolCreate(&pool, nullptr);
  });
  Refuse(rows, create, "allocType",
         Create([](Props& p) { p.allocType = AnyValue<aclrtMemAllocationType>(1); }), kPoolWrong,
         {"poolProps->allocType is 1", "PINNED (0)"});
  Refuse(rows, create, "handleType", Create([](Props& p) { p.handleType = ACL_MEM_HANDLE_TYPE_POSIX; }),
         kPoolWrong, {"handleType 2", "NONE (0)"});
  Refuse(rows, create, "kind of place",
         Create([](Props& p) { p.location.type = ACL_MEM_LOCATION_TYPE_HOST; }), kPoolWrong,
         {"poolProps->location.type is 0", "DEVICE (1)"});
  Refuse(rows, create, "no such device", Create([](Props& p) { p.location.id = 8; }),
         ACL_ERROR_RT_INVALID_DEVICEID, {"poolProps->location.id is 8", "expected 0 to 7"});
  Refuse(rows, create, "reserved", Create([](Props& p) { p.reserved[31] = 1; }), kPoolWrong,
         {"poolProps->reserved", "zero"});
  Append(rows, BadHandles("aclrtMemPoolDestroy", "memPool", "memory pool", &World::stale_pool,
                          [](World&, void* pool) { return aclrtMemPoolDestroy(pool); }));
  Refuse(rows, "aclrtMemPoolDestroy", "a block is in use", &DestroyInUse, ACL_ERROR_RT_INTERNAL_ERROR,
         {"1 blocks of the pool are in use"});
  Append(rows, BadHandles("aclrtMemPoolTrimTo", "memPool", "memory pool", &World::stale_pool,
                          [](World&, void* pool) { return aclrtMemPoolTrimTo(pool, 0); }));
  return rows;
}

using PoolAttribute = aclError (*)(aclrtMemPool, aclrtMemPoolAttr, void*);

Rows PoolAttributeRows(const char* function, PoolAttribute call) {
  Rows rows = BadHandles(function, "memPool", "memory pool", &World::stale_pool, [call](World&, void* pool) {
    uint64_t value = 0;
    return call(pool, ACL_RT_MEM_POOL_ATTR_RELEASE_THRESHOLD, &value);
  });
  RefuseNull(rows, function, "value",
             [call](World& w) { return call(w.pool, ACL_RT_MEM_POOL_ATTR_RELEASE_THRESHOLD, nullptr); });
  for (const int attribute : {-1, 0, 9, INT32_MAX}) {
    Refuse(rows, function, "attr",
           [call, attribute](World& w) {
             uint64_t value = 0;
             return call(w.pool, AnyValue<aclrtMemPoolAttr>(attribute), &value);
           },
           kPoolWrong, {"attr is " + std::to_string(attribute), "expected 1 to 8"});
  }
  return rows;
}

Call SetAttribute(int attribute, uint64_t value) {
  return [=](World& w) {
    uint64_t given = value;
    return aclrtMemPoolSetAttr(w.pool, AnyValue<aclrtMemPoolAttr>(attribute), &given);
  };
}

Rows PoolValueRows() {
  const char* function = "aclrtMemPoolSetAttr";
  Rows rows;
  for (const int attribute : {1, 2, 3}) {
    Refuse(rows, function, "a flag", SetAttribute(attribute, 2), kPoolWrong,
           {"*value is 2", "expected 0 or 1"});
  }
  for (const int attribute : {5, 7}) {
    Refuse(rows, function, "what can only be read", SetAttribute(attribute, 0), kPoolWrong,
           {"attr " + std::to_string(attribute) + " can only be read"});
  }
  for (const int attribute : {6, 8}) {
    Refuse(rows, function, "what can only be cleared", SetAttribute(attribute, 1), kPoolWrong,
           {"*value is 1", "attr " + std::to_string(attribute) + " can only be set to 0"});
  }
  return rows;
}

int64_t PoolTake(World& w, size_t bytes, aclrtMemPool pool, aclrtStream stream) {
  void* block = nullptr;
  const aclError result = aclrtMemPoolMallocAsync(&block, bytes, pool, stream);
  if (result == ACL_SUCCESS && block != nullptr) static_cast<void>(aclrtMemPoolFreeAsync(block, w.stream));
  return result;
}

// The pool of device 0 and a stream of device 1.
int64_t TakeOnAnotherDevice(World& w) {
  static_cast<void>(aclrtSetDevice(1));
  const int64_t result = PoolTake(w, 64, w.pool, w.stream_of_other_device);
  static_cast<void>(aclrtSetDevice(0));
  static_cast<void>(aclrtResetDevice(1));
  static_cast<void>(aclrtResetDevice(0));
  return result;
}

Rows TakeRows() {
  const char* function = "aclrtMemPoolMallocAsync";
  Rows rows = BadHandles(function, "memPool", "memory pool", &World::stale_pool,
                         [](World& w, void* pool) { return PoolTake(w, 64, pool, w.stream); });
  const WithHandle on = [](World& w, void* stream) { return PoolTake(w, 64, w.pool, stream); };
  Append(rows, BadStreams(function, on));
  Append(rows, StreamsOfOthers(function, on));
  RefuseNull(rows, function, "stream", [on](World& w) { return on(w, nullptr); });
  RefuseNull(rows, function, "ptr",
             [](World& w) { return aclrtMemPoolMallocAsync(nullptr, 64, w.pool, w.stream); });
  Allow(rows, function, "size 0", [](World& w) { return PoolTake(w, 0, w.pool, w.stream); });
  for (const size_t bytes : {SIZE_MAX, SIZE_MAX - 20, size_t{1} << 62}) {
    Refuse(rows, function, "more than there is",
           [bytes](World& w) { return PoolTake(w, bytes, w.pool, w.stream); }, ACL_ERROR_RT_INTERNAL_ERROR,
           {"size is " + std::to_string(bytes), "maxSize"});
  }
  Refuse(rows, function, "stream of a device that is not the pool's", &TakeOnAnotherDevice, kPoolWrong,
         {"memPool is a pool of device 0", "device 1"});
  return rows;
}

Rows GiveBackRows() {
  const char* function = "aclrtMemPoolFreeAsync";
  const WithHandle on = [](World& w, void* stream) { return aclrtMemPoolFreeAsync(w.device_memory, stream); };
  Rows rows = BadStreams(function, on);
  Append(rows, StreamsOfOthers(function, on));
  RefuseNull(rows, function, "stream", [on](World& w) { return on(w, nullptr); });
  const auto give_back = [](auto place) {
    return [place](World& w) { return aclrtMemPoolFreeAsync(place(w), w.stream); };
  };
  const std::vector<std::string> foreign = {"ptr is 0x", "not the start of memory from a pool"};
  RefuseNull(rows, function, "ptr", give_back([](World&) -> void* { return nullptr; }));
  Refuse(rows, function, "memory of aclrtMalloc", give_back([](World& w) { return w.device_memory; }),
         kPoolWrong, foreign);
  Refuse(rows, function, "garbage", give_back([](World&) { return Garbage(); }), kPoolWrong, foreign);
  Refuse(rows, function, "a handle", give_back([](World& w) { return w.pool; }), kPoolWrong, foreign);
  const auto with_block = [](auto use) {
    return [use](World& w) -> int64_t {
      void* block = nullptr;
      if (aclrtMemPoolMallocAsync(&block, 256, w.pool, w.stream) != ACL_SUCCESS) return -1;
      return use(w, static_cast<char*>(block));
    };
  };
  Refuse(rows, function, "the middle", with_block([](World& w, char* block) {
           const aclError result = aclrtMemPoolFreeAsync(block + 64, w.stream);
           static_cast<void>(aclrtMemPoolFreeAsync(block, w.stream));
           return result;
         }),
         kPoolWrong, foreign);
  Refuse(rows, function, "given back twice", with_block([](World& w, char* block) {
           // Behind a wait, so that the stream has not reached the first one yet.
           static_cast<void>(aclrtWaitAndResetNotify(w.notify, w.stream, 0));
           static_cast<void>(aclrtMemPoolFreeAsync(block, w.stream));
           const aclError second = aclrtMemPoolFreeAsync(block, w.stream);
           aclrtStream other = nullptr;
           static_cast<void>(aclrtCreateStream(&other));
           static_cast<void>(aclrtRecordNotify(w.notify, other));
           static_cast<void>(aclrtSynchronizeStream(w.stream));
           static_cast<void>(aclrtDestroyStream(other));
           return second;
         }),
         kPoolWrong, {"ptr is 0x", "given back already"});
  return rows;
}

}  // namespace

Rows PoolRows() {
  Rows rows = LifeRows();
  Append(rows, PoolAttributeRows("aclrtMemPoolSetAttr", &aclrtMemPoolSetAttr));
  Append(rows, PoolAttributeRows("aclrtMemPoolGetAttr", &aclrtMemPoolGetAttr));
  Append(rows, PoolValueRows());
  Append(rows, TakeRows());
  Append(rows, GiveBackRows());
  return rows;
}

}  // namespace tandem::test::badargs
