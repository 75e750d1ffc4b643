// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <span>
#include <string_view>

#include "errors/errors.h"
#include "info/info.h"
#include "run/run.h"
#include "verb.h"

namespace tandem::tools {
namespace {

constexpr Verb kVerbs[] = {
    {"run", "start a program as several ranks on this machine", RunVerb},
    {"info", "print version, settings, devices and what the machine offers", InfoVerb},
    {"errors", "explain message ids and result codes", ErrorsVerb},
};

void PrintVerbs(FILE* to) {
  std::fputs("verbs:\n", to);
  for (const Verb& verb : kVerbs) std::fprintf(to, "  %-8s %s\n", verb.name, verb.summary);
  std::fputs("`tandem VERB --help` explains each.\n", to);
}

void PrintHelp() {
  std::fputs(
      "tandem VERB [ARGUMENTS]\n\n"
      "HCCL point-to-point communication without NPUs: the program around the library.\n\n",
      stdout);
  PrintVerbs(stdout);
  std::fputs(
      "\nexamples:\n"
      "  tandem run -n 8 ./ring\n"
      "  tandem info --json\n"
      "  tandem errors EI0005\n",
      stdout);
}

int Main(int argc, char** argv) {
  if (argc < 2) {
    std::fputs("tandem: no verb given\n", stderr);
    PrintVerbs(stderr);
    return kExitUsage;
  }
  const std::string_view word = argv[1];
  if (word == "--help" || word == "-h" || word == "help") {
    PrintHelp();
    return 0;
  }
  if (word == "--version") {
    std::puts("tandem " TANDEM_VERSION);
    return 0;
  }
  for (const Verb& verb : kVerbs) {
    if (word == verb.name) return verb.run(argc - 1, argv + 1);
  }
  std::fprintf(stderr, "tandem: there is no verb `%s`\n", argv[1]);
  PrintVerbs(stderr);
  return kExitUsage;
}

}  // namespace
}  // namespace tandem::tools

int main(int argc, char** argv) { return tandem::tools::Main(argc, argv); }
