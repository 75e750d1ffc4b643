// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace tandem::shm {

// Set for a copy of this program that is to be the peer of a test; its value is the test's address.
inline constexpr char kChildVariable[] = "TANDEM_PEER_HUB_TEST_PARENT";

// Sends its own address to the test, then answers every message until it is killed or its parent is gone.
int RunChild(const char* parent);

}  // namespace tandem::shm
