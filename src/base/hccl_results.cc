// SPDX-License-Identifier: Apache-2.0
// Every HcclResult. Causes and remedies only for what Tandem returns.
#include <hccl/hccl_types.h>

#include <algorithm>
#include <array>

#include "base/error_catalogue.h"

namespace tandem {
namespace {

#define CODE(name, ...) \
  ErrorCode { name, #name, __VA_ARGS__ }

constexpr std::array kResults = {
    CODE(HCCL_SUCCESS, "the call did what it should", "nothing failed",
         "Nothing. An operation on a stream may still fail later: check the synchronise."),
    CODE(HCCL_E_PARA, "an argument, or a setting, has a value that is not allowed",
         "a rank outside the communicator; a count above 0x7FFFFFFFF; a handle that is stale; an environment "
         "variable outside its range (EI0001); the same peer twice in one direction of a batch",
         "Read aclGetRecentErrMsg: it names the argument, the value and what is expected."),
    CODE(HCCL_E_PTR, "an argument is null", "a buffer, communicator, stream or output that was not set",
         "Pass a pointer that is not null; aclGetRecentErrMsg names it."),
    CODE(HCCL_E_MEMORY, "a resource could not be had",
         "streams, shared memory or descriptors ran out (EI0007)",
         "Free what is not needed, or raise the limit that the message names."),
    CODE(HCCL_E_INTERNAL, "failed inside; also arguments that differ between two ranks",
         "the two sides of a transfer give another count or type (EI0005); the root told this rank that the "
         "exchange failed (EI0015); a rank table cannot be read (EI0004)",
         "Read aclGetRecentErrMsg on every rank; the earliest failure is the cause."),
    CODE(HCCL_E_NOT_SUPPORT, "not available here",
         "a send or receive with the own rank; type int128; a function outside point-to-point communication",
         "Use what the message names instead; in a batch, a send and a receive with oneself are allowed "
         "together."),
    CODE(HCCL_E_NOT_FOUND, "something that was named does not exist",
         "HCCL_IF_IP or HCCL_SOCKET_IFNAME names nothing of this host (EI0001); an entry of a rank table is "
         "missing (EI0017)",
         "Choose one of those that the message lists."),
    CODE(HCCL_E_UNAVAIL, "a resource is in use or out of reach",
         "a port is taken by another program (EI0019)",
         "Choose other ports with HCCL_IF_BASE_PORT or HCCL_HOST_SOCKET_PORT_RANGE=auto."),
    CODE(HCCL_E_SYSCALL, "the operating system refused a call",
         "a limit of the container; a file system without room",
         "The message holds the system's reason; lift that limit."),
    CODE(HCCL_E_TIMEOUT, "other ranks did not come in time",
         "a rank did not start, has failed or is slow (EI0002, EI0006, EI0015)",
         "Look at the ranks that the message names; for slow starts raise HCCL_CONNECT_TIMEOUT, for slow "
         "work HCCL_EXEC_TIMEOUT."),
    CODE(HCCL_E_OPEN_FILE_FAILURE, "a file cannot be opened", "a wrong path; missing permission",
         "Check the path that the message names."),
    CODE(HCCL_E_TCP_CONNECT, "nobody answers at the address of the root",
         "the process that made the root info has ended; the root info is of an earlier run",
         "Make a new root info and give it to all ranks of this run."),
    CODE(HCCL_E_ROCE_CONNECT, "an RDMA connection could not be made", "", ""),
    CODE(HCCL_E_TCP_TRANSFER, "data over a TCP connection was lost", "", ""),
    CODE(HCCL_E_ROCE_TRANSFER, "data over an RDMA connection was lost", "", ""),
    CODE(HCCL_E_RUNTIME, "the ACL runtime refused",
         "no device was set in this thread; a stream of another context",
         "Call aclrtSetDevice in each thread, and use streams of the context that is current."),
    CODE(HCCL_E_DRV, "the driver refused", "", ""),
    CODE(HCCL_E_PROFILING, "profiling failed", "", ""),
    CODE(HCCL_E_CCE, "the compute engine failed", "", ""),
    CODE(HCCL_E_NETWORK, "the network between ranks failed",
         "an interface went down; a connection broke (EI0009)",
         "Check the interface that the message names."),
    CODE(HCCL_E_AGAIN, "busy; nothing was changed", "HcclCommDestroy while an operation is not finished",
         "Synchronise the streams of the communicator and call again."),
    CODE(HCCL_E_REMOTE, "the other rank failed or left",
         "its process ended or was killed, or it destroyed its communicator (EI0012)",
         "Look for the earliest error of that rank; make a new communicator."),
    CODE(HCCL_E_SUSPENDING, "the communicator is suspended",
         "an operation between HcclCommSuspend and HcclCommResume", "Resume first."),
    CODE(HCCL_E_OPRETRY_FAIL, "repeating an operation failed", "", ""),
    CODE(HCCL_E_OOM, "memory ran out",
         "the host has no memory for an object of the library, or the device is full (EI0011)",
         "Free memory, or raise TANDEM_DEVICE_MEMORY."),
    CODE(HCCL_E_IN_STATUS, "the communicator is in a state that does not allow the call", "", ""),
    CODE(HCCL_E_RESERVED, "the end of the list; never returned", "", ""),
};

#undef CODE

static_assert(std::is_sorted(kResults.begin(), kResults.end(),
                             [](const ErrorCode& a, const ErrorCode& b) { return a.value < b.value; }));

}  // namespace

std::span<const ErrorCode> HcclResults() { return kResults; }

}  // namespace tandem
