// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <acl/acl.h>
#include <gtest/gtest.h>

#include <cstdint>

namespace tandem::test {

inline constexpr aclError kOk = ACL_SUCCESS;

// A thread with device 0 current and two streams of its own.
class RuntimeTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
    ASSERT_EQ(aclrtCreateStream(&stream_), ACL_SUCCESS);
    ASSERT_EQ(aclrtCreateStream(&other_), ACL_SUCCESS);
  }
  void TearDown() override {
    ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
    EXPECT_EQ(aclrtDestroyStream(stream_), ACL_SUCCESS);
    EXPECT_EQ(aclrtDestroyStream(other_), ACL_SUCCESS);
    EXPECT_EQ(aclrtResetDevice(0), ACL_SUCCESS);
    EXPECT_EQ(aclrtResetDevice(0), ACL_SUCCESS);
    static_cast<void>(aclGetRecentErrMsg());
    static_cast<void>(aclrtGetLastError(ACL_RT_THREAD_LEVEL));
  }

  aclrtStream stream_ = nullptr;
  aclrtStream other_ = nullptr;
};

// Keeps a stream busy until Open: a wait for an event that nobody has recorded. No timing is involved.
class Gate {
 public:
  explicit Gate(aclrtStream stream) {
    EXPECT_EQ(aclrtCreateEventWithFlag(&event_, ACL_EVENT_SYNC), ACL_SUCCESS);
    EXPECT_EQ(aclrtStreamWaitEvent(stream, event_), ACL_SUCCESS);
  }
  ~Gate() { EXPECT_EQ(aclrtDestroyEvent(event_), ACL_SUCCESS); }
  void Open(aclrtStream by) { EXPECT_EQ(aclrtRecordEvent(event_, by), ACL_SUCCESS); }
  aclrtEvent event() const { return event_; }

 private:
  aclrtEvent event_ = nullptr;
};

// A number where the call takes an enumeration; C programs can pass any.
template <typename Enum>
Enum AnyValue(int value) {
  return static_cast<Enum>(value);
}

inline aclrtStreamStatus StatusOf(aclrtStream stream) {
  aclrtStreamStatus status = ACL_STREAM_STATUS_RESERVED;
  EXPECT_EQ(aclrtStreamQuery(stream, &status), ACL_SUCCESS);
  return status;
}

// A handle that was live once.
inline aclrtStream StaleStream() {
  aclrtStream stream = nullptr;
  EXPECT_EQ(aclrtCreateStream(&stream), ACL_SUCCESS);
  EXPECT_EQ(aclrtDestroyStream(stream), ACL_SUCCESS);
  return stream;
}

}  // namespace tandem::test
