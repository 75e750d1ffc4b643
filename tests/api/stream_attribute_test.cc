// SPDX-License-Identifier: Apache-2.0
#include <acl/acl.h>
#include <gtest/gtest.h>

#include <cstdint>

#include "api/runtime_fixture.h"

namespace tandem::test {
namespace {

class StreamAttributeTest : public RuntimeTest {};

TEST_F(StreamAttributeTest, StreamAttributeErrors) {
  aclrtStreamAttrValue value{};
  EXPECT_EQ(aclrtSetStreamAttribute(stream_, ACL_STREAM_ATTR_PRIORITY, nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtGetStreamAttribute(stream_, ACL_STREAM_ATTR_PRIORITY, nullptr), ACL_ERROR_INVALID_PARAM);
  for (const int id : {0, 6, -1}) {
    EXPECT_EQ(aclrtSetStreamAttribute(stream_, AnyValue<aclrtStreamAttr>(id), &value),
              ACL_ERROR_RT_PARAM_INVALID);
    EXPECT_EQ(aclrtGetStreamAttribute(stream_, AnyValue<aclrtStreamAttr>(id), &value),
              ACL_ERROR_RT_PARAM_INVALID);
  }
  value.streamPriority = 8;
  EXPECT_EQ(aclrtSetStreamAttribute(stream_, ACL_STREAM_ATTR_PRIORITY, &value), ACL_ERROR_RT_PARAM_INVALID);
  value.overflowSwitch = 2;
  EXPECT_EQ(aclrtSetStreamAttribute(stream_, ACL_STREAM_ATTR_FLOAT_OVERFLOW_CHECK, &value),
            ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtSetStreamAttribute(stream_, ACL_STREAM_ATTR_CACHE_OP_INFO, &value),
            ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtGetStreamAttribute(StaleStream(), ACL_STREAM_ATTR_PRIORITY, &value),
            ACL_ERROR_RT_INVALID_HANDLE);
  aclrtContext context = nullptr;
  ASSERT_EQ(aclrtCreateContext(&context, 0), ACL_SUCCESS);
  value.userCustomTag = 1;
  EXPECT_EQ(aclrtSetStreamAttribute(stream_, ACL_STREAM_ATTR_USER_CUSTOM_TAG, &value),
            ACL_ERROR_RT_STREAM_CONTEXT);
  EXPECT_EQ(aclrtDestroyContext(context), ACL_SUCCESS);
}

uint32_t Attribute(aclrtStream stream, aclrtStreamAttr attribute) {
  aclrtStreamAttrValue value{};
  value.reserve[0] = 4711;
  EXPECT_EQ(aclrtGetStreamAttribute(stream, attribute, &value), ACL_SUCCESS);
  return value.reserve[0];
}

TEST_F(StreamAttributeTest, AStreamRemembersItsAttributes) {
  for (const aclrtStreamAttr attribute :
       {ACL_STREAM_ATTR_FAILURE_MODE, ACL_STREAM_ATTR_FLOAT_OVERFLOW_CHECK, ACL_STREAM_ATTR_USER_CUSTOM_TAG,
        ACL_STREAM_ATTR_CACHE_OP_INFO, ACL_STREAM_ATTR_PRIORITY}) {
    EXPECT_EQ(Attribute(stream_, attribute), 0U) << "of a new stream";
  }
  aclrtStreamAttrValue value{};
  value.userCustomTag = 0xFFFFFFFF;
  ASSERT_EQ(aclrtSetStreamAttribute(stream_, ACL_STREAM_ATTR_USER_CUSTOM_TAG, &value), ACL_SUCCESS);
  value.overflowSwitch = 1;
  ASSERT_EQ(aclrtSetStreamAttribute(stream_, ACL_STREAM_ATTR_FLOAT_OVERFLOW_CHECK, &value), ACL_SUCCESS);
  value.streamPriority = 5;
  ASSERT_EQ(aclrtSetStreamAttribute(stream_, ACL_STREAM_ATTR_PRIORITY, &value), ACL_SUCCESS);
  EXPECT_EQ(Attribute(stream_, ACL_STREAM_ATTR_USER_CUSTOM_TAG), 0xFFFFFFFFU);
  EXPECT_EQ(Attribute(stream_, ACL_STREAM_ATTR_FLOAT_OVERFLOW_CHECK), 1U);
  EXPECT_EQ(Attribute(stream_, ACL_STREAM_ATTR_CACHE_OP_INFO), 0U);
  EXPECT_EQ(Attribute(stream_, ACL_STREAM_ATTR_PRIORITY), 5U);
  EXPECT_EQ(Attribute(other_, ACL_STREAM_ATTR_PRIORITY), 0U);
  EXPECT_EQ(Attribute(nullptr, ACL_STREAM_ATTR_PRIORITY), 0U) << "of the default stream";
  uint32_t priority = 0;
  EXPECT_EQ(aclrtStreamGetPriority(stream_, &priority), ACL_SUCCESS);
  EXPECT_EQ(priority, 5U);
}

TEST_F(StreamAttributeTest, FailureModeIsTheSameByEitherCall) {
  aclrtContext context = nullptr;
  aclrtStream stream = nullptr;
  ASSERT_EQ(aclrtCreateContext(&context, 0), ACL_SUCCESS);
  ASSERT_EQ(aclrtCreateStream(&stream), ACL_SUCCESS);
  aclrtStreamAttrValue value{};
  value.failureMode = ACL_STOP_ON_FAILURE;
  EXPECT_EQ(aclrtSetStreamAttribute(stream, ACL_STREAM_ATTR_FAILURE_MODE, &value), ACL_SUCCESS);
  EXPECT_EQ(Attribute(stream, ACL_STREAM_ATTR_FAILURE_MODE), ACL_STOP_ON_FAILURE);
  EXPECT_EQ(aclrtSetStreamFailureMode(stream, ACL_CONTINUE_ON_FAILURE), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  value.failureMode = ACL_CONTINUE_ON_FAILURE;
  EXPECT_EQ(aclrtSetStreamAttribute(stream, ACL_STREAM_ATTR_FAILURE_MODE, &value),
            ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  EXPECT_EQ(aclrtDestroyContext(context), ACL_SUCCESS);
}

}  // namespace
}  // namespace tandem::test
