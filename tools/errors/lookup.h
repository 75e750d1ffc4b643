// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/error_catalogue.h"

namespace tandem::tools {

// One entry of the catalogue: a message id, or a code of one of the two kinds.
struct ErrorEntry {
  const MessageId* message = nullptr;
  const ErrorCode* code = nullptr;
  std::string_view kind;  // "message id", "HcclResult" or "aclError"

  std::string_view name() const { return message != nullptr ? message->id : code->name; }
};

// In the order of the catalogue: message ids, HcclResult, aclError.
std::vector<ErrorEntry> AllErrors();

// What the word means: an id or a name, in any case and with or without its prefix (PARA, STREAM_CONTEXT), or
// a number, which may be a code of both kinds. Empty when there is nothing.
std::vector<ErrorEntry> FindErrors(std::string_view word);

// Names and numbers that look like the word, the most similar first; at most six.
std::vector<std::string> SimilarErrors(std::string_view word);

// Ids of the messages that come with this result.
std::vector<std::string_view> MessageIdsOf(const ErrorCode& code);

}  // namespace tandem::tools
