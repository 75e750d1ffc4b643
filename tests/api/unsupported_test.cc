// SPDX-License-Identifier: Apache-2.0
// Calls that exist so that programs link: each says that it is not supported and leaves a text with its name.
// The list is made from the files that define them, see list_unsupported.py.
#include <acl/acl.h>
#include <acl/acl_rt_memory_soma.h>
#include <gtest/gtest.h>
#include <hccl/hccl.h>

#include <string>
#include <type_traits>

namespace tandem::test {
namespace {

// What a call must return: the code of its family, a null handle, or the number that means "no information".
void ExpectNotSupported(aclError result) { EXPECT_EQ(result, ACL_ERROR_RT_FEATURE_NOT_SUPPORT); }
void ExpectNotSupported(HcclResult result) { EXPECT_EQ(result, HCCL_E_NOT_SUPPORT); }
void ExpectNotSupported(const void* handle) { EXPECT_EQ(handle, nullptr); }

// Zeros and null pointers for all arguments: no argument may be looked at.
template <typename Returned, typename... Arguments>
void Check(const char* name, Returned (*call)(Arguments...)) {
  SCOPED_TRACE(name);
  static_cast<void>(aclGetRecentErrMsg());
  ExpectNotSupported(call(std::remove_const_t<Arguments>{}...));
  const char* text = aclGetRecentErrMsg();
  ASSERT_NE(text, nullptr);
  EXPECT_NE(std::string(text).find(std::string(name) + ":"), std::string::npos) << text;
}

// Deprecated ones are called like all others.
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

TEST(UnsupportedTest, EveryCallSaysSoAndLeavesItsName) {
#define CALL(name) Check(#name, &(name));
#include "unsupported_calls.inc"
#undef CALL
}

}  // namespace
}  // namespace tandem::test
