// SPDX-License-Identifier: Apache-2.0
#include "info/info.h"

#include <algorithm>

#include "command_line.h"
#include "info/device_facts.h"
#include "info/facts.h"
#include "info/host_facts.h"
#include "info/print.h"
#include "info/settings_source.h"
#include "info/transport_facts.h"
#include "verb.h"

namespace tandem::tools {
namespace {

constexpr const char* kDescription =
    "Prints the version, where the library is, every setting with its value, where the value comes from and "
    "what\n"
    "it means, the devices, the transports, and what the machine gives to this process.";

constexpr const char* kFooter =
    "exit code: 0; 1 when the library reports no usable device or refuses a setting; 2 wrong arguments\n\n"
    "examples:\n"
    "  tandem info\n"
    "  TANDEM_DEVICES=16 tandem info --json\n"
    "  HCCL_EXEC_TIMEOUT=5 tandem info --settings\n"
    "  tandem info --settings --markdown > docs/settings.md";

bool AllAccepted(const std::vector<SettingFacts>& settings) {
  return std::all_of(settings.begin(), settings.end(),
                     [](const SettingFacts& setting) { return setting.problem.empty(); });
}

bool Sound(const Facts& facts) { return AllAccepted(facts.settings) && facts.devices.problem.empty(); }

int PrintSettings(bool json, bool markdown) {
  const std::vector<SettingFacts> settings = GatherSettings();
  const auto print = json ? PrintSettingsJson : markdown ? PrintSettingsMarkdown : PrintSettingsText;
  if (!print(settings)) return kExitInternal;
  return markdown || AllAccepted(settings) ? 0 : 1;
}

}  // namespace

int InfoVerb(int argc, char** argv) {
  CLI::App app{kDescription};
  app.name("tandem info");
  SetUsage(app, "tandem info [--settings] [--json | --markdown]");
  app.footer(kFooter);
  bool json = false;
  app.add_flag("--json", json, "Print one JSON object instead of text");
  bool settings_only = false;
  bool markdown = false;
  CLI::Option* const settings_flag =
      app.add_flag("--settings", settings_only, "Print only the settings, with all that is known of each");
  app.add_flag("--markdown", markdown, "Print the settings as a document, without their values here")
      ->needs(settings_flag)
      ->excludes("--json");
  if (const auto code = ParseCommandLine(app, argc, argv)) return *code;
  if (settings_only) return PrintSettings(json, markdown);

  Facts facts;
  facts.library = GatherLibrary();
  facts.settings = GatherSettings();
  facts.devices = GatherDevices();
  facts.host = GatherHost();
  facts.transports = GatherTransports();
  if (!(json ? PrintJson(facts) : PrintText(facts))) return kExitInternal;
  return Sound(facts) ? 0 : 1;
}

}  // namespace tandem::tools
