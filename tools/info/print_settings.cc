// SPDX-License-Identifier: Apache-2.0
#include <cstdio>

#include "info/print.h"

namespace tandem::tools {
namespace {

const char* Shown(const std::string& value) { return value.empty() ? "(unset)" : value.c_str(); }

// A cell of a table: a bar would end it, and < would begin a tag.
std::string Cell(const std::string& text) {
  std::string cell;
  for (const char c : text) {
    if (c == '|' || c == '<') cell += '\\';
    cell += c;
  }
  return cell;
}

std::string Code(const std::string& text) { return text.empty() ? "" : "`" + text + "`"; }

void PrintTable(const std::vector<SettingFacts>& settings, const char* prefix, bool obeyed) {
  std::puts("\n| Variable | Accepted | Default | Meaning |\n|---|---|---|---|");
  for (const SettingFacts& setting : settings) {
    if (setting.name.rfind(prefix, 0) != 0 || setting.obeyed != obeyed) continue;
    std::printf("| `%s` | %s | %s | %s |\n", setting.name.c_str(), Cell(setting.range).c_str(),
                Code(setting.default_value).c_str(), Cell(setting.meaning).c_str());
  }
}

bool Flushed() { return std::fflush(stdout) == 0 && std::ferror(stdout) == 0; }

}  // namespace

bool PrintSettingsText(const std::vector<SettingFacts>& settings) {
  for (const SettingFacts& setting : settings) {
    std::printf("%s\n", setting.name.c_str());
    std::printf("  %-9s %s (%s)\n", "value", Shown(setting.value), setting.source.c_str());
    if (!setting.problem.empty()) std::printf("  %-9s %s\n", "problem", setting.problem.c_str());
    std::printf("  %-9s %s\n", "default", Shown(setting.default_value));
    std::printf("  %-9s %s\n", "accepted", setting.range.c_str());
    std::printf("  %-9s %s\n", "effect", setting.obeyed ? "yes" : "none here; the value is checked");
    std::printf("  %-9s %s\n", "meaning", setting.meaning.c_str());
  }
  return Flushed();
}

bool PrintSettingsMarkdown(const std::vector<SettingFacts>& settings) {
  std::puts(
      "# Settings\n\n"
      "Environment variables, in the order in which they are checked. This file is the output of\n"
      "`tandem info --settings --markdown`, from the table that the library parses; a test compares them. "
      "`tandem info` shows\nthe values that hold for you and where each comes from.\n\n"
      "Each is read once, at its first use. Empty is the same as unset. A field of `HcclCommConfig` goes "
      "before the\nenvironment. An invalid value of an `HCCL_`, `CM_` or `TANDEM_` variable is EI0001 with "
      "the "
      "value, the variable and what\nis accepted: from the calls that make a root info or a communicator "
      "(`HCCL_E_PARA`), or, for devices, from the first\ncall that needs them. In place of an invalid value "
      "of "
      "a log variable the default is used, as CANN does.\n\n"
      "## HCCL");
  PrintTable(settings, "HCCL_", true);
  std::puts("\n`CM_WORKER_IP` comes from TensorFlow's adapter:");
  PrintTable(settings, "CM_", true);
  std::puts("\n## Tandem's own");
  PrintTable(settings, "TANDEM_", true);
  std::puts("\n## Runtime and log");
  PrintTable(settings, "ASCEND_", true);
  std::puts(
      "\n## Checked, without effect\n\n"
      "These concern parts that a host without NPU does not have. Values are checked as on a device, and one "
      "line of level info\nnames those that are set.");
  PrintTable(settings, "", false);
  return Flushed();
}

}  // namespace tandem::tools
