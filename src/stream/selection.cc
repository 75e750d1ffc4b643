// SPDX-License-Identifier: Apache-2.0
// Which context each thread has selected, and the primary contexts that SetDevice shares between threads.
#include <map>
#include <utility>

#include "base/thread_local.h"
#include "stream/context.h"
#include "stream/device.h"

namespace tandem {
namespace {

struct Selection {
  Context* context = nullptr;
  uint64_t life = 0;
  int32_t primary_of =
      -1;  // selected by SetDevice: that device's primary context, whichever it is at the time
};

TANDEM_FAST_THREAD_LOCAL Selection selection;

struct Primary {
  uint32_t count = 0;
  Context* context = nullptr;
};

struct PrimaryTable {
  Mutex mutex;
  std::map<int32_t, Primary> devices TANDEM_GUARDED_BY(mutex);
  std::optional<int32_t> default_user_id TANDEM_GUARDED_BY(mutex);
  bool default_taken TANDEM_GUARDED_BY(mutex) = false;
};

PrimaryTable& Primaries() {
  static PrimaryTable* const table = new PrimaryTable;
  return *table;
}

Context* FindPrimary(int32_t device) {
  PrimaryTable& table = Primaries();
  MutexLock lock(table.mutex);
  const auto found = table.devices.find(device);
  return found == table.devices.end() ? nullptr : found->second.context;
}

void SelectPrimary(Context& context) { selection = {&context, context.life(), context.device()}; }

// The device that aclInit's configuration names, for a thread that never selected one.
Context* DefaultContext() {
  PrimaryTable& table = Primaries();
  std::optional<int32_t> user_id;
  bool first = false;
  {
    MutexLock lock(table.mutex);
    user_id = table.default_user_id;
    if (user_id) first = !std::exchange(table.default_taken, true);
  }
  if (!user_id) return nullptr;
  const Result<int32_t> device = DeviceOfUserId(*user_id);
  if (!device) return nullptr;
  if (Context* context = FindPrimary(*device)) {
    SelectPrimary(*context);
    return context;
  }
  if (!first || !SetDevice(*user_id).ok()) return nullptr;
  return selection.context;
}

Context* CurrentSlow() {
  if (selection.primary_of >= 0) {
    if (Context* context = FindPrimary(selection.primary_of)) {
      SelectPrimary(*context);
      return context;
    }
    return nullptr;
  }
  return selection.context == nullptr ? DefaultContext() : nullptr;
}

}  // namespace

Context* CurrentContextOrNull() {
  if (selection.life != 0 && selection.context->life() == selection.life) [[likely]] {
    return selection.context;
  }
  return CurrentSlow();
}

Result<Context*> CurrentContext() {
  if (Context* context = CurrentContextOrNull()) [[likely]]
    return context;
  return Status::Error(
      Code::kNoContext,
      "this thread has no current context: call aclrtSetDevice (each thread for itself), or the context "
      "it had selected was destroyed");
}

Result<int32_t> CurrentDevice() {
  const Result<Context*> context = CurrentContext();
  if (!context) return context.status();
  return (*context)->device();
}

Status CheckCurrentDevice() {
  const Result<int32_t> device = CurrentDevice();
  return device ? Device::CheckNotAborting(*device) : device.status();
}

Status SetDevice(int32_t user_id) {
  const Result<int32_t> device = DeviceOfUserId(user_id);
  if (!device) return device.status();
  Context* opened = nullptr;
  {
    PrimaryTable& table = Primaries();
    MutexLock lock(table.mutex);
    Primary& primary = table.devices[*device];
    if (primary.context == nullptr) {
      const Result<Context*> context = Context::Open(*device, true);
      if (!context) return context.status();
      primary.context = opened = *context;
    }
    ++primary.count;
    SelectPrimary(*primary.context);
  }
  if (opened != nullptr) opened->Announce();
  return Status::Ok();
}

Status ResetDevice(int32_t user_id, bool force) {
  const Result<int32_t> device = DeviceOfUserId(user_id);
  if (!device) return device.status();
  Context* closing = nullptr;
  {
    PrimaryTable& table = Primaries();
    MutexLock lock(table.mutex);
    Primary& primary = table.devices[*device];
    if (primary.count == 0) {
      return Status::Error(Code::kContextReleased,
                           "device %d was reset as often as it was set; each aclrtSetDevice "
                           "allows one aclrtResetDevice",
                           user_id);
    }
    primary.count = force ? 0 : primary.count - 1;
    if (primary.count == 0) closing = std::exchange(primary.context, nullptr);
  }
  if (closing == nullptr) return Status::Ok();
  if (selection.context == closing || selection.primary_of == *device) selection = {};
  closing->Close(force);
  return Status::Ok();
}

bool PrimaryContextActive(int32_t device) { return FindPrimary(device) != nullptr; }

void SetDefaultDevice(std::optional<int32_t> user_id) {
  PrimaryTable& table = Primaries();
  MutexLock lock(table.mutex);
  table.default_user_id = user_id;
  table.default_taken = false;
}

Result<Context*> CreateContext(int32_t user_id) {
  const Result<int32_t> device = DeviceOfUserId(user_id);
  if (!device) return device.status();
  Result<Context*> context = Context::Open(*device, false);
  if (!context) return context;
  (*context)->Announce();
  SelectContext(**context);
  return context;
}

Status DestroyContext(Context& context) {
  if (context.primary()) {
    return Status::Error(Code::kNoContext,
                         "the primary context of a device is destroyed by aclrtResetDevice, not by "
                         "aclrtDestroyContext");
  }
  const bool current = selection.context == &context && selection.life == context.life();
  if (!context.Close(false)) {
    return Status::Error(Code::kContextReleased, "another thread is destroying this context already");
  }
  // Not forgotten entirely: a thread that had a context does not fall back to the default device.
  if (current) selection.life = 0;
  return Status::Ok();
}

void SelectContext(Context& context) {
  const uint64_t life = context.life();
  // A primary context from GetCurrent counts as selected by device: it comes back with the device.
  selection = {&context, life, context.primary() ? context.device() : -1};
}

}  // namespace tandem
