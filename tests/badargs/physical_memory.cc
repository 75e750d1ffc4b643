// SPDX-License-Identifier: Apache-2.0
#include "badargs/rows.h"

namespace tandem::test::badargs {
namespace {

constexpr int64_t kPhysicalMemoryWrong = ACL_ERROR_INVALID_PARAM;
constexpr size_t kPhysicalMemoryBytes = World::kBytes;

aclrtPhysicalMemProp Good() {
  aclrtPhysicalMemProp prop{};
  prop.memAttr = ACL_HBM_MEM_NORMAL;
  prop.location.type = ACL_MEM_LOCATION_TYPE_DEVICE;
  return prop;
}

using WithProperties = std::function<int64_t(aclrtPhysicalMemProp*)>;

int64_t Allocate(const aclrtPhysicalMemProp* prop, size_t bytes = kPhysicalMemoryBytes, uint64_t flags = 0) {
  aclrtDrvMemHandle handle = nullptr;
  return aclrtMallocPhysical(&handle, bytes, prop, flags);
}

// What both calls that read properties refuse.
Rows BadProperties(const char* function, const WithProperties& call) {
  Rows rows;
  const auto with = [&](const char* bad, auto spoil, int64_t code, std::vector<std::string> words) {
    Refuse(
        rows, function, bad,
        [call, spoil](World&) {
          aclrtPhysicalMemProp prop = Good();
          spoil(prop);
          return call(&prop);
        },
        code, std::move(words));
  };
  using Prop = aclrtPhysicalMemProp;
  RefuseNull(rows, function, "prop", [call](World&) { return call(nullptr); });
  with("handleType", [](Prop& p) { p.handleType = ACL_MEM_HANDLE_TYPE_POSIX; }, kPhysicalMemoryWrong,
       {"prop->handleType is 2", "NONE (0)"});
  with("allocationType", [](Prop& p) { p.allocationType = AnyValue<aclrtMemAllocationType>(1); },
       kPhysicalMemoryWrong, {"prop->allocationType is 1", "PINNED (0)"});
  for (const int attribute : {-1, 18, INT32_MAX}) {
    with("memAttr", [attribute](Prop& p) { p.memAttr = AnyValue<aclrtMemAttr>(attribute); },
         kPhysicalMemoryWrong, {"prop->memAttr is " + std::to_string(attribute), "expected 0 to 17"});
  }
  with("kind of place", [](Prop& p) { p.location.type = AnyValue<aclrtMemLocationType>(2); },
       kPhysicalMemoryWrong, {"prop->location.type is 2", "DEVICE (1)"});
  for (const uint32_t id : {8U, UINT32_MAX}) {
    with("no such device", [id](Prop& p) { p.location.id = id; }, ACL_ERROR_RT_INVALID_DEVICEID,
         {"prop->location.id is ", "expected 0 to 7"});
  }
  with("memory of a device on the host", [](Prop& p) { p.location.type = ACL_MEM_LOCATION_TYPE_HOST; },
       kPhysicalMemoryWrong, {"prop->memAttr is ", "HBM", "host"});
  with("no such NUMA node",
       [](Prop& p) {
         p.memAttr = ACL_DDR_MEM_NORMAL;
         p.location.type = ACL_MEM_LOCATION_TYPE_HOST_NUMA;
         p.location.id = 4000;
       },
       kPhysicalMemoryWrong, {"prop->location.id is 4000", "no NUMA node"});
  return rows;
}

Rows PhysicalMemoryAllocationRows() {
  const char* function = "aclrtMallocPhysical";
  Rows rows = BadProperties(function, [](aclrtPhysicalMemProp* prop) { return Allocate(prop); });
  const auto with = [](size_t bytes, uint64_t flags = 0) {
    return [bytes, flags](World&) {
      const aclrtPhysicalMemProp prop = Good();
      return Allocate(&prop, bytes, flags);
    };
  };
  RefuseNull(rows, function, "handle", [](World&) {
    const aclrtPhysicalMemProp prop = Good();
    return aclrtMallocPhysical(nullptr, kPhysicalMemoryBytes, &prop, 0);
  });
  Refuse(rows, function, "size 0", with(0), kPhysicalMemoryWrong, {"size is 0", "at least 1"});
  for (const size_t bytes : {size_t{100}, SIZE_MAX}) {
    Refuse(rows, function, "size is no multiple", with(bytes), ACL_ERROR_RT_PARAM_INVALID,
           {"size is " + std::to_string(bytes), "a multiple of 4096"});
  }
  const size_t most = SIZE_MAX - kPhysicalMemoryBytes + 1;
  Refuse(rows, function, "more than there is", with(most), ACL_ERROR_RT_MEMORY_ALLOCATION,
         {std::to_string(most) + " bytes were asked for"});
  Refuse(rows, function, "flags", with(kPhysicalMemoryBytes, 1), kPhysicalMemoryWrong,
         {"flags is 1", "expected 0"});
  Append(rows, BadHandles("aclrtFreePhysical", "handle", "physical memory", &World::stale_physical,
                          [](World&, void* handle) { return aclrtFreePhysical(handle); }));
  return rows;
}

Rows GranularityRows() {
  const char* function = "aclrtMemGetAllocationGranularity";
  Rows rows = BadProperties(function, [](aclrtPhysicalMemProp* prop) {
    size_t granularity = 0;
    return aclrtMemGetAllocationGranularity(prop, ACL_RT_MEM_ALLOC_GRANULARITY_MINIMUM, &granularity);
  });
  RefuseNull(rows, function, "granularity", [](World&) {
    aclrtPhysicalMemProp prop = Good();
    return aclrtMemGetAllocationGranularity(&prop, ACL_RT_MEM_ALLOC_GRANULARITY_MINIMUM, nullptr);
  });
  for (const int option : {-1, 2}) {
    Refuse(rows, function, "option",
           [option](World&) {
             aclrtPhysicalMemProp prop = Good();
             size_t granularity = 0;
             return aclrtMemGetAllocationGranularity(&prop, AnyValue<aclrtMemGranularityOptions>(option),
                                                     &granularity);
           },
           kPhysicalMemoryWrong, {"option is " + std::to_string(option), "expected 0 (minimum)"});
  }
  return rows;
}

int64_t Retain(void* at) {
  aclrtDrvMemHandle handle = nullptr;
  return aclrtMemRetainAllocationHandle(at, &handle);
}

int64_t Range(void* at) {
  void* start = nullptr;
  size_t bytes = 0;
  return aclrtMemGetAddressRange(at, &start, &bytes);
}

Rows PhysicalMemoryQuestionRows() {
  const char* retain = "aclrtMemRetainAllocationHandle";
  Rows rows;
  RefuseNull(rows, retain, "virPtr", [](World&) { return Retain(nullptr); });
  RefuseNull(rows, retain, "handle",
             [](World& w) { return aclrtMemRetainAllocationHandle(w.device_memory, nullptr); });
  const std::vector<std::string> nothing = {"nothing is mapped at 0x", "aclrtMapMem"};
  Refuse(
      rows, retain, "memory of aclrtMalloc", [](World& w) { return Retain(w.device_memory); },
      ACL_ERROR_RT_PARAM_INVALID, nothing);
  Refuse(
      rows, retain, "garbage", [](World&) { return Retain(Garbage()); }, ACL_ERROR_RT_PARAM_INVALID, nothing);
  const char* range = "aclrtMemGetAddressRange";
  const std::vector<std::string> foreign = {"ptr is 0x", "no allocation and no mapping"};
  RefuseNull(rows, range, "ptr", [](World&) { return Range(nullptr); });
  Allow(rows, range, "pbase null, psize null",
        [](World& w) { return aclrtMemGetAddressRange(w.device_memory, nullptr, nullptr); });
  Refuse(
      rows, range, "garbage", [](World&) { return Range(Garbage()); }, ACL_ERROR_RT_PARAM_INVALID, foreign);
  Refuse(
      rows, range, "ordinary memory",
      [](World&) {
        int local = 0;
        return Range(&local);
      },
      ACL_ERROR_RT_PARAM_INVALID, foreign);
  return rows;
}

}  // namespace

Rows PhysicalMemoryRows() {
  Rows rows = PhysicalMemoryAllocationRows();
  Append(rows, GranularityRows());
  Append(rows, PhysicalMemoryQuestionRows());
  return rows;
}

}  // namespace tandem::test::badargs
