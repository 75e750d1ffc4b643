// SPDX-License-Identifier: Apache-2.0
#include "info/settings_source.h"

#include "base/config.h"

namespace tandem::tools {

std::vector<SettingFacts> GatherSettings() {
  std::vector<SettingFacts> facts;
  for (const Setting& setting : Settings()) {
    const SettingValue value = EffectiveValue(setting);
    facts.push_back({.name = setting.name,
                     .value = value.text,
                     .source = value.from_environment ? "environment" : "default",
                     .meaning = setting.help,
                     .type = setting.type,
                     .default_value = setting.default_text,
                     .range = setting.range,
                     .obeyed = setting.effect == SettingEffect::kObeyed,
                     .problem = std::string(value.valid.text())});
  }
  return facts;
}

}  // namespace tandem::tools
