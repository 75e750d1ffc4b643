/* SPDX-License-Identifier: Apache-2.0 */
/* A program that links none of the libraries and opens one at run time, by name. */
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>

typedef int (*GetDeviceCount)(uint32_t*);

int main(void) {
  void* handle = dlopen("libascendcl.so", RTLD_NOW | RTLD_LOCAL);
  GetDeviceCount get_device_count;
  uint32_t devices = 0;
  if (handle == NULL) {
    fprintf(stderr, "dlopen: %s\n", dlerror());
    return 1;
  }
  *(void**)&get_device_count = dlsym(handle, "aclrtGetDeviceCount");
  if (get_device_count == NULL || get_device_count(&devices) != 0 || devices != 5) {
    fprintf(stderr, "aclrtGetDeviceCount by dlsym: %u devices, expected the 5 of TANDEM_DEVICES\n", devices);
    return 1;
  }
  return 0;
}
