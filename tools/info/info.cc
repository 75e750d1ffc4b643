// SPDX-License-Identifier: Apache-2.0
#include "info/info.h"

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
    "  TANDEM_DEVICES=16 tandem info --json";

bool Sound(const Facts& facts) {
  for (const SettingFacts& setting : facts.settings) {
    if (!setting.problem.empty()) return false;
  }
  return facts.devices.problem.empty();
}

}  // namespace

int InfoVerb(int argc, char** argv) {
  CLI::App app{kDescription};
  app.name("tandem info");
  SetUsage(app, "tandem info [--json]");
  app.footer(kFooter);
  bool json = false;
  app.add_flag("--json", json, "Print one JSON object instead of text");
  if (const auto code = ParseCommandLine(app, argc, argv)) return *code;

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
