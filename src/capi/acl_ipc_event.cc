// SPDX-License-Identifier: Apache-2.0
// Events of another process, by the bytes of a handle.
#include <acl/acl_rt.h>

#include <algorithm>
#include <cstring>
#include <string>

#include "capi/enter.h"
#include "capi/handles.h"
#include "stream/context.h"
#include "stream/event.h"

namespace tandem::capi {
namespace {

// The text of the key, and zeros behind it.
constexpr size_t kHandleBytes = sizeof(aclrtIpcEventHandle::reserved);
static_assert(shm::OfferKey::kTextLength < kHandleBytes);

Result<shm::OfferKey> ReadHandle(const aclrtIpcEventHandle& handle) {
  const char* const rest = handle.reserved + shm::OfferKey::kTextLength;
  if (std::all_of(rest, handle.reserved + kHandleBytes, [](char byte) { return byte == 0; })) {
    Result<shm::OfferKey> key = shm::OfferKey::FromText(shm::OfferKind::kEvent, handle.reserved);
    if (key) return key;
  }
  // Without the bytes: whoever reads the log must not be able to use them.
  return Status::Error(Code::kInvalidValue,
                       "handle holds no event: expected the %zu bytes that aclrtIpcGetEventHandle wrote, "
                       "unchanged",
                       kHandleBytes);
}

Status GetHandle(aclrtEvent event, aclrtIpcEventHandle* handle) {
  const Result<Event*> found = ResolveEvent(event);
  if (!found) return found.status();
  TANDEM_RETURN_IF_ERROR(CheckNotNull(handle, "handle"));
  const Result<shm::OfferKey> key = (*found)->IpcKey();
  if (!key) return key.status();
  const std::string text = key->ToText();
  *handle = {};
  std::memcpy(handle->reserved, text.data(), text.size());
  return Status::Ok();
}

Status OpenHandle(const aclrtIpcEventHandle& handle, aclrtEvent* event) {
  TANDEM_RETURN_IF_ERROR(CheckNotNull(event, "event"));
  const Result<shm::OfferKey> key = ReadHandle(handle);
  if (!key) return key.status();
  const Result<Context*> context = CurrentContext();
  if (!context) return context.status();
  const Result<void*> opened = Event::OpenIpc(**context, *key);
  if (!opened) return opened.status();
  *event = *opened;
  return Status::Ok();
}

}  // namespace
}  // namespace tandem::capi

using namespace tandem;        // NOLINT(google-build-using-namespace): the functions below are outside every
                               // namespace
using namespace tandem::capi;  // NOLINT(google-build-using-namespace)

extern "C" aclError aclrtIpcGetEventHandle(aclrtEvent event, aclrtIpcEventHandle* handle) {
  return EnterAcl("aclrtIpcGetEventHandle", [&] { return GetHandle(event, handle); });
}

extern "C" aclError aclrtIpcOpenEventHandle(aclrtIpcEventHandle handle, aclrtEvent* event) {
  return EnterAcl("aclrtIpcOpenEventHandle", [&] { return OpenHandle(handle, event); });
}
