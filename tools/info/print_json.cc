// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <nlohmann/json.hpp>

#include "info/print.h"

namespace tandem::tools {
namespace {

using Json = nlohmann::ordered_json;

template <typename T>
Json OrNull(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

// Problems appear only where there are any.
void AddProblem(Json& object, const std::string& problem) {
  if (!problem.empty()) object["problem"] = problem;
}

Json ToJson(const std::vector<SettingFacts>& settings) {
  Json list = Json::array();
  for (const SettingFacts& setting : settings) {
    Json object{{"name", setting.name},     {"value", setting.value},
                {"source", setting.source}, {"meaning", setting.meaning},
                {"type", setting.type},     {"default", setting.default_value},
                {"range", setting.range},   {"effect", setting.obeyed ? "obeyed" : "checked"}};
    AddProblem(object, setting.problem);
    list.push_back(std::move(object));
  }
  return list;
}

Json ToJson(const DeviceListFacts& facts) {
  Json list = Json::array();
  for (const DeviceFacts& device : facts.devices) {
    Json object{{"id", device.id}, {"free_bytes", device.free_bytes}, {"total_bytes", device.total_bytes}};
    AddProblem(object, device.problem);
    list.push_back(std::move(object));
  }
  Json object{{"count", facts.devices.size()}, {"soc_name", facts.soc_name}, {"list", std::move(list)}};
  AddProblem(object, facts.problem);
  return object;
}

Json ToJson(const std::vector<TransportFacts>& transports) {
  Json list = Json::array();
  for (const TransportFacts& transport : transports) {
    list.push_back(
        {{"name", transport.name}, {"available", transport.available}, {"detail", transport.detail}});
  }
  return list;
}

Json ToJson(const HostFacts& host) {
  return {{"name", host.name},
          {"kernel", host.kernel},
          {"online_cores", host.online_cores},
          {"allowed_cores", host.allowed_cores},
          {"cgroup_cores", OrNull(host.cgroup_cores)},
          {"memory_bytes", host.memory_bytes},
          {"memory_available_bytes", host.memory_available_bytes},
          {"cgroup_memory_bytes", OrNull(host.cgroup_memory_bytes)},
          {"transparent_huge_pages", host.transparent_huge_pages},
          {"shared_huge_pages", host.shared_huge_pages},
          {"reserved_huge_pages", host.reserved_huge_pages},
          {"huge_page_bytes", host.huge_page_bytes},
          {"ptrace_scope", OrNull(host.ptrace_scope)}};
}

bool Print(const Json& document) {
  // Values come from the environment and need not be UTF-8.
  const std::string text = document.dump(2, ' ', false, Json::error_handler_t::replace);
  return std::puts(text.c_str()) >= 0 && std::fflush(stdout) == 0;
}

}  // namespace

bool PrintJson(const Facts& facts) {
  const Json document{{"version", facts.library.version},       {"library", facts.library.path},
                      {"settings", ToJson(facts.settings)},     {"devices", ToJson(facts.devices)},
                      {"transports", ToJson(facts.transports)}, {"host", ToJson(facts.host)}};
  return Print(document);
}

bool PrintSettingsJson(const std::vector<SettingFacts>& settings) {
  return Print({{"settings", ToJson(settings)}});
}

}  // namespace tandem::tools
