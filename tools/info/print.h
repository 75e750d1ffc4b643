// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "info/facts.h"

namespace tandem::tools {

// To the standard output. False when that cannot be written.
bool PrintText(const Facts& facts);
bool PrintJson(const Facts& facts);

// The settings alone, with all that is known of each. The Markdown is docs/settings.md, and so says nothing
// of this machine.
bool PrintSettingsText(const std::vector<SettingFacts>& settings);
bool PrintSettingsJson(const std::vector<SettingFacts>& settings);
bool PrintSettingsMarkdown(const std::vector<SettingFacts>& settings);

}  // namespace tandem::tools
