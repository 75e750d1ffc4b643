// SPDX-License-Identifier: Apache-2.0
#include "capi/error_message.h"

#include <unistd.h>

#include <atomic>
#include <deque>
#include <utility>

#include "base/error_catalogue.h"
#include "base/fork_guard.h"
#include "base/log.h"
#include "base/mutex.h"

namespace tandem::capi {
namespace {

// A program that never asks must not collect messages for ever.
constexpr size_t kMostMessages = 64;

struct TextStore {
  std::deque<std::string> messages;  // newest first
  std::string handed_out;

  void Add(std::string message) {
    messages.push_front(std::move(message));
    if (messages.size() > kMostMessages) messages.pop_back();
  }
  const char* Take() {
    if (messages.empty()) return nullptr;
    handed_out.clear();
    for (const std::string& message : messages) handed_out += message;
    messages.clear();
    return handed_out.c_str();
  }
};

struct ProcessStore {
  Mutex mutex;
  TextStore store TANDEM_GUARDED_BY(mutex);
};

ProcessStore& Shared() {
  static ProcessStore* const store = new ProcessStore;
  return *store;
}

TextStore& Own() {
  static thread_local TextStore store;
  return store;
}

std::atomic<MessageScope> message_scope{MessageScope::kThread};
constinit thread_local aclError last_error = 0;

// A forked child cannot take the lock of the shared store: nobody there might ever give it back.
bool IsScopeThread() {
  return message_scope.load(std::memory_order_relaxed) == MessageScope::kThread || InForkedChild();
}

}  // namespace

std::string FormatErrorMessage(std::string_view id, std::string_view what) {
  const MessageId* const known = FindMessageId(id);
  std::string text(id);
  // The C library's time zone has a lock, which a forked child may never get.
  const std::string time = InForkedChild() ? "after fork" : LogTime();
  text += ": [PID: " + std::to_string(getpid()) + "] " + time + " ";
  if (known != nullptr) text += std::string(known->title) + "(" + std::string(id) + "): ";
  text += what;
  text += '\n';
  if (known == nullptr) return text;
  if (!known->cause.empty()) text += "        Possible Cause: " + std::string(known->cause) + '\n';
  if (!known->remedy.empty()) text += "        Solution: " + std::string(known->remedy) + '\n';
  return text;
}

void SetMessageScope(MessageScope scope) { message_scope.store(scope, std::memory_order_relaxed); }

void StoreMessage(std::string message) {
  if (IsScopeThread()) return Own().Add(std::move(message));
  MutexLock lock(Shared().mutex);
  Shared().store.Add(std::move(message));
}

const char* TakeMessages() {
  if (IsScopeThread()) return Own().Take();
  MutexLock lock(Shared().mutex);
  return Shared().store.Take();
}

void SetLastError(aclError error) { last_error = error; }
aclError PeekLastError() { return last_error; }
aclError TakeLastError() { return std::exchange(last_error, 0); }

}  // namespace tandem::capi
