// SPDX-License-Identifier: Apache-2.0
#include "base/status.h"

#include <array>
#include <cstdarg>
#include <cstdio>
#include <system_error>

namespace tandem {
namespace {

std::string Format(const char* format, va_list args) {
  std::array<char, 512> buffer{};
  va_list again;
  va_copy(again, args);
  const int length = std::vsnprintf(buffer.data(), buffer.size(), format, args);
  std::string text;
  if (length < 0) {
    text = format;
  } else if (static_cast<size_t>(length) < buffer.size()) {
    text.assign(buffer.data(), static_cast<size_t>(length));
  } else {
    text.resize(static_cast<size_t>(length));
    std::vsnprintf(text.data(), text.size() + 1, format, again);
  }
  va_end(again);
  return text;
}

}  // namespace

Status::Status(const Status& other)
    : detail_(other.detail_ ? std::make_unique<Detail>(*other.detail_) : nullptr) {}

Status& Status::operator=(const Status& other) {
  if (this != &other) detail_ = other.detail_ ? std::make_unique<Detail>(*other.detail_) : nullptr;
  return *this;
}

Status Status::ErrorV(Code code, const char* format, va_list args) {
  Status status;
  status.detail_ = std::make_unique<Detail>(Detail{code, Format(format, args), {}});
  return status;
}

Status Status::Error(Code code, const char* format, ...) {
  va_list args;
  va_start(args, format);
  Status status = ErrorV(code, format, args);
  va_end(args);
  return status;
}

Status Status::FromErrno(int error_number, const char* format, ...) {
  const Code code = error_number == ENOMEM ? Code::kOutOfMemory : Code::kSystem;
  va_list args;
  va_start(args, format);
  Status status = ErrorV(code, format, args);
  va_end(args);
  status.detail_->text += ": " + std::system_category().message(error_number);
  return status;
}

Status Status::WithId(std::string_view id) && {
  if (detail_) detail_->id = id;
  return std::move(*this);
}

Status Status::Annotate(std::string_view context) && {
  if (detail_) detail_->text = std::string(context) + ": " + detail_->text;
  return std::move(*this);
}

// One row for each code. NOLINTNEXTLINE(readability-function-size)
std::string_view CodeName(Code code) {
  switch (code) {
    case Code::kOk:
      return "ok";
    case Code::kNullPointer:
      return "null pointer";
    case Code::kInvalidArgument:
      return "invalid argument";
    case Code::kInvalidValue:
      return "invalid value";
    case Code::kInvalidDevice:
      return "invalid device";
    case Code::kNoContext:
      return "no current context";
    case Code::kWrongContext:
      return "wrong context";
    case Code::kInvalidHandle:
      return "invalid handle";
    case Code::kNotSupported:
      return "not supported";
    case Code::kNotPermitted:
      return "not permitted";
    case Code::kNotFound:
      return "not found";
    case Code::kAlreadyInitialized:
      return "already initialized";
    case Code::kAlreadyFinalized:
      return "already finalized";
    case Code::kContextReleased:
      return "context released";
    case Code::kInvalidFile:
      return "invalid file";
    case Code::kParseFile:
      return "unreadable file";
    case Code::kNoDevice:
      return "no device";
    case Code::kOptionNotSet:
      return "option not set";
    case Code::kInvalidMemoryType:
      return "invalid memory type";
    case Code::kFeatureUnsupported:
      return "feature unsupported";
    case Code::kStreamSubscribed:
      return "stream subscribed";
    case Code::kThreadSubscribed:
      return "thread not fit to serve callbacks";
    case Code::kNotSubscribed:
      return "stream not subscribed";
    case Code::kMemoryRegistered:
      return "host memory already registered";
    case Code::kMemoryNotRegistered:
      return "host memory not registered";
    case Code::kNotCapturing:
      return "stream not capturing";
    case Code::kRefused:
      return "refused";
    case Code::kFailure:
      return "failure";
    case Code::kOutOfMemory:
      return "out of memory";
    case Code::kNoStreams:
      return "no streams left";
    case Code::kNoEvents:
      return "no events left";
    case Code::kNoNotifies:
      return "no notifies left";
    case Code::kResourceExhausted:
      return "resource exhausted";
    case Code::kUnavailable:
      return "unavailable";
    case Code::kAgain:
      return "try again";
    case Code::kSuspended:
      return "suspended";
    case Code::kTimeout:
      return "timeout";
    case Code::kReportTimeout:
      return "no callback in time";
    case Code::kStreamSyncTimeout:
      return "stream synchronize timeout";
    case Code::kEventSyncTimeout:
      return "event synchronize timeout";
    case Code::kWaitTimeout:
      return "wait timeout";
    case Code::kTaskTimeout:
      return "task timeout";
    case Code::kStreamAborted:
      return "stream aborted";
    case Code::kDeviceAborting:
      return "device aborting";
    case Code::kEventNotRecorded:
      return "event not recorded";
    case Code::kEventTimestampInvalid:
      return "event timestamp invalid";
    case Code::kMismatch:
      return "mismatch between ranks";
    case Code::kPeerLost:
      return "peer lost";
    case Code::kConnect:
      return "cannot connect";
    case Code::kNetwork:
      return "network error";
    case Code::kCopyFailed:
      return "copy failed";
    case Code::kTaskFailed:
      return "task failed";
    case Code::kSystem:
      return "system call failed";
    case Code::kInternal:
      return "internal error";
  }
  return "unknown";
}

}  // namespace tandem
