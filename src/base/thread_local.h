// SPDX-License-Identifier: Apache-2.0
#pragma once

// For variables of a thread that every transfer looks at: reached without a call. They take room that the
// loader sets aside for libraries opened at run time (512 bytes by default for all of them), so only small
// ones get it, and they need constant initialization.
#define TANDEM_FAST_THREAD_LOCAL constinit thread_local __attribute__((tls_model("initial-exec")))
