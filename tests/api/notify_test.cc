// SPDX-License-Identifier: Apache-2.0
// Notifies within one process.
#include <acl/acl.h>
#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

#include "api/runtime_fixture.h"

namespace tandem::test {
namespace {

class NotifyTest : public RuntimeTest {
 protected:
  void SetUp() override {
    RuntimeTest::SetUp();
    ASSERT_EQ(aclrtCreateNotify(&notify_, ACL_NOTIFY_DEFAULT), ACL_SUCCESS);
    ASSERT_EQ(aclrtCntNotifyCreate(&counter_, ACL_NOTIFY_DEFAULT), ACL_SUCCESS);
  }
  void TearDown() override {
    if (notify_ != nullptr) {
      EXPECT_EQ(aclrtDestroyNotify(notify_), ACL_SUCCESS);
    }
    EXPECT_EQ(aclrtCntNotifyDestroy(counter_), ACL_SUCCESS);
    RuntimeTest::TearDown();
  }
  void Count(aclrtCntNotifyRecordMode mode, uint32_t value) {
    aclrtCntNotifyRecordInfo info{mode, value};
    ASSERT_EQ(aclrtCntNotifyRecord(counter_, other_, &info), ACL_SUCCESS);
    ASSERT_EQ(aclrtSynchronizeStream(other_), ACL_SUCCESS);
  }
  void QueueWait(aclrtCntNotifyWaitMode mode, uint32_t value, uint8_t clear = 0) {
    aclrtCntNotifyWaitInfo info{mode, value, 0, clear, {0, 0, 0}};
    ASSERT_EQ(aclrtCntNotifyWaitWithTimeout(counter_, stream_, &info), ACL_SUCCESS);
  }
  // Whether the stream passes a wait for the condition; the counter is set so that it does afterwards.
  void ExpectPasses(aclrtCntNotifyWaitMode mode, uint32_t value, int line = __builtin_LINE()) {
    QueueWait(mode, value);
    EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(stream_, 60000), ACL_SUCCESS) << "line " << line;
  }
  aclrtNotify notify_ = nullptr;
  aclrtCntNotify counter_ = nullptr;
};

TEST_F(NotifyTest, AWaitEndsWithTheRecordOfAnotherStream) {
  ASSERT_EQ(aclrtWaitAndResetNotify(notify_, stream_, 0), ACL_SUCCESS);
  EXPECT_EQ(StatusOf(stream_), ACL_STREAM_STATUS_NOT_READY);
  ASSERT_EQ(aclrtRecordNotify(notify_, other_), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS);
}

TEST_F(NotifyTest, TheRecordMayComeFirstAndCountsOnce) {
  ASSERT_EQ(aclrtRecordNotify(notify_, stream_), ACL_SUCCESS);
  ASSERT_EQ(aclrtRecordNotify(notify_, stream_), ACL_SUCCESS);
  ASSERT_EQ(aclrtWaitAndResetNotify(notify_, stream_, 0xFFFFFFFF), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS);
  ASSERT_EQ(aclrtWaitAndResetNotify(notify_, stream_, 1), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStream(stream_), ACL_ERROR_RT_TASK_TIMEOUT) << "two records are one";
}

TEST_F(NotifyTest, OneRecordSatisfiesExactlyOneWait) {
  aclrtStream third = nullptr;
  ASSERT_EQ(aclrtCreateStream(&third), ACL_SUCCESS);
  ASSERT_EQ(aclrtWaitAndResetNotify(notify_, stream_, 0), ACL_SUCCESS);
  ASSERT_EQ(aclrtWaitAndResetNotify(notify_, third, 0), ACL_SUCCESS);
  ASSERT_EQ(aclrtRecordNotify(notify_, other_), ACL_SUCCESS);
  const auto passed = [&](aclrtStream stream) { return StatusOf(stream) == ACL_STREAM_STATUS_COMPLETE; };
  while (!passed(stream_) && !passed(third)) std::this_thread::yield();
  EXPECT_FALSE(passed(stream_) && passed(third));
  ASSERT_EQ(aclrtRecordNotify(notify_, other_), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStream(third), ACL_SUCCESS);
  EXPECT_EQ(aclrtDestroyStream(third), ACL_SUCCESS);
}

TEST_F(NotifyTest, TwoStreamsTakeTurns) {
  aclrtNotify back = nullptr;
  ASSERT_EQ(aclrtCreateNotify(&back, ACL_NOTIFY_DEVICE_USE_ONLY), ACL_SUCCESS);
  for (int i = 0; i < 200; ++i) {
    ASSERT_EQ(aclrtRecordNotify(notify_, stream_), ACL_SUCCESS);
    ASSERT_EQ(aclrtWaitAndResetNotify(back, stream_, 0), ACL_SUCCESS);
    ASSERT_EQ(aclrtWaitAndResetNotify(notify_, other_, 0), ACL_SUCCESS);
    ASSERT_EQ(aclrtRecordNotify(back, other_), ACL_SUCCESS);
  }
  EXPECT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStream(other_), ACL_SUCCESS);
  EXPECT_EQ(aclrtDestroyNotify(back), ACL_SUCCESS);
}

