// SPDX-License-Identifier: Apache-2.0
#include <acl/acl_rt.h>

#include <array>
#include <atomic>

#include "capi/enter.h"
#include "capi/handles.h"
#include "stream/context.h"

namespace tandem::capi {
namespace {

Status CheckOption(aclSysParamOpt option) {
  if (option >= 0 && static_cast<size_t>(option) < Context::kOptions) return Status::Ok();
  return Status::Error(Code::kInvalidArgument, "opt is %d, expected 0 to %zu", static_cast<int>(option),
                       Context::kOptions - 1);
}

Status ReadOption(const std::atomic<int64_t>& option, int64_t* value) {
  const int64_t now = option.load(std::memory_order_relaxed);
  if (now == Context::kOptionNotSet) return Status::Error(Code::kOptionNotSet, "the option was never set");
  *value = now;
  return Status::Ok();
}

// Options of the process.
std::atomic<int64_t>& ProcessOption(aclSysParamOpt option) {
  static std::array<std::atomic<int64_t>, Context::kOptions> options{
      {{Context::kOptionNotSet}, {Context::kOptionNotSet}, {Context::kOptionNotSet}}};
  return options[static_cast<size_t>(option)];
}

// As the documentation has it, a context that does not exist is another code for each of these calls.
Result<Context*> ResolveOr(aclrtContext handle, Code otherwise) {
  TANDEM_RETURN_IF_ERROR(CheckNotNull(handle, "context"));
  Result<Context*> context = ResolveContext(handle);
  if (context) return context;
  return Status::Error(otherwise, "%s", std::string(context.status().text()).c_str());
}

}  // namespace
}  // namespace tandem::capi

using namespace tandem;        // NOLINT(google-build-using-namespace): the functions below are outside every
                               // namespace
using namespace tandem::capi;  // NOLINT(google-build-using-namespace)

extern "C" aclError aclrtCreateContext(aclrtContext* context, int32_t deviceId) {
  return EnterAcl("aclrtCreateContext", [&]() -> Status {
    TANDEM_RETURN_IF_ERROR(CheckNotNull(context, "context"));
    TANDEM_RETURN_IF_ERROR(ResolveDevice(deviceId, "deviceId").status());
    const Result<Context*> made = CreateContext(deviceId);
    if (!made) return made.status();
    *context = (*made)->handle();
    return Status::Ok();
  });
}

extern "C" aclError aclrtDestroyContext(aclrtContext context) {
  return EnterAcl("aclrtDestroyContext", [&]() -> Status {
    const Result<Context*> found = ResolveOr(context, Code::kNoContext);
    if (!found) return found.status();
    return DestroyContext(**found);
  });
}

extern "C" aclError aclrtSetCurrentContext(aclrtContext context) {
  return EnterAcl("aclrtSetCurrentContext", [&]() -> Status {
    const Result<Context*> found = ResolveOr(context, Code::kInvalidValue);
    if (!found) return found.status();
    SelectContext(**found);
    return Status::Ok();
  });
}

extern "C" aclError aclrtGetCurrentContext(aclrtContext* context) {
  return EnterAcl("aclrtGetCurrentContext", [&]() -> Status {
    TANDEM_RETURN_IF_ERROR(CheckNotNull(context, "context"));
    const Result<Context*> current = CurrentContext();
    // Asking whether there is one is no failure that the thread should remember.
    if (!current) return Status(current.status()).WithId("EH0001");
    *context = (*current)->handle();
    return Status::Ok();
  });
}

extern "C" aclError aclrtCtxGetCurrentDefaultStream(aclrtStream* stream) {
  return EnterAcl("aclrtCtxGetCurrentDefaultStream", [&]() -> Status {
    TANDEM_RETURN_IF_ERROR(CheckNotNull(stream, "stream"));
    const Result<Context*> current = CurrentContext();
    if (!current) return current.status();
    *stream = (*current)->default_stream().handle();
    return Status::Ok();
  });
}

extern "C" aclError aclrtCtxSetSysParamOpt(aclSysParamOpt opt, int64_t value) {
  return EnterAcl("aclrtCtxSetSysParamOpt", [&]() -> Status {
    TANDEM_RETURN_IF_ERROR(CheckOption(opt));
    const Result<Context*> current = CurrentContext();
    if (!current) return current.status();
    (*current)->option(static_cast<size_t>(opt)).store(value, std::memory_order_relaxed);
    return Status::Ok();
  });
}

extern "C" aclError aclrtCtxGetSysParamOpt(aclSysParamOpt opt, int64_t* value) {
  return EnterAcl("aclrtCtxGetSysParamOpt", [&]() -> Status {
    TANDEM_RETURN_IF_ERROR(CheckOption(opt));
    TANDEM_RETURN_IF_ERROR(CheckNotNull(value, "value"));
    const Result<Context*> current = CurrentContext();
    if (!current) return current.status();
    return ReadOption((*current)->option(static_cast<size_t>(opt)), value);
  });
}

extern "C" aclError aclrtSetSysParamOpt(aclSysParamOpt opt, int64_t value) {
  return EnterAcl("aclrtSetSysParamOpt", [&]() -> Status {
    TANDEM_RETURN_IF_ERROR(CheckOption(opt));
    ProcessOption(opt).store(value, std::memory_order_relaxed);
    return Status::Ok();
  });
}

extern "C" aclError aclrtGetSysParamOpt(aclSysParamOpt opt, int64_t* value) {
  return EnterAcl("aclrtGetSysParamOpt", [&]() -> Status {
    TANDEM_RETURN_IF_ERROR(CheckOption(opt));
    TANDEM_RETURN_IF_ERROR(CheckNotNull(value, "value"));
    return ReadOption(ProcessOption(opt), value);
  });
}
