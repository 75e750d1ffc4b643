// SPDX-License-Identifier: Apache-2.0
#include "capi/communicators.h"

#include <gtest/gtest.h>
#include <hccl/hccl.h>

#include "base/handle_table.h"

namespace tandem::capi {
namespace {

// What a call sees that found its handle's seat a moment before the communicator ended and the next one took
// the seat: a live entry of the table, and a seat with another handle.
TEST(Communicators, SeatThatWasTakenAnewIsNotTheOldOne) {
  int32_t device = 0;
  HcclComm comm = nullptr;
  ASSERT_EQ(HcclCommInitAll(1, &device, &comm), HCCL_SUCCESS);
  HandleTable& table = HandleTable::Process();
  void* const seat = table.Find(HandleKind::kCommunicator, comm);
  ASSERT_NE(seat, nullptr);
  const Result<void*> late = table.Add(HandleKind::kCommunicator, seat);
  ASSERT_TRUE(late.ok());

  EXPECT_FALSE(OpenCommunicator(*late));
  EXPECT_FALSE(ResolveCommunicator(*late).ok());
  // And nothing is left locked.
  EXPECT_TRUE(OpenCommunicator(comm));
  EXPECT_TRUE(ResolveCommunicator(comm).ok());

  EXPECT_EQ(table.Remove(HandleKind::kCommunicator, *late), seat);
  EXPECT_EQ(HcclCommDestroy(comm), HCCL_SUCCESS);
}

}  // namespace
}  // namespace tandem::capi
