// SPDX-License-Identifier: Apache-2.0
// Errors, versions, data types and attributes.
#include <cmath>
#include <cstring>

#include "badargs/rows.h"

// Some of the calls are deprecated, and exist all the same.
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

namespace tandem::test::badargs {
namespace {

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

Rows QuerieValueRows() {
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
       "func null, file null, fmt null",
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
  };
}

Rows QuerieAttributeRows() {
  static const aclCannAttr* list = nullptr;
  static size_t count = 0;
  Rows rows;
  RefuseNull(rows, "aclGetCannAttributeList", "cannAttrList",
             [](World&) { return aclGetCannAttributeList(nullptr, &count); });
  RefuseNull(rows, "aclGetCannAttributeList", "num",
             [](World&) { return aclGetCannAttributeList(&list, nullptr); });
  RefuseNull(rows, "aclGetCannAttribute", "value",
             [](World&) { return aclGetCannAttribute(ACL_CANN_ATTR_BF16, nullptr); });
  for (const int attribute : {-1, 3, INT32_MAX}) {
    Refuse(rows, "aclGetCannAttribute", "cannAttr",
           [attribute](World&) {
             int32_t value = 0;
             return aclGetCannAttribute(AnyValue<aclCannAttr>(attribute), &value);
           },
           ACL_ERROR_INVALID_PARAM, {"cannAttr is " + std::to_string(attribute), "expected 0 to 2"});
  }
  return rows;
}

}  // namespace

Rows QueryRows() {
  Rows rows = ErrorRows();
  Append(rows, VersionRows());
  Append(rows, QuerieValueRows());
  Append(rows, QuerieAttributeRows());
  return rows;
}

}  // namespace tandem::test::badargs
