// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace tandem::tools {

// One word after `tandem`. Each verb parses its own arguments, so what follows a program's name on the line
// of `tandem run` can never be mistaken for something of ours.
struct Verb {
  const char* name;
  const char* summary;                // one line for `tandem --help`
  int (*run)(int argc, char** argv);  // argv[0] is the verb; returns the exit code
};

// Exit codes of the program itself; those from 124 on are the ones of timeout(1), env(1) and the shells.
inline constexpr int kExitUsage = 2;            // the command line is wrong
inline constexpr int kExitTimedOut = 124;       // --timeout passed
inline constexpr int kExitInternal = 125;       // tandem itself could not do its part
inline constexpr int kExitNotExecutable = 126;  // the program exists but cannot be started
inline constexpr int kExitNotFound = 127;       // there is no such program
inline constexpr int kExitSignalBase = 128;     // plus the number of the signal

}  // namespace tandem::tools
