// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdarg>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace tandem {

// Why something failed, in the terms of the API's documents. capi/status_map.cc is the only table that turns
// a code into an HcclResult and an aclError.
enum class Code : uint8_t {
  kOk,
  // An argument is wrong.
  kNullPointer,      // a required pointer is null
  kInvalidArgument,  // a value outside what the outer API layer accepts
  kInvalidValue,     // a value that the runtime layer refuses
  kInvalidDevice,    // no such device
  kNoContext,        // this thread has selected no device or context
  kWrongContext,     // the stream belongs to another context than the current one
  kInvalidHandle,    // a handle that is stale, foreign, or of another kind
  kNotSupported,     // the feature, product or combination does not exist
  kNotPermitted,
  kNotFound,
  kAlreadyInitialized,
  kAlreadyFinalized,
  kContextReleased,  // a device was released more often than it was set
  kInvalidFile,
  kParseFile,  // a file that is there but cannot be understood
  kNoDevice,   // the list of visible devices is unusable
  kOptionNotSet,
  kInvalidMemoryType,
  kFeatureUnsupported,  // the few calls that use ACL's own code for "not supported"
  kStreamSubscribed,
  kThreadSubscribed,     // the thread serves no callbacks, or those of another device
  kNotSubscribed,        // nobody runs the callbacks of this stream
  kMemoryRegistered,     // host memory is registered already
  kMemoryNotRegistered,  // host memory was not registered
  kNotCapturing,
  kRefused,  // the ACL layer refuses a registration
  kFailure,  // a configuration value is out of its domain
  // Something ran out.
  kOutOfMemory,
  kNoStreams,
  kNoEvents,
  kNoNotifies,
  kResourceExhausted,
  // State and time.
  kUnavailable,
  kAgain,
  kSuspended,
  kTimeout,        // an exchange with other ranks ran out of time
  kReportTimeout,  // no callback came in time
  kStreamSyncTimeout,
  kEventSyncTimeout,
  kWaitTimeout,  // a wait inside the runtime ran out of time
  kTaskTimeout,  // a task on a stream exceeded its own limit
  kStreamAborted,
  kDeviceAborting,  // all tasks of the device are being dropped
  kEventNotRecorded,
  kEventTimestampInvalid,
  // Communication.
  kMismatch,  // the two sides of a transfer disagree
  kPeerLost,  // the other rank exited, was killed or left
  kConnect,   // nobody answers at the address
  kNetwork,
  kCopyFailed,
  kTaskFailed,
  kSystem,    // a system call failed in a way nobody expects
  kInternal,  // a broken invariant of Tandem itself
};

std::string_view CodeName(Code code);

// Success, or a code with a text for the user. Success is a null pointer, so passing it on costs nothing.
// The text names the call, the argument, the value, what was expected and what to do, as far as each is
// known.
class [[nodiscard]] Status {
 public:
  Status() = default;
  Status(const Status& other);
  Status& operator=(const Status& other);
  Status(Status&&) noexcept = default;
  Status& operator=(Status&&) noexcept = default;
  ~Status() = default;

  static Status Ok() { return {}; }

  // The printf-style format is checked by the compiler.
  static Status Error(Code code, const char* format, ...) __attribute__((format(printf, 2, 3)));
  static Status ErrorV(Code code, const char* format, va_list args) __attribute__((format(printf, 2, 0)));
  // As Error, with strerror(error_number) appended.
  static Status FromErrno(int error_number, const char* format, ...) __attribute__((format(printf, 2, 3)));

  bool ok() const { return detail_ == nullptr; }
  Code code() const { return detail_ ? detail_->code : Code::kOk; }
  // "" for success.
  std::string_view text() const { return detail_ ? std::string_view(detail_->text) : std::string_view(); }
  // CANN's message id, such as EI0005; "" when none was given.
  std::string_view id() const { return detail_ ? std::string_view(detail_->id) : std::string_view(); }

  // Gives the message id under which CANN documents this failure, and its remedy.
  Status WithId(std::string_view id) &&;
  // Puts "context: " before the text.
  Status Annotate(std::string_view context) &&;

 private:
  struct Detail {
    Code code;
    std::string text;
    std::string id;
  };
  std::unique_ptr<Detail> detail_;
};

// Returns the status from the enclosing function unless it is success.
#define TANDEM_RETURN_IF_ERROR(expression)                                      \
  do {                                                                          \
    if (::tandem::Status status_ = (expression); !status_.ok()) return status_; \
  } while (false)

}  // namespace tandem
