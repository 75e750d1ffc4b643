// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hccl/hccl_types.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "base/result.h"
#include "comm/communicator.h"
#include "comm/seat.h"

namespace tandem::capi {

// A communicator handle names a seat, which is used again but never freed: a call that races with
// HcclCommDestroy finds either the communicator or a seat that is not its own, and never freed memory.

// The name of a communicator that is being made, or lives, on a device; no other may have it there meanwhile.
class NameClaim {
 public:
  enum class Origin : uint8_t { kOther, kRankTable };

  NameClaim() = default;
  NameClaim(NameClaim&& other) noexcept;
  NameClaim& operator=(NameClaim&& other) noexcept;
  ~NameClaim();

  // kUnavailable: this device has a communicator of a rank table already, and this would be a second one.
  // kInvalidArgument: the name is in use.
  static Result<NameClaim> Take(int32_t device, const std::string& name, Origin origin = Origin::kOther);

  // The communicator can be found by its name from now on.
  void Publish(HcclComm handle);

 private:
  void Release();

  bool held_ = false;
  int32_t device_ = 0;
  std::string name_;
  Origin origin_ = Origin::kOther;
};

Result<HcclComm> AddCommunicator(std::shared_ptr<Communicator> communicator, NameClaim claim);

// kNullPointer or kInvalidHandle when it is none.
Result<std::shared_ptr<Communicator>> ResolveCommunicator(HcclComm comm);

// The communicator of a handle, held so that nothing can end it, and no other call can number operations,
// until this goes. Nothing that blocks may be done meanwhile.
class OpenCommunicator {
 public:
  explicit OpenCommunicator(HcclComm comm);
  OpenCommunicator(const OpenCommunicator&) = delete;
  OpenCommunicator& operator=(const OpenCommunicator&) = delete;
  ~OpenCommunicator() TANDEM_NO_THREAD_SAFETY_ANALYSIS {
    if (seat_ != nullptr) seat_->submit_mutex.Unlock();
  }

  // False: the handle names no communicator, and Why says what it is: kNullPointer or kInvalidHandle.
  explicit operator bool() const { return seat_ != nullptr; }
  static Status Why(HcclComm comm);

  // All of these: REQUIRES a communicator.
  Communicator* operator->() const { return seat_->communicator.get(); }
  const std::shared_ptr<Communicator>& shared() const { return seat_->communicator; }
  Status Submit(const char* call, Space space, std::span<const P2pItem> items,
                ManagedStream& stream) const TANDEM_NO_THREAD_SAFETY_ANALYSIS {
    return seat_->communicator->SubmitSeated(seat_->communicator, call, space, items, stream);
  }

 private:
  Seat* seat_;
};

// Ends the handle. False when somebody else was faster.
bool RemoveCommunicator(HcclComm comm);

// The communicator of that name: on `device` if there is one, else on any device of this process. Null when
// there is none.
HcclComm FindCommunicator(const std::string& name, std::optional<int32_t> device);

// FindCommunicator for the device of the calling thread, if it has one. kInvalidArgument when there is none.
Result<HcclComm> FindCommunicatorHere(const char* name, const char* argument);

}  // namespace tandem::capi