TEST_F(NotifyTest, BatchResetClearsAtOnce) {
  ASSERT_EQ(aclrtRecordNotify(notify_, stream_), ACL_SUCCESS);
  ASSERT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS);
  ASSERT_EQ(aclrtNotifyBatchReset(&notify_, 1), ACL_SUCCESS);
  ASSERT_EQ(aclrtWaitAndResetNotify(notify_, stream_, 1), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStream(stream_), ACL_ERROR_RT_TASK_TIMEOUT);

  EXPECT_EQ(aclrtNotifyBatchReset(nullptr, 1), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtNotifyBatchReset(&notify_, 0), ACL_ERROR_RT_PARAM_INVALID);
  aclrtNotify two[] = {notify_, nullptr};
  EXPECT_EQ(aclrtNotifyBatchReset(two, 2), ACL_ERROR_INVALID_PARAM);
}

TEST_F(NotifyTest, ADestroyedNotifyEndsItsWaits) {
  ASSERT_EQ(aclrtWaitAndResetNotify(notify_, stream_, 0), ACL_SUCCESS);
  ASSERT_EQ(aclrtDestroyNotify(notify_), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStream(stream_), ACL_ERROR_RT_INVALID_HANDLE);
  EXPECT_EQ(aclrtDestroyNotify(notify_), ACL_ERROR_RT_INVALID_HANDLE);
  EXPECT_EQ(aclrtRecordNotify(notify_, stream_), ACL_ERROR_RT_INVALID_HANDLE);
  notify_ = nullptr;
}

TEST_F(NotifyTest, AbortEndsAWait) {
  ASSERT_EQ(aclrtWaitAndResetNotify(notify_, stream_, 0), ACL_SUCCESS);
  EXPECT_EQ(aclrtStreamAbort(stream_), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS);
}

