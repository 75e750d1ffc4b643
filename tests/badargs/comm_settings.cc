// SPDX-License-Identifier: Apache-2.0
// Settings of the process and of a communicator, and groups of calls.
#include "badargs/rows.h"

namespace tandem::test::badargs {
namespace {

HcclConfigValue Value(int32_t value) {
  HcclConfigValue result{};
  result.value = value;
  return result;
}

Rows ProcessRows() {
  Rows rows;
  for (const int32_t value : {-1, 3, INT32_MAX}) {
    Refuse(rows, "HcclSetConfig", "configValue",
           [value](World&) { return HcclSetConfig(HCCL_DETERMINISTIC, Value(value)); }, HCCL_E_PARA,
           {"EI0003", "configValue.value is " + std::to_string(value), "0, 1 or 2"});
    Refuse(rows, "HcclSetCommConfig", "configValue",
           [value](World& w) { return HcclSetCommConfig(w.comm, HCCL_DETERMINISTIC, Value(value)); },
           HCCL_E_PARA, {"EI0003", "configValue.value is " + std::to_string(value), "0, 1 or 2"});
  }
  for (const int config : {-1, 9, INT32_MAX}) {
    Allow(rows, "HcclSetConfig", "an unknown config sets nothing",
          [config](World&) { return HcclSetConfig(AnyValue<HcclConfig>(config), Value(-1)); });
    Allow(rows, "HcclGetConfig", "an unknown config leaves the value alone", [config](World&) -> int64_t {
      HcclConfigValue value = Value(5);
      const HcclResult result = HcclGetConfig(AnyValue<HcclConfig>(config), &value);
      return result != HCCL_SUCCESS ? result : value.value - 5;
    });
  }
  RefuseNull(rows, "HcclGetConfig", "configValue",
             [](World&) { return HcclGetConfig(HCCL_DETERMINISTIC, nullptr); });
  return rows;
}

Rows CommSettingCommRows() {
  Rows rows;
  const auto set = [](World&, void* comm) { return HcclSetCommConfig(comm, HCCL_DETERMINISTIC, Value(0)); };
  const auto get = [](World&, void* comm) {
    HcclConfigValue value{};
    return HcclGetCommConfig(comm, HCCL_DETERMINISTIC, &value);
  };
  Append(rows, BadComms("HcclSetCommConfig", set));
  RefuseNull(rows, "HcclSetCommConfig", "comm", [set](World& w) { return set(w, nullptr); });
  Append(rows, BadComms("HcclGetCommConfig", get));
  RefuseNull(rows, "HcclGetCommConfig", "comm", [get](World& w) { return get(w, nullptr); });
  RefuseNull(rows, "HcclGetCommConfig", "configValue",
             [](World& w) { return HcclGetCommConfig(w.comm, HCCL_DETERMINISTIC, nullptr); });
  for (const int config : {-1, 2, INT32_MAX}) {
    const std::vector<std::string> words = {"EI0003", "config is " + std::to_string(config),
                                            "HCCL_DETERMINISTIC (0)"};
    Refuse(
        rows, "HcclSetCommConfig", "config",
        [config](World& w) { return HcclSetCommConfig(w.comm, AnyValue<HcclConfig>(config), Value(0)); },
        HCCL_E_PARA, words);
    Refuse(
        rows, "HcclGetCommConfig", "config",
        [config](World& w) {
          HcclConfigValue value{};
          return HcclGetCommConfig(w.comm, AnyValue<HcclConfig>(config), &value);
        },
        HCCL_E_PARA, words);
  }
  return rows;
}

int64_t InfoOf(HcclComm comm, int type, uint32_t length) {
  char info[HCCL_COMM_ALGO_MAX_LENGTH];
  return HcclConfigGetInfo(comm, AnyValue<HcclConfigType>(type), length, info);
}

Rows CommSettingInfoRows() {
  const char* function = "HcclConfigGetInfo";
  Rows rows = BadComms(function, [](World&, void* comm) { return InfoOf(comm, 0, 4); });
  RefuseNull(rows, function, "comm", [](World&) { return InfoOf(nullptr, 0, 4); });
  RefuseNull(rows, function, "info", [](World& w) {
    return HcclConfigGetInfo(w.comm, HCCL_CONFIG_TYPE_OP_EXPANSION_MODE, 4, nullptr);
  });
  for (const int type : {-1, 2, INT32_MAX}) {
    Refuse(rows, function, "cfgType", [type](World& w) { return InfoOf(w.comm, type, 64); }, HCCL_E_PARA,
           {"EI0003", "cfgType is " + std::to_string(type), "HCCL_CONFIG_TYPE_HCCL_ALGO (1)"});
  }
  for (const uint32_t length : {0U, 3U}) {
    Refuse(rows, function, "infoLen", [length](World& w) { return InfoOf(w.comm, 0, length); }, HCCL_E_PARA,
           {"EI0003", "infoLen is " + std::to_string(length), "at least 4"});
  }
  Refuse(rows, function, "infoLen of a text", [](World& w) { return InfoOf(w.comm, 1, 0); }, HCCL_E_PARA,
         {"EI0003", "infoLen is 0", "at least 1"});
  return rows;
}

Rows GroupRows() {
  Rows rows;
  Allow(rows, "HcclGroupStart", "no arguments: one inside of another", [](World&) -> int64_t {
    for (int i = 0; i < 2; ++i) {
      if (const HcclResult started = HcclGroupStart(); started != HCCL_SUCCESS) return started;
    }
    static_cast<void>(HcclGroupEnd());
    return HcclGroupEnd();
  });
  Refuse(rows, "HcclGroupEnd", "no group", [](World&) { return HcclGroupEnd(); }, HCCL_E_NOT_SUPPORT,
         {"EI0003", "no open group", "HcclGroupStart first"});
  RefuseNull(rows, "HcclGroupStatusGet", "isGroupEnabled",
             [](World&) { return HcclGroupStatusGet(nullptr); });
  return rows;
}

}  // namespace

Rows CommSettingRows() {
  Rows rows = ProcessRows();
  Append(rows, CommSettingCommRows());
  Append(rows, CommSettingInfoRows());
  Append(rows, GroupRows());
  return rows;
}

}  // namespace tandem::test::badargs
