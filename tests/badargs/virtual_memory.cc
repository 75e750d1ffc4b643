// SPDX-License-Identifier: Apache-2.0
// Ranges of addresses, physical memory, and the two joined.
#include "badargs/rows.h"

namespace tandem::test::badargs {
namespace {

constexpr int64_t kVirtualMemoryWrong = ACL_ERROR_RT_PARAM_INVALID;
constexpr size_t kVirtualMemoryBytes = World::kBytes;

// Runs `use` with two pages of reserved addresses.
template <typename Use>
Call VirtualMemoryWithRange(Use use) {
  return [use](World& world) -> int64_t {
    void* range = nullptr;
    if (aclrtReserveMemAddress(&range, 2 * kVirtualMemoryBytes, 0, nullptr, 0) != ACL_SUCCESS) return -1;
    const int64_t result = use(world, static_cast<char*>(range));
    static_cast<void>(aclrtReleaseMemAddress(range));
    return result;
  };
}

// And with physical memory mapped at its start.
template <typename Use>
Call WithMapping(Use use) {
  return VirtualMemoryWithRange([use](World& world, char* range) -> int64_t {
    if (aclrtMapMem(range, kVirtualMemoryBytes, 0, world.physical, 0) != ACL_SUCCESS) return -1;
    const int64_t result = use(world, range);
    static_cast<void>(aclrtUnmapMem(range));
    return result;
  });
}

int64_t Reserve(size_t bytes, size_t alignment = 0, void* wish = nullptr, uint64_t flags = 0) {
  void* range = nullptr;
  const aclError result = aclrtReserveMemAddress(&range, bytes, alignment, wish, flags);
  if (result == ACL_SUCCESS) static_cast<void>(aclrtReleaseMemAddress(range));
  return result;
}

Rows VirtualMemoryRangeRows() {
  const char* reserve = "aclrtReserveMemAddress";
  Rows rows;
  RefuseNull(rows, reserve, "virPtr",
             [](World&) { return aclrtReserveMemAddress(nullptr, kVirtualMemoryBytes, 0, nullptr, 0); });
  Allow(rows, reserve, "expectPtr null", [](World&) { return Reserve(kVirtualMemoryBytes); });
  Allow(rows, reserve, "expectPtr is garbage, and only a wish",
        [](World&) { return Reserve(kVirtualMemoryBytes, 0, Garbage()); });
  Refuse(rows, reserve, "size 0", [](World&) { return Reserve(0); }, ACL_ERROR_INVALID_PARAM,
         {"size is 0", "at least 1"});
  for (const size_t bytes : {SIZE_MAX, SIZE_MAX - kVirtualMemoryBytes, (size_t{1} << 47) + 1}) {
    Refuse(rows, reserve, "more than there are", [bytes](World&) { return Reserve(bytes); },
           ACL_ERROR_RT_MEMORY_ALLOCATION, {"no range of " + std::to_string(bytes) + " addresses"});
  }
  Refuse(rows, reserve, "alignment", [](World&) { return Reserve(kVirtualMemoryBytes, 1); },
         ACL_ERROR_INVALID_PARAM, {"alignment is 1", "expected 0"});
  Refuse(rows, reserve, "flags", [](World&) { return Reserve(kVirtualMemoryBytes, 0, nullptr, 2); },
         ACL_ERROR_INVALID_PARAM, {"flags is 2", "expected 0 or 1"});
  const char* release = "aclrtReleaseMemAddress";
  const std::vector<std::string> no_range = {"virPtr is 0x", "not the start of a reserved range"};
  RefuseNull(rows, release, "virPtr", [](World&) { return aclrtReleaseMemAddress(nullptr); });
  Refuse(
      rows, release, "garbage", [](World&) { return aclrtReleaseMemAddress(Garbage()); }, kVirtualMemoryWrong,
      no_range);
  Refuse(
      rows, release, "device memory", [](World& w) { return aclrtReleaseMemAddress(w.device_memory); },
      kVirtualMemoryWrong, no_range);
  Refuse(rows, release, "released twice", VirtualMemoryWithRange([](World&, char* range) {
           static_cast<void>(aclrtReleaseMemAddress(range));
           return aclrtReleaseMemAddress(range);
         }),
         kVirtualMemoryWrong, no_range);
  Refuse(rows, release, "the middle", VirtualMemoryWithRange([](World&, char* range) {
           return aclrtReleaseMemAddress(range + kVirtualMemoryBytes);
         }),
         kVirtualMemoryWrong, no_range);
  Refuse(rows, release, "something is mapped",
         WithMapping([](World&, char* range) { return aclrtReleaseMemAddress(range); }), kVirtualMemoryWrong,
         {"still mapped", "aclrtUnmapMem"});
  return rows;
}

Rows MapRows() {
  const char* map = "aclrtMapMem";
  Rows rows =
      BadHandles(map, "handle", "physical memory", &World::stale_physical, [](World& w, void* handle) {
        return VirtualMemoryWithRange([handle](World&, char* range) {
          return aclrtMapMem(range, kVirtualMemoryBytes, 0, handle, 0);
        })(w);
      });
  const auto with = [](size_t bytes, size_t offset = 0, uint64_t flags = 0, size_t from = 0) {
    return VirtualMemoryWithRange(
        [=](World& w, char* range) { return aclrtMapMem(range + from, bytes, offset, w.physical, flags); });
  };
  const std::vector<std::string> shape = {"virPtr is 0x", "multiples of 4096", "the physical memory's 4096"};
  RefuseNull(rows, map, "virPtr",
             [](World& w) { return aclrtMapMem(nullptr, kVirtualMemoryBytes, 0, w.physical, 0); });
  Refuse(rows, map, "size 0", with(0), ACL_ERROR_INVALID_PARAM, {"size is 0", "at least 1"});
  Refuse(rows, map, "offset", with(kVirtualMemoryBytes, 4096), ACL_ERROR_INVALID_PARAM,
         {"offset is 4096", "expected 0"});
  Refuse(rows, map, "flags", with(kVirtualMemoryBytes, 0, 1), ACL_ERROR_INVALID_PARAM,
         {"flags is 1", "expected 0"});
  for (const size_t bytes :
       {size_t{100}, 2 * kVirtualMemoryBytes, SIZE_MAX, SIZE_MAX - kVirtualMemoryBytes + 1}) {
    Refuse(rows, map, "size", with(bytes), kVirtualMemoryWrong, shape);
  }
  Refuse(rows, map, "not from the start of a page", with(kVirtualMemoryBytes, 0, 0, 64), kVirtualMemoryWrong,
         shape);
  const std::vector<std::string> outside = {"4096 bytes at 0x", "not within one reserved range"};
  Refuse(rows, map, "behind the range", with(kVirtualMemoryBytes, 0, 0, 2 * kVirtualMemoryBytes),
         kVirtualMemoryWrong, outside);
  Refuse(
      rows, map, "device memory",
      [](World& w) { return aclrtMapMem(w.device_memory, kVirtualMemoryBytes, 0, w.physical, 0); },
      kVirtualMemoryWrong, outside);
  Refuse(rows, map, "mapped twice", WithMapping([](World& w, char* range) {
           return aclrtMapMem(range, kVirtualMemoryBytes, 0, w.physical, 0);
         }),
         kVirtualMemoryWrong, {"something is mapped there"});
  const char* unmap = "aclrtUnmapMem";
  const std::vector<std::string> nothing = {"nothing is mapped at 0x"};
  RefuseNull(rows, unmap, "virPtr", [](World&) { return aclrtUnmapMem(nullptr); });
  Refuse(
      rows, unmap, "garbage", [](World&) { return aclrtUnmapMem(Garbage()); }, kVirtualMemoryWrong, nothing);
  Refuse(
      rows, unmap, "device memory", [](World& w) { return aclrtUnmapMem(w.device_memory); },
      kVirtualMemoryWrong, nothing);
  Refuse(rows, unmap, "never mapped",
         VirtualMemoryWithRange([](World&, char* range) { return aclrtUnmapMem(range); }),
         kVirtualMemoryWrong, nothing);
  Refuse(rows, unmap, "unmapped twice", WithMapping([](World&, char* range) {
           static_cast<void>(aclrtUnmapMem(range));
           return aclrtUnmapMem(range);
         }),
         kVirtualMemoryWrong, nothing);
  return rows;
}

aclrtMemAccessDesc Description(int flags = 3, int place = ACL_MEM_LOCATION_TYPE_DEVICE, uint32_t id = 0) {
  aclrtMemAccessDesc description{};
  description.flags = AnyValue<aclrtMemAccessFlags>(flags);
  description.location.type = AnyValue<aclrtMemLocationType>(place);
  description.location.id = id;
  return description;
}

Call SetAccess(aclrtMemAccessDesc description, size_t bytes = kVirtualMemoryBytes, size_t count = 1) {
  return WithMapping([=](World&, char* range) {
    aclrtMemAccessDesc wanted = description;
    return aclrtMemSetAccess(range, bytes, &wanted, count);
  });
}

Rows SetAccessRows() {
  const char* function = "aclrtMemSetAccess";
  Rows rows;
  RefuseNull(rows, function, "virPtr", [](World&) {
    aclrtMemAccessDesc wanted = Description();
    return aclrtMemSetAccess(nullptr, kVirtualMemoryBytes, &wanted, 1);
  });
  RefuseNull(rows, function, "desc", WithMapping([](World&, char* range) {
               return aclrtMemSetAccess(range, kVirtualMemoryBytes, nullptr, 1);
             }));
  const int64_t wrong = ACL_ERROR_INVALID_PARAM;
  Refuse(rows, function, "size 0", SetAccess(Description(), 0), wrong, {"size is 0", "at least 1"});
  Refuse(rows, function, "another size", SetAccess(Description(), 8), kVirtualMemoryWrong,
         {"size is 8", "the 4096 bytes"});
  Refuse(rows, function, "count 0", SetAccess(Description(), kVirtualMemoryBytes, 0), wrong,
         {"count is 0", "expected 1 to"});
  Refuse(rows, function, "count that no list has", SetAccess(Description(), kVirtualMemoryBytes, SIZE_MAX),
         wrong, {"count is " + std::to_string(SIZE_MAX)});
  for (const int flags : {-1, 2, 4}) {
    Refuse(rows, function, "flags", SetAccess(Description(flags)), wrong,
           {"desc[0].flags is " + std::to_string(flags), "expected 0, 1 or 3"});
  }
  aclrtMemAccessDesc reserved = Description();
  reserved.rsv[11] = 1;
  Refuse(rows, function, "rsv", SetAccess(reserved), wrong, {"desc[0].rsv", "zero"});
  Refuse(rows, function, "kind of place", SetAccess(Description(3, 2)), wrong,
         {"location.type is 2", "DEVICE (1)"});
  Refuse(rows, function, "no such device", SetAccess(Description(3, ACL_MEM_LOCATION_TYPE_DEVICE, 8)),
         ACL_ERROR_RT_INVALID_DEVICEID, {"location.id is 8", "expected 0 to 7"});
  Refuse(rows, function, "never mapped", VirtualMemoryWithRange([](World&, char* range) {
           aclrtMemAccessDesc wanted = Description();
           return aclrtMemSetAccess(range, kVirtualMemoryBytes, &wanted, 1);
         }),
         kVirtualMemoryWrong, {"nothing is mapped at 0x"});
  return rows;
}

int64_t GetAccess(void* at, int place = ACL_MEM_LOCATION_TYPE_DEVICE, uint32_t id = 0) {
  aclrtMemLocation location{};
  location.type = AnyValue<aclrtMemLocationType>(place);
  location.id = id;
  uint64_t flag = 0;
  return aclrtMemGetAccess(at, &location, &flag);
}

Rows GetAccessRows() {
  const char* function = "aclrtMemGetAccess";
  Rows rows;
  RefuseNull(rows, function, "virPtr", [](World&) { return GetAccess(nullptr); });
  RefuseNull(rows, function, "location", WithMapping([](World&, char* range) {
               uint64_t flag = 0;
               return aclrtMemGetAccess(range, nullptr, &flag);
             }));
  RefuseNull(rows, function, "flag", WithMapping([](World&, char* range) {
               aclrtMemLocation location{};
               return aclrtMemGetAccess(range, &location, nullptr);
             }));
  Refuse(rows, function, "kind of place",
         WithMapping([](World&, char* range) { return GetAccess(range, 3); }), ACL_ERROR_INVALID_PARAM,
         {"location.type is 3", "DEVICE (1)"});
  Refuse(rows, function, "no such device",
         WithMapping([](World&, char* range) { return GetAccess(range, ACL_MEM_LOCATION_TYPE_DEVICE, 8); }),
         ACL_ERROR_RT_INVALID_DEVICEID, {"location.id is 8", "expected 0 to 7"});
  Refuse(rows, function, "garbage", [](World&) { return GetAccess(Garbage()); }, kVirtualMemoryWrong,
         {"nothing is mapped at 0xbad0bad0bad0ba8"});
  return rows;
}

}  // namespace

Rows VirtualMemoryRows() {
  Rows rows = VirtualMemoryRangeRows();
  Append(rows, MapRows());
  Append(rows, SetAccessRows());
  Append(rows, GetAccessRows());
  return rows;
}

}  // namespace tandem::test::badargs