TEST_F(NotifyTest, ArgumentsAreChecked) {
  aclrtNotify made = nullptr;
  uint32_t id = 0;
  EXPECT_EQ(aclrtCreateNotify(nullptr, 0), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtCreateNotify(&made, 2), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtDestroyNotify(nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtDestroyNotify(counter_), ACL_ERROR_RT_INVALID_HANDLE) << "another kind";
  EXPECT_EQ(aclrtRecordNotify(nullptr, stream_), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtRecordNotify(stream_, stream_), ACL_ERROR_RT_INVALID_HANDLE);
  EXPECT_EQ(aclrtWaitAndResetNotify(nullptr, stream_, 0), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtGetNotifyId(notify_, nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtGetNotifyId(nullptr, &id), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtGetNotifyId(notify_, &id), ACL_SUCCESS);
  uint32_t counter_id = id;
  EXPECT_EQ(aclrtCntNotifyGetId(counter_, &counter_id), ACL_SUCCESS);
  EXPECT_NE(id, counter_id);

  ASSERT_EQ(aclrtSetDevice(1), ACL_SUCCESS);
  EXPECT_EQ(aclrtRecordNotify(notify_, stream_), ACL_ERROR_RT_STREAM_CONTEXT);
  EXPECT_EQ(aclrtWaitAndResetNotify(notify_, nullptr, 0), ACL_ERROR_RT_PARAM_INVALID) << "another device";
  EXPECT_EQ(aclrtRecordNotify(notify_, nullptr), ACL_SUCCESS) << "recording works from any device";
  ASSERT_EQ(aclrtSynchronizeStream(nullptr), ACL_SUCCESS);
  EXPECT_EQ(aclrtResetDevice(1), ACL_SUCCESS);
  EXPECT_EQ(aclrtCreateNotify(&made, 0), ACL_ERROR_RT_CONTEXT_NULL);
  EXPECT_EQ(aclrtRecordNotify(notify_, stream_), ACL_ERROR_RT_CONTEXT_NULL);
  ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
  EXPECT_EQ(aclrtResetDevice(0), ACL_SUCCESS);
  EXPECT_EQ(made, nullptr);
}

TEST_F(NotifyTest, KeysAreChecked) {
  char key[65];
  int32_t pid = 1;
  aclrtNotify made = nullptr;
  EXPECT_EQ(aclrtNotifyGetExportKey(nullptr, key, 65, 0), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtNotifyGetExportKey(notify_, nullptr, 65, 0), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtNotifyGetExportKey(notify_, key, 64, 0), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtNotifyGetExportKey(notify_, key, 65, 1), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtNotifySetImportPid(notify_, nullptr, 1), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtNotifySetImportPid(notify_, &pid, 0), ACL_ERROR_RT_PARAM_INVALID);
  ASSERT_EQ(aclrtNotifyGetExportKey(notify_, key, 65, 0), ACL_SUCCESS);
  EXPECT_LE(std::string(key).size(), 64U);

  EXPECT_EQ(aclrtNotifyImportByKey(nullptr, key, 0), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtNotifyImportByKey(&made, nullptr, 0), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtNotifyImportByKey(&made, key, 1), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtNotifyImportByKey(&made, key, 0), ACL_ERROR_RT_NO_PERMISSION) << "nobody was named";
  const std::string good = key;
  for (const std::string& bad :
       {std::string(), good.substr(1), good + "0", "X" + good.substr(1), "Tm" + good.substr(2),
        std::string(good.size(), '\xff'), good.substr(0, good.size() - 1) + "g"}) {
    EXPECT_EQ(aclrtNotifyImportByKey(&made, bad.c_str(), 0), ACL_ERROR_RT_PARAM_INVALID) << bad;
  }
  std::string unknown = good;
  unknown.back() = unknown.back() == '0' ? '1' : '0';
  EXPECT_EQ(aclrtNotifyImportByKey(&made, unknown.c_str(), 0), ACL_ERROR_RT_PARAM_INVALID);
  unknown = good;
  unknown[2] = unknown[2] == '0' ? '1' : '0';
  EXPECT_EQ(aclrtNotifyImportByKey(&made, unknown.c_str(), 0), ACL_ERROR_RT_PARAM_INVALID)
      << "no such process";
  EXPECT_EQ(made, nullptr);
}

TEST_F(NotifyTest, TheProcessItselfMayImport) {
  char key[65];
  ASSERT_EQ(aclrtNotifyGetExportKey(notify_, key, 65, ACL_RT_NOTIFY_EXPORT_FLAG_DISABLE_PID_VALIDATION),
            ACL_SUCCESS);
  aclrtNotify imported = nullptr;
  ASSERT_EQ(aclrtNotifyImportByKey(&imported, key, ACL_RT_NOTIFY_IMPORT_FLAG_ENABLE_PEER_ACCESS),
            ACL_SUCCESS);
  EXPECT_EQ(aclrtWaitAndResetNotify(imported, stream_, 0), ACL_ERROR_RT_PARAM_INVALID) << "only its creator";
  EXPECT_EQ(aclrtNotifyGetExportKey(imported, key, 65, 0), ACL_ERROR_RT_PARAM_INVALID);
  ASSERT_EQ(aclrtWaitAndResetNotify(notify_, stream_, 0), ACL_SUCCESS);
  ASSERT_EQ(aclrtRecordNotify(imported, other_), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS);
  ASSERT_EQ(aclrtDestroyNotify(notify_), ACL_SUCCESS);
  notify_ = nullptr;
  EXPECT_EQ(aclrtNotifyImportByKey(&imported, key, 0), ACL_ERROR_RT_PARAM_INVALID) << "the key went with it";
  ASSERT_EQ(aclrtRecordNotify(imported, other_), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStream(other_), ACL_ERROR_RT_INVALID_HANDLE);
  EXPECT_EQ(aclrtDestroyNotify(imported), ACL_SUCCESS);
}

TEST_F(NotifyTest, CountersHaveFourWaysToChangeAndFiveToWait) {
  Count(ACL_RT_CNT_NOTIFY_RECORD_SET_VALUE_MODE, 5);
  ExpectPasses(ACL_RT_CNT_NOTIFY_WAIT_EQUAL_MODE, 5);
  Count(ACL_RT_CNT_NOTIFY_RECORD_ADD_MODE, 3);
  ExpectPasses(ACL_RT_CNT_NOTIFY_WAIT_EQUAL_MODE, 8);
  ExpectPasses(ACL_RT_CNT_NOTIFY_WAIT_LESS_MODE, 9);
  ExpectPasses(ACL_RT_CNT_NOTIFY_WAIT_BIGGER_MODE, 7);
  ExpectPasses(ACL_RT_CNT_NOTIFY_WAIT_BIGGER_OR_EQUAL_MODE, 8);
  Count(ACL_RT_CNT_NOTIFY_RECORD_BIT_OR_MODE, 6);
  ExpectPasses(ACL_RT_CNT_NOTIFY_WAIT_EQUAL_MODE, 14);
  ExpectPasses(ACL_RT_CNT_NOTIFY_WAIT_EQUAL_WITH_BITMASK_MODE, 10);
  Count(ACL_RT_CNT_NOTIFY_RECORD_BIT_AND_MODE, 3);
  ExpectPasses(ACL_RT_CNT_NOTIFY_WAIT_EQUAL_MODE, 2);
  ASSERT_EQ(aclrtCntNotifyReset(counter_, other_), ACL_SUCCESS);
  ExpectPasses(ACL_RT_CNT_NOTIFY_WAIT_LESS_MODE, 1);
}

TEST_F(NotifyTest, ConditionsThatAreNotMetWait) {
  Count(ACL_RT_CNT_NOTIFY_RECORD_SET_VALUE_MODE, 8);
  const struct {
    aclrtCntNotifyWaitMode mode;
    uint32_t value;
    uint32_t met_by;
  } cases[] = {{ACL_RT_CNT_NOTIFY_WAIT_LESS_MODE, 8, 7},
               {ACL_RT_CNT_NOTIFY_WAIT_EQUAL_MODE, 9, 9},
               {ACL_RT_CNT_NOTIFY_WAIT_BIGGER_MODE, 8, 9},
               {ACL_RT_CNT_NOTIFY_WAIT_BIGGER_OR_EQUAL_MODE, 9, 9},
               {ACL_RT_CNT_NOTIFY_WAIT_EQUAL_WITH_BITMASK_MODE, 12, 13}};
  for (const auto& one : cases) {
    QueueWait(one.mode, one.value);
    EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(stream_, 20), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT) << one.mode;
    Count(ACL_RT_CNT_NOTIFY_RECORD_SET_VALUE_MODE, one.met_by);
    EXPECT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS);
    Count(ACL_RT_CNT_NOTIFY_RECORD_SET_VALUE_MODE, 8);
  }
}

