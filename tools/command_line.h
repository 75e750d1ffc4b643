// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>

namespace tandem::tools {

// The line under the description in --help; CLI11's own does not know about what follows the options.
void SetUsage(CLI::App& app, std::string usage);

// Parses argv into `app`. Returns the exit code when the program is over with this: help was printed, or the
// line is wrong and the reason was printed.
std::optional<int> ParseCommandLine(CLI::App& app, int argc, char** argv);

}  // namespace tandem::tools
