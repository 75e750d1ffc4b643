// SPDX-License-Identifier: Apache-2.0
#include "capi/status_map.h"

#include <acl/acl_rt.h>
#include <gtest/gtest.h>

#include <string>

#include "base/error_catalogue.h"
#include "capi/enter.h"
#include "capi/error_message.h"

namespace tandem::capi {
namespace {

TEST(StatusMapTest, EveryCodeHasNamedResultsAndMessageIds) {
  for (int i = 1; i <= static_cast<int>(Code::kInternal); ++i) {
    const auto code = static_cast<Code>(i);
    const CodeMapping& mapping = MapCode(code);
    EXPECT_FALSE(AclErrorName(mapping.acl).empty()) << CodeName(code);
    EXPECT_FALSE(HcclResultName(mapping.hccl).empty()) << CodeName(code);
    for (const std::string_view id : {mapping.acl_id, mapping.hccl_id}) {
      const std::string text = FormatErrorMessage(id, "what happened");
      EXPECT_NE(text.find("(" + std::string(id) + "): what happened"), std::string::npos)
          << "no title for " << text;
    }
  }
  EXPECT_EQ(MapCode(Code::kOk).acl, ACL_SUCCESS);
  EXPECT_EQ(MapCode(Code::kOk).hccl, HCCL_SUCCESS);
}

TEST(StatusMapTest, EveryResultThatCanBeReturnedIsExplainedWithWhatToDo) {
  const auto is_explained = [](std::span<const ErrorCode> list, int value) {
    for (const ErrorCode& code : list) {
      if (code.value == value) return !code.causes.empty() && !code.remedy.empty();
    }
    return false;
  };
  for (int i = 0; i <= static_cast<int>(Code::kInternal); ++i) {
    const CodeMapping& mapping = MapCode(static_cast<Code>(i));
    EXPECT_TRUE(is_explained(HcclResults(), mapping.hccl)) << mapping.hccl;
    EXPECT_TRUE(is_explained(AclLayerErrors(), mapping.acl) || is_explained(RuntimeErrors(), mapping.acl))
        << mapping.acl;
  }
}

TEST(StatusMapTest, SomeResultsOfTheRuntimeAreNotKept) {
  for (const aclError error : {507004, 507005, 507006, 507023, 207003, 207016, 207017, 507901, 207000}) {
    EXPECT_FALSE(IsKeptAsLastError(error, "EE9999")) << error;
  }
  for (const aclError error : {107000, 107002, 107003, 107017, 207001, 507018, 507057}) {
    EXPECT_TRUE(IsKeptAsLastError(error, "EE1001")) << error;
    EXPECT_FALSE(IsKeptAsLastError(error, "EH0001")) << "found by the ACL layer";
  }
}

TEST(StatusMapTest, FailuresOfCommunicationAtSynchronize) {
  EXPECT_EQ(MapCode(Code::kMismatch).acl, 507018);
  EXPECT_EQ(MapCode(Code::kPeerLost).acl, 507057);
  EXPECT_EQ(MapCode(Code::kTaskTimeout).acl, 107020);
  EXPECT_EQ(MapCode(Code::kStreamAborted).acl, 107023);
  EXPECT_EQ(MapCode(Code::kCopyFailed).acl, 507013);
  EXPECT_EQ(MapCode(Code::kTaskFailed).acl, 507001);
  EXPECT_EQ(MapCode(Code::kStreamSyncTimeout).acl, 507046);
  EXPECT_EQ(MapCode(Code::kEventSyncTimeout).acl, 507047);
}

TEST(StatusMapTest, MessageNamesCallCodeAndNumberAndKeepsItsId) {
  const Status mismatch =
      Status::Error(Code::kMismatch, "rank 1 sends 8 elements, rank 0 expects 4").WithId("EI0005");
  EXPECT_EQ(ReportAcl("aclrtSynchronizeStream", mismatch), 507018);
  const char* stored = TakeMessages();
  ASSERT_NE(stored, nullptr);
  const std::string text = stored;
  EXPECT_EQ(text.rfind("EI0005: [PID: ", 0), 0U) << text;
  EXPECT_NE(text.find("Invalid_Argument(EI0005): aclrtSynchronizeStream: rank 1 sends 8"), std::string::npos)
      << text;
  EXPECT_NE(text.find("ACL_ERROR_RT_AICPU_EXCEPTION (507018)"), std::string::npos) << text;
  EXPECT_NE(text.find("Possible Cause: "), std::string::npos) << text;
  EXPECT_NE(text.find("Solution: "), std::string::npos) << text;
  EXPECT_EQ(TakeLastError(), 507018);
  EXPECT_EQ(ReportHccl("HcclSend", Status::Error(Code::kNullPointer, "sendBuf is null")), HCCL_E_PTR);
  stored = TakeMessages();
  ASSERT_NE(stored, nullptr);
  EXPECT_NE(std::string(stored).find("HcclSend: sendBuf is null; returns HCCL_E_PTR (2)"), std::string::npos)
      << stored;
  EXPECT_EQ(TakeLastError(), 0) << "HCCL calls leave the runtime's last error alone";
}

TEST(StatusMapTest, ExceptionsBecomeCodes) {
  EXPECT_EQ(EnterAcl("call", []() -> Status { throw std::bad_alloc(); }), ACL_ERROR_RT_MEMORY_ALLOCATION);
  EXPECT_EQ(EnterHccl("call", []() -> Status { throw 1; }), HCCL_E_INTERNAL);
  static_cast<void>(TakeMessages());
  static_cast<void>(TakeLastError());
}

TEST(StatusMapTest, StoreKeepsOnlyTheNewestMessages) {
  for (int i = 0; i < 1000; ++i) StoreMessage("message " + std::to_string(i) + "\n");
  const char* stored = TakeMessages();
  ASSERT_NE(stored, nullptr);
  const std::string text = stored;
  EXPECT_EQ(text.rfind("message 999\n", 0), 0U);
  EXPECT_EQ(text.find("message 1\n"), std::string::npos);
  EXPECT_EQ(TakeMessages(), nullptr);
}

}  // namespace
}  // namespace tandem::capi
