// SPDX-License-Identifier: Apache-2.0
// What can be asked of a device.
#include "badargs/rows.h"

namespace tandem::test::badargs {
namespace {

// A question about a device with one answer.
template <typename Answer, typename Function>
Rows DeviceInfoQuestionRows(const char* function, const std::string& answer, Function ask) {
  Rows rows = {{function,
                "answer null",
                [ask](World&) { return ask(0, static_cast<Answer*>(nullptr)); },
                ACL_ERROR_INVALID_PARAM,
                {answer + " is null"}}};
  Append(rows, BadDevices(function, "deviceId", [ask](World&, int32_t id) {
           Answer value{};
           return ask(id, &value);
         }));
  return rows;
}

Rows DeviceInfoInfoRows() {
  const auto unsigned_id = [](int32_t id) { return static_cast<uint32_t>(id); };
  Rows rows = DeviceInfoQuestionRows<aclrtDeviceStatus>("aclrtQueryDeviceStatus", "deviceStatus",
                                                        &aclrtQueryDeviceStatus);
  Append(rows, DeviceInfoQuestionRows<aclrtUuid>("aclrtDeviceGetUuid", "uuid", &aclrtDeviceGetUuid));
  Append(rows, DeviceInfoQuestionRows<int64_t>(
                   "aclrtGetDeviceInfo", "value", [unsigned_id](int32_t id, int64_t* value) {
                     return aclrtGetDeviceInfo(unsigned_id(id), ACL_DEV_ATTR_AICORE_CORE_NUM, value);
                   }));
  Append(rows, DeviceInfoQuestionRows<uint64_t>("aclrtGetDevicesTopo", "value",
                                                [unsigned_id](int32_t id, uint64_t* value) {
                                                  return aclrtGetDevicesTopo(unsigned_id(id), 0, value);
                                                }));
  Append(rows, BadDevices("aclrtGetDevicesTopo", "otherDeviceId", [unsigned_id](World&, int32_t id) {
           uint64_t value = 0;
           return aclrtGetDevicesTopo(0, unsigned_id(id), &value);
         }));
  Append(rows, DeviceInfoQuestionRows<aclrtUtilizationInfo>(
                   "aclrtGetDeviceUtilizationRate", "utilizationInfo", &aclrtGetDeviceUtilizationRate));
  Append(rows,
         DeviceInfoQuestionRows<int32_t>("aclrtGetDeviceCapability", "value", [](int32_t id, int32_t* value) {
           return aclrtGetDeviceCapability(id, AnyValue<aclrtDevFeatureType>(1), value);
         }));
  Append(rows,
         DeviceInfoQuestionRows<uint32_t>("aclrtGetDeviceResLimit", "value", [](int32_t id, uint32_t* value) {
           return aclrtGetDeviceResLimit(id, ACL_RT_DEV_RES_CUBE_CORE, value);
         }));
  Append(rows,
         DeviceInfoQuestionRows<aclrtErrorInfo>("aclrtGetErrorVerbose", "errorInfo", &aclrtGetErrorVerbose));
  Append(rows, BadDevices("aclrtSetDeviceResLimit", "deviceId", [](World&, int32_t id) {
           return aclrtSetDeviceResLimit(id, ACL_RT_DEV_RES_CUBE_CORE, 1);
         }));
  Append(rows, BadDevices("aclrtResetDeviceResLimit", "deviceId",
                          [](World&, int32_t id) { return aclrtResetDeviceResLimit(id); }));
  return rows;
}

Rows MoreInfoRows() {
  const auto type = AnyValue<aclrtDevResLimitType>(7);
  const std::vector<std::string> bad_type = {"type is 7", "ACL_RT_DEV_RES_CUBE_CORE"};
  return {
      {"aclrtGetDeviceInfo",
       "unknown attribute",
       [](World&) {
         int64_t value = 0;
         return aclrtGetDeviceInfo(0, AnyValue<aclrtDevAttr>(999), &value);
       },
       ACL_ERROR_RT_PARAM_INVALID,
       {"attr is 999"}},
      {"aclrtGetDeviceUtilizationRate",
       "utilizationExtend not null",
       [](World&) {
         aclrtUtilizationInfo info{};
         info.utilizationExtend = static_cast<aclrtUtilizationExtendInfo*>(Garbage());
         return aclrtGetDeviceUtilizationRate(0, &info);
       },
       ACL_ERROR_INVALID_PARAM,
       {"utilizationExtend is not null"}},
      {"aclrtGetDeviceResLimit", "unknown type",
       [type](World&) {
         uint32_t value = 0;
         return aclrtGetDeviceResLimit(0, type, &value);
       },
       ACL_ERROR_INVALID_PARAM, bad_type},
      {"aclrtSetDeviceResLimit", "unknown type",
       [type](World&) { return aclrtSetDeviceResLimit(0, type, 1); }, ACL_ERROR_INVALID_PARAM, bad_type},
      {"aclrtGetResInCurrentThread", "unknown type",
       [type](World&) {
         uint32_t value = 0;
         return aclrtGetResInCurrentThread(type, &value);
       },
       ACL_ERROR_INVALID_PARAM, bad_type},
      {"aclrtGetResInCurrentThread",
       "value null",
       [](World&) { return aclrtGetResInCurrentThread(ACL_RT_DEV_RES_CUBE_CORE, nullptr); },
       ACL_ERROR_INVALID_PARAM,
       {"value is null"}},
      {"aclrtGetResInCurrentThread", "no context",
       [](World&) {
         uint32_t value = 0;
         return aclrtGetResInCurrentThread(ACL_RT_DEV_RES_CUBE_CORE, &value);
       },
       ACL_ERROR_RT_CONTEXT_NULL, kNoContext, Thread::kBare},
      {"aclrtDeviceGetStreamPriorityRange",
       "leastPriority null, greatestPriority null",
       [](World&) { return aclrtDeviceGetStreamPriorityRange(nullptr, nullptr); },
       ACL_SUCCESS,
       {""}},
      {"aclrtDeviceGetStreamPriorityRange", "no context",
       [](World&) { return aclrtDeviceGetStreamPriorityRange(nullptr, nullptr); }, ACL_ERROR_RT_CONTEXT_NULL,
       kNoContext, Thread::kBare},
      {"aclrtDeviceGetBareTgid",
       "pid null",
       [](World&) { return aclrtDeviceGetBareTgid(nullptr); },
       ACL_ERROR_INVALID_PARAM,
       {"pid is null"}},
      {"aclrtCheckArchCompatibility",
       "socVersion null",
       [](World&) {
         int32_t compatible = 0;
         return aclrtCheckArchCompatibility(nullptr, &compatible);
       },
       ACL_ERROR_INVALID_PARAM,
       {"socVersion is null"}},
      {"aclrtCheckArchCompatibility",
       "canCompatible null",
       [](World&) { return aclrtCheckArchCompatibility("Ascend910B3", nullptr); },
       ACL_ERROR_INVALID_PARAM,
       {"canCompatible is null"}},
  };
}

}  // namespace

Rows DeviceInfoRows() {
  Rows rows = DeviceInfoInfoRows();
  Append(rows, MoreInfoRows());
  return rows;
}

}  // namespace tandem::test::badargs
