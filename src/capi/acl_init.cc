// SPDX-License-Identifier: Apache-2.0
// Initialising and finalising, which are counted for the process.
#include <acl/acl_rt.h>

#include <algorithm>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "capi/enter.h"
#include "capi/handles.h"
#include "capi/init_config.h"
#include "stream/context.h"

namespace tandem::capi {
namespace {

template <typename Function>
struct Callback {
  aclRegisterCallbackType type;
  Function function;
  void* argument;
};

// What a call comes to: a failure of its own, or what a callback of the application returned.
struct Outcome {
  Status status;
  aclError from_callback = ACL_SUCCESS;

  Outcome(Status failure) : status(std::move(failure)) {}  // NOLINT(google-explicit-constructor)
  Outcome(aclError callback) : from_callback(callback) {}  // NOLINT(google-explicit-constructor)
};

// All of it is guarded by one recursive mutex, also while callbacks run: they may call these functions again,
// and other threads must see initialisation as one step.
class Initialisation {
 public:
  static Initialisation& Process() {
    static auto* const state = new Initialisation;
    return *state;
  }

  Outcome Init(const char* path);
  Outcome Finalize();
  Outcome FinalizeReference(uint64_t* count);

  Outcome AddInit(aclRegisterCallbackType type, aclInitCallbackFunc function, void* argument);
  Outcome AddFinalize(aclRegisterCallbackType type, aclFinalizeCallbackFunc function, void* argument);
  Outcome RemoveInit(aclRegisterCallbackType type, aclInitCallbackFunc function) {
    return Remove(init_callbacks_, type, function);
  }
  Outcome RemoveFinalize(aclRegisterCallbackType type, aclFinalizeCallbackFunc function) {
    return Remove(finalize_callbacks_, type, function);
  }

 private:
  template <typename Function>
  Status Add(std::vector<Callback<Function>>& callbacks, const Callback<Function>& callback);
  template <typename Function>
  Outcome Remove(std::vector<Callback<Function>>& callbacks, aclRegisterCallbackType type, Function function);
  Outcome DoFinalize();

