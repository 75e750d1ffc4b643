// SPDX-License-Identifier: Apache-2.0
// A program of somebody who installed Tandem. It succeeds only when the code that ran was
// libtandem.so's own, found in the folder that the first argument names.
#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "acl/acl.h"
#include "hccl/hccl.h"

namespace {

bool IsIn(const char* what, void* function, const std::filesystem::path& folder) {
  Dl_info info{};
  if (dladdr(function, &info) == 0) {
    std::fprintf(stderr, "%s: dladdr knows nothing of its address\n", what);
    return false;
  }
  std::error_code error;
  const bool same = std::filesystem::equivalent(info.dli_fname, folder / "libtandem.so", error);
  if (!same)
    std::fprintf(stderr, "%s: bound to %s, expected %s/libtandem.so\n", what, info.dli_fname, folder.c_str());
  return same;
}

// The answers below follow from TANDEM_DEVICES and from the specification: no stub could know them.
bool Works() {
  if (aclInit(nullptr) != ACL_SUCCESS) {
    std::fprintf(stderr, "aclInit failed: %s\n", aclGetRecentErrMsg());
    return false;
  }
  uint32_t devices = 0;
  if (aclrtGetDeviceCount(&devices) != ACL_SUCCESS || devices != 5) {
    std::fprintf(stderr, "aclrtGetDeviceCount: %u devices, expected the 5 of TANDEM_DEVICES\n", devices);
    return false;
  }
  if (aclrtSetDevice(0) != ACL_SUCCESS || HcclGetRootInfo(nullptr) != HCCL_E_PTR) {
    std::fprintf(stderr, "HcclGetRootInfo(nullptr): expected HCCL_E_PTR\n");
    return false;
  }
  return aclFinalize() == ACL_SUCCESS;
}

// What frameworks do: open a name, look up a symbol in it.
bool OpensByName(const char* library, const char* symbol, const std::filesystem::path& folder) {
  void* handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) {
    std::fprintf(stderr, "dlopen(%s): %s\n", library, dlerror());
    return false;
  }
  void* function = dlsym(handle, symbol);
  if (function == nullptr) std::fprintf(stderr, "dlsym(%s, %s): %s\n", library, symbol, dlerror());
  return function != nullptr && IsIn(library, function, folder);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: consumer FOLDER-OF-libtandem.so\n");
    return 2;
  }
  const std::filesystem::path folder = argv[1];
  const bool bound = IsIn("HcclGetRootInfo", reinterpret_cast<void*>(&HcclGetRootInfo), folder) &&
                     IsIn("aclrtGetDeviceCount", reinterpret_cast<void*>(&aclrtGetDeviceCount), folder);
  const bool named = OpensByName("libhccl.so", "HcclSend", folder) &&
                     OpensByName("libhcomm.so", "HcclGetRankSize", folder) &&
                     OpensByName("libascendcl.so", "aclrtMalloc", folder) &&
                     OpensByName("libacl_rt.so", "aclrtMalloc", folder) &&
                     OpensByName("libacl_rt_impl.so", "aclrtMalloc", folder);
  if (!bound || !named || !Works()) return EXIT_FAILURE;
  std::puts("consumer: ok");
  return EXIT_SUCCESS;
}
