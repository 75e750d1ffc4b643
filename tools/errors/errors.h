// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace tandem::tools {

// `tandem errors`: what a message id or a result code means, and what to do.
int ErrorsVerb(int argc, char** argv);

}  // namespace tandem::tools
