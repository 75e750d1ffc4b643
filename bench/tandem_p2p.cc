// SPDX-License-Identifier: Apache-2.0
// Tandem through its public C API, measured by the loop that also measures its peers (peers/bench.h). Two
// ranks are two processes, each on a core of its own; with -r N the tests 'ring' and 'alltoall_p2p' run with
// N processes.
#include <acl/acl.h>
#include <hccl/hccl.h>

#include "peers/bench.h"

#include <string>
#include <vector>

namespace {

HcclComm comm;
aclrtStream stream;
bool host_memory;

void Check(int code, const char* what) {
  if (code == 0) return;
  const char* text = aclGetRecentErrMsg();
  fprintf(stderr, "%s gives %d: %s\n", what, code, text != nullptr ? text : "");
  exit(1);
}

void Wait() { Check(aclrtSynchronizeStream(stream), "aclrtSynchronizeStream"); }

void Send(size_t bytes) {
  Check(HcclSend(B.s, bytes, HCCL_DATA_TYPE_INT8, 1 - B.rank, comm, stream), "HcclSend");
  Wait();
}

void Receive(size_t bytes) {
  Check(HcclRecv(B.r, bytes, HCCL_DATA_TYPE_INT8, 1 - B.rank, comm, stream), "HcclRecv");
  Wait();
}

void Batch(std::vector<HcclSendRecvItem>& items) {
  Check(HcclBatchSendRecv(items.data(), static_cast<uint32_t>(items.size()), comm, stream),
        "HcclBatchSendRecv");
  Wait();
}

HcclSendRecvItem Item(HcclSendRecvType kind, char* buffer, size_t bytes, int peer) {
  return {kind, buffer, bytes, HCCL_DATA_TYPE_INT8, static_cast<uint32_t>(peer)};
}

void Exchange(size_t bytes) {
  static std::vector<HcclSendRecvItem> items;
  items = {Item(HCCL_SEND, B.s, bytes, 1 - B.rank), Item(HCCL_RECV, B.r, bytes, 1 - B.rank)};
  Batch(items);
}

// 64 messages in flight, answered by one. TANDEM_BATCH_DUPLICATES=list allows them in one call.
void Burst(size_t bytes) {
  static std::vector<HcclSendRecvItem> items;
  items.clear();
  for (size_t i = 0; i < BENCH_WINDOW; ++i) {
    items.push_back(B.rank == 0 ? Item(HCCL_SEND, B.s, bytes, 1)
                                : Item(HCCL_RECV, B.r + i * bytes, bytes, 0));
  }
  Batch(items);
  if (B.rank == 0) {
    Receive(1);
  } else {
    Send(1);
  }
}

void Ring(size_t bytes) {
  static std::vector<HcclSendRecvItem> items;
  items = {Item(HCCL_SEND, B.s, bytes, (B.rank + 1) % B.ranks),
           Item(HCCL_RECV, B.r, bytes, (B.rank + B.ranks - 1) % B.ranks)};
  Batch(items);
}

void AllToAll(size_t bytes) {
  static std::vector<HcclSendRecvItem> items;
  items.clear();
  for (int k = 1; k < B.ranks; ++k) {
    const int to = (B.rank + k) % B.ranks;
    const int from = (B.rank + B.ranks - k) % B.ranks;
    items.push_back(Item(HCCL_SEND, B.s + static_cast<size_t>(to) * bytes, bytes, to));
    items.push_back(Item(HCCL_RECV, B.r + static_cast<size_t>(from) * bytes, bytes, from));
  }
  Batch(items);
}

char* Allocate(size_t bytes) {
  if (host_memory) return bench_alloc(bytes);
  void* memory = nullptr;
  Check(aclrtMalloc(&memory, bytes, ACL_MEM_MALLOC_HUGE_FIRST), "aclrtMalloc");
  memset(memory, 1, bytes);  // touch every page before timing
  return static_cast<char*>(memory);
}

void Release(char* memory) {
  if (host_memory) {
    free(memory);
  } else {
    Check(aclrtFree(memory), "aclrtFree");
  }
}

void ForkRanks(int ranks) {
  bench_map(-1);
  B.ranks = ranks;
  for (int rank = 1; rank < ranks; ++rank) {
    const pid_t pid = fork();
    if (pid < 0) bench_die("fork");
    if (pid > 0) continue;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    B.rank = rank;
    return;
  }
}

// The root info travels through a pipe made before the fork: one read for each other rank.
void Connect(const int* ends) {
  HcclRootInfo root_info;
  Check(aclInit(nullptr), "aclInit");
  Check(aclrtSetDevice(B.rank), "aclrtSetDevice");
  if (B.rank == 0) {
    Check(HcclGetRootInfo(&root_info), "HcclGetRootInfo");
    for (int rank = 1; rank < B.ranks; ++rank) {
      if (write(ends[1], &root_info, sizeof root_info) != sizeof root_info) bench_die("pipe");
    }
  } else {
    size_t have = 0;
    // Readers share the pipe; a lock keeps each one's bytes together.
    while (__atomic_exchange_n(&bench_shared->ping[0].v, 1, __ATOMIC_ACQUIRE) != 0) sched_yield();
    while (have < sizeof root_info) {
      const ssize_t got = read(ends[0], reinterpret_cast<char*>(&root_info) + have, sizeof root_info - have);
      if (got <= 0) bench_die("pipe");
      have += static_cast<size_t>(got);
    }
    __atomic_store_n(&bench_shared->ping[0].v, 0, __ATOMIC_RELEASE);
  }
  Check(
      HcclCommInitRootInfo(static_cast<uint32_t>(B.ranks), &root_info, static_cast<uint32_t>(B.rank), &comm),
      "HcclCommInitRootInfo");
  Check(aclrtCreateStream(&stream), "aclrtCreateStream");
}

}  // namespace

