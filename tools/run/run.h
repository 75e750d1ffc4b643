// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace tandem::tools {

// `tandem run`: starts a program as several ranks on this machine.
int RunVerb(int argc, char** argv);

}  // namespace tandem::tools
