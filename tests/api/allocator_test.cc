// SPDX-License-Identifier: Apache-2.0
// A user's allocator of a stream, and the attributes of the package.
#include <acl/acl.h>
#include <acl/acl_rt_allocator.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "api/runtime_fixture.h"

namespace tandem::test {
namespace {

// The library keeps these and never calls them.
void* Allocate(aclrtAllocator, size_t) { return nullptr; }
void Free(aclrtAllocator, aclrtAllocatorBlock) {}
void* AllocateAt(aclrtAllocator, size_t, aclrtAllocatorAddr) { return nullptr; }
void* AddressOf(aclrtAllocatorBlock block) { return block; }

struct Found {
  aclrtAllocatorDesc desc = nullptr;
  aclrtAllocator object = nullptr;
  aclrtAllocatorAllocFunc allocate = nullptr;
  aclrtAllocatorFreeFunc free = nullptr;
  aclrtAllocatorAllocAdviseFunc allocate_at = nullptr;
  aclrtAllocatorGetAddrFromBlockFunc address_of = nullptr;

  aclError Get(aclrtStream stream) {
    return aclrtAllocatorGetByStream(stream, &desc, &object, &allocate, &free, &allocate_at, &address_of);
  }
};

class AllocatorTest : public RuntimeTest {
 protected:
  aclrtAllocatorDesc Complete() {
    aclrtAllocatorDesc desc = aclrtAllocatorCreateDesc();
    EXPECT_NE(desc, nullptr);
    EXPECT_EQ(aclrtAllocatorSetObjToDesc(desc, &object_), ACL_SUCCESS);
    EXPECT_EQ(aclrtAllocatorSetAllocFuncToDesc(desc, &Allocate), ACL_SUCCESS);
    EXPECT_EQ(aclrtAllocatorSetFreeFuncToDesc(desc, &Free), ACL_SUCCESS);
    EXPECT_EQ(aclrtAllocatorSetGetAddrFromBlockFuncToDesc(desc, &AddressOf), ACL_SUCCESS);
    return desc;
  }
  int object_ = 0;
};

TEST_F(AllocatorTest, ArgumentErrors) {
  EXPECT_EQ(aclrtAllocatorDestroyDesc(nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtAllocatorDestroyDesc(stream_), ACL_ERROR_RT_INVALID_HANDLE);
  aclrtAllocatorDesc desc = aclrtAllocatorCreateDesc();
  EXPECT_EQ(aclrtAllocatorSetObjToDesc(nullptr, &object_), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtAllocatorSetObjToDesc(desc, nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtAllocatorSetAllocFuncToDesc(nullptr, &Allocate), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtAllocatorSetAllocFuncToDesc(desc, nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtAllocatorSetFreeFuncToDesc(desc, nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtAllocatorSetAllocAdviseFuncToDesc(desc, nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtAllocatorSetGetAddrFromBlockFuncToDesc(desc, nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtAllocatorSetObjToDesc(stream_, &object_), ACL_ERROR_RT_INVALID_HANDLE);
  EXPECT_EQ(aclrtAllocatorRegister(stream_, nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtAllocatorRegister(nullptr, desc), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtAllocatorRegister(StaleStream(), desc), ACL_ERROR_RT_INVALID_HANDLE);
  EXPECT_EQ(aclrtAllocatorRegister(stream_, stream_), ACL_ERROR_RT_INVALID_HANDLE);
  EXPECT_EQ(aclrtAllocatorUnregister(nullptr), ACL_ERROR_INVALID_PARAM);
  Found found;
  EXPECT_EQ(found.Get(nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(found.Get(stream_), ACL_ERROR_INVALID_PARAM) << "nothing is registered";
  EXPECT_EQ(aclrtAllocatorGetByStream(stream_, nullptr, &found.object, &found.allocate, &found.free,
                                      &found.allocate_at, &found.address_of),
            ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtAllocatorDestroyDesc(desc), ACL_SUCCESS);
  EXPECT_EQ(aclrtAllocatorDestroyDesc(desc), ACL_ERROR_RT_INVALID_HANDLE);
}

TEST_F(AllocatorTest, EveryMandatoryPartIsMissedAndTheOptionalOneIsNot) {
  for (int missing = 0; missing <= 4; ++missing) {
    aclrtAllocatorDesc desc = aclrtAllocatorCreateDesc();
    if (missing != 0) {
      EXPECT_EQ(aclrtAllocatorSetObjToDesc(desc, &object_), ACL_SUCCESS);
    }
    if (missing != 1) {
      EXPECT_EQ(aclrtAllocatorSetAllocFuncToDesc(desc, &Allocate), ACL_SUCCESS);
    }
    if (missing != 2) {
      EXPECT_EQ(aclrtAllocatorSetFreeFuncToDesc(desc, &Free), ACL_SUCCESS);
    }
    if (missing != 3) {
      EXPECT_EQ(aclrtAllocatorSetGetAddrFromBlockFuncToDesc(desc, &AddressOf), ACL_SUCCESS);
    }
    EXPECT_EQ(aclrtAllocatorRegister(stream_, desc), missing == 4 ? ACL_SUCCESS : ACL_ERROR_INVALID_PARAM)
        << missing;
    EXPECT_EQ(aclrtAllocatorDestroyDesc(desc), ACL_SUCCESS);
  }
}

TEST_F(AllocatorTest, AStreamGivesBackWhatWasRegistered) {
  aclrtAllocatorDesc desc = Complete();
  ASSERT_EQ(aclrtAllocatorRegister(stream_, desc), ACL_SUCCESS);
  Found found;
  ASSERT_EQ(found.Get(stream_), ACL_SUCCESS);
  EXPECT_EQ(found.desc, desc);
  EXPECT_EQ(found.object, &object_);
  EXPECT_EQ(found.allocate, &Allocate);
  EXPECT_EQ(found.free, &Free);
  EXPECT_EQ(found.allocate_at, nullptr);
  EXPECT_EQ(found.address_of, &AddressOf);
  EXPECT_EQ(found.Get(other_), ACL_ERROR_INVALID_PARAM) << "another stream has none";
  ASSERT_EQ(aclrtAllocatorSetAllocAdviseFuncToDesc(desc, &AllocateAt), ACL_SUCCESS);
  ASSERT_EQ(aclrtAllocatorRegister(stream_, desc), ACL_SUCCESS) << "in place of the one before";
  ASSERT_EQ(aclrtAllocatorDestroyDesc(desc), ACL_SUCCESS);
  ASSERT_EQ(found.Get(stream_), ACL_SUCCESS) << "the record is the stream's own";
  EXPECT_EQ(found.allocate_at, &AllocateAt);
  EXPECT_EQ(aclrtAllocatorUnregister(stream_), ACL_SUCCESS);
  EXPECT_EQ(found.Get(stream_), ACL_ERROR_INVALID_PARAM);
}

TEST_F(AllocatorTest, ARecordEndsWithItsStream) {
  aclrtAllocatorDesc desc = Complete();
  aclrtStream stream = nullptr;
  ASSERT_EQ(aclrtCreateStream(&stream), ACL_SUCCESS);
  ASSERT_EQ(aclrtAllocatorRegister(stream, desc), ACL_SUCCESS);
  ASSERT_EQ(aclrtDestroyStream(stream), ACL_SUCCESS);
  Found found;
  EXPECT_EQ(found.Get(stream), ACL_ERROR_RT_INVALID_HANDLE);
  ASSERT_EQ(aclrtCreateStream(&stream), ACL_SUCCESS);
  EXPECT_EQ(found.Get(stream), ACL_ERROR_INVALID_PARAM) << "the next one begins without";
  EXPECT_EQ(aclrtDestroyStream(stream), ACL_SUCCESS);
  EXPECT_EQ(aclrtAllocatorDestroyDesc(desc), ACL_SUCCESS);
}

TEST(CannAttributes, AreListedAndAnswered) {
  const aclCannAttr* list = nullptr;
  size_t count = 0;
  EXPECT_EQ(aclGetCannAttributeList(nullptr, &count), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclGetCannAttributeList(&list, nullptr), ACL_ERROR_INVALID_PARAM);
  ASSERT_EQ(aclGetCannAttributeList(&list, &count), ACL_SUCCESS);
  const std::vector<aclCannAttr> all(list, list + count);
  EXPECT_EQ(all,
            (std::vector<aclCannAttr>{ACL_CANN_ATTR_INF_NAN, ACL_CANN_ATTR_BF16, ACL_CANN_ATTR_JIT_COMPILE}));
  int32_t value = -1;
  EXPECT_EQ(aclGetCannAttribute(ACL_CANN_ATTR_BF16, nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclGetCannAttribute(ACL_CANN_ATTR_UNDEFINED, &value), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclGetCannAttribute(AnyValue<aclCannAttr>(3), &value), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(value, -1);
  for (const aclCannAttr attribute : all) {
    EXPECT_EQ(aclGetCannAttribute(attribute, &value), ACL_SUCCESS);
    EXPECT_EQ(value, attribute == ACL_CANN_ATTR_JIT_COMPILE ? 0 : 1);
  }
}

}  // namespace
}  // namespace tandem::test
