// SPDX-License-Identifier: Apache-2.0
// Data types, data buffers, the application log.
#include <acl/acl_rt.h>

#include <array>
#include <cstdarg>
#include <cstdio>

#include "base/log.h"
#include "capi/enter.h"
#include "capi/float16.h"
#include "capi/handles.h"
#include "capi/live_objects.h"

using namespace tandem;        // NOLINT(google-build-using-namespace): the functions below are outside every
                               // namespace
using namespace tandem::capi;  // NOLINT(google-build-using-namespace)

struct aclDataBuffer {
  void* data;
  size_t bytes;
};

namespace {

LiveObjects<aclDataBuffer>& DataBuffers() {
  static auto* const buffers = new LiveObjects<aclDataBuffer>;
  return *buffers;
}

Status NoDataBuffer(const aclDataBuffer* buffer) {
  return NotLive("dataBuffer", buffer, "one of aclCreateDataBuffer that was not destroyed");
}

// Null and 0 when there is no such buffer, which only the text tells apart from an empty one.
aclDataBuffer Read(const char* call, const aclDataBuffer* buffer) noexcept {
  aclDataBuffer content{};
  static_cast<void>(EnterAcl(call, [&]() -> Status {
    TANDEM_RETURN_IF_ERROR(CheckNotNull(buffer, "dataBuffer"));
    const bool live = DataBuffers().With(buffer, [&](const aclDataBuffer& found) { content = found; });
    return live ? Status::Ok() : NoDataBuffer(buffer);
  }));
  return content;
}

}  // namespace

extern "C" float aclFloat16ToFloat(aclFloat16 value) { return HalfToFloat(value); }

extern "C" aclFloat16 aclFloatToFloat16(float value) { return FloatToHalf(value); }

extern "C" size_t aclDataTypeSize(aclDataType dataType) {
  switch (dataType) {
    case ACL_STRING:
    case ACL_DT_UNDEFINED:
      return 0;
    case ACL_INT8:
    case ACL_UINT8:
    case ACL_BOOL:
    case ACL_INT4:
    case ACL_UINT1:
    case ACL_HIFLOAT8:
    case ACL_FLOAT8_E5M2:
    case ACL_FLOAT8_E4M3FN:
    case ACL_FLOAT8_E8M0:
    case ACL_FLOAT6_E3M2:
    case ACL_FLOAT6_E2M3:
    case ACL_FLOAT4_E2M1:
    case ACL_FLOAT4_E1M2:
      return 1;
    case ACL_FLOAT16:
    case ACL_BF16:
    case ACL_INT16:
    case ACL_UINT16:
      return 2;
    case ACL_FLOAT:
    case ACL_INT32:
    case ACL_UINT32:
    case ACL_COMPLEX32:
      return 4;
    case ACL_COMPLEX128:
      return 16;
    default:
      return 8;
  }
}

extern "C" aclDataBuffer* aclCreateDataBuffer(void* data, size_t size) {
  return DataBuffers().Add({data, size});
}

extern "C" aclError aclDestroyDataBuffer(const aclDataBuffer* dataBuffer) {
  return EnterAcl("aclDestroyDataBuffer", [&]() -> Status {
    TANDEM_RETURN_IF_ERROR(CheckNotNull(dataBuffer, "dataBuffer"));
    return DataBuffers().Remove(dataBuffer) ? Status::Ok() : NoDataBuffer(dataBuffer);
  });
}

extern "C" aclError aclUpdateDataBuffer(aclDataBuffer* dataBuffer, void* data, size_t size) {
  return EnterAcl("aclUpdateDataBuffer", [&]() -> Status {
    TANDEM_RETURN_IF_ERROR(CheckNotNull(dataBuffer, "dataBuffer"));
    const bool live = DataBuffers().With(dataBuffer, [&](aclDataBuffer& buffer) { buffer = {data, size}; });
    return live ? Status::Ok() : NoDataBuffer(dataBuffer);
  });
}

extern "C" void* aclGetDataBufferAddr(const aclDataBuffer* dataBuffer) {
  return Read("aclGetDataBufferAddr", dataBuffer).data;
}

extern "C" uint32_t aclGetDataBufferSize(const aclDataBuffer* dataBuffer) {
  return static_cast<uint32_t>(Read("aclGetDataBufferSize", dataBuffer).bytes);
}

extern "C" size_t aclGetDataBufferSizeV2(const aclDataBuffer* dataBuffer) {
  return Read("aclGetDataBufferSizeV2", dataBuffer).bytes;
}

extern "C" void aclAppLog(aclLogLevel logLevel, const char* func, const char* file, uint32_t line,
                          const char* fmt, ...) {
  const LogLevel level = logLevel <= ACL_DEBUG     ? LogLevel::kDebug
                         : logLevel == ACL_INFO    ? LogLevel::kInfo
                         : logLevel == ACL_WARNING ? LogLevel::kWarn
                                                   : LogLevel::kError;
  if (fmt == nullptr || !LogEnabled(level)) return;
  std::array<char, 1024> text{};
  va_list args;
  va_start(args, fmt);
  std::vsnprintf(text.data(), text.size(), fmt, args);
  va_end(args);
  LogLine(level, file == nullptr ? "" : file, static_cast<int>(line), "%s: %s", func == nullptr ? "" : func,
          text.data());
}
