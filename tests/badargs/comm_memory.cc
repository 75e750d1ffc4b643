// SPDX-License-Identifier: Apache-2.0
// Announcements of memory for transfers without copies.
#include "badargs/rows.h"

namespace tandem::test::badargs {
namespace {

constexpr size_t kCommMemoryBytes = World::kBytes;

// Addresses are only written down: any will do.
void* At(uintptr_t number) { return reinterpret_cast<void*>(number); }
constexpr uintptr_t kBase = 0x1000000;

int64_t Set(HcclComm comm, void* base, size_t bytes = kCommMemoryBytes, size_t alignment = 0,
            uint64_t flags = 0) {
  return HcclCommSetMemoryRange(comm, base, bytes, alignment, flags);
}

int64_t Activate(World& w, void* at, size_t bytes = kCommMemoryBytes, size_t offset = 0, uint64_t flags = 0) {
  return HcclCommActivateCommMemory(w.comm, at, bytes, offset, w.physical, flags);
}

// Runs `use` while the first page of a range is active.
template <typename Use>
int64_t WithActive(World& w, Use use) {
  if (Activate(w, At(kBase)) != HCCL_SUCCESS) return -1;
  const int64_t result = use();
  static_cast<void>(HcclCommDeactivateCommMemory(w.comm, At(kBase)));
  return result;
}

// Runs `use` while two pages at kBase are set.
template <typename Use>
Call CommMemoryWithRange(Use use) {
  return [use](World& w) -> int64_t {
    if (Set(w.comm, At(kBase), 2 * kCommMemoryBytes) != HCCL_SUCCESS) return -1;
    const int64_t result = use(w);
    // It must not fail, since its text would come before that of the row.
    static_cast<void>(HcclCommUnsetMemoryRange(w.comm, At(kBase)));
    return result;
  };
}

// What all four calls refuse.
Rows CommMemoryCommRows(const char* function, const std::string& pointer,
                        const std::function<int64_t(World&, HcclComm, void*)>& call) {
  Rows rows = BadComms(function, [call](World& w, void* comm) { return call(w, comm, At(kBase)); });
  RefuseNull(rows, function, "comm", [call](World& w) { return call(w, nullptr, At(kBase)); });
  RefuseNull(rows, function, pointer, [call](World& w) { return call(w, w.comm, nullptr); });
  return rows;
}

Rows CommMemoryRangeRows() {
  const char* set = "HcclCommSetMemoryRange";
  Rows rows = CommMemoryCommRows(set, "baseVirPtr",
                                 [](World&, HcclComm comm, void* base) { return Set(comm, base); });
  const auto refuse = [&rows](const char* function, const char* bad, Call call,
                              std::vector<std::string> words) {
    words.emplace_back("EI0003");
    Refuse(rows, function, bad, std::move(call), HCCL_E_PARA, std::move(words));
  };
  refuse(set, "size 0", [](World& w) { return Set(w.comm, At(kBase), 0); }, {"size is 0"});
  refuse(set, "size that wraps around", [](World& w) { return Set(w.comm, At(kBase), SIZE_MAX); },
         {"baseVirPtr is 0x1000000", std::to_string(SIZE_MAX), "beyond all addresses"});
  refuse(set, "alignment", [](World& w) { return Set(w.comm, At(kBase), kCommMemoryBytes, 8); },
         {"alignment is 8", "expected 0"});
  refuse(set, "flags", [](World& w) { return Set(w.comm, At(kBase), kCommMemoryBytes, 0, 1); },
         {"flags is 1", "expected 0"});
  refuse(set, "set twice",
         CommMemoryWithRange([](World& w) { return Set(w.comm, At(kBase + kCommMemoryBytes)); }),
         {"4096 bytes at 0x1001000 overlap", "range of 8192 bytes at 0x1000000", "set already"});
  const char* unset = "HcclCommUnsetMemoryRange";
  Append(rows, CommMemoryCommRows(unset, "baseVirPtr", [](World&, HcclComm comm, void* base) {
           return HcclCommUnsetMemoryRange(comm, base);
         }));
  const auto unset_at = [](void* base) {
    return [base](World& w) { return HcclCommUnsetMemoryRange(w.comm, base); };
  };
  refuse(unset, "never set", unset_at(At(kBase)), {"baseVirPtr is 0x1000000", "no range begins"});
  refuse(unset, "garbage", unset_at(Garbage()), {"baseVirPtr is 0xbad0bad0bad0ba8", "no range begins"});
  refuse(unset, "the middle", CommMemoryWithRange(unset_at(At(kBase + kCommMemoryBytes))),
         {"baseVirPtr is 0x1001000"});
  refuse(unset, "unset twice",
         [unset_at](World& w) {
           static_cast<void>(Set(w.comm, At(kBase)));
           static_cast<void>(unset_at(At(kBase))(w));
           return unset_at(At(kBase))(w);
         },
         {"baseVirPtr is 0x1000000", "no range begins"});
  refuse(unset, "memory in it is active", CommMemoryWithRange([unset_at](World& w) {
           return WithActive(w, [&] { return unset_at(At(kBase))(w); });
         }),
         {"0x1000000", "HcclCommDeactivateCommMemory first"});
  return rows;
}

Rows ActiveRows() {
  const char* activate = "HcclCommActivateCommMemory";
  const WithHandle with_handle = [](World& w, void* handle) {
    return HcclCommActivateCommMemory(w.comm, At(kBase), kCommMemoryBytes, 0, handle, 0);
  };
  Rows rows = CommMemoryCommRows(activate, "virPtr", [](World& w, HcclComm comm, void* at) {
    return HcclCommActivateCommMemory(comm, at, kCommMemoryBytes, 0, w.physical, 0);
  });
  for (Row& row : BadHandles(activate, "handle", "physical memory", &World::stale_physical, with_handle)) {
    row.code = row.bad == "handle null" ? HCCL_E_PTR : HCCL_E_PARA;
    row.words.emplace_back("EI0003");
    rows.push_back(std::move(row));
  }
  const auto refuse = [&rows](const char* function, const char* bad, Call call,
                              std::vector<std::string> words) {
    words.emplace_back("EI0003");
    Refuse(rows, function, bad, std::move(call), HCCL_E_PARA, std::move(words));
  };
  const auto at = [](size_t bytes, size_t offset = 0, uint64_t flags = 0, uintptr_t from = kBase) {
    return CommMemoryWithRange([=](World& w) { return Activate(w, At(from), bytes, offset, flags); });
  };
  refuse(activate, "size 0", at(0), {"size is 0"});
  refuse(activate, "size that wraps around", at(SIZE_MAX),
         {"virPtr is 0x1000000", std::to_string(SIZE_MAX), "beyond all addresses"});
  refuse(activate, "offset", at(kCommMemoryBytes, 64), {"offset is 64", "expected 0"});
  refuse(activate, "flags", at(kCommMemoryBytes, 0, 2), {"flags is 2", "expected 0"});
  refuse(activate, "more than the range", at(3 * kCommMemoryBytes),
         {"12288 bytes at 0x1000000", "not inside one range"});
  refuse(activate, "before the range", at(kCommMemoryBytes, 0, 0, kBase - 64),
         {"4096 bytes at 0xffffc0", "not inside one"});
  refuse(activate, "no range", [](World& w) { return Activate(w, At(kBase)); }, {"not inside one range"});
  refuse(activate, "active twice",
         CommMemoryWithRange([](World& w) { return WithActive(w, [&] { return Activate(w, At(kBase)); }); }),
         {"overlap the range of 4096 bytes at 0x1000000", "active already"});
  const char* end = "HcclCommDeactivateCommMemory";
  Append(rows, CommMemoryCommRows(end, "virPtr", [](World&, HcclComm comm, void* address) {
           return HcclCommDeactivateCommMemory(comm, address);
         }));
  const std::vector<std::string> inactive = {"virPtr is 0x1000000", "no active memory begins"};
  const Call deactivate = [](World& w) { return HcclCommDeactivateCommMemory(w.comm, At(kBase)); };
  refuse(end, "never activated", CommMemoryWithRange(deactivate), inactive);
  refuse(end, "deactivated twice", CommMemoryWithRange([deactivate](World& w) {
           static_cast<void>(Activate(w, At(kBase)));
           static_cast<void>(deactivate(w));
           return deactivate(w);
         }),
         inactive);
  refuse(end, "garbage", [](World& w) { return HcclCommDeactivateCommMemory(w.comm, Garbage()); },
         {"virPtr is 0xbad0bad0bad0ba8", "no active memory begins"});
  return rows;
}

}  // namespace

Rows CommMemoryRows() {
  Rows rows = CommMemoryRangeRows();
  Append(rows, ActiveRows());
  return rows;
}

}  // namespace tandem::test::badargs
