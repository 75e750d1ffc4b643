// SPDX-License-Identifier: Apache-2.0
#include "info/device_facts.h"

#include <dlfcn.h>

#include <cstdlib>
#include <memory>

#include "acl/acl.h"

namespace tandem::tools {
namespace {

std::string Explain(const char* call, aclError error) {
  std::string text = std::string(call) + " returned " + std::to_string(error);
  const char* reason = aclGetRecentErrMsg();
  return reason != nullptr && *reason != '\0' ? text + ": " + reason : text;
}

DeviceFacts GatherDevice(int32_t id) {
  DeviceFacts facts;
  facts.id = id;
  if (const aclError error = aclrtSetDevice(id); error != ACL_SUCCESS) {
    facts.problem = Explain("aclrtSetDevice", error);
    return facts;
  }
  size_t free_bytes = 0;
  size_t total_bytes = 0;
  if (const aclError error = aclrtGetMemInfo(ACL_HBM_MEM, &free_bytes, &total_bytes); error != ACL_SUCCESS) {
    facts.problem = Explain("aclrtGetMemInfo", error);
  }
  facts.free_bytes = free_bytes;
  facts.total_bytes = total_bytes;
  if (const aclError error = aclrtResetDevice(id); error != ACL_SUCCESS && facts.problem.empty()) {
    facts.problem = Explain("aclrtResetDevice", error);
  }
  return facts;
}

}  // namespace

LibraryFacts GatherLibrary() {
  LibraryFacts facts{.version = TANDEM_VERSION, .path = "unknown"};
  Dl_info where{};
  if (dladdr(reinterpret_cast<const void*>(&aclrtGetDeviceCount), &where) != 0 &&
      where.dli_fname != nullptr) {
    const std::unique_ptr<char, void (*)(void*)> resolved(realpath(where.dli_fname, nullptr), free);
    facts.path = resolved != nullptr ? resolved.get() : where.dli_fname;
  }
  return facts;
}

DeviceListFacts GatherDevices() {
  DeviceListFacts facts;
  if (const char* name = aclrtGetSocName()) facts.soc_name = name;
  uint32_t count = 0;
  if (const aclError error = aclrtGetDeviceCount(&count); error != ACL_SUCCESS) {
    facts.problem = Explain("aclrtGetDeviceCount", error);
    return facts;
  }
  for (uint32_t id = 0; id < count; ++id) facts.devices.push_back(GatherDevice(static_cast<int32_t>(id)));
  if (count == 0) facts.problem = "there is no device";
  return facts;
}

}  // namespace tandem::tools
