// SPDX-License-Identifier: Apache-2.0
// What a program sees when only some devices are visible, with a setting that only this program has.
#include <acl/acl.h>
#include <gtest/gtest.h>

#include <cstdlib>

namespace tandem::test {
namespace {

class VisibleDevicesTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { ASSERT_EQ(setenv("ASCEND_RT_VISIBLE_DEVICES", "2,5,7,x,1", 1), 0); }
};

TEST_F(VisibleDevicesTest, IdsCountTheVisibleDevices) {
  uint32_t count = 0;
  EXPECT_EQ(aclrtGetDeviceCount(&count), ACL_SUCCESS);
  EXPECT_EQ(count, 3U) << "the list ends at the first entry that is no number";
  EXPECT_EQ(aclrtSetDevice(3), ACL_ERROR_RT_INVALID_DEVICEID);
  ASSERT_EQ(aclrtSetDevice(2), ACL_SUCCESS);
  int32_t device = -1;
  EXPECT_EQ(aclrtGetDevice(&device), ACL_SUCCESS);
  EXPECT_EQ(device, 2);
  EXPECT_EQ(aclrtResetDevice(2), ACL_SUCCESS);
}

TEST_F(VisibleDevicesTest, IdsAreTranslated) {
  int32_t id = -1;
  EXPECT_EQ(aclrtGetLogicDevIdByUserDevId(1, &id), ACL_SUCCESS);
  EXPECT_EQ(id, 5);
  EXPECT_EQ(aclrtGetPhyDevIdByUserDevId(2, &id), ACL_SUCCESS);
  EXPECT_EQ(id, 7);
  EXPECT_EQ(aclrtGetUserDevIdByLogicDevId(2, &id), ACL_SUCCESS);
  EXPECT_EQ(id, 0);
  EXPECT_EQ(aclrtGetUserDevIdByPhyDevId(7, &id), ACL_SUCCESS);
  EXPECT_EQ(id, 2);
  EXPECT_EQ(aclrtGetLogicDevIdByPhyDevId(4, &id), ACL_SUCCESS);
  EXPECT_EQ(id, 4);
  EXPECT_EQ(aclrtGetPhyDevIdByLogicDevId(3, &id), ACL_SUCCESS);
  EXPECT_EQ(id, 3);
  EXPECT_EQ(aclrtGetUserDevIdByLogicDevId(3, &id), ACL_ERROR_RT_INVALID_DEVICEID) << "not visible";
  EXPECT_EQ(aclrtGetUserDevIdByPhyDevId(8, &id), ACL_ERROR_RT_INVALID_DEVICEID);
  EXPECT_EQ(aclrtGetLogicDevIdByUserDevId(0, nullptr), ACL_ERROR_INVALID_PARAM);
}

}  // namespace
}  // namespace tandem::test
