// SPDX-License-Identifier: Apache-2.0
// Memory that the program mapped itself, between processes: sent and received, and shared by its number.
#include <acl/acl.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstring>
#include <string>

#include "support/job.h"
#include "support/surroundings.h"

namespace tandem::test {
namespace {

constexpr size_t kBytes = size_t{1} << 20;

enum Flag : uint32_t { kExported, kRefused, kAllowed, kWritten, kFreed };

// Physical memory, mapped at a range of its own.
struct MappedMemory {
  explicit MappedMemory(Rank& rank) {
    aclrtPhysicalMemProp prop{};
    prop.memAttr = ACL_HBM_MEM_NORMAL;
    prop.location = {rank.index(), ACL_MEM_LOCATION_TYPE_DEVICE};
    rank.Ok(aclrtMallocPhysical(&handle, kBytes, &prop, 0));
    Map(rank);
  }
  MappedMemory(Rank& rank, aclrtDrvMemHandle imported) : handle(imported) { Map(rank); }
  void Map(Rank& rank) {
    void* range = nullptr;
    rank.Ok(aclrtReserveMemAddress(&range, kBytes, 0, nullptr, 0));
    rank.Ok(aclrtMapMem(range, kBytes, 0, handle, 0));
    data = static_cast<char*>(range);
  }
  void Close(Rank& rank) {
    rank.Ok(aclrtUnmapMem(data));
    rank.Ok(aclrtReleaseMemAddress(data));
    rank.Ok(aclrtFreePhysical(handle));
  }
  bool IsAll(char value) const {
    return std::all_of(data, data + kBytes, [value](char byte) { return byte == value; });
  }
  aclrtDrvMemHandle handle = nullptr;
  char* data = nullptr;
};

class MappedTransfer : public JobTest {};
TANDEM_BOTH_MODES(MappedTransfer);

TEST_P(MappedTransfer, IsSentAndReceivedLikeDeviceMemory) {
  Run(2, [](Rank& rank) {
    MappedMemory memory(rank);
    const uint32_t peer = rank.next();
    // Odd places and small and large sizes; to mapped memory and to memory of aclrtMalloc.
    for (const size_t bytes : {size_t{8}, size_t{4096}, kBytes - 1}) {
      const Buffer plain = rank.Incoming(bytes);
      std::memset(memory.data, static_cast<int>(rank.index() + 1), kBytes);
      if (rank.index() == 0) {
        rank.Ok(HcclSend(memory.data + 1, bytes, HCCL_DATA_TYPE_INT8, peer, rank.comm(), rank.stream()));
        rank.Receive(plain, peer);
      } else {
        rank.Ok(HcclRecv(memory.data + 1, bytes, HCCL_DATA_TYPE_INT8, peer, rank.comm(), rank.stream()));
        rank.Ok(HcclSend(memory.data + 1, bytes, HCCL_DATA_TYPE_INT8, peer, rank.comm(), rank.stream()));
      }
      rank.Synchronize();
      const char* const arrived =
          rank.index() == 0 ? reinterpret_cast<const char*>(plain.data()) : memory.data + 1;
      rank.Require(std::all_of(arrived, arrived + bytes, [](char byte) { return byte == 1; }),
                   "rank 0's bytes are not what arrived (" + std::to_string(bytes) + ")");
      if (rank.index() == 1) rank.Require(memory.data[0] == 2, "a byte before the buffer was changed");
    }
    memory.Close(rank);
  });
}

aclError Import(Rank& rank, uint64_t number, aclrtDrvMemHandle& handle) {
  return aclrtMemImportFromShareableHandle(number, static_cast<int32_t>(rank.index()), &handle);
}

void ExportAndWatch(Rank& rank) {
  Board& board = rank.board();
  MappedMemory memory(rank);
  std::memset(memory.data, 1, kBytes);
  uint64_t number = 0;
  rank.Ok(aclrtMemExportToShareableHandle(memory.handle, ACL_MEM_HANDLE_TYPE_NONE,
                                          ACL_RT_VMM_EXPORT_FLAG_DEFAULT, &number));
  board.values[0] = number;
  board.Raise(kExported);
  board.Await(kRefused);
  auto pid = static_cast<int32_t>(board.values[1].load());
  rank.Ok(aclrtMemSetPidToShareableHandle(number, &pid, 1));
  board.Raise(kAllowed);
  board.Await(kWritten);
  rank.Require(memory.IsAll(2), "what the other process wrote is not here");
  memory.Close(rank);
  board.Raise(kFreed);
}

void ImportAndWrite(Rank& rank) {
  Board& board = rank.board();
  int32_t pid = 0;
  rank.Ok(aclrtDeviceGetBareTgid(&pid));
  board.values[1] = static_cast<uint64_t>(pid);
  board.Await(kExported);
  const uint64_t number = board.values[0];
  aclrtDrvMemHandle handle = nullptr;
  rank.Require(Import(rank, number, handle) == ACL_ERROR_RT_NO_PERMISSION, "this process was not named yet");
  rank.Require(Import(rank, number + 1, handle) == ACL_ERROR_RT_PARAM_INVALID, "there is no such number");
  board.Raise(kRefused);
  board.Await(kAllowed);
  size_t before = 0;
  size_t after = 0;
  size_t total = 0;
  rank.Ok(aclrtGetMemInfo(ACL_HBM_MEM, &before, &total));
  rank.Ok(Import(rank, number, handle));
  rank.Ok(aclrtGetMemInfo(ACL_HBM_MEM, &after, &total));
  rank.Require(before == after, "imported memory is counted where it was allocated");
  uint64_t again = 0;
  rank.Require(aclrtMemExportToShareableHandle(handle, ACL_MEM_HANDLE_TYPE_NONE, 0, &again) ==
                   ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
               "only its own process exports memory");
  MappedMemory memory(rank, handle);
  rank.Require(memory.IsAll(1), "what the exporter wrote is not here");
  rank.Ok(aclrtMemsetAsync(memory.data, kBytes, 2, kBytes, rank.stream()));
  rank.Synchronize();
  board.Raise(kWritten);
  board.Await(kFreed);
  rank.Require(memory.IsAll(2), "it is still mapped here, whatever the exporter gave back");
  rank.Require(Import(rank, number, handle) == ACL_ERROR_RT_PARAM_INVALID, "the exporter gave it back");
  memory.Close(rank);
  static_cast<void>(TakeErrorText());
}

TEST(SharedMemory, IsOpenedByItsNumber) {
  JobOptions options;
  const JobEnd end = RunJob(options, [](Rank& rank) {
    if (rank.index() == 0) {
      ExportAndWatch(rank);
    } else {
      ImportAndWrite(rank);
    }
  });
  EXPECT_TRUE(end.Good()) << end.Text();
}

TEST(SharedMemory, OutlivesTheProcessThatExportedIt) {
  Job job(JobOptions{}, [](Rank& rank) {
    Board& board = rank.board();
    if (rank.index() == 0) {
      MappedMemory memory(rank);
      std::memset(memory.data, 7, kBytes);
      uint64_t number = 0;
      rank.Ok(aclrtMemExportToShareableHandle(memory.handle, ACL_MEM_HANDLE_TYPE_NONE,
                                              ACL_RT_VMM_EXPORT_FLAG_DISABLE_PID_VALIDATION, &number));
      board.values[0] = number;
      board.Raise(kExported);
      for (;;) pause();
    }
    board.Await(kExported);
    aclrtDrvMemHandle handle = nullptr;
    rank.Ok(Import(rank, board.values[0], handle));
    MappedMemory memory(rank, handle);
    board.Raise(kWritten);
    board.Await(kFreed);
    rank.Require(memory.IsAll(7), "the memory went with its process");
    rank.Require(Import(rank, board.values[0], handle) == ACL_ERROR_RT_PARAM_INVALID,
                 "nobody exports it now");
    memory.Close(rank);
    static_cast<void>(TakeErrorText());
  });
  job.board().Await(kWritten);
  job.Kill(0, SIGKILL);
  AwaitEnd(job.pid(0));
  job.board().Raise(kFreed);
  const JobEnd end = job.Wait();
  EXPECT_EQ(end.processes[1].exit_code, 0) << end.Text();
}

}  // namespace
}  // namespace tandem::test
