// SPDX-License-Identifier: Apache-2.0
// Checks against the headers that the tables forget no argument: each pointer is null in a row, and each
// handle is one of a destroyed object.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string_view>

#include "badargs/rows.h"

namespace tandem::test::badargs {
namespace {

struct Argument {
  std::string type;  // without const and spaces: "void**"
  std::string name;
};
using Declarations = std::map<std::string, std::vector<Argument>>;

bool IsNameLetter(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// Without comments and lines of the preprocessor.
std::string CodeOf(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::ostringstream content;
  content << file.rdbuf();
  const std::string text = content.str();
  std::string code;
  for (size_t at = 0; at < text.size(); ++at) {
    if (text.compare(at, 2, "/*") == 0) {
      at = std::min(text.find("*/", at + 2), text.size() - 2) + 1;
    } else if (text.compare(at, 2, "//") == 0 || (text[at] == '#' && (at == 0 || text[at - 1] == '\n'))) {
      at = std::min(text.find('\n', at), text.size()) - 1;
    } else {
      code += text[at];
    }
  }
  return code;
}

Argument ReadArgument(std::string text) {
  while (!text.empty() && !IsNameLetter(text.back())) text.pop_back();
  size_t name = text.size();
  while (name > 0 && IsNameLetter(text[name - 1])) --name;
  Argument argument{"", text.substr(name)};
  std::istringstream words(text.substr(0, name));
  std::string word;
  while (words >> word) {
    if (word.ends_with("const") && word.size() > 5) word.resize(word.size() - 5);
    if (word != "const" && word != "struct") argument.type += word;
  }
  return argument;
}

std::vector<Argument> ReadArguments(const std::string& text) {
  std::vector<Argument> arguments;
  std::istringstream parts(text);
  std::string part;
  while (std::getline(parts, part, ',')) {
    const Argument argument = ReadArgument(part);
    // "void" and "..." alone are no arguments.
    if (!argument.type.empty()) arguments.push_back(argument);
  }
  return arguments;
}

// Every "name(...);" of this text.
void ReadDeclarations(const std::string& code, Declarations& found) {
  for (size_t open = code.find('('); open != std::string::npos; open = code.find('(', open + 1)) {
    const size_t close = code.find_first_of("()", open + 1);
    if (close == std::string::npos || code[close] != ')') continue;
    const size_t next = code.find_first_not_of(" \n", close + 1);
    if (next == std::string::npos || code[next] != ';') continue;
    size_t name = open;
    while (name > 0 && IsNameLetter(code[name - 1])) --name;
    found.emplace(code.substr(name, open - name), ReadArguments(code.substr(open + 1, close - open - 1)));
  }
}

Declarations ReadHeaders() {
  Declarations found;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(TANDEM_INCLUDE)) {
    // The overloads for C++ only call what the other headers declare.
    if (entry.path().extension() != ".h" || entry.path().filename() == "acl_rt_api.h") continue;
    ReadDeclarations(CodeOf(entry.path()), found);
  }
  return found;
}

bool IsHandle(const std::string& type) {
  static const std::set<std::string> handles = {"aclrtStream",
                                                "aclrtEvent",
                                                "aclrtContext",
                                                "aclrtNotify",
                                                "aclrtCntNotify",
                                                "aclrtDrvMemHandle",
                                                "aclrtAllocatorDesc",
                                                "aclrtMemPool",
                                                "HcclComm",
                                                "aclDataBuffer*",
                                                "aclrtStreamConfigHandle*"};
  return handles.contains(type);
}

bool IsPointer(const std::string& type) {
  return IsHandle(type) || type.ends_with('*') || type.ends_with("Func") || type.ends_with("Callback") ||
         type == "aclrtAllocator";
}

// Arguments that may be null. A row says all the same what null does: its `bad` has "NAME null".
struct MayBeNull {
  const char* function;  // null: of every function of the ACL runtime
  const char* argument;
  const char* why;
};
constexpr const char* kUserData = "it is handed to the callback unread";
constexpr const char* kRemoves = "null removes what was registered";
constexpr const char* kOptionalAnswer = "who does not want this answer passes null";
constexpr const char* kNoConfig = "without a configuration the defaults count";
constexpr const char* kMustBeNull = "the argument is reserved and must be null";
constexpr const char* kNoException = "the answer is all ones: these calls have no code of their own";
constexpr MayBeNull kMayBeNull[] = {
    {nullptr, "stream", "null is the default stream of the current context"},
    {"HcclCommDestroy", "comm", "a program may end what it never made"},
    {"HcclCommRegCommStateCallback", "args", kUserData},
    {"HcclCommRegCommStateCallback", "cb", kRemoves},
    {"aclAppLog", "file", "a line of the log may lack its origin"},
    {"aclAppLog", "fmt", "there is nobody whom an error could be told"},
    {"aclAppLog", "func", "a line of the log may lack its origin"},
    {"aclCreateDataBuffer", "data", "a record may be filled in later"},
    {"aclFinalizeCallbackRegister", "userData", kUserData},
    {"aclFinalizeReference", "refCount", kOptionalAnswer},
    {"aclInit", "configPath", kNoConfig},
    {"aclInitCallbackRegister", "userData", kUserData},
    {"aclUpdateDataBuffer", "data", "a record may be emptied"},
    {"aclmdlRICaptureGetInfo", "modelRI", kOptionalAnswer},
    {"aclrtDeviceGetStreamPriorityRange", "greatestPriority", kOptionalAnswer},
    {"aclrtDeviceGetStreamPriorityRange", "leastPriority", kOptionalAnswer},
    {"aclrtGetDeviceIdFromExceptionInfo", "info", kNoException},
    {"aclrtGetErrorCodeFromExceptionInfo", "info", kNoException},
    {"aclrtGetPrimaryCtxState", "flags", kMustBeNull},
    {"aclrtGetStreamIdFromExceptionInfo", "info", kNoException},
    {"aclrtGetTaskIdFromExceptionInfo", "info", kNoException},
    {"aclrtGetThreadIdFromExceptionInfo", "info", kNoException},
    {"aclrtLaunchCallback", "userData", kUserData},
    {"aclrtLaunchHostFunc", "args", kUserData},
    {"aclrtMallocForTaskScheduler", "cfg", kNoConfig},
    {"aclrtMallocHostWithCfg", "cfg", kNoConfig},
    {"aclrtMallocWithCfg", "cfg", kNoConfig},
    {"aclrtMemGetAddressRange", "pbase", kOptionalAnswer},
    {"aclrtMemGetAddressRange", "psize", kOptionalAnswer},
    {"aclrtReduceAsync", "reserve", kMustBeNull},
    {"aclrtRegDeviceStateCallback", "args", kUserData},
    {"aclrtRegDeviceStateCallback", "callback", kRemoves},
    {"aclrtRegStreamStateCallback", "args", kUserData},
    {"aclrtRegStreamStateCallback", "callback", kRemoves},
    {"aclrtReserveMemAddress", "expectPtr", "null is no wish for an address"},
    {"aclrtSetDeviceTaskAbortCallback", "args", kUserData},
    {"aclrtSetDeviceTaskAbortCallback", "callback", kRemoves},
    {"aclrtSetExceptionInfoCallback", "callback", kRemoves},
};

const MayBeNull* FindExcuse(const std::string& function, const std::string& argument) {
  for (const MayBeNull& each : kMayBeNull) {
    const bool named = each.function == nullptr ? function.starts_with("acl") : function == each.function;
    if (named && argument == each.argument) return &each;
  }
  return nullptr;
}

bool Says(const Row& row, const std::string& text) {
  return std::any_of(row.words.begin(), row.words.end(),
                     [&text](const std::string& word) { return word.find(text) != std::string::npos; });
}

bool HasNullRow(const std::vector<const Row*>& rows, const std::string& name) {
  return std::any_of(rows.begin(), rows.end(), [&](const Row* row) { return Says(*row, name + " is null"); });
}

bool HasAllowedNullRow(const std::vector<const Row*>& rows, const std::string& name) {
  return std::any_of(rows.begin(), rows.end(), [&](const Row* row) {
    return std::string_view(row->bad).find(name + " null") != std::string_view::npos;
  });
}

bool HasStaleRow(const std::vector<const Row*>& rows, const std::string& name) {
  return std::any_of(rows.begin(), rows.end(), [&](const Row* row) {
    return std::string_view(row->bad).find("destroyed") != std::string_view::npos && Says(*row, name + " is");
  });
}

void CheckArguments(const std::string& function, const std::vector<Argument>& arguments,
                    const std::vector<const Row*>& rows) {
  for (const Argument& argument : arguments) {
    if (!IsPointer(argument.type)) continue;
    const MayBeNull* const excuse = FindExcuse(function, argument.name);
    const bool refused = HasNullRow(rows, argument.name);
    if (excuse == nullptr) {
      EXPECT_TRUE(refused) << function << ": no row says \"" << argument.name << " is null\"";
    } else if (!refused) {
      EXPECT_TRUE(HasAllowedNullRow(rows, argument.name))
          << function << ": no row is of \"" << argument.name << " null\", which is allowed: " << excuse->why;
    }
    if (IsHandle(argument.type)) {
      EXPECT_TRUE(HasStaleRow(rows, argument.name))
          << function << ": no row passes a destroyed " << argument.type << " as " << argument.name;
    }
  }
}

// Calls that are not supported say so whatever they are given.
bool RefusesEverything(const std::vector<const Row*>& rows) {
  return std::all_of(rows.begin(), rows.end(), [](const Row* row) { return Says(*row, "not supported"); });
}

TEST(BadArgsAudit, EveryPointerIsNullAndEveryHandleStaleInARow) {
  const Rows all = AllRows();
  std::map<std::string, std::vector<const Row*>> by_function;
  for (const Row& row : all) by_function[row.function].push_back(&row);
  const Declarations declared = ReadHeaders();
  for (const auto& [function, rows] : by_function) {
    const auto found = declared.find(function);
    ASSERT_TRUE(found != declared.end()) << function << " is in no header of " << TANDEM_INCLUDE;
    if (!RefusesEverything(rows)) CheckArguments(function, found->second, rows);
  }
}

TEST(BadArgsAudit, EveryExcuseIsNeeded) {
  const Declarations declared = ReadHeaders();
  const Rows all = AllRows();
  for (const MayBeNull& each : kMayBeNull) {
    if (each.function == nullptr) continue;
    const auto found = declared.find(each.function);
    ASSERT_TRUE(found != declared.end()) << each.function;
    EXPECT_TRUE(std::any_of(found->second.begin(), found->second.end(),
                            [&each](const Argument& argument) {
                              return argument.name == each.argument && IsPointer(argument.type);
                            }))
        << each.function << " has no pointer " << each.argument;
    for (const Row& row : all) {
      EXPECT_FALSE(std::string_view(row.function) == each.function &&
                   Says(row, std::string(each.argument) + " is null"))
          << each.function << " refuses null as " << each.argument << ": it needs no excuse";
    }
  }
}

}  // namespace
}  // namespace tandem::test::badargs