TEST_F(NotifyTest, AWaitMayClearTheCounter) {
  Count(ACL_RT_CNT_NOTIFY_RECORD_SET_VALUE_MODE, 4);
  QueueWait(ACL_RT_CNT_NOTIFY_WAIT_BIGGER_MODE, 3, 1);
  ExpectPasses(ACL_RT_CNT_NOTIFY_WAIT_EQUAL_MODE, 0);
}

TEST_F(NotifyTest, CounterArgumentsAreChecked) {
  aclrtCntNotify made = nullptr;
  aclrtCntNotifyRecordInfo record{ACL_RT_CNT_NOTIFY_RECORD_ADD_MODE, 1};
  aclrtCntNotifyWaitInfo wait{ACL_RT_CNT_NOTIFY_WAIT_BIGGER_MODE, 0, 1, 0, {0, 0, 0}};
  EXPECT_EQ(aclrtCntNotifyCreate(nullptr, 0), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtCntNotifyCreate(&made, 7), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtCntNotifyDestroy(nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtCntNotifyDestroy(notify_), ACL_ERROR_RT_INVALID_HANDLE);
  EXPECT_EQ(aclrtCntNotifyRecord(nullptr, stream_, &record), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtCntNotifyRecord(counter_, stream_, nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtCntNotifyWaitWithTimeout(nullptr, stream_, &wait), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtCntNotifyWaitWithTimeout(counter_, stream_, nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtCntNotifyReset(nullptr, stream_), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtCntNotifyGetId(counter_, nullptr), ACL_ERROR_INVALID_PARAM);
  record.mode = AnyValue<aclrtCntNotifyRecordMode>(3);
  EXPECT_EQ(aclrtCntNotifyRecord(counter_, stream_, &record), ACL_ERROR_RT_PARAM_INVALID);
  wait.mode = AnyValue<aclrtCntNotifyWaitMode>(5);
  EXPECT_EQ(aclrtCntNotifyWaitWithTimeout(counter_, stream_, &wait), ACL_ERROR_RT_PARAM_INVALID);
  wait.mode = ACL_RT_CNT_NOTIFY_WAIT_BIGGER_MODE;
  wait.rsv[1] = 1;
  EXPECT_EQ(aclrtCntNotifyWaitWithTimeout(counter_, stream_, &wait), ACL_ERROR_INVALID_PARAM);
  wait.rsv[1] = 0;
  EXPECT_EQ(aclrtCntNotifyWaitWithTimeout(counter_, stream_, &wait), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStream(stream_), ACL_ERROR_RT_TASK_TIMEOUT) << "the limit counts in seconds";
}

TEST_F(NotifyTest, ThereAreSoManyAndTheyDieWithTheContext) {
  aclrtContext context = nullptr;
  for (int round = 0; round < 2; ++round) {
    ASSERT_EQ(aclrtCreateContext(&context, 0), ACL_SUCCESS);
    aclrtNotify made = nullptr;
    aclrtNotify last = nullptr;
    int count = 0;
    aclError code = ACL_SUCCESS;
    while ((code = aclrtCreateNotify(&made, 0)) == ACL_SUCCESS) {
      last = made;
      ++count;
    }
    EXPECT_EQ(code, ACL_ERROR_RT_NO_NOTIFY_RESOURCE);
    EXPECT_EQ(count, 65536 - 2) << "those of the context before are free again";
    EXPECT_EQ(aclrtDestroyContext(context), ACL_SUCCESS);
    ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
    EXPECT_EQ(aclrtResetDevice(0), ACL_SUCCESS);
    EXPECT_EQ(aclrtDestroyNotify(last), ACL_ERROR_RT_INVALID_HANDLE);
  }
}

}  // namespace
}  // namespace tandem::test
