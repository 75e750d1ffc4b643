// SPDX-License-Identifier: Apache-2.0
// Notifies that count; their creation is beside that of the others.
#include <acl/acl_rt.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <optional>

#include "capi/enter.h"
#include "capi/handles.h"
#include "stream/notify.h"

namespace tandem::capi {
namespace {

// The notify and stream of a call that queues something.
struct CountNotifyUse {
  Notify* notify;
  ManagedStream* stream;
};

Result<Notify*> ResolveCounter(aclrtCntNotify notify) {
  TANDEM_RETURN_IF_ERROR(CheckNotNull(notify, "cntNotify"));
  return Resolve<Notify>(HandleKind::kCountNotify, notify, "cntNotify");
}

Result<CountNotifyUse> ResolveUse(aclrtCntNotify notify, aclrtStream stream) {
  const Result<Notify*> found = ResolveCounter(notify);
  if (!found) return found.status();
  const Result<ManagedStream*> on = ResolveStream(stream);
  if (!on) return on.status();
  return CountNotifyUse{*found, *on};
}

Result<NotifyChange> ChangeOf(const aclrtCntNotifyRecordInfo& info) {
  using Kind = NotifyChange::Kind;
  switch (static_cast<int>(info.mode)) {
    case ACL_RT_CNT_NOTIFY_RECORD_SET_VALUE_MODE:
      return NotifyChange{Kind::kSet, info.value};
    case ACL_RT_CNT_NOTIFY_RECORD_ADD_MODE:
      return NotifyChange{Kind::kAdd, info.value};
    case ACL_RT_CNT_NOTIFY_RECORD_BIT_OR_MODE:
      return NotifyChange{Kind::kOr, info.value};
    case ACL_RT_CNT_NOTIFY_RECORD_BIT_AND_MODE:
      return NotifyChange{Kind::kAnd, info.value};
    default:
      return Status::Error(Code::kInvalidValue,
                           "info->mode is %d, expected 0 (set), 1 (add), 2 (or) or 4 (and)",
                           static_cast<int>(info.mode));
  }
}

Result<NotifyCondition> ConditionOf(const aclrtCntNotifyWaitInfo& info) {
  using Kind = NotifyCondition::Kind;
  if (std::any_of(std::begin(info.rsv), std::end(info.rsv), [](uint8_t byte) { return byte != 0; })) {
    return Status::Error(Code::kInvalidArgument, "info->rsv is not all zero");
  }
  const bool clear = info.isClear != 0;
  switch (static_cast<int>(info.mode)) {
    case ACL_RT_CNT_NOTIFY_WAIT_LESS_MODE:
      return NotifyCondition{Kind::kLess, info.value, clear};
    case ACL_RT_CNT_NOTIFY_WAIT_EQUAL_MODE:
      return NotifyCondition{Kind::kEqual, info.value, clear};
    case ACL_RT_CNT_NOTIFY_WAIT_BIGGER_MODE:
      return NotifyCondition{Kind::kBigger, info.value, clear};
    case ACL_RT_CNT_NOTIFY_WAIT_BIGGER_OR_EQUAL_MODE:
      return NotifyCondition{Kind::kBiggerOrEqual, info.value, clear};
    case ACL_RT_CNT_NOTIFY_WAIT_EQUAL_WITH_BITMASK_MODE:
      return NotifyCondition{Kind::kAllBits, info.value, clear};
    default:
      return Status::Error(Code::kInvalidValue,
                           "info->mode is %d, expected 0 (less), 1 (equal), 2 (bigger), 3 (bigger or equal) "
                           "or 4 (equal with bit mask)",
                           static_cast<int>(info.mode));
  }
}

}  // namespace
}  // namespace tandem::capi

using namespace tandem;        // NOLINT(google-build-using-namespace): the functions below are outside every
                               // namespace
using namespace tandem::capi;  // NOLINT(google-build-using-namespace)

extern "C" aclError aclrtCntNotifyDestroy(aclrtCntNotify cntNotify) {
  return EnterAcl("aclrtCntNotifyDestroy", [&]() -> Status {
    TANDEM_RETURN_IF_ERROR(CheckNotNull(cntNotify, "cntNotify"));
    return Notify::DestroyCounter(cntNotify) ? Status::Ok()
                                             : BadHandle(HandleKind::kCountNotify, cntNotify, "cntNotify");
  });
}

extern "C" aclError aclrtCntNotifyRecord(aclrtCntNotify cntNotify, aclrtStream stream,
                                         aclrtCntNotifyRecordInfo* info) {
  return EnterAcl("aclrtCntNotifyRecord", [&]() -> Status {
    TANDEM_RETURN_IF_ERROR(CheckNotNull(info, "info"));
    const Result<CountNotifyUse> pair = ResolveUse(cntNotify, stream);
    if (!pair) return pair.status();
    const Result<NotifyChange> change = ChangeOf(*info);
    if (!change) return change.status();
    return pair->notify->Record(*pair->stream, *change);
  });
}

extern "C" aclError aclrtCntNotifyWaitWithTimeout(aclrtCntNotify cntNotify, aclrtStream stream,
                                                  aclrtCntNotifyWaitInfo* info) {
  return EnterAcl("aclrtCntNotifyWaitWithTimeout", [&]() -> Status {
    TANDEM_RETURN_IF_ERROR(CheckNotNull(info, "info"));
    const Result<CountNotifyUse> pair = ResolveUse(cntNotify, stream);
    if (!pair) return pair.status();
    const Result<NotifyCondition> condition = ConditionOf(*info);
    if (!condition) return condition.status();
    const bool for_ever = info->timeout == std::numeric_limits<uint32_t>::max();
    return pair->notify->Wait(*pair->stream, *condition, std::chrono::seconds(for_ever ? 0 : info->timeout));
  });
}

extern "C" aclError aclrtCntNotifyReset(aclrtCntNotify cntNotify, aclrtStream stream) {
  return EnterAcl("aclrtCntNotifyReset", [&]() -> Status {
    const Result<CountNotifyUse> pair = ResolveUse(cntNotify, stream);
    if (!pair) return pair.status();
    return pair->notify->Record(*pair->stream, {NotifyChange::Kind::kSet, 0});
  });
}

extern "C" aclError aclrtCntNotifyGetId(aclrtCntNotify cntNotify, uint32_t* notifyId) {
  return EnterAcl("aclrtCntNotifyGetId", [&]() -> Status {
    const Result<Notify*> found = ResolveCounter(cntNotify);
    if (!found) return found.status();
    TANDEM_RETURN_IF_ERROR(CheckNotNull(notifyId, "notifyId"));
    const Result<uint32_t> id = (*found)->Id();
    if (!id) return id.status();
    *notifyId = *id;
    return Status::Ok();
  });
}
