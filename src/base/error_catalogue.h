// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

namespace tandem {

// What one message id of CANN means. The text of aclGetRecentErrMsg ends with the cause and the remedy, and
// `tandem errors` prints all of it.
struct MessageId {
  std::string_view id;            // EI0005
  std::string_view title;         // as CANN's pages of error codes give it
  std::string_view placeholders;  // what CANN's text names, in this order; "" for ids outside HCCL
  std::string_view cause;         // "" where the text of the failure says all
  std::string_view remedy;
  std::string_view result;  // what the call that fails returns
};

// A result of a call. `causes` and `remedy` are "" for a code that Tandem never returns.
struct ErrorCode {
  int value;
  std::string_view name;  // HCCL_E_PARA
  std::string_view meaning;
  std::string_view causes;
  std::string_view remedy;
};

std::span<const MessageId> MessageIds();
std::span<const ErrorCode> HcclResults();     // every HcclResult, ascending
std::span<const ErrorCode> AclLayerErrors();  // every aclError of acl_base_rt.h, ascending
std::span<const ErrorCode> RuntimeErrors();   // every aclError of rt_error_codes.h, ascending

// Null when there is no such id.
const MessageId* FindMessageId(std::string_view id);
// "HCCL_E_PARA"; "" for a number that is no code.
std::string_view HcclResultName(int result);
// "ACL_ERROR_RT_STREAM_CONTEXT"; "" for a number that is no code.
std::string_view AclErrorName(int error);

}  // namespace tandem
