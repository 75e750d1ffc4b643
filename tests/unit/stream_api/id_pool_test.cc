// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "stream/device.h"

namespace tandem {
namespace {

TEST(IdPoolTest, GivesTheSmallestFreeNumberUntilAllAreTaken) {
  IdPool pool(3);
  uint32_t id = 99;
  for (uint32_t expected = 0; expected < 3; ++expected) {
    ASSERT_TRUE(pool.Take(id));
    EXPECT_EQ(id, expected);
  }
  EXPECT_FALSE(pool.Take(id));
  EXPECT_EQ(pool.Available(), 0U);
  pool.Return(2);
  pool.Return(1);
  EXPECT_EQ(pool.Available(), 2U);
  ASSERT_TRUE(pool.Take(id));
  EXPECT_EQ(id, 1U);
}

}  // namespace
}  // namespace tandem
