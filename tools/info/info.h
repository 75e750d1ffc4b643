// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace tandem::tools {

// `tandem info`: what this installation and this machine offer.
int InfoVerb(int argc, char** argv);

}  // namespace tandem::tools
