// SPDX-License-Identifier: Apache-2.0
// Start and end, errors, versions, data types and data buffers.
#include <sys/stat.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <cstring>

#include "badargs/rows.h"

// Some of the calls are deprecated, and exist all the same.
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

namespace tandem::test::badargs {
namespace {

// aclInit with a file of this content; what succeeds is undone.
Call InitWith(std::string content) {
  return [content = std::move(content)](World&) -> int64_t {
    char path[] = "/tmp/tandem-badargs-XXXXXX";
    const int fd = mkstemp(path);
    if (fd < 0) return -1;
    const bool written = write(fd, content.data(), content.size()) == static_cast<ssize_t>(content.size());
    static_cast<void>(close(fd));
    const aclError result = written ? aclInit(path) : -1;
    if (result == ACL_SUCCESS) static_cast<void>(aclFinalize());
    static_cast<void>(unlink(path));
    return result;
  };
}

// A pipe that nobody writes to: reading it would never end.
int64_t InitWithPipe(World&) {
  char folder[] = "/tmp/tandem-badargs-XXXXXX";
  if (mkdtemp(folder) == nullptr) return -1;
  const std::string path = std::string(folder) + "/config.json";
  const aclError result = mkfifo(path.c_str(), 0600) == 0 ? aclInit(path.c_str()) : -1;
  static_cast<void>(unlink(path.c_str()));
  static_cast<void>(rmdir(folder));
  return result;
}

Rows InitRows() {
  return {
      {"aclInit",
       "no such file",
       [](World&) { return aclInit("/nonexistent/tandem.json"); },
       ACL_ERROR_INVALID_FILE,
       {"configPath \"/nonexistent/tandem.json\""}},
      {"aclInit",
       "a folder",
       [](World&) { return aclInit("/tmp"); },
       ACL_ERROR_INVALID_FILE,
       {"configPath \"/tmp\"", "not a file"}},
      {"aclInit", "a pipe", &InitWithPipe, ACL_ERROR_INVALID_FILE, {"configPath", "not a file"}},
      {"aclInit",
       "a device without end",
       [](World&) { return aclInit("/dev/zero"); },
       ACL_ERROR_INVALID_FILE,
       {"configPath \"/dev/zero\"", "not a file"}},
      {"aclInit",
       "path too long",
       [](World&) { return aclInit(std::string(9000, 'x').c_str()); },
       ACL_ERROR_INVALID_FILE,
       {"configPath"}},
      {"aclInit", "not JSON", InitWith("{\"a\": "), ACL_ERROR_PARSE_FILE, {"configPath", "JSON"}},
      {"aclInit", "not an object", InitWith("[1, 2]"), ACL_ERROR_PARSE_FILE, {"configPath", "JSON object"}},
      {"aclInit",
       "deep",
       InitWith(std::string(100000, '[')),
       ACL_ERROR_PARSE_FILE,
       {"configPath", "10 levels"}},
      {"aclInit",
       "no such device",
       InitWith(R"({"defaultDevice": {"default_device": "99"}})"),
       ACL_ERROR_FAILURE,
       {"defaultDevice", "99"}},
      {"aclInit",
       "device number that overflows",
       InitWith(R"({"defaultDevice": {"default_device": 4294967296}})"),
       ACL_ERROR_FAILURE,
       {"defaultDevice", "4294967296"}},
      {"aclInit", "no object", InitWith(R"({"defaultDevice": 3})"), ACL_ERROR_FAILURE, {"defaultDevice"}},
      {"aclInit",
       "err_msg_mode",
       InitWith(R"({"err_msg_mode": "7"})"),
       ACL_ERROR_INVALID_PARAM,
       {"err_msg_mode", "7"}},
      {"aclInit",
       "twice",
       [](World&) {
         static_cast<void>(aclInit(nullptr));
         const aclError second = aclInit(nullptr);
         static_cast<void>(aclFinalize());
         return second;
       },
       ACL_ERROR_REPEAT_INITIALIZE,
       {"called before", "2"}},
      {"aclFinalize",
       "twice",
       [](World&) {
         static_cast<void>(aclInit(nullptr));
         static_cast<void>(aclFinalize());
         return aclFinalize();
       },
       ACL_ERROR_REPEAT_FINALIZE,
       {"already finalised"}},
      {"aclFinalizeReference",
       "not initialised",
       [](World&) {
         static_cast<void>(aclInit(nullptr));
         static_cast<void>(aclFinalize());
         return aclFinalizeReference(nullptr);
       },
       ACL_ERROR_REPEAT_FINALIZE,
       {"already finalised"}},
  };
}

template <typename Function>
Rows CallbackRows(const char* add_name, const char* remove_name,
                  aclError (*add)(aclRegisterCallbackType, Function, void*),
                  aclError (*remove)(aclRegisterCallbackType, Function), Function callback) {
  Rows rows = {
      {add_name,
       "cbFunc null",
       [add](World&) { return add(ACL_REG_TYPE_OTHER, nullptr, nullptr); },
       ACL_ERROR_INVALID_PARAM,
       {"cbFunc is null"}},
      {remove_name,
       "cbFunc null",
       [remove](World&) { return remove(ACL_REG_TYPE_OTHER, nullptr); },
       ACL_ERROR_INVALID_PARAM,
       {"cbFunc is null"}},
      {remove_name,
       "not registered",
       [remove, callback](World&) { return remove(ACL_REG_TYPE_ACL_MODEL, callback); },
       ACL_ERROR_INTERNAL_ERROR,
       {"not registered", "type 0"}},
      {add_name,
       "type taken",
       [add, remove, callback](World&) {
         static_cast<void>(add(ACL_REG_TYPE_ACL_DVPP, callback, nullptr));
         const aclError second = add(ACL_REG_TYPE_ACL_DVPP, callback, nullptr);
         static_cast<void>(remove(ACL_REG_TYPE_ACL_DVPP, callback));
         return second;
       },
       ACL_ERROR_INTERNAL_ERROR,
       {"type 6", "registered already"}},
  };
  for (const int type : {-1, 8, 0x10000}) {
    const std::vector<std::string> words = {"type is " + std::to_string(type), "ACL_REG_TYPE_OTHER"};
    rows.push_back({add_name, "unknown type",
                    [add, callback, type](World&) {
                      return add(AnyValue<aclRegisterCallbackType>(type), callback, nullptr);
                    },
                    ACL_ERROR_INVALID_PARAM, words});
    rows.push_back({remove_name, "unknown type",
                    [remove, callback, type](World&) {
                      return remove(AnyValue<aclRegisterCallbackType>(type), callback);
                    },
                    ACL_ERROR_INVALID_PARAM, words});
  }
  return rows;
}

aclError OnInit(const char*, size_t, void*) { return ACL_SUCCESS; }
aclError OnFinalize(void*) { return ACL_SUCCESS; }

Rows ErrorRows() {
  const auto level = AnyValue<aclrtLastErrLevel>(5);
  return {
      {"aclrtPeekAtLastError",
       "level",
       [level](World&) { return aclrtPeekAtLastError(level); },
       ACL_ERROR_INVALID_PARAM,
       {"level is 5", "ACL_RT_THREAD_LEVEL"}},
      {"aclrtGetLastError",
       "level",
       [level](World&) { return aclrtGetLastError(level); },
       ACL_ERROR_INVALID_PARAM,
       {"level is 5", "ACL_RT_THREAD_LEVEL"}},
      {"aclGetRecentErrMsg",
       "no arguments: null when nothing failed",
       [](World&) { return AsNumber(aclGetRecentErrMsg()); },
       0,
       {""}},
      {"aclrtGetThreadLastTaskId",
       "taskId null",
       [](World&) { return aclrtGetThreadLastTaskId(nullptr); },
       ACL_ERROR_INVALID_PARAM,
       {"taskId is null"}},
      {"aclrtGetThreadLastTaskId",
       "no context",
       [](World&) {
         uint32_t id = 0;
         return aclrtGetThreadLastTaskId(&id);
       },
       ACL_ERROR_RT_CONTEXT_NULL,
       {"no current context"},
       Thread::kBare},
      {"HcclGetErrorString",
       "no such code",
       [](World&) { return std::strcmp(HcclGetErrorString(AnyValue<HcclResult>(-7)), "unknown error"); },
       0,
       {""}},
      {"HcclGetErrorString",
       "a code between the known ones",
       [](World&) { return std::strcmp(HcclGetErrorString(AnyValue<HcclResult>(1000)), "unknown err"); },
       0,
       {""}},
  };
}

Rows VersionRows() {
  static char name[] = "no-such-package";
  static char path[] = "../../etc/passwd";
  static char empty[] = "";
  static char text[ACL_PKG_VERSION_MAX_SIZE];
  static int32_t number;
  static aclCANNPackageVersion version;
  Rows rows = {
      {"aclrtGetSocName",
       "no arguments",
       [](World&) { return std::strncmp(aclrtGetSocName(), "Ascend", 6); },
       0,
       {""}},
      {"aclrtGetVersion",
       "majorVersion null",
       [](World&) { return aclrtGetVersion(nullptr, &number, &number); },
       ACL_ERROR_INVALID_PARAM,
       {"majorVersion is null"}},
      {"aclrtGetVersion",
       "minorVersion null",
       [](World&) { return aclrtGetVersion(&number, nullptr, &number); },
       ACL_ERROR_INVALID_PARAM,
       {"minorVersion is null"}},
      {"aclrtGetVersion",
       "patchVersion null",
       [](World&) { return aclrtGetVersion(&number, &number, nullptr); },
       ACL_ERROR_INVALID_PARAM,
       {"patchVersion is null"}},
      {"aclsysGetCANNVersion",
       "version null",
       [](World&) { return aclsysGetCANNVersion(ACL_PKG_NAME_CANN, nullptr); },
       ACL_ERROR_INVALID_PARAM,
       {"version is null"}},
  };
  for (const int bad : {-1, 8, INT32_MAX}) {
    rows.push_back(
        {"aclsysGetCANNVersion",
         "no such package",
         [bad](World&) { return aclsysGetCANNVersion(AnyValue<aclCANNPackageName>(bad), &version); },
         ACL_ERROR_INVALID_PARAM,
         {"name is " + std::to_string(bad)}});
  }
  const auto both = [&rows](const char* bad, char* package, char* out, int32_t* out_number, int64_t code,
                            const std::vector<std::string>& words,
                            const std::vector<std::string>& number_words) {
    rows.push_back(
        {"aclsysGetVersionStr", bad, [=](World&) { return aclsysGetVersionStr(package, out); }, code, words});
    rows.push_back({"aclsysGetVersionNum", bad,
                    [=](World&) { return aclsysGetVersionNum(package, out_number); }, code, number_words});
  };
  both("pkgName null", nullptr, text, &number, ACL_ERROR_INVALID_PARAM, {"pkgName is null"},
       {"pkgName is null"});
  both("answer null", name, nullptr, nullptr, ACL_ERROR_INVALID_PARAM, {"versionStr is null"},
       {"versionNum is null"});
  both("a path", path, text, &number, ACL_ERROR_INVALID_PARAM, {"../../etc/passwd"}, {"../../etc/passwd"});
  both("empty", empty, text, &number, ACL_ERROR_INVALID_PARAM, {"\"\""}, {"\"\""});
  both("no such package", name, text, &number, ACL_ERROR_INVALID_FILE, {"no-such-package"},
       {"no-such-package"});
  return rows;
}

Rows ValueRows() {
  return {
      {"aclFloat16ToFloat",
       "cannot fail: every value is one",
       [](World&) { return std::isnan(aclFloat16ToFloat(0xFFFF)) ? 0 : 1; },
       0,
       {""}},
      {"aclFloatToFloat16",
       "cannot fail: what is too large is infinite",
       [](World&) { return aclFloatToFloat16(1e30F); },
       0x7C00,
       {""}},
      {"aclDataTypeSize",
       "an unknown type has the size of most",
       [](World&) { return AsNumber(aclDataTypeSize(AnyValue<aclDataType>(9999))); },
       8,
       {""}},
      {"aclAppLog",
       "everything null",
       [](World&) {
         aclAppLog(AnyValue<aclLogLevel>(-3), nullptr, nullptr, UINT32_MAX, nullptr);
         aclAppLog(AnyValue<aclLogLevel>(99), nullptr, nullptr, UINT32_MAX,
                   "a line of the bad argument tests");
         return 0;
       },
       0,
       {""}},
      {"HcclGetCommConfigCapability",
       "no arguments",
       [](World&) { return HcclGetCommConfigCapability() == HCCL_COMM_CONFIG_RESERVED ? 0 : 1; },
       0,
       {""}},
      {"aclmdlRICaptureGetInfo",
       "status null",
       [](World& w) { return aclmdlRICaptureGetInfo(w.stream, nullptr, nullptr); },
       ACL_ERROR_INVALID_PARAM,
       {"status is null"}},
      {"aclmdlRICaptureGetInfo",
       "modelRI null is allowed, and nothing is ever captured",
       [](World& w) -> int64_t {
         auto status = AnyValue<aclmdlRICaptureStatus>(9);
         const aclError error = aclmdlRICaptureGetInfo(w.stream, &status, nullptr);
         return error != ACL_SUCCESS ? error : status;
       },
       0,
       {""}},
  };
}

Rows DataBufferRows() {
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
       "null and 0 are allowed",
       [](World&) { return AsNumber(aclDestroyDataBuffer(aclCreateDataBuffer(nullptr, 0))); },
       ACL_SUCCESS,
       {""}},
      {"aclDestroyDataBuffer", "null", [](World&) { return aclDestroyDataBuffer(nullptr); },
       ACL_ERROR_INVALID_PARAM, null},
      {"aclDestroyDataBuffer", "twice", [destroyed](World&) { return aclDestroyDataBuffer(destroyed()); },
       ACL_ERROR_RT_INVALID_HANDLE, gone},
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
      {"aclGetDataBufferSizeV2", "garbage",
       [garbage](World&) { return AsNumber(aclGetDataBufferSizeV2(garbage())); }, 0, gone},
  };
}

}  // namespace

Rows QueryRows() {
  Rows rows = InitRows();
  Append(rows,
         CallbackRows<aclInitCallbackFunc>("aclInitCallbackRegister", "aclInitCallbackUnRegister",
                                           &aclInitCallbackRegister, &aclInitCallbackUnRegister, &OnInit));
  Append(rows, CallbackRows<aclFinalizeCallbackFunc>(
                   "aclFinalizeCallbackRegister", "aclFinalizeCallbackUnRegister",
                   &aclFinalizeCallbackRegister, &aclFinalizeCallbackUnRegister, &OnFinalize));
  Append(rows, ErrorRows());
  Append(rows, VersionRows());
  Append(rows, ValueRows());
  Append(rows, DataBufferRows());
  return rows;
}

}  // namespace tandem::test::badargs
