// SPDX-License-Identifier: Apache-2.0
#include "errors/errors.h"

#include <cstdio>
#include <nlohmann/json.hpp>

#include "command_line.h"
#include "errors/lookup.h"
#include "verb.h"

namespace tandem::tools {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kDescription =
    "Explains message ids (the EI... at the start of an error text), HcclResult and aclError: meaning, usual "
    "causes,\nwhat to do. Without a name it lists them all.";

constexpr const char* kFooter =
    "NAME is an id, a name, a name without its prefix, or a number; capitals do not matter.\n\n"
    "exit code: 0; 2 wrong arguments or an unknown name, with names that are similar\n\n"
    "examples:\n"
    "  tandem errors\n"
    "  tandem errors EI0005\n"
    "  tandem errors HCCL_E_PARA 107003\n"
    "  tandem errors --json stream_context";

void Field(const char* name, std::string_view text) {
  if (!text.empty()) std::printf("  %-13s %.*s\n", name, static_cast<int>(text.size()), text.data());
}

std::string Joined(const std::vector<std::string_view>& words) {
  std::string text;
  for (const std::string_view word : words) text += (text.empty() ? "" : ", ") + std::string(word);
  return text;
}

void Explain(const MessageId& message) {
  std::printf("%s %s\n", std::string(message.id).c_str(), std::string(message.title).c_str());
  Field("usual cause", message.cause);
  Field("what to do", message.remedy);
  Field("text names", message.placeholders);
  Field("result", message.result);
}

void Explain(const ErrorEntry& entry) {
  if (entry.message != nullptr) return Explain(*entry.message);
  const ErrorCode& code = *entry.code;
  std::printf("%s (%s %d)\n", std::string(code.name).c_str(), std::string(entry.kind).c_str(), code.value);
  Field("meaning", code.meaning);
  if (code.causes.empty()) {
    Field("usual causes", "Tandem never returns it; on a device, the log has the details.");
  } else {
    Field("usual causes", code.causes);
    Field("what to do", code.remedy);
  }
  Field("message ids", Joined(MessageIdsOf(code)));
}

void List(const std::vector<ErrorEntry>& entries) {
  std::string_view kind;
  for (const ErrorEntry& entry : entries) {
    if (entry.kind != kind) {
      std::printf("%s%s\n", kind.empty() ? "" : "\n", std::string(entry.kind).c_str());
      kind = entry.kind;
    }
    const std::string name(entry.name());
    if (entry.message != nullptr) {
      std::printf("  %-7s %s\n", name.c_str(), std::string(entry.message->title).c_str());
    } else {
      std::printf("  %6d  %-47s %s\n", entry.code->value, name.c_str(),
                  std::string(entry.code->meaning).c_str());
    }
  }
}

Json ToJson(const ErrorEntry& entry) {
  Json object{{"kind", entry.kind}, {"name", entry.name()}};
  if (const MessageId* message = entry.message; message != nullptr) {
    object["title"] = message->title;
    object["placeholders"] = message->placeholders;
    object["cause"] = message->cause;
    object["remedy"] = message->remedy;
    object["result"] = message->result;
    return object;
  }
  object["value"] = entry.code->value;
  object["meaning"] = entry.code->meaning;
  object["causes"] = entry.code->causes;
  object["remedy"] = entry.code->remedy;
  object["returned"] = !entry.code->causes.empty();
  object["message_ids"] = MessageIdsOf(*entry.code);
  return object;
}

void PrintUnknown(const std::string& name) {
  std::string text;
  for (const std::string& similar : SimilarErrors(name)) text += (text.empty() ? "" : ", ") + similar;
  std::fprintf(stderr, "tandem errors: there is no error `%s`; %s%s\n", name.c_str(),
               text.empty() ? "`tandem errors` lists all" : "did you mean ", text.c_str());
}

bool Print(const std::vector<ErrorEntry>& entries, bool list, bool json) {
  if (json) {
    Json all = Json::array();
    for (const ErrorEntry& entry : entries) all.push_back(ToJson(entry));
    std::puts(Json{{"errors", std::move(all)}}.dump(2).c_str());
  } else if (list) {
    List(entries);
  } else {
    for (size_t i = 0; i < entries.size(); ++i) {
      if (i > 0) std::puts("");
      Explain(entries[i]);
    }
  }
  return std::fflush(stdout) == 0 && std::ferror(stdout) == 0;
}

}  // namespace

int ErrorsVerb(int argc, char** argv) {
  CLI::App app{kDescription};
  app.name("tandem errors");
  SetUsage(app, "tandem errors [--json] [NAME...]");
  app.footer(kFooter);
  bool json = false;
  std::vector<std::string> names;
  app.add_flag("--json", json, "Print one JSON object instead of text");
  app.add_option("NAME", names, "What to explain");
  if (const auto code = ParseCommandLine(app, argc, argv)) return *code;

  bool known = true;
  std::vector<ErrorEntry> entries;
  for (const std::string& name : names) {
    const std::vector<ErrorEntry> found = FindErrors(name);
    if (found.empty()) PrintUnknown(name);
    known = known && !found.empty();
    entries.insert(entries.end(), found.begin(), found.end());
  }
  if (!known) return kExitUsage;
  if (names.empty()) entries = AllErrors();
  return Print(entries, names.empty(), json) ? 0 : kExitInternal;
}

}  // namespace tandem::tools