  std::recursive_mutex mutex_;
  uint64_t count_ = 0;
  bool was_initialised_ = false;
  std::optional<std::string> first_text_;  // of the first configuration; a later one must be the same
  std::string text_;
  std::vector<Callback<aclInitCallbackFunc>> init_callbacks_;
  std::vector<Callback<aclFinalizeCallbackFunc>> finalize_callbacks_;
};

Outcome Initialisation::Init(const char* path) {
  const std::lock_guard lock(mutex_);
  if (count_ > 0) {
    ++count_;
    return Status::Error(Code::kAlreadyInitialized,
                         "aclInit was called before, which is no fault: the counter is %llu "
                         "now",
                         static_cast<unsigned long long>(count_));
  }
  Result<InitConfig> config = ReadInitConfig(path);
  if (!config) return config.status();
  if (first_text_ && *first_text_ != config->text) {
    return Status::Error(Code::kInvalidArgument,
                         "configPath \"%s\" has another content than the first configuration of "
                         "this process",
                         path == nullptr ? "" : path);
  }
  const std::vector<Callback<aclInitCallbackFunc>> callbacks = init_callbacks_;
  for (const auto& callback : callbacks) {
    const aclError error = callback.function(config->text.data(), config->text.size(), callback.argument);
    if (error != ACL_SUCCESS) return error;
  }
  SetMessageScope(config->message_scope);
  SetDefaultDevice(config->default_device);
  first_text_ = text_ = config->text;
  count_ = 1;
  was_initialised_ = true;
  return Status::Ok();
}

Outcome Initialisation::DoFinalize() {
  const std::vector<Callback<aclFinalizeCallbackFunc>> callbacks = finalize_callbacks_;
  for (const auto& callback : callbacks) {
    const aclError error = callback.function(callback.argument);
    if (error != ACL_SUCCESS) return error;
  }
  count_ = 0;
  SetDefaultDevice(std::nullopt);
  return Status::Ok();
}

Status NotInitialised() {
  return Status::Error(Code::kAlreadyFinalized, "already finalised, and not initialised since");
}

Outcome Initialisation::Finalize() {
  const std::lock_guard lock(mutex_);
  if (count_ == 0 && was_initialised_) return NotInitialised();
  // The first call of a process succeeds even without aclInit, the second does not.
  was_initialised_ = true;
  return DoFinalize();
}

Outcome Initialisation::FinalizeReference(uint64_t* count) {
  const std::lock_guard lock(mutex_);
  if (count_ == 0) return NotInitialised();
  Outcome outcome = Status::Ok();
  if (count_ > 1) {
    --count_;
  } else {
    outcome = DoFinalize();
  }
  if (count != nullptr) *count = count_;
  return outcome;
}

Status CheckCallbackType(aclRegisterCallbackType type) {
  const int number = static_cast<int>(type);
  if ((number >= ACL_REG_TYPE_ACL_MODEL && number <= ACL_REG_TYPE_ACL_RETR) || number == ACL_REG_TYPE_OTHER)
    return Status::Ok();
  return Status::Error(Code::kInvalidArgument, "type is %d, expected %d to %d, or ACL_REG_TYPE_OTHER (%d)",
                       number, ACL_REG_TYPE_ACL_MODEL, ACL_REG_TYPE_ACL_RETR, ACL_REG_TYPE_OTHER);
}

template <typename Function>
Status Initialisation::Add(std::vector<Callback<Function>>& callbacks, const Callback<Function>& callback) {
  if (callback.function == nullptr) return Status::Error(Code::kNullPointer, "cbFunc is null");
  TANDEM_RETURN_IF_ERROR(CheckCallbackType(callback.type));
  const bool taken = std::any_of(callbacks.begin(), callbacks.end(),
                                 [&](const auto& other) { return other.type == callback.type; });
  if (taken && callback.type != ACL_REG_TYPE_OTHER) {
    return Status::Error(Code::kRefused, "type %d is registered already", static_cast<int>(callback.type));
  }
  callbacks.push_back(callback);
  return Status::Ok();
}

Outcome Initialisation::AddInit(aclRegisterCallbackType type, aclInitCallbackFunc function, void* argument) {
  const std::lock_guard lock(mutex_);
  TANDEM_RETURN_IF_ERROR(Add(init_callbacks_, {type, function, argument}));
  if (count_ == 0) return Status::Ok();
  return function(text_.data(), text_.size(), argument);
}

Outcome Initialisation::AddFinalize(aclRegisterCallbackType type, aclFinalizeCallbackFunc function,
                                    void* argument) {
  const std::lock_guard lock(mutex_);
  return Add(finalize_callbacks_, {type, function, argument});
}

template <typename Function>
Outcome Initialisation::Remove(std::vector<Callback<Function>>& callbacks, aclRegisterCallbackType type,
                               Function function) {
  if (function == nullptr) return Status::Error(Code::kNullPointer, "cbFunc is null");
  TANDEM_RETURN_IF_ERROR(CheckCallbackType(type));
  const std::lock_guard lock(mutex_);
  const auto found = std::find_if(callbacks.begin(), callbacks.end(), [&](const auto& callback) {
    return callback.type == type && callback.function == function;
  });
  if (found == callbacks.end()) {
    return Status::Error(Code::kRefused, "this callback is not registered for type %d",
                         static_cast<int>(type));
  }
  callbacks.erase(found);
  return Status::Ok();
}

// A callback's own error passes as it is.
template <typename Body>
aclError EnterInitialisation(const char* call, Body&& body) noexcept {
  aclError from_callback = ACL_SUCCESS;
  const aclError error = EnterAcl(call, [&]() -> Status {
    Outcome outcome = body(Initialisation::Process());
    from_callback = outcome.from_callback;
    return std::move(outcome.status);
  });
  return error != ACL_SUCCESS ? error : from_callback;
}

}  // namespace
}  // namespace tandem::capi

using tandem::capi::EnterInitialisation;
using tandem::capi::Initialisation;

extern "C" aclError aclInit(const char* configPath) {
  return EnterInitialisation("aclInit", [&](Initialisation& state) { return state.Init(configPath); });
}

extern "C" aclError aclFinalize(void) {
  return EnterInitialisation("aclFinalize", [](Initialisation& state) { return state.Finalize(); });
}

extern "C" aclError aclFinalizeReference(uint64_t* refCount) {
  return EnterInitialisation("aclFinalizeReference",
                             [&](Initialisation& state) { return state.FinalizeReference(refCount); });
}

extern "C" aclError aclInitCallbackRegister(aclRegisterCallbackType type, aclInitCallbackFunc cbFunc,
                                            void* userData) {
  return EnterInitialisation("aclInitCallbackRegister",
                             [&](Initialisation& state) { return state.AddInit(type, cbFunc, userData); });
}

extern "C" aclError aclInitCallbackUnRegister(aclRegisterCallbackType type, aclInitCallbackFunc cbFunc) {
  return EnterInitialisation("aclInitCallbackUnRegister",
                             [&](Initialisation& state) { return state.RemoveInit(type, cbFunc); });
}

extern "C" aclError aclFinalizeCallbackRegister(aclRegisterCallbackType type, aclFinalizeCallbackFunc cbFunc,
                                                void* userData) {
  return EnterInitialisation("aclFinalizeCallbackRegister", [&](Initialisation& state) {
    return state.AddFinalize(type, cbFunc, userData);
  });
}

extern "C" aclError aclFinalizeCallbackUnRegister(aclRegisterCallbackType type,
                                                  aclFinalizeCallbackFunc cbFunc) {
  return EnterInitialisation("aclFinalizeCallbackUnRegister",
                             [&](Initialisation& state) { return state.RemoveFinalize(type, cbFunc); });
}
