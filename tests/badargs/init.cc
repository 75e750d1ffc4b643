// SPDX-License-Identifier: Apache-2.0
// Start and end, and the callbacks on them.
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>

#include "badargs/rows.h"

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

Rows StartRows() {
  return {
      {"aclInit",
       "configPath null",
       [](World&) {
         const aclError result = aclInit(nullptr);
         static_cast<void>(aclFinalize());
         return result;
       },
       ACL_SUCCESS,
       {""}},
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
       "refCount null, and not initialised",
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
Rows InitRegisterRows(const char* add_name, const char* remove_name,
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
       "type taken, userData null",
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

}  // namespace

Rows InitRows() {
  Rows rows = StartRows();
  Append(rows, InitRegisterRows<aclInitCallbackFunc>("aclInitCallbackRegister", "aclInitCallbackUnRegister",
                                                     &aclInitCallbackRegister, &aclInitCallbackUnRegister,
                                                     &OnInit));
  Append(rows, InitRegisterRows<aclFinalizeCallbackFunc>(
                   "aclFinalizeCallbackRegister", "aclFinalizeCallbackUnRegister",
                   &aclFinalizeCallbackRegister, &aclFinalizeCallbackUnRegister, &OnFinalize));
  return rows;
}

}  // namespace tandem::test::badargs
