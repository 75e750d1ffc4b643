// SPDX-License-Identifier: Apache-2.0
#include "badargs/rows.h"

// One of the calls is deprecated, and exists all the same.
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

namespace tandem::test::badargs {
namespace {

Rows BufferRows() {
  const std::vector<std::string> null = {"dataBuffer is null"};
  const std::vector<std::string> gone = {"dataBuffer is 0x", "aclCreateDataBuffer"};
  const auto garbage = [] { return static_cast<aclDataBuffer*>(Garbage()); };
  const auto destroyed = [] {
    aclDataBuffer* buffer = aclCreateDataBuffer(nullptr, 5);
    static_cast<void>(aclDestroyDataBuffer(buffer));
    return buffer;
  };
  return {
      {"aclCreateDataBuffer",
       "data null and size 0",
       [](World&) { return AsNumber(aclDestroyDataBuffer(aclCreateDataBuffer(nullptr, 0))); },
       ACL_SUCCESS,
       {""}},
      {"aclDestroyDataBuffer", "null", [](World&) { return aclDestroyDataBuffer(nullptr); },
       ACL_ERROR_INVALID_PARAM, null},
      {"aclDestroyDataBuffer", "destroyed twice",
       [destroyed](World&) { return aclDestroyDataBuffer(destroyed()); }, ACL_ERROR_RT_INVALID_HANDLE, gone},
      {"aclDestroyDataBuffer", "garbage", [garbage](World&) { return aclDestroyDataBuffer(garbage()); },
       ACL_ERROR_RT_INVALID_HANDLE, gone},
      {"aclUpdateDataBuffer", "null", [](World&) { return aclUpdateDataBuffer(nullptr, nullptr, 1); },
       ACL_ERROR_INVALID_PARAM, null},
      {"aclUpdateDataBuffer", "destroyed",
       [destroyed](World&) { return aclUpdateDataBuffer(destroyed(), nullptr, 1); },
       ACL_ERROR_RT_INVALID_HANDLE, gone},
      {"aclUpdateDataBuffer", "garbage",
       [garbage](World&) { return aclUpdateDataBuffer(garbage(), nullptr, 1); }, ACL_ERROR_RT_INVALID_HANDLE,
       gone},
      {"aclGetDataBufferAddr", "null", [](World&) { return AsNumber(aclGetDataBufferAddr(nullptr)); }, 0,
       null},
      {"aclGetDataBufferAddr", "destroyed",
       [destroyed](World&) { return AsNumber(aclGetDataBufferAddr(destroyed())); }, 0, gone},
      {"aclGetDataBufferAddr", "garbage",
       [garbage](World&) { return AsNumber(aclGetDataBufferAddr(garbage())); }, 0, gone},
      {"aclGetDataBufferSize", "null", [](World&) { return aclGetDataBufferSize(nullptr); }, 0, null},
      {"aclGetDataBufferSize", "destroyed", [destroyed](World&) { return aclGetDataBufferSize(destroyed()); },
       0, gone},
      {"aclGetDataBufferSizeV2", "null", [](World&) { return AsNumber(aclGetDataBufferSizeV2(nullptr)); }, 0,
       null},
      {"aclGetDataBufferSizeV2", "destroyed",
       [destroyed](World&) { return AsNumber(aclGetDataBufferSizeV2(destroyed())); }, 0, gone},
      {"aclUpdateDataBuffer",
       "data null",
       [](World&) {
         aclDataBuffer* buffer = aclCreateDataBuffer(nullptr, 5);
         const aclError result = aclUpdateDataBuffer(buffer, nullptr, 0);
         static_cast<void>(aclDestroyDataBuffer(buffer));
         return result;
       },
       ACL_SUCCESS,
       {""}},
      {"aclGetDataBufferSizeV2", "garbage",
       [garbage](World&) { return AsNumber(aclGetDataBufferSizeV2(garbage())); }, 0, gone},
  };
}

}  // namespace

Rows DataBufferRows() { return BufferRows(); }

}  // namespace tandem::test::badargs
