// SPDX-License-Identifier: Apache-2.0
#include "command_line.h"

#include <cstdio>
#include <memory>
#include <utility>

#include "verb.h"

namespace tandem::tools {
namespace {

class UsageFormatter : public CLI::Formatter {
 public:
  explicit UsageFormatter(std::string usage) : usage_(std::move(usage)) {}
  std::string make_usage(const CLI::App* /*app*/, std::string /*name*/) const override {
    return "\nusage: " + usage_ + "\n";
  }

 private:
  std::string usage_;
};

}  // namespace

void SetUsage(CLI::App& app, std::string usage) {
  app.formatter(std::make_shared<UsageFormatter>(std::move(usage)));
}

std::optional<int> ParseCommandLine(CLI::App& app, int argc, char** argv) {
  try {
    app.parse(argc, argv);
    return std::nullopt;
  } catch (const CLI::CallForHelp&) {
    std::puts(app.help().c_str());
    return 0;
  } catch (const CLI::ParseError& error) {
    // CLI11 has an exit code for every kind of mistake; users and scripts need only one.
    const std::string& name = app.get_name();
    std::fprintf(stderr, "%s: %s\n%s --help explains the arguments.\n", name.c_str(), error.what(),
                 name.c_str());
    return kExitUsage;
  }
}

}  // namespace tandem::tools
