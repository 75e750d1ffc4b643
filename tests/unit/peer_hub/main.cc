// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cstdlib>

#include "unit/peer_hub/child.h"

int main(int argc, char** argv) {
  if (const char* parent = std::getenv(tandem::shm::kChildVariable)) return tandem::shm::RunChild(parent);
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