int main(int argc, char** argv) {
  // Options of our own come first: -H (plain host memory), -r RANKS.
  int ranks = 2;
  std::vector<char*> rest = {argv[0]};
  for (int i = 1; i < argc; ++i) {
    const std::string option = argv[i];
    if (option == "-H") {
      host_memory = true;
    } else if (option == "-r" && i + 1 < argc) {
      ranks = atoi(argv[++i]);
    } else {
      rest.push_back(argv[i]);
    }
  }
  if (ranks < 2 || ranks > BENCH_RANKS) {
    fprintf(stderr, "tandem_p2p: -r takes 2 to %d ranks\n", BENCH_RANKS);
    return 2;
  }
  bench_args(static_cast<int>(rest.size()), rest.data(), "tandem");
  setenv("TANDEM_BATCH_DUPLICATES", "list", 0);
  int ends[2];
  if (pipe(ends) != 0) bench_die("pipe");
  ForkRanks(ranks);
  if (ranks == 2 && B.pin) bench_pin(B.rank);
  if (ranks > 2) B.noprobe = 1;
  Connect(ends);
  B.send = Send;
  B.recv = Receive;
  B.exchange = Exchange;
  B.burst = Burst;
  for (int i = 0; i < B.nsizes; ++i) {
    const size_t n = B.sizes[i];
    const size_t room = ranks == 2 ? bench_room(n) : n * static_cast<size_t>(ranks);
    B.s = Allocate(room);
    B.r = Allocate(room);
    if (ranks == 2) {
      bench_two(n);
    } else {
      const double volume = static_cast<double>(n) * ranks;
      if (bench_wants("ring")) bench_run("ring", n, 1, volume, Ring);
      if (bench_wants("alltoall_p2p")) bench_run("alltoall_p2p", n, 1, volume * (ranks - 1), AllToAll);
    }
    bench_allmax(0);
    Release(B.s);
    Release(B.r);
  }
  bench_allmax(0);
  Check(aclrtDestroyStream(stream), "aclrtDestroyStream");
  Check(HcclCommDestroy(comm), "HcclCommDestroy");
  bench_allmax(0);
  while (B.rank == 0 && wait(nullptr) > 0) {
  }
  return 0;
}
